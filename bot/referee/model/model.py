"""Stored values of lobbies, matches and deadlines. Immutable; secret fields stay out of every repr."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Any, TypeAlias

from bot.engine.fast_values import value_type

UserId: TypeAlias = int
HOUSE: UserId = 0
"""User id of house seats."""
PERSONAL_NOTES = ("stopped", "lesson", "habits", "puzzles", "exported")
"""First words of notes whose key continues with a person's id. Besides these, only `mute MATCH USER` names a person."""
FORMER = "a former player"
"""Name of a person whose data was erased, whose id is a number below zero."""
Snowflake: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Setup:
    """What was agreed before the first card."""

    game: str
    options: Mapping[str, Any]
    """as the record writes them"""
    seats: int
    series: Mapping[str, Any]
    """as the record writes it"""
    clock: int
    """seconds for each bid; 0 is no clock"""
    rated: bool
    place: str = "own"
    """where people bid: `own` is wherever each likes it, `board` by keys on the board itself"""

    @property
    def tolerance(self) -> timedelta:
        """Time by which a shown deadline may be too early: 10 s, or a tenth of the clock if that is less."""
        return timedelta(seconds=min(self.clock / 10 or 10, 10))


def is_practice(users: Sequence[UserId]) -> bool:
    """Return True if exactly one person plays, against the house."""
    return HOUSE in users and len(users) - users.count(HOUSE) == 1


# --- before a match ---------------------------------------------------------------------------------------


class LobbyState(IntEnum):
    """State of a challenge or a table. The numbers are stored: never change one."""

    OPEN = 1
    STARTED = 2
    DECLINED = 3
    EXPIRED = 4
    WITHDRAWN = 5
    FAILED = 6
    """It could not start, for example because a player has too many matches."""
    DELETED = 7
    """its message was deleted"""
    PUT_BACK = 8
    """The database was restored to a time at which it was open: it may have been played since."""


class Reply(IntEnum):
    """Answer to a challenge. The numbers are stored."""

    HOST = 1
    ASKED = 2
    ACCEPTED = 3
    DECLINED = 4


@dataclass(frozen=True, slots=True)
class Invite:
    """A person who has a seat, or is offered one."""

    user: UserId
    name: str
    answer: Reply


@dataclass(frozen=True, slots=True)
class Lobby:
    """A challenge to named people, or a table open to all. It becomes the match of the same id."""

    id: str
    kind: str
    """challenge or table"""
    guild: Snowflake
    channel: Snowflake
    message: Snowflake | None
    host: UserId
    setup: Setup
    nonce: bytes = field(repr=False)
    state: LobbyState
    people: tuple[Invite, ...]
    """in seat order, the host first"""
    created: datetime
    expires: datetime
    version: int = 1
    finished: int | None = None
    """Percentage of matches that the host plays to their end, for people who do not know the host."""
    house: tuple[str, ...] = ()
    """keys of the levels of the house seats, in the order in which they were added"""

    @property
    def agreed(self) -> Setup:
        """What people agree to now. With the house no match is rated; without it the match is as it was asked for."""
        return replace(self.setup, rated=False) if self.house else self.setup

    @property
    def accepted(self) -> tuple[Invite, ...]:
        return tuple(invite for invite in self.people if invite.answer in (Reply.HOST, Reply.ACCEPTED))


# --- a match ----------------------------------------------------------------------------------------------


@value_type
class Seated:
    """The player of a seat, with missed bids, draw offers and the press that began the match."""

    user: UserId
    """0 is a house player"""
    name: str
    misses: int = 0
    """bids missed in a row (ruling C4)"""
    draw_from: int = 0
    """Round of the match from which they may offer a draw again."""
    seen: datetime | None = None
    """Time of their press that began the match. A bid is in its seal and its decision, and writes no seat."""


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal as the record writes it, and the decisions made in it so far, all of them revealed."""

    number: int
    zones: Mapping[str, Any]
    decisions: tuple[StoredDecision, ...] = ()

    def __repr__(self) -> str:
        return f"StoredDeal({self.number}, {len(self.decisions)} decisions)"  # the stock is secret


@value_type
class StoredDecision:
    """One revealed decision with its seal. `round` and `sub` count from 0 within the deal."""

    seat: int
    choice: Any
    """as the record writes it"""
    forced: bool
    round: int
    sub: int
    salt: bytes
    at: datetime
    """Time of the seal; of the reveal under older bots, and for unsealed choices."""
    n: int = 0
    """which seal of this seat at this prompt it was, from 0"""
    digest: bytes = b""
    """as it was shown when it was sealed; empty where nothing was, or an older bot did not keep it"""


@value_type
class Seal:
    """A sealed choice that waits for its reveal."""

    seat: int
    choice: Any = field(repr=False)
    """In the form of the record; shown to nobody but its seat."""
    salt: bytes = field(repr=False)
    digest: bytes
    """SHA-256, public at once"""
    at: datetime
    forced: bool = False
    n: int = 0
    """which seal of this seat at this prompt, from 0"""
    press: int = 0
    """id of the interaction that brought it; 0 for a house seat"""


@dataclass(frozen=True, slots=True)
class EarlierSeal:
    """A seal that was shown and is not played: its seat sealed again or left, or the match ended."""

    deal: int
    round: int
    sub: int
    seat: int
    n: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class DrawOffer:
    """An offer of a draw, valid until the round is revealed."""

    by: int
    agreed: frozenset[int]
    """seats that agree, the one who offers included"""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """The change of one seat's rating, as shown."""

    seat: int
    before: float
    after: float
    played: int
    """rated matches in this pool, this one included"""
    nth: int = 0
    """which rated match of these people within a day this was; 0 where that was not kept"""


