"""The context of one interaction: its author, origin, data, and the answer. The transport does not matter to it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import discord

from bot.discord_internals.client import HELD, REPLAYED
from bot.discord_internals.payloads import list_custom_ids, roles_of, walk_components
from bot.errors import RefereeError
from bot.interactions.answer import Answer
from bot.interactions.services import Services
from bot.rest.members import DiscordUser
from bot.ui.custom_ids import shapes
from bot.ui.message import Attachment, Message, join_lines
from bot.ui.text.sentences import say

if TYPE_CHECKING:
    from bot.referee.referee import Referee


def stale_button() -> RefereeError:
    """Return the refusal of a button that no message of the bot has any more."""
    return RefereeError("stale-button", link="")


@dataclass(frozen=True, slots=True)
class Origin:
    """The channel that an interaction came from."""

    guild: int
    """a server that the bot is a member of; 0 in a DM, and elsewhere"""
    channel: int
    is_outside: bool = False
    """True in a group chat, and in a server that the bot is no member of"""
    is_thread: bool = False
    parent: int = 0
    """the channel or forum of a thread"""
    is_closed: bool = False
    """a thread that is archived or locked"""
    bot_permissions: discord.Permissions = field(default_factory=discord.Permissions.none)
    """the bot's own"""
    can_manage: bool = False
    """True if the author may manage this server, as this interaction says"""

    @property
    def is_dm(self) -> bool:
        """True in a DM with the bot."""
        return not self.guild and not self.is_outside


@dataclass(frozen=True, slots=True)
class ComponentMessage:
    """The message whose button or select was pressed."""

    id: int
    channel: int
    ephemeral: bool
    v2: bool
    """of components, which it stays"""
    posted_at: datetime
    list_custom_ids: Callable[[], Iterable[str]] = tuple
    """gives the custom ids that stand in it, by Discord's own word"""
    list_chosen: Callable[[], Iterable[int]] = tuple
    """gives the users, roles and channels that its menus hold, by Discord's own word"""

    def has_custom_id(self, custom_id: str) -> bool:
        return custom_id in self.list_custom_ids()


@dataclass(frozen=True, slots=True)
class InteractionToken:
    """The token that edits the messages of this interaction for 15 minutes."""

    app: int
    text: str = field(repr=False)


@dataclass(slots=True, repr=False)  # what is pressed names a card that nobody else may know
class InteractionContext:
    """Everything a handler needs to know about one interaction."""

    services: Services
    answer: Answer
    author: DiscordUser
    origin: Origin
    id: int
    """the interaction's own; a later one has a higher id"""
    created_at: datetime
    """the time in the interaction's id, not that of its arrival"""
    token: InteractionToken
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """the data of the interaction as Discord sent it"""
    typed_options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """the options typed so far, for autocomplete"""
    choice_names: dict[str, str] = field(default_factory=dict[str, str])
    """for each option of a command with fixed choices, the name of the choice"""
    pressed_message: ComponentMessage | None = None
    """None for a command"""
    id_parts: tuple[str, ...] = ()
    """the parts of the pressed custom id after its verb"""
    values: tuple[str, ...] = ()
    """what was chosen in a menu"""
    fields: Mapping[str, str] | None = None
    """what was typed into a form, where one was sent in"""
    is_installed: bool = False
    """True if the application is installed in the server, perhaps without its bot"""
    is_located: bool = True
    """False until `locate` has found out if the bot is a member of the server in `origin`"""
    is_replayed: bool = False
    """True if it came with a resumed session of the gateway, perhaps minutes late"""
    user: int = field(init=False)
    """the id of the author"""
    referee: Referee = field(init=False)

    def __post_init__(self) -> None:
        self.user, self.referee = self.author.id, self.services.referee

    @property
    def message(self) -> ComponentMessage:
        """The pressed message; only presses have one."""
        assert self.pressed_message is not None
        return self.pressed_message

    async def locate(self) -> None:
        """Find out if the bot is a member of the server. Elsewhere only the channel counts."""
        guild, self.is_located = 0 if self.is_located else self.origin.guild, True
        if guild and (guild > shapes.MAX_NUMBER or not await self._is_inside(guild)):
            self.origin = replace(self.origin, guild=0, is_outside=True, can_manage=False)

    async def _is_inside(self, guild: int) -> bool:
        if await self.referee.leaving.is_member(guild):
            return True
        return self.is_installed and await self.services.members.is_joined(guild)

    @property
    def guild(self) -> int:
        """The server, which the bot must be a member of. Raises RefereeError elsewhere."""
        if not self.origin.guild:
            raise RefereeError("server-only")
        return self.origin.guild

    @property
    def board_guild(self) -> int:
        """The server in which a board is posted; 0 where the bot is no member. Raises RefereeError in a DM with it."""
        if self.origin.is_dm:
            raise RefereeError("not-in-dm")
        return self.origin.guild

    def history_guild(self, user: int) -> int:
        """Return the server in which to look up past matches of a user.

        Outside the bot's servers authors see only their own matches (0).
        """
        return self.board_guild if user == self.user else self.guild

    @property
    def value(self) -> str:
        """The one option that was chosen in a menu."""
        if len(self.values) != 1:
            raise stale_button()
        return self.values[0]

    def check_manager(self) -> int:
        """Return the server, or raise RefereeError if the author may not manage it."""
        guild = self.guild
        if not self.origin.can_manage:
            raise RefereeError("manage-server")
        return guild

    async def send_parts(self, text: str, name: str, ending: str, parts: Sequence[bytes]) -> None:
        """Send a file, or each of its parts in a message of its own."""
        for number, part in enumerate(parts, 1):
            several = say("export-part", n=number, of=len(parts)) if len(parts) > 1 else ""
            file = f"{name}-{number}.{ending}" if several else f"{name}.{ending}"
            await self.answer.send(Message(join_lines(text, several), attachments=(Attachment(file, part),)))

    def field_text(self, id: str) -> str:
        """Return the text of a field of the submitted form."""
        if self.fields is None or id not in self.fields:
            raise stale_button()
        return self.fields[id]

    def value_among(self, offered: Container[str]) -> str:
        """Return the chosen option, or raise RefereeError if it is none of these."""
        value = self.value
        if value not in offered:
            raise stale_button()
        return value

    @property
    def chosen_user(self) -> int:
        """The one person who was chosen in a menu."""
        return _check_user(self.value)

    @property
    def chosen_users(self) -> list[int]:
        """The people who were chosen in a menu; there may be none."""
        return list(map(_check_user, self.values))


