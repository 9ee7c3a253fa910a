"""What the store keeps of people and servers, as immutable values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from bot.engine.cards import Seat
from bot.referee.model.model import RatingChange, Seated, Snowflake, UserId


@dataclass(frozen=True, slots=True)
class Player:
    """A person's preferences and what is known of their DMs."""

    user: UserId
    console: str = "server"
    """server (its default), dm, channel or auto"""
    bids: bool = True
    warnings: bool = True
    results: bool = True
    cards: str = "faces"
    """symbols, letters, faces, or safe (faces in colours for the colour-blind)"""
    two_step: bool = False
    challenges: bool = True
    dm_channel: Snowflake = 0
    dm_closed_until: datetime | None = None
    dm_told: bool = False
    """whether `dms-closed` has been said"""
    zone: str = ""
    """the time zone in which they have quiet hours; empty where they named none"""
    quiet_from: int = 0
    """minute of their day from which what they are sent makes no sound"""
    quiet_to: int = 0
    """minute at which that ends; the same as the first where they have no quiet hours"""
    reminders: tuple[int, ...] = ()
    """minutes before a slow clock runs out at which they are reminded, the longest first; none are the usual"""


@dataclass(frozen=True, slots=True)
class Pause:
    """Time that somebody took for their slow matches; one of a person at a time."""

    user: UserId
    began: datetime
    until: datetime


class Band(NamedTuple):
    """From which number shown on somebody has a role."""

    least: int
    role: Snowflake


@dataclass(frozen=True, slots=True)
class SeatPause:
    """A pause that a player of a match took while it went on."""

    seat: Seat
    began: datetime
    until: datetime


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """What a server decided for itself."""

    guild: Snowflake
    game: str = "classic"
    clock: int = 120
    rated: bool = True
    console: str = "dm"
    boards: int = 8
    """live boards per channel"""
    matches: int = 10
    """live matches per person"""
    channels: tuple[Snowflake, ...] = ()
    """where GOPS is played; empty is everywhere"""
    roles: tuple[Snowflake, ...] = ()
    """who may play; empty is everybody"""
    dms: bool = True
    result_lines: bool = True
    cards: str = "faces"
    """symbols, letters, faces, or safe (faces in colours for the colour-blind)"""
    options: str = ""
    """rules of the default game, in words, for whoever names no game"""
    log: Snowflake = 0
    """the channel in which it is told what moderators do; 0 is none"""
    version: int = 0
    """counts the changes"""
    place: str = "own"
    """where matches are bid that say nothing else: own or table"""
    seasons: str = "off"
    """off, monthly or quarterly"""
    champions: Snowflake = 0
    """the channel in which the champions of a season are told; 0 is none"""
    bands: tuple[Band, ...] = ()
    """roles by rating, the highest first"""
    threads: bool = False
    """whether boards stand in threads of their challenges"""


class RoleOf(NamedTuple):
    """A role that somebody has, or is to have."""

    user: UserId
    role: Snowflake


class OwedRoles(NamedTuple):
    """What is still to be done in a server, as its ratings and what was given last have it."""

    give: Sequence[RoleOf]
    take: Sequence[RoleOf]


@dataclass(frozen=True, slots=True)
class Audit:
    """Something that a moderator did in a server."""

    guild: Snowflake
    at: datetime
    user: UserId
    """who"""
    what: str
    """a setting; or stop, void, decide, bar, unbar"""
    before: str = ""
    after: str = ""
    version: int = 0
    """of the settings, once they were changed; 0 where they were not"""
    match: str = ""
    """which match was dealt with"""
    about: UserId = 0
    """which person"""


@dataclass(frozen=True, slots=True)
class Bar:
    """Somebody may not play in a server for a time."""

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
    """whether they are still in the server"""


class Contender(NamedTuple):
    """What a ranking asks of one person: so little, because it asks it of everybody."""

    user: UserId
    mu: float
    sigma: float
    played: int
    last: datetime | None


class Height(NamedTuple):
    """A height in a ranking, and how what is believed of somebody grows wider while they do not play."""

    surely: float
    """mu - 3 sigma"""
    at: datetime
    weekly: float
    """the variance that a week without a match adds"""
    widest: float
    """sigma of somebody unknown"""


class Above(NamedTuple):
    """Who is above some height of a ranking."""

    size: int
    """everybody who is in it"""
    surely: int
    """so many are, without a doubt"""
    close: Sequence[Contender]
    """so close to it that the arithmetic of the ranking itself has to tell"""


class Before(NamedTuple):
    """How somebody stood before the first of their rated matches since a time, and how many there were."""

    user: UserId
    mu: float
    sigma: float
    season_mu: float
    season_sigma: float
    played: int


@dataclass(frozen=True, slots=True)
class RatingEntry:
    """How one match moved one person: enough to recompute a pool."""

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
    """in which season it counted; 0 where there was none"""
    season_mu: float = 0.0
    """with the width: how they stood in that season's table before it"""
    season_sigma: float = 0.0


@dataclass(frozen=True, slots=True)
class Import:
    """A record from elsewhere that somebody looks at; what it holds was refereed before it was kept."""

    id: str
    user: UserId
    """whoever sent it, and alone may look at it"""
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
    ended: datetime
