"""Views, from which every screen is made. Of the sealed choice of another seat they have its digest alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from bot.engine.cards import Points, Seat
from bot.engine.fast_values import value_type
from bot.engine.match import Outcome
from bot.engine.rules import Rules
from bot.engine.series import Series
from bot.engine.state import Round
from bot.engine.view import Observation
from bot.referee.model.daily import DailyRanking
from bot.referee.model.model import HOUSE, DrawOffer, RatingChange, Setup, Snowflake, UserId, is_practice
from bot.referee.model.participant import has_former_player
from bot.referee.model.seasons import LeaderboardRow, Season


@dataclass(frozen=True, slots=True)
class Win:
    """The win over the highest rated opponents."""

    match: str
    names: tuple[str, ...]
    rating: float


@dataclass(frozen=True, slots=True)
class Habit:
    """How far above the prize a person bids most often."""

    above: int
    count: int
    of: int


@dataclass(frozen=True, slots=True)
class Curve:
    """A rating over time, as shown."""

    pool: str
    points: tuple[tuple[datetime, int], ...]


@dataclass(frozen=True, slots=True)
class Honours:
    """Streaks, best win, favourite bid and medals of a profile."""

    wins: int = 0
    """in a row, up to now"""
    most_wins: int = 0
    days: int = 0
    """of the daily deal in a row, up to now"""
    most_days: int = 0
    best_win: Win | None = None
    habit: Habit | None = None
    medals: tuple[str, ...] = ()
    """keys of MEDALS, in their order"""


@value_type
class SeatView:
    """One seat in public view."""

    seat: Seat
    user: UserId
    """0 is a house player"""
    name: str
    total: Points
    """points over the whole match"""
    score: Points
    """points of the present deal"""
    wins: int
    asked: bool
    """True if a choice of this seat belongs to the present prompt."""
    seal: str
    """64 hex digits once it has sealed, else empty"""
    misses: int
    """bids missed in a row"""
    left: str
    """resigned or timed-out, else empty"""
    misses_left: int = 0
    """how many more in a row forfeit the seat, once it has missed one; 0 where the match ends before"""

    @property
    def sealed(self) -> bool:
        return bool(self.seal)

    @property
    def awaited(self) -> bool:
        return self.asked and not self.seal and not self.left


@dataclass(frozen=True, slots=True)
class SealView:
    """A seal that was shown, without its choice."""

    deal: int
    round: int
    sub: int
    """all three counted from 0"""
    seat: Seat
    n: int
    """which one of its seat at its prompt, from 0"""
    digest: str
    """64 hex digits"""
    state: str
    """played; sealed, where it waits for its reveal; or earlier, where something else was played"""

    @property
    def place(self) -> tuple[int, int, int, Seat, int]:
        return self.deal, self.round, self.sub, self.seat, self.n


@dataclass(frozen=True, slots=True)
class DealView:
    """A finished deal."""

    number: int
    """from 1"""
    scores: tuple[Points, ...]
    winner: Seat | None
    rounds: tuple[Round, ...]
    tallies: tuple[str, ...] = ()
    """per seat, why its score is what it is; empty where the scores tell it"""


@value_type
class MatchView:
    """A match for one viewer; `seat` is None for the public."""

    id: str
    guild: Snowflake
    channel: Snowflake
    setup: Setup
    rules: Rules
    series: Series
    version: int
    prompt: int
    seat: Seat | None
    seats: tuple[SeatView, ...]
    deal: int
    """the deal shown, from 1"""
    seen: Observation
    """the present deal, or the last one when the match is over"""
    rounds_total: int | None
    """how many rounds this deal has, where that is fixed"""
    finished: tuple[DealView, ...]
    """finished deals, before the one shown"""
    mine: Any
    """the viewer's own sealed choice as the record writes it, else None"""
    opened: datetime
    deadline: datetime | None
    started: datetime
    draw: DrawOffer | None
    away: int
    opening: str
    """64 hex digits that bind the match and its nonce"""
    over: bool
    ended: datetime | None = None
    outcome: Outcome | None = None
    changes: tuple[RatingChange, ...] = ()
    chances: tuple[float, ...] = ()
    """Expected result of each seat, for two rated seats."""
    unrated: str = ""
    """why it does not count for the ratings: asked, house, farming, stopped, moderator; empty when it counts"""
    reason: str = ""
    """what a moderator said who stopped or decided it, or took it out of the ratings"""
    why: str = ""
    """why a match was broken off: channel (it is gone), rolled-back, moderator ...; decided by one; else empty"""
    nth: int = 0
    """which rated match of the day between these people this was; 0 if it was none"""
    unscored: Points = 0
    lapsed: tuple[Seat, ...] = ()
    """house seats for which another level bid, because they ran out of time: at this prompt or in the last round"""
    plays: tuple[tuple[Seat, str], ...] = ()
    """What house seats play by: win, near, points, rough, even, rolled, reader or sly."""
    reviewable: bool = False
    """True if it is over, and perfect play can be asked about it"""
    hands: str = ""
    """How the hands of this deal relate to those of the last one: back, exchanged or new; empty in a first deal."""
    record: str = ""
    """the seal of its record, 64 hex digits, once it is over; none under version 1"""
    clocked: int = 0
    """Once it is over: bids that a clock made for a seat with a choice."""
    cards: str = ""
    """Card style of the viewer, or of the server: symbols, letters, faces or safe."""
    hints: int = 0
    """Once it is over: rounds in which the coach was asked before the bid."""
    coached: bool = False
    """True if the viewer practises, and perfect play knows these rules"""
    can_hint: bool = False
    """True if the coach knows how to bid at the open prompt."""
    day: date | None = None
    """Day of the daily deal of this match; None for any other match."""
    daily: DailyRanking | None = None
    """The ranking of that day, for the person whose try is over."""
    imported: bool = False
    """True if this is a record from elsewhere"""
    halted: datetime | None = None
    """Until when the clocks stand still."""
    paused: tuple[tuple[Seat, datetime], ...] = ()
    """The seats that have paused, and until when."""
    out_of_time: bool = False
    """True if the clock has run out, and the round is about to be revealed."""

    @property
    def round(self) -> int:
        """The round being played, from 1."""
        return self.seen.number

    @property
    def has_house(self) -> bool:
        """True if the house has a seat."""
        return any(seat.user == HOUSE for seat in self.seats)

    @property
    def is_practice(self) -> bool:
        """True if one person plays against the house alone."""
        return is_practice([seat.user for seat in self.seats])

    @property
    def can_repeat(self) -> bool:
        """True if the same players can meet again: none has erased their data."""
        return not has_former_player(seat.user for seat in self.seats)

    @property
    def private(self) -> bool:
        """True if there is no board: only the console of the practising person shows the match."""
        return not self.channel and self.is_practice

    @property
    def at_table(self) -> bool:
        """True if people bid on the board itself, as far as one keyboard can serve them all."""
        return self.setup.place == "board"

    @property
    def outside(self) -> bool:
        """True if the bot was not invited to the place: only presses reach the board."""
        return self.at_table and not self.guild

    @property
    def keyed(self) -> bool:
        """True if the board carries keys."""
        return self.at_table and bool(self.seen.shared) and not self.over

    @property
    def last(self) -> Round | None:
        """The round revealed last in this deal."""
        return self.seen.rounds[-1] if self.seen.rounds else None

    @property
    def awaited(self) -> tuple[SeatView, ...]:
        """Seats whose choice is missing, in seat order."""
        return () if self.over else tuple(seat for seat in self.seats if seat.awaited)

    @property
    def undecided(self) -> tuple[SeatView, ...]:
        """Seats of people who have not answered the draw that stands, in seat order."""
        agreed = self.draw.agreed if self.draw is not None else range(len(self.seats))
        return tuple(seat for seat in self.seats if seat.user != HOUSE and not seat.left and seat.seat not in agreed)

    @property
    def own(self) -> SeatView | None:
        return None if self.seat is None else self.seats[self.seat]


