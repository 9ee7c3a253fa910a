"""The steps of a change that are about what is shown where."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.referee.ports.model import Snowflake, Surface


@dataclass(frozen=True, slots=True)
class PutSurface:
    """A new surface, or with an id the same one as it is now. A board never becomes a challenge again, and what has
    started gets no challenge any more: where it has started meanwhile, that is a conflict."""

    surface: Surface
    after: str | None = field(default=None, repr=False)
    """where several processes answer presses: the token that the surface had when this was decided. Of one that was
    pressed meanwhile it is a conflict"""


@dataclass(frozen=True, slots=True)
class SurfaceShown:
    """A surface showed this version (never backwards), as long as it still is this message: what is drawn on one whose
    place another has taken says nothing of that."""

    id: int
    message: Snowflake
    shown: int
    by: str | None = field(default=None, repr=False)
    """where several processes answer presses: the token that the surface had when it was drawn. Where it has another
    one by now somebody drew meanwhile, and it counts as `CROSSED`"""
    edited: bool = True
    """else nothing was drawn, for nothing on it would look otherwise; and that holds only for what nobody draws"""


@dataclass(frozen=True, slots=True)
class TakeSurface:
    """A worker answers a press on this console, of which the surface has the token: it counts as shown by nobody until
    that is noted. One that was pressed later, or is another message by now, stays as it is."""

    surface: Surface


@dataclass(frozen=True, slots=True)
class NoteSurface:
    """The press has shown this version. Where it was not the only one to draw since it took the surface, nobody knows
    what stands there: it is `CROSSED`, and drawn once more."""

    surface: Surface


@dataclass(frozen=True, slots=True)
class DropSurface:
    id: int
