"""The steps of a change that concern deadlines, and the surfaces that show them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.referee.model.model import Deadline, DeadlineKind, Snowflake, UserId
from bot.referee.model.surfaces import Surface


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
    keep: tuple[DeadlineKind, ...] = ()
    """Kinds that stay: the same change sets them."""


@dataclass(frozen=True, slots=True)
class MoveDeadlines:
    """Move the clocks and reminders of one match; notices of a pause do not move."""

    owner: str
    by: timedelta


@dataclass(frozen=True, slots=True)
class PutOff:
    """Move a deadline, if it still exists with the same prompt."""

    deadline: Deadline
    was: datetime | None = None
    """It is a conflict if the deadline does not exist, or is not due at this time."""


@dataclass(frozen=True, slots=True)
class ShiftDeadlines:
    """Credit downtime: move every deadline, shown deadline and end of a lobby in the partitions of a process; moved
    items get a new version.

    `away` of a match grows by whole seconds if people are told. One row is written for each partition, for any number
    of items. Surfaces that were current count as current until `MarkBehind` marks them.
    """

    by: timedelta
    unseen: bool = False
    """True for a short time: only surfaces that show a deadline too early by much, or since `doubted`, are marked."""
    told: bool = True
    """True if people are told about the downtime; False if only a clock was set."""
    doubted: datetime | None = None
    """Surfaces noted since this heartbeat are marked even so."""
    process: int = 0
    partition: int | None = None
    """Only this one of its partitions; None for all."""
    since: datetime | None = None
    """`away_since` of that partition, which ends with this. Nothing changes if another change has ended it."""


@dataclass(frozen=True, slots=True)
class MarkBehind:
    """Mark surfaces of a live match or open lobby that show times from before a shift: they count as empty."""

    owner: str


@dataclass(frozen=True, slots=True)
class EndMarking:
    """All surfaces are marked, unless downtime was credited more often."""

    times: tuple[tuple[int, int], ...]
    """Partitions, and how often downtime was credited to each."""


@dataclass(frozen=True, slots=True)
class Unmarked:
    """Owners to mark after downtime was credited. The list survives the end of the process."""

    owners: tuple[str, ...]
    times: tuple[tuple[int, int], ...]
    """As in `EndMarking`."""
    early: frozenset[str] = frozenset()
    """Those that show all there is but a deadline that is too early."""


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
    match: str


NEXT_DM = "next_dm_at"
"""Key of the note of the earliest time of the next call that opens a DM channel, in microseconds."""


@dataclass(frozen=True, slots=True)
class ReserveDm:
    """Reserve the time of a call that opens a DM channel: now, or when the call before is `pace` ago. It is a conflict
    if that is later than `latest`, unless it is beyond `absurd`, as after the clock was set back.

    The id that it gives is the earliest time of the next call, in microseconds.
    """

    now: datetime
    pace: timedelta
    latest: datetime
    absurd: datetime


@dataclass(frozen=True, slots=True)
class DropSurface:
    id: int


def pause_owner(user: UserId) -> str:
    """Return the owner of the deadline of a person's pause."""
    return f"pause {user}"


def bans_owner(guild: Snowflake) -> str:
    """Return the owner of the deadline that deletes the bans of a server."""
    return f"bans {guild}"


def message_owner(channel: Snowflake, message: Snowflake) -> str:
    """Return the owner of the deadline that removes a message."""
    return f"message {channel} {message}"


def read_owner(owner: str) -> tuple[int, ...]:
    """Return the numbers of an owner that is a word and numbers: a person, a message, a server or a season."""
    return tuple(map(int, owner.split()[1:]))
