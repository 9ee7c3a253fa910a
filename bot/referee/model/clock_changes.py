"""The steps of a change that are about when something is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.referee.model.model import Deadline, DeadlineKind


@dataclass(frozen=True, slots=True)
class SetDeadline:
    """New, or in place of the one of the same owner and kind."""

    deadline: Deadline


@dataclass(frozen=True, slots=True)
class DropDeadlines:
    """All of this owner, or only those that have what is named: a kind, a prompt, a time."""

    owner: str
    kind: DeadlineKind | None = None
    prompt: int | None = None
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class MoveDeadlines:
    """The clocks and reminders of one match go by as much later, or earlier; telling of a pause waits for nothing."""

    owner: str
    by: timedelta


@dataclass(frozen=True, slots=True)
class PutOff:
    """A deadline is due at another time, if it is still there and of the same prompt."""

    deadline: Deadline


@dataclass(frozen=True, slots=True)
class ShiftDeadlines:
    """Downtime is credited: move every deadline, the shown one of every live match and the end of every open lobby, and
    add to a match's `away` (in whole seconds, rounded) where people are told of it; what moved has a new version.
    One row is written, however many they are. Surfaces that were up to date count as showing the new version until
    `MarkBehind` marks them."""

    by: timedelta
    unseen: bool = False
    """so little that nobody need be shown: no surface is to be marked"""
    told: bool = True
    """whether people are told that nobody could play for so long; not where only a clock was set"""
    doubted: datetime | None = None
    """surfaces that were noted since this sign of life are to be marked all the same"""


@dataclass(frozen=True, slots=True)
class MarkBehind:
    """Surfaces of this live match or open lobby that show times from before a shift are behind from now on."""

    owner: str


@dataclass(frozen=True, slots=True)
class EndMarking:
    """Everything is marked, unless time was given back more often than so many times."""

    times: int


@dataclass(frozen=True, slots=True)
class Unmarked:
    """What is to be marked after time was given back so many times. A process that ends before that leaves the rest."""

    owners: tuple[str, ...]
    times: int
