"""Answers to interactions: the callback, and the webhook that its token is for fifteen minutes."""

from collections.abc import Sequence

from bot.playground.protocol import refusal
from bot.playground.protocol.number import whole
from bot.playground.protocol.wire import Json, as_id, as_object
from bot.playground.rules import modal
from bot.playground.rules.form import Form
from bot.playground.world import mention, payload
from bot.playground.world.attachment import Upload
from bot.playground.world.interaction import MOST_FOLLOWUPS_OUTSIDE, Interactions
from bot.playground.world.model import Flag, Interaction, Kind, Message, MessageType
from bot.playground.world.permission import BITS
from bot.playground.world.posting import Origin, Posting
from bot.playground.world.world import World

REPLY, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9


class Callbacks:
    def __init__(self, world: World, posting: Posting, interactions: Interactions) -> None:
        self._world = world
        self._posting = posting
        self._interactions = interactions

    # -- the first answer

    def respond(self, interaction: Interaction, body: Json, uploads: Sequence[Upload]) -> None:
        """Carry out a callback. Nothing is acknowledged unless all of it is accepted."""
        answer = body.get("type")
        if answer not in self._permitted(interaction):
            listed = ", ".join(map(str, sorted(self._permitted(interaction))))
            said = f"Value must be one of ({listed}) for this interaction."
            raise refusal.invalid(("type",), "BASE_TYPE_CHOICES", said)
        data = as_object(body.get("data")) or {}
        match answer:
            case 4:
                flags = whole(("data", "flags"), data.get("flags") or 0)
                origin = self._origin(interaction, ephemeral=bool(flags & Flag.EPHEMERAL))
                self._take(interaction, self._create(interaction, data, uploads, origin))
            case 5:
                flags = whole(("data", "flags"), data.get("flags") or 0)
                origin = self._origin(interaction, ephemeral=bool(flags & Flag.EPHEMERAL))
                channel = self._world.channel(interaction.channel_id)
                self._take(interaction, self._posting.create_loading(interaction.app.id, channel, origin))
                interaction.loading = True
            case 6:
                interaction.original = interaction.source
            case 7:
                source = self._source(interaction)
                interaction.original = self._edit(source, data, uploads)
            case 8:
                interaction.choices = self._read_choices(data)
            case _:
                modal.check(data)
                interaction.modal, interaction.modal_open = data, True
        self._interactions.acknowledge(interaction, int(answer))

    def describe(self, interaction: Interaction) -> Json:
        """What `?with_response=1` answers."""
        told: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
        told["channel_id"] = str(interaction.channel_id)
        if interaction.guild_id is not None:
            told["guild_id"] = str(interaction.guild_id)
        body: Json = {"interaction": told}
        message = interaction.original
        if message is not None:
            told["response_message_id"] = str(message.id)
            told["response_message_loading"] = interaction.loading
            told["response_message_ephemeral"] = message.is_ephemeral
            if interaction.answer in (REPLY, DEFER, UPDATE):
                kind = REPLY if interaction.answer == DEFER else interaction.answer
                body["resource"] = {"type": kind, "message": payload.message(self._world, message)}
        return body

    # -- the webhook

    def message(self, interaction: Interaction, name: str) -> Message:
        """A message that this token may touch: its own, and the one whose component it updates."""
        original = interaction.original
        if name == "@original":
            if original is None:
                raise refusal.unknown_message()
            return self._posting.find_any(original.id, interaction.channel_id)
        id = as_id(name)
        if id is None or (id not in interaction.made and (original is None or original.id != id)):
            raise refusal.unknown_message()
        return self._posting.find_any(id, interaction.channel_id)

    def edit(self, interaction: Interaction, name: str, body: Json, uploads: Sequence[Upload]) -> Message:
        message = self.message(interaction, name)
        edited = self._edit(message, body, uploads)
        if message is interaction.original:
            interaction.loading = False
            self._interactions.follow(interaction)
        return edited

    def delete(self, interaction: Interaction, name: str) -> None:
        message = self.message(interaction, name)
        self._posting.delete(message)
        if message is interaction.original:
            interaction.loading = False  # nothing waits to be filled in any more
            self._interactions.follow(interaction)

    def follow_up(self, interaction: Interaction, body: Json, uploads: Sequence[Upload]) -> Message:
        """A further message; the first one after a deferral fills the waiting one in instead."""
        if interaction.loading:
            return self.edit(interaction, "@original", body, uploads)
        if interaction.outside:
            if interaction.followups >= MOST_FOLLOWUPS_OUTSIDE:
                raise refusal.too_many_followups()
            interaction.followups += 1
        flags = whole(("flags",), body.get("flags") or 0)
        origin = self._origin(interaction, ephemeral=bool(flags & Flag.EPHEMERAL), followup=True)
        message = self._create(interaction, body, uploads, origin)
        interaction.made.add(message.id)
        self._interactions.follow(interaction)
        return message

    # -- parts

    def _permitted(self, interaction: Interaction) -> set[int]:
        match interaction.kind:
            case Kind.AUTOCOMPLETE:
                return {CHOICES}
            case Kind.COMMAND:
                return {REPLY, DEFER, MODAL}
            case Kind.COMPONENT:
                return {REPLY, DEFER, DEFER_UPDATE, UPDATE, MODAL}
            case Kind.MODAL_SUBMIT:
                answers = {REPLY, DEFER}
                return answers if interaction.source is None else answers | {DEFER_UPDATE, UPDATE}

    def _take(self, interaction: Interaction, message: Message) -> None:
        interaction.original = message
        interaction.made.add(message.id)

    def _source(self, interaction: Interaction) -> Message:
        if interaction.source is None:
            raise refusal.unknown_message()
        return self._posting.find_any(interaction.source.id, interaction.channel_id)

    def _create(self, interaction: Interaction, body: Json, uploads: Sequence[Upload], origin: Origin) -> Message:
        channel = self._world.channel(interaction.channel_id)
        if origin.viewer_id is None and self._world.is_locked_to(interaction.app.id, channel):
            raise refusal.thread_archived()
        return self._posting.create(interaction.app.id, channel, body, uploads, origin)

    def _edit(self, message: Message, body: Json, uploads: Sequence[Upload]) -> Message:
        channel = self._world.channel(message.channel_id)
        locked = not message.is_ephemeral and message.app_id and self._world.is_locked_to(message.app_id, channel)
        if channel.archived or locked:
            raise refusal.thread_archived()
        return self._posting.edit(message, body, uploads, mention.PARSE_USERS)

    def _origin(self, interaction: Interaction, *, ephemeral: bool, followup: bool = False) -> Origin:
        metadata = interaction.metadata(payload.user(interaction.user))
        if followup and interaction.original is not None:
            metadata["original_response_message_id"] = str(interaction.original.id)
        type_ = MessageType.DEFAULT
        if interaction.kind is Kind.COMMAND:
            slash = interaction.data.get("type", 1) == 1
            type_ = MessageType.CHAT_INPUT_COMMAND if slash else MessageType.CONTEXT_MENU_COMMAND
        return Origin(
            app_id=interaction.app.id,
            viewer_id=interaction.user.id if ephemeral or self._must_hide(interaction) else None,
            metadata=metadata,
            command=interaction.command,
            type=type_,
            parse=mention.PARSE_USERS,
        )

    def _must_hide(self, interaction: Interaction) -> bool:
        """Where outside apps are switched off, their answers are for the person alone."""
        if interaction.guild_id is None or not interaction.outside:
            return False
        channel = self._world.channel(interaction.channel_id)
        allowed = self._world.permissions(interaction.user.id, channel)
        return not allowed & BITS["USE_EXTERNAL_APPS"]

    def _read_choices(self, data: Json) -> list[Json]:
        form = Form()
        if data.get("choices") is None:
            form.required(("data", "choices"))
        choices = form.objects(data, "choices", ("data",))
        form.length(("data", "choices"), len(choices), 0, 25)
        for index, choice in enumerate(choices):
            here = ("data", "choices", index)
            form.text(choice, "name", here, 100, least=1, must=True)
            if isinstance(choice.get("value"), str):
                form.text(choice, "value", here, 100, least=1)
        form.settle()
        return choices
