"""The steps of a change that concern deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.referee.model.model import Deadline, DeadlineKind


@dataclass(frozen=True, slots=True)
class SetDeadline:
    """Set a deadline; replaces one of the same owner and kind."""

    deadline: Deadline


@dataclass(frozen=True, slots=True)
class DropDeadlines:
    """Drop the deadlines of an owner, or only those of this kind, prompt or time."""

    owner: str
    kind: DeadlineKind | None = None
    prompt: int | None = None
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class MoveDeadlines:
    """Move the clocks and reminders of one match; notices of a pause do not move."""

    owner: str
    by: timedelta


@dataclass(frozen=True, slots=True)
class PutOff:
    """Move a deadline, if it still exists with the same prompt."""

    deadline: Deadline


@dataclass(frozen=True, slots=True)
class ShiftDeadlines:
    """Credit downtime: move every deadline, shown deadline and end of a lobby; moved items get a new version.

    `away` of a match grows by whole seconds if people are told. One row is written, for any number of items. Surfaces
    that were current count as current until `MarkBehind` marks them.
    """

    by: timedelta
    unseen: bool = False
    """True for a short time that needs no redraw: no surface is marked."""
    told: bool = True
    """True if people are told about the downtime; False if only a clock was set."""
    doubted: datetime | None = None
    """Surfaces noted since this heartbeat are marked even so."""


@dataclass(frozen=True, slots=True)
class MarkBehind:
    """Mark surfaces of a live match or open lobby that show times from before a shift as outdated."""

    owner: str


@dataclass(frozen=True, slots=True)
class EndMarking:
    """All surfaces are marked, unless downtime was credited more than `times` times."""

    times: int


@dataclass(frozen=True, slots=True)
class Unmarked:
    """Owners to mark after downtime was credited `times` times. The list survives the end of the process."""

    owners: tuple[str, ...]
    times: int
