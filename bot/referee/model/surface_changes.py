"""The steps of a change that are about what is shown where."""

from __future__ import annotations

from dataclasses import dataclass

from bot.referee.model.model import Snowflake, Surface


@dataclass(frozen=True, slots=True)
class PutSurface:
    """A new surface, or with an id the same one as it is now. A board never becomes a challenge again, and what has
    started gets no challenge any more: where it has started meanwhile, that is a conflict."""

    surface: Surface


@dataclass(frozen=True, slots=True)
class SurfaceShown:
    """A surface showed this version (never backwards), as long as it still is this message: what is drawn on one whose
    place another has taken says nothing of that."""

    id: int
    message: Snowflake
    shown: int


@dataclass(frozen=True, slots=True)
class DropSurface:
    id: int
