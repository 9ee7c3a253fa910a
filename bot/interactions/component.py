"""Every button and menu: which handler a custom id belongs to.

A custom id is `g1:verb:...`; the number is the version of the format, so that old ones can be told apart. Ids are
read strictly: each handler declares the pattern of its ids and the kind of message that they stand on. Any other id is
refused as out of date. No handler trusts an id: it asks the referee again. The presses of one user on one message are
limited.

Why not a `DynamicItem`: discord.py rebuilds the whole view of a message for each press of one, only to find the item
whose custom id it knows already: 2.1 times what it takes to read the event and make the interaction, where reading the
id takes 0.04 times that (`make bench ARGS=view`, on a busy machine; single repetitions lie between 1.4 and 3.8).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial

from bot.errors import RefereeError
from bot.interactions import error_handler
from bot.interactions.context import InteractionContext, stale_button
from bot.ui.custom_ids import shapes
from bot.ui.message import Message
from bot.ui.text.sentences import say

MAX_RUNNING = 4
"""presses of one user on one message that are handled at once"""


class Verdict(Enum):
    """What is done with a press."""

    HANDLE = auto()
    WARN = auto()
    """refuse it with a sentence"""
    DROP = auto()
    """ignore it: the sentence was sent already"""


class PressThrottle:
    """Counts unanswered presses by user and message. A user who waits for each answer is never limited."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[int, int], int] = {}
        self._told: set[tuple[int, int]] = set()

    def __len__(self) -> int:
        return len(self._under_way) + len(self._told)

    @contextmanager
    def press(self, user: int, message: int) -> Generator[Verdict]:
        """Count this press until the block ends, and yield what to do with it."""
        key = user, message
        before = self._under_way.get(key, 0)
        self._under_way[key] = before + 1
        try:
            if before < MAX_RUNNING:
                yield Verdict.HANDLE
            elif key in self._told:
                yield Verdict.DROP
            else:
                self._told.add(key)
                yield Verdict.WARN
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]
                self._told.discard(key)


Handler = Callable[[InteractionContext], Awaitable[None]]


class MessageKind(Enum):
    """The kind of message that a component stands on. A press on another kind is refused."""

    ANY = auto()
    SHARED = auto()
    """for everybody in a channel"""
    OWN = auto()
    """for one person: an ephemeral one, or by DM"""
    QUESTION = auto()
    """the same, of nothing but text and buttons, or read in the place of a console: an answer to it takes its place"""
    FORM = auto()
    """no message, but a form that was sent in"""

    def matches(self, context: InteractionContext) -> bool:
        """Return True if the interaction came from such a message."""
        if self is MessageKind.FORM or context.fields is not None:
            return self is MessageKind.FORM and context.fields is not None
        if context.pressed_message is None:
            return False
        own = context.pressed_message.ephemeral or context.origin.is_dm
        match self:
            case MessageKind.ANY:
                return True
            case MessageKind.SHARED:
                return not own
            case MessageKind.OWN:
                return own
            case MessageKind.QUESTION:
                pressed = context.pressed_message
                return own and (not pressed.v2 or pressed.has_custom_id(context.data.get("custom_id", "")))


@dataclass(frozen=True, slots=True)
class Component:
    """A handler with the kinds of its ids, and the kind of message that each stands on; `GopsClient.add_feature` adds
    it to the bot."""

    ids: tuple[tuple[shapes.AnyId, MessageKind], ...]
    handler: Handler


def component(kind: shapes.AnyId, on: MessageKind = MessageKind.OWN) -> Callable[[Handler | Component], Component]:
    """Register a handler for ids of this kind."""

    def made(handler: Handler | Component) -> Component:
        known = handler if isinstance(handler, Component) else Component((), handler)
        return replace(known, ids=((kind, on), *known.ids))

    return made


class ComponentRouter:
    """Finds the handler of a pressed component or a submitted form."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[re.Pattern[str], MessageKind, Handler]]] = {}
        self._throttle = PressThrottle()

    def add(self, *presses: Component) -> None:
        for one in presses:
            for kind, on in one.ids:
                known = self._known.setdefault(kind.verb, [])
                if any(kind.shape == other.pattern for other, _, _ in known):
                    raise ValueError(f"two handlers for {kind.verb}:{kind.shape}")
                known.append((re.compile(kind.shape), on, partial(_handle, one.handler)))

    async def dispatch(self, context: InteractionContext, custom_id: object) -> None:
        """Run the handler of a custom id. An unknown id is refused before any handler sees it."""
        with self._throttle.press(
            context.user, context.pressed_message.id if context.pressed_message is not None else 0
        ) as heed:
            handler = self.find_handler(context, custom_id) if heed is Verdict.HANDLE else THROTTLED[heed]
            await error_handler.run(context, handler or _refuse)

    def find_handler(self, context: InteractionContext, custom_id: object) -> Handler | None:
        """Return the handler of a custom id, or None if no message of the bot has such an id."""
        found = shapes.read_id(custom_id)
        ids, pressed = [context.user, context.origin.guild, context.origin.channel], context.pressed_message
        if pressed is not None:
            ids += [pressed.id, pressed.channel]
        is_storable = min(ids) >= 0 and max(ids) <= shapes.MAX_NUMBER
        if found is None or not is_storable or not all(map(shapes.is_plain, context.values)):
            return None
        verb, rest = found
        context.id_parts = tuple(rest.split(":"))
        for pattern, on, handler in self._known.get(verb, ()):
            if pattern.fullmatch(rest) is not None and on.matches(context):
                return handler
        return None


# --- presses that show more of a match than the store knows: it was put back to an earlier time ---


async def _handle(handler: Handler, context: InteractionContext) -> None:
    """Handle a press. Where its match is only a challenge by now, its board becomes a stub for everybody to read."""
    try:
        await handler(context)
    except RefereeError as refusal:
        id = next(iter(context.id_parts), "")  # of a match, where the press is about one
        if refusal.id != "unknown-match" or refusal.data["x"] != id or not _is_on_message(context):
            raise
        try:
            await context.referee.lobbies.end_older(id)
        except RefereeError:
            await context.answer.update(Message(say("rolled-back", m=id)))
            return
        raise


async def check_prompt(context: InteractionContext, id: str, prompt: int) -> None:
    """Refuse a press of a prompt that is newer than any the store knows, and stop its match."""
    live = await context.referee.live(id)
    if live.stored.live and prompt > live.stored.prompt and _is_on_message(context):
        await context.referee.matches.stop_older(id, prompt)


async def check_result(context: InteractionContext, id: str) -> None:
    """The same for a press on the result of a match that the store still plays."""
    if _is_on_message(context):
        await context.referee.matches.stop_older(id)


def _is_on_message(context: InteractionContext) -> bool:
    """Nobody can put a match to an end by making such an id up: it must stand in the message that was pressed."""
    return context.pressed_message is not None and context.pressed_message.has_custom_id(
        str(context.data.get("custom_id"))
    )


# --- presses without a handler ---


async def _refuse(context: InteractionContext) -> None:
    raise stale_button()


async def _tell_once(context: InteractionContext) -> None:
    await context.answer.send(Message(say("too-quick")))


async def _pass(context: InteractionContext) -> None:
    await context.answer.defer()


THROTTLED = {Verdict.WARN: _tell_once, Verdict.DROP: _pass}
