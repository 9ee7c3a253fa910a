"""Stored values of people and servers. Immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from bot.engine.cards import Seat
from bot.referee.model.model import RatingChange, Seated, Snowflake, UserId, is_practice


@dataclass(frozen=True, slots=True)
class Player:
    """A person's preferences and what is known of their DMs."""

    user: UserId
    console: str = "server"
    """server (its default), dm, channel or auto"""
    bids: bool = True
    warnings: bool = True
    results: bool = True
    reveals: bool = False
    """True if each reveal is a short new message too, because a screen reader does not read edits."""
    cards: str = "faces"
    """symbols, letters, faces, or safe (faces in colours for the colour-blind)"""
    two_step: bool = False
    challenges: bool = True
    dm_channel: Snowflake = 0
    dm_closed_until: datetime | None = None
    dm_told: bool = False
    """True if `dms-closed` has been said"""
    zone: str = ""
    """the time zone in which they have quiet hours; empty where they named none"""
    quiet_from: int = 0
    """minute of their day from which what they are sent makes no sound"""
    quiet_to: int = 0
    """Minute at which quiet hours end; equal to the start if there are none."""
    reminders: tuple[int, ...] = ()
    """minutes before a slow clock runs out at which they are reminded, the longest first; none are the usual"""


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause of a person's slow matches; one at a time."""

    user: UserId
    began: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class SeatPause:
    """A pause of a player during a match."""

    seat: Seat
    began: datetime
    until: datetime


class RoleOf(NamedTuple):
    """A role that a person has, or is owed."""

    user: UserId
    role: Snowflake


class OwedRoles(NamedTuple):
    """Roles to give and to take, by ratings and the roles given last."""

    give: Sequence[RoleOf]
    take: Sequence[RoleOf]


@dataclass(frozen=True, slots=True)
class Audit:
    """An action of a moderator in a server."""

    guild: Snowflake
    at: datetime
    user: UserId
    """who"""
    what: str
    """a setting; or stop, unrate, decide, ban, unban"""
    before: str = ""
    after: str = ""
    version: int = 0
    """of the settings, once they were changed; 0 where they were not"""
    match: str = ""
    """which match was dealt with"""
    about: UserId = 0
    """which person"""


@dataclass(frozen=True, slots=True)
class Ban:
    """A ban of a person from playing in a server."""

    guild: Snowflake
    user: UserId
    until: datetime
    reason: str
    """empty once they had their data erased"""
    by: UserId


@dataclass(frozen=True, slots=True)
class Rating:
    """One person in one pool of one server."""

    guild: Snowflake
    pool: str
    user: UserId
    name: str
    mu: float
    sigma: float
    played: int
    won: int
    drawn: int
    lost: int
    last: datetime | None
    here: bool = True
    """True if they are still in the server"""


class Contender(NamedTuple):
    """The data of one person in a ranking. Small, because it is read for all people."""

    user: UserId
    mu: float
    sigma: float
    played: int
    last: datetime | None


class Height(NamedTuple):
    """A height in a ranking, and how uncertainty grows while a person does not play."""

    surely: float
    """mu - 3 sigma"""
    at: datetime
    weekly: float
    """the variance that a week without a match adds"""
    widest: float
    """Sigma of an unknown person."""


class Above(NamedTuple):
    """Number of people above a height."""

    size: int
    """All people in the ranking."""
    surely: int
    """People who are above it for certain."""
    close: Sequence[Contender]
    """People so close to it that the exact arithmetic decides."""


class Before(NamedTuple):
    """A person's skill before their first rated match since a time, and the number of these matches."""

    user: UserId
    mu: float
    sigma: float
    season_mu: float
    season_sigma: float
    played: int


@dataclass(frozen=True, slots=True)
class RatingEntry:
    """How one match changed one rating: enough to recompute a pool."""

    match: str
    guild: Snowflake
    pool: str
    user: UserId
    seat: int
    place: int
    mu_before: float
    sigma_before: float
    mu: float
    sigma: float
    at: datetime
    season: int = 0
    """Season in which it counted; 0 for none."""
    season_mu: float = 0.0
    """With `season_sigma`: the skill in the season's table before the match."""
    season_sigma: float = 0.0


@dataclass(frozen=True, slots=True)
class Import:
    """An imported record, which was refereed before it was stored."""

    id: str
    user: UserId
    """The sender, who alone may look at it."""
    at: datetime
    record: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished match in a person's list."""

    id: str
    guild: Snowflake
    game: str
    seats: tuple[Seated, ...]
    placings: tuple[int, ...] | None
    totals: tuple[str, ...]
    termination: int
    changes: tuple[RatingChange, ...]
    rated: bool
    decided: bool
    """whether a moderator decided it"""
    ended: datetime
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """as the match was set up"""

    @property
    def has_house(self) -> bool:
        """True if the house had a seat."""
        return not all(seated.user for seated in self.seats)

    @property
    def is_practice(self) -> bool:
        """True if one person played against the house alone."""
        return is_practice([seated.user for seated in self.seats])

    def seat_of(self, user: UserId) -> Seat:
        """Return the seat of a person who played."""
        return next(seat for seat, seated in enumerate(self.seats) if seated.user == user)