@dataclass(frozen=True, slots=True)
class LobbyView:
    """A challenge or table in public view."""

    id: str
    kind: str
    guild: Snowflake
    channel: Snowflake
    message: Snowflake | None
    setup: Setup
    rules: Rules
    series: Series
    host: UserId
    people: tuple[tuple[UserId, str, str], ...]
    """user, name, answer: host, asked, accepted or declined; in seat order"""
    state: str
    """open, started, declined, expired, withdrawn or failed"""
    created: datetime
    expires: datetime
    opening: str
    """64 hex digits"""
    can_start: bool = False
    """True if the host may start with fewer people than were asked"""
    finished: int | None = None
    """Percentage of matches that the host plays to their end, for people who do not know the host."""
    enough: bool = False
    """True if its match would not count, because these people have enough counted matches today."""
    house: tuple[str, ...] = ()
    """names of the house seats"""
    house_joined: bool = False
    """True if a match that was to be rated is not, since people sit at the table with the house"""
    can_add_house: bool = False
    can_remove_house: bool = False
    can_fill: bool = False
    """True if the host may give all free seats to the house"""
    newcomer: bool = False
    """True if one of those who have not answered has finished no match in this server"""

    @property
    def taken(self) -> int:
        """Seats of people and the house."""
        return len(self.people) + len(self.house)


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """A page of a leaderboard, with the asker's line."""

    pool: str
    pools: tuple[str, ...]
    page: int
    """from 0"""
    pages: int
    rows: tuple[LeaderboardRow, ...]
    size: int
    own: LeaderboardRow | None
    season: Season | None = None
    """None is the ranking of all time"""
    seasons: tuple[Season, ...] = ()
    """of this server, newest first"""
    moved: int | None = None
    """Places gained within a week; None if the asker was not ranked then."""
    voided: int = 0
    """matches that were taken out of the ratings after this table was frozen"""


@dataclass(frozen=True, slots=True)
class PoolView:
    """A person in one pool."""

    pool: str
    shown: int
    spread: int
    """20 sigma, rounded"""
    place: int | None
    size: int
    played: int
    won: int
    drawn: int
    lost: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class RecentView:
    """A finished match in a person's list."""

    id: str
    game: str
    people: tuple[tuple[UserId, str], ...]
    """user and name by seat"""
    seat: Seat
    placings: tuple[int, ...] | None
    totals: tuple[str, ...]
    termination: int
    change: RatingChange | None
    ended: datetime
    rated: bool = True
    decided: bool = False
    """whether a moderator decided it"""


@dataclass(frozen=True, slots=True)
class HeadToHeadView:
    """Two people who met alone, as the first of them sees it."""

    played: int
    won: int
    lost: int
    drawn: int
    leads: tuple[int, ...]
    """The first person's lead in wins, before the first match and after each one."""


@dataclass(frozen=True, slots=True)
class ProfileView:
    """Ratings and results of a person, as seen by another."""

    user: UserId
    name: str
    pools: tuple[PoolView, ...]
    against: tuple[int, int, int] | None
    """played, won by the asker, drawn; None when looking at oneself or never met"""
    finished_share: float | None
    """share of matches played to their end"""
    honours: Honours = field(default_factory=Honours)
    curve: Curve | None = None
    """of the pool with the most rated matches"""
