"""The steps of a change that concern surfaces."""

from __future__ import annotations

from dataclasses import dataclass

from bot.referee.model.model import Snowflake, Surface


@dataclass(frozen=True, slots=True)
class PutSurface:
    """Add a surface, or save the one with this id.

    Raise `Conflict` for a challenge whose match has started: a board never becomes a challenge again.
    """

    surface: Surface


@dataclass(frozen=True, slots=True)
class SurfaceShown:
    """A surface showed this version (never backwards), if it still is this message.

    A replaced message does not count.
    """

    id: int
    message: Snowflake
    shown: int


@dataclass(frozen=True, slots=True)
class DropSurface:
    id: int
