"""Every button and menu: which handler a custom id belongs to.

A custom id is `g1:verb:...`; the number is the version of the format, so that old ones can be told apart. Here ids are
read strictly: each handler says what its ids look like and on what messages they stand, and whatever is otherwise is
out of date. What a button carries is never trusted even then: every handler asks the referee again.

Why not a `DynamicItem`: discord.py rebuilds the whole view of a message for each press of one, only to find the item
whose custom id it knows already: 2.1 times what it takes to read the event and make the interaction, where reading the
id takes 0.04 times that (`make bench ARGS=view`, on a busy machine; single repetitions lie between 1.4 and 3.8).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

from bot.interactions import rollback_guard
from bot.interactions.context import InteractionContext, stale
from bot.interactions.error_handler import caught
from bot.interactions.throttle import PressThrottle, Verdict
from bot.ui.custom_ids import shapes

Handler = Callable[[InteractionContext], Awaitable[None]]


class On(Enum):
    """The messages on which a verb stands: a press anywhere else would overwrite what is not its own."""

    ANY = auto()
    SHARED = auto()
    """for everybody in a channel"""
    OWN = auto()
    """for one person: an ephemeral one, or by DM"""
    QUESTION = auto()
    """the same, of nothing but text and buttons: an answer to it takes its place"""
    FORM = auto()
    """no message, but a form that was sent in"""

    def holds(self, context: InteractionContext) -> bool:
        """Whether this was pressed on such a message."""
        if self is On.FORM or context.fields is not None:
            return self is On.FORM and context.fields is not None
        if context.pressed is None:
            return False
        own = context.pressed.ephemeral or not (context.where.guild or context.where.outside)
        match self:
            case On.ANY:
                return True
            case On.SHARED:
                return not own
            case On.OWN:
                return own
            case On.QUESTION:
                return own and not context.pressed.v2


@dataclass(frozen=True, slots=True)
class Shape:
    """What the ids of one kind of button look like, and where those stand."""

    verb: str
    rest: re.Pattern[str]
    on: On


@dataclass(frozen=True, slots=True)
class Press:
    """A handler, and what is pressed for it; a feature's `setup` adds it to the bot."""

    shapes: tuple[Shape, ...]
    handler: Handler


def press(kind: shapes.IdKind, on: On = On.OWN) -> Callable[[Handler | Press], Press]:
    """What is done at a press on an id of this kind."""
    pressed = Shape(kind.verb, re.compile(kind.shape), on)

    def made(handler: Handler | Press) -> Press:
        if isinstance(handler, Press):
            return replace(handler, shapes=(pressed, *handler.shapes))
        return Press((pressed,), handler)

    return made


class ComponentRouter:
    """All that can be pressed."""

    def __init__(self) -> None:
        self._known: dict[str, list[tuple[Shape, Handler]]] = {}
        self._mashing = PressThrottle()

    def add(self, *presses: Press) -> None:
        for one in presses:
            for shape in one.shapes:
                known = self._known.setdefault(shape.verb, [])
                if any(shape.rest == other.rest for other, _ in known):
                    raise ValueError(f"two handlers for {shape.verb}:{shape.rest.pattern}")
                known.append((shape, one.handler))

    async def deal_with(self, context: InteractionContext, custom_id: object) -> None:
        """Hand a press to whose it is; whatever none of our messages holds is refused before any handler sees it."""
        with self._mashing.press(context.user, context.pressed.message if context.pressed is not None else 0) as heed:
            match heed:
                case Verdict.WORK:
                    await caught(context, rollback_guard.heeded(self.find(context, custom_id) or _refuse))
                case Verdict.TELL:
                    await caught(context, _tell_once)
                case Verdict.PASS:
                    await caught(context, _pass)

    def find(self, context: InteractionContext, custom_id: object) -> Handler | None:
        """Whose a press is; nobody's, where none of our messages holds such an id."""
        found = shapes.read(custom_id)
        if found is None or not all(map(shapes.is_plain, context.values)) or not all(map(_is_kept, _named(context))):
            return None
        verb, rest = found
        context.parts = tuple(rest.split(":"))
        for shape, handler in self._known.get(verb, ()):
            if shape.rest.fullmatch(rest) is not None and shape.on.holds(context):
                return handler
        return None


def _named(context: InteractionContext) -> tuple[int, ...]:
    """Every id of Discord's that a press names."""
    pressed = context.pressed
    here = (context.user, context.where.guild, context.where.channel)
    return here if pressed is None else (*here, pressed.message, pressed.channel)


def _is_kept(id: int) -> bool:
    """Whether the store could keep it."""
    return 0 <= id <= shapes.MOST


async def _refuse(context: InteractionContext) -> None:
    raise stale()


async def _tell_once(context: InteractionContext) -> None:
    await context.answer.say("too-quick")


async def _pass(context: InteractionContext) -> None:
    await context.answer.defer()
