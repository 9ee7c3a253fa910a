"""Stored values of people and servers. Immutable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import NamedTuple

from bot.engine.cards import Seat
from bot.referee.model.model import RatingChange, Seated, Snowflake, UserId
from bot.referee.model.seasons import MONTHLY, OFF, QUARTERLY
from bot.referee.model.setting_kinds import (
    LONGEST,
    SHORTEST,
    Band,
    BandsSetting,
    ChannelSetting,
    ChannelsSetting,
    ChoiceSetting,
    ClockSetting,
    GameSetting,
    NumberSetting,
    RolesSetting,
    RulesSetting,
    Setting,
    SwitchSetting,
    setting,
)


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


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """Settings of one server. Each declaration is all that storage, checks, card and audit log need to know."""

    guild: Snowflake
    game: str = setting("classic", GameSetting("game", about="**Game** when none is named"))
    clock: int = setting(120, ClockSetting("clock", about="**Clock** when none is named", low=SHORTEST, high=LONGEST))
    rated: bool = setting(True, SwitchSetting("rated by default"))
    console: str = setting(
        "dm",
        ChoiceSetting(
            "place to bid",
            about="**Place to bid**, for whoever chose none",
            values={"dm": "by DM", "channel": "behind the board's Bid", "auto": "by DM from 15 minutes a bid on"},
            labels={"channel": "Only behind the board's Bid"},
        ),
    )
    boards: int = setting(
        8,
        NumberSetting(
            "live boards a channel",
            about="**Live boards** a channel may have",
            label="Live boards",
            high=25,
            offered=(1, 2, 4, 8, 12, 16, 25),
        ),
    )
    matches: int = setting(10, NumberSetting("live matches a person", card="", high=50))
    channels: tuple[Snowflake, ...] = setting(
        (),
        ChannelsSetting("channels", about="**Channels**: none chosen means everywhere", values={"none": "everywhere"}),
    )
    roles: tuple[Snowflake, ...] = setting(
        (),
        RolesSetting(
            "roles", about="**Roles** that may play: none chosen means everybody", values={"none": "everybody"}
        ),
    )
    dms: bool = setting(True, SwitchSetting("DM consoles", values={"on": "allowed", "off": "not allowed"}))
    result_lines: bool = setting(True, SwitchSetting("result lines"))
    cards: str = setting(
        "faces",
        ChoiceSetting(
            "card faces",
            values={
                "symbols": "text",
                "letters": "letters",
                "faces": "pictures",
                "safe": "pictures for the colour-blind",
            },
        ),
    )
    options: str = setting("", RulesSetting("rules", card="", values={"none": "as the game has it"}))
    """Rules of the default game, for challenges that name no game."""
    log: Snowflake = setting(
        0,
        ChannelSetting(
            "log",
            about="**Log**: a channel in which it is told what moderators do",
            values={"none": "nowhere"},
            column="log_channel",
        ),
    )
    version: int = 0
    """Incremented by each change."""
    place: str = setting(
        "own", ChoiceSetting("bids", values={"own": "each where they like it", "table": "on the board"})
    )
    """Default for matches that name no place to bid."""
    seasons: str = setting(
        OFF,
        ChoiceSetting(
            "seasons",
            card="league",
            about="**Seasons**: at the end of one its table is kept, and ratings begin anew, half of the way back to"
            " the start. All-time ratings go on beside it.",
            values={OFF: "off", MONTHLY: "monthly", QUARTERLY: "quarterly"},
        ),
    )
    champions: Snowflake = setting(
        0,
        ChannelSetting(
            "channel for champions",
            card="league",
            about="**Champions**: a channel in which they are told when a season ends",
            values={"none": "nowhere"},
        ),
    )
    bands: tuple[Band, ...] = setting((), BandsSetting("roles by rating", card="", values={"none": "none"}))
    """Highest first."""
    threads: bool = setting(False, SwitchSetting("boards in threads"))


SETTINGS: Mapping[str, Setting] = {
    one.name: one.metadata["setting"] for one in fields(GuildSettings) if "setting" in one.metadata
}
"""Declaration of each setting by the name of its field."""


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

    def seat_of(self, user: UserId) -> Seat:
        """Return the seat of a person who played."""
        return next(seat for seat, seated in enumerate(self.seats) if seated.user == user)
