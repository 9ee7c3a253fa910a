"""Which of a match's surfaces is which, and how it stands."""

from __future__ import annotations

from collections.abc import Iterable

from bot.referee.model.model import Surface, SurfaceKind, SurfaceState, UserId


def board_among(surfaces: Iterable[Surface]) -> Surface | None:
    """The board, if the match has one."""
    return next((one for one in surfaces if one.kind is SurfaceKind.BOARD), None)


def console_among(surfaces: Iterable[Surface], user: UserId, kind: SurfaceKind) -> Surface | None:
    """A person's console of one kind."""
    return next((one for one in surfaces if one.user == user and one.kind is kind), None)


def is_behind(surface: Surface, version: int) -> bool:
    """Whether a live board or console shows less than this version, or is not there yet."""
    if surface.kind is SurfaceKind.LOBBY or surface.state is not SurfaceState.LIVE:
        return False
    # An ephemeral without a message is known by its token alone, and has been shown.
    owed = not surface.message and not surface.kind.ephemeral
    return surface.shown < version or owed
