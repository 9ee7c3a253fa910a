"""Which of a match's surfaces is which, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from bot.referee.ports.model import Surface, SurfaceKind, SurfaceState, UserId
from cogs.wire.reach import TOKEN_LIFE


def board_among(surfaces: Iterable[Surface]) -> Surface | None:
    """The board, if the match has one."""
    return next((one for one in surfaces if one.kind is SurfaceKind.BOARD), None)


def console_among(surfaces: Iterable[Surface], user: UserId, kind: SurfaceKind) -> Surface | None:
    """A person's console of one kind."""
    return next((one for one in surfaces if one.user == user and one.kind is kind), None)


ANSWERED_IN = timedelta(seconds=3.5)
"""after a press, in which its answer has arrived or never will: Discord takes none after 3 s"""


def seconds_left(console: Surface, now: datetime) -> float:
    """In which the answer to the press that this console's token is from may still be on its way."""
    if console.token_until is None:
        return 0.0
    return (console.token_until - TOKEN_LIFE + ANSWERED_IN - now).total_seconds()


def is_behind(surface: Surface, version: int) -> bool:
    """Whether a live board or console shows less than this version, or is not there yet."""
    if surface.kind is SurfaceKind.LOBBY or surface.state is not SurfaceState.LIVE:
        return False
    # An ephemeral without a message is known by its token alone, and has been shown.
    owed = not surface.message and not surface.kind.ephemeral
    return surface.shown < version or owed