@value_type
class StoredMatch:
    """All stored data of one match."""

    id: str
    guild: Snowflake
    """0 outside of any server"""
    channel: Snowflake
    """0 for private practice, which has no board"""
    setup: Setup
    nonce: bytes = field(repr=False)
    seats: tuple[Seated, ...]
    opened: datetime
    """When the prompt was opened."""
    started: datetime
    version: int = 1
    deals: tuple[StoredDeal, ...] = ()
    sealed: tuple[Seal, ...] = ()
    prompt: int = 0
    """counts the joint choices that were asked for; a button of an older one is stale"""
    deadline: datetime | None = None
    """The deadline shown; the referee waits a little longer."""
    live: bool = True
    left: tuple[Mapping[str, Any], ...] = ()
    """endings as the record writes them, of seats that left a table of three or more"""
    ending: Mapping[str, Any] | None = None
    """as the record writes it, where the match ended before its rules did"""
    draw: DrawOffer | None = None
    away: int = 0
    """seconds that were credited for downtime since the last reveal"""
    ended: datetime | None = None
    termination: int | None = None
    winner: int | None = None
    placings: tuple[int, ...] | None = None
    totals: tuple[str, ...] = ()
    """Points as the record writes them, or the number of deals won where a series counts those."""
    changes: tuple[RatingChange, ...] = ()
    unrated: str = ""
    """why a finished match did not count for the ratings; empty if it did, or if it is not over"""
    void: bool = False
    """True if a moderator took it out of the ratings"""
    reason: str = ""
    """Reason of a moderator who stopped, decided or voided the match."""
    agreement: bytes = b""
    """The agreement as it is hashed; its hash once the data of a player was erased."""
    record: str = ""
    """Published seal of the record, 64 hex digits, if the agreement was erased."""
    paused: datetime | None = None
    """Until when the clocks stand still, because a player has paused."""

    @property
    def decisions(self) -> Iterator[tuple[int, StoredDecision]]:
        """The revealed decisions, each with the number of its deal."""
        return ((deal.number, decision) for deal in self.deals for decision in deal.decisions)

    @property
    def has_house(self) -> bool:
        """True if the house has a seat."""
        return HOUSE in [seated.user for seated in self.seats]

    @property
    def is_practice(self) -> bool:
        """True if one person plays against the house alone: nobody else is kept waiting, or can be helped against."""
        return is_practice([seated.user for seated in self.seats])

    @property
    def outside(self) -> bool:
        """True if the bot was not invited to the place: only presses reach the board."""
        return not self.guild and self.setup.place == "board"

    @property
    def imported(self) -> bool:
        """True for an imported record, which has no nonce."""
        return not self.nonce

    def has_left(self, user: UserId) -> bool:
        """Return True if this person left the match and the others play on."""
        seat = self.seat_of(user)
        return seat is not None and any(leave["seat"] == seat for leave in self.left)

    def seal_of(self, seat: int | None) -> Seal | None:
        """Return the sealed choice of a seat at the present prompt."""
        return next((seal for seal in self.sealed if seal.seat == seat), None)

    def last_press(self, seat: int) -> datetime | None:
        """Return when the player of a seat last bid, or began the match."""
        decisions = [one for deal in self.deals for one in deal.decisions]
        bids = [one.at for one in (*decisions, *self.sealed) if one.seat == seat and not one.forced]
        return max(bids, default=self.seats[seat].seen)

    def seat_of(self, user: UserId) -> int | None:
        """Return the seat of a person, None for a bystander."""
        people = [seated.user for seated in self.seats]
        return people.index(user) if user and user in people else None


# Why a match ended, for endings that the record calls stopped, agreed or timed out.
BROKEN_SEAL = "seal"
"""The stored choice does not match its seal."""
STOPPED, DECIDED = "moderator", "decided"
"""A moderator stopped the match, or decided its winner."""
REPLACED = "newer"
"""A practice match ended because its player began another, and has the maximum."""
IDLE = "idle"
"""A match without a clock was abandoned because it was idle for a long time."""
ERASED = "erased"
"""A match ended because the data of a player was erased."""


class DeadlineKind(IntEnum):
    """What happens at the deadline. The numbers are stored."""

    LOBBY = 1
    BID = 2
    WARNING = 3
    NUDGE = 4
    IDLE = 5
    """Stop an idle match without a clock."""
    SERVER = 6
    """Delete the data of a server that removed the bot."""
    BAN = 7
    """Delete expired bans."""
    SEASON = 8
    """End a season."""
    CHAMPIONS = 9
    """Announce the champions of a season."""
    PAUSE = 10
    """Update the matches of a person whose pause begins or ends."""
    PAUSED = 11
    """Tell opponents about a pause."""
    ROLES = 12
    """Check the roles by rating of a server."""
    OUTDATED = 13
    """Remove a message that was replaced."""
    FILL = 14
    """Offer the host of a table to fill it with the house."""
    DAILY = 15
    """Post the daily deal of a server."""
    SEARCH = 16
    """Look further for an opponent, or end the search."""
    PAIR = 17
    """Post the challenge of a pair."""
    WAITING = 18
    """Show who waits for an opponent in a channel."""


BY_CALENDAR = (
    *(DeadlineKind.SERVER, DeadlineKind.BAN, DeadlineKind.SEASON, DeadlineKind.CHAMPIONS),
    *(DeadlineKind.PAUSE, DeadlineKind.PAUSED, DeadlineKind.ROLES, DeadlineKind.OUTDATED),
    *(DeadlineKind.DAILY, DeadlineKind.WAITING),
)
"""Kinds that keep their time during downtime."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """Something that is due; `owner` is a match or a lobby. One of a kind and owner at a time."""

    owner: str
    kind: DeadlineKind
    due: datetime
    prompt: int = 0