def _check_user(value: str) -> int:
    user = shapes.read_user(value)
    if user is None:
        raise stale_button()
    return user


def from_interaction(interaction: discord.Interaction[Any]) -> InteractionContext:
    """Make a context from discord.py's interaction. It counts every server as one of the bot until it is located."""
    data: Any = interaction.data or {}
    sent_in = interaction.type is discord.InteractionType.modal_submit
    typing = interaction.type is discord.InteractionType.autocomplete
    message, origin = interaction.message, _read_origin(interaction)
    return InteractionContext(
        services=interaction.client.services,
        answer=Answer(interaction, in_dm=origin.is_dm),
        author=read_user(interaction.user),
        origin=origin,
        id=interaction.id,
        created_at=snowflake_time(interaction.id),
        token=InteractionToken(interaction.application_id, interaction.token),
        data=data,
        typed_options=vars(interaction.namespace) if typing else {},
        pressed_message=_read_pressed_message(message, interaction.extras.get(HELD, ()))
        if message is not None
        else None,
        values=tuple(data.get("values") or ()),
        fields=dict(_read_fields(data)) if sent_in else None,
        is_installed=interaction.is_guild_integration(),
        is_located=False,
        is_replayed=interaction.extras.get(REPLAYED, False),
    )


def read_user(user: discord.abc.User) -> DiscordUser:
    """Return a DiscordUser from discord.py's user. Only members have roles."""
    if not isinstance(user, discord.Member):
        return DiscordUser(user.id, user.display_name, user.bot)
    return DiscordUser(user.id, user.display_name, user.bot, is_member=True, roles=roles_of(user))


def _read_origin(interaction: discord.Interaction[Any]) -> Origin:
    channel, rights = interaction.channel, interaction.permissions
    thread = isinstance(channel, discord.Thread)
    guild = interaction.guild_id or 0
    return Origin(
        guild=guild,
        channel=interaction.channel_id or 0,
        is_outside=not guild and interaction.context.private_channel,
        is_thread=thread,
        parent=channel.parent_id if thread else 0,
        is_closed=thread and (channel.archived or channel.locked),
        bot_permissions=interaction.app_permissions,
        can_manage=bool(guild) and (rights.manage_guild or rights.administrator),
    )


def _read_pressed_message(message: discord.Message, held: Sequence[Mapping[str, Any]]) -> ComponentMessage:
    return ComponentMessage(
        message.id,
        message.channel.id,
        message.flags.ephemeral,
        message.flags.components_v2,
        snowflake_time(message.id),
        lambda: list_custom_ids(held),
        lambda: (int(chosen["id"]) for one in walk_components(held) for chosen in one.get("default_values", ())),
    )


def _read_fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield id and text of each field of a submitted form."""
    for one in data.get("components") or ():
        inside: list[Any] = [one.get("component") or {}, *(one.get("components") or ())]
        for typed in inside:
            if isinstance(typed.get("custom_id"), str) and isinstance(typed.get("value"), str):
                yield typed["custom_id"], typed["value"]


def snowflake_time(id: int) -> datetime:
    """Return the time in an id of Discord, or the latest possible time if it has none."""
    try:
        return discord.utils.snowflake_time(id)
    except (ValueError, OverflowError, OSError):
        return datetime.max.replace(tzinfo=UTC)
