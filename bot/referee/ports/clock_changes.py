"""The steps of a change that are about when something is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.referee.ports.model import Deadline, DeadlineKind


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
    add to a match's `away` (in whole seconds, rounded) where people are told of it; what moved has a new version."""

    by: timedelta
    unseen: bool = False
    """so little that nobody need be shown: surfaces that were up to date stay so"""
    told: bool = True
    """whether people are told that nobody could play for so long; not where only a clock was set"""
    doubted: datetime | None = None
    """surfaces that were noted since this sign of life count as behind all the same"""
