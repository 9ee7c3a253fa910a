"""A write is data: a `Change` is a list of steps that a Store carries out all or not at all.

A step that expects something (`expect`) fails the whole change with `Conflict` when it is not so; the referee
then loads again and tries again, and players never see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeAlias

from bot.referee.model.clock_changes import (
    DropDeadlines,
    EndMarking,
    MarkBehind,
    MoveDeadlines,
    PutOff,
    SetDeadline,
    ShiftDeadlines,
)
from bot.referee.model.daily import DailyDeal
from bot.referee.model.model import (
    EarlierSeal,
    Lobby,
    Seal,
    Snowflake,
    StoredDeal,
    StoredDecision,
    StoredMatch,
    UserId,
)
from bot.referee.model.people import Audit, Bar, GuildSettings, Import, Pause, Player
from bot.referee.model.rating_changes import (
    AddRatingEntry,
    DropRating,
    FreezeSeason,
    MarkSeason,
    NewSeason,
    SaveRating,
    SaveSeason,
    SeasonMoves,
)
from bot.referee.model.surface_changes import DropSurface, PutSurface, SurfaceShown


class Conflict(Exception):
    """Something was not as the change expected it; nothing was written."""


class CommitUnknown(Conflict):
    """The connection was lost while a change was committed: whoever asked reads anew, and finds it done or does it."""


class StoreBusy(Exception):
    """The store is locked for a moment; nothing was written."""


class StoreReadOnly(Exception):
    """The store cannot be written: disk full, read-only or damaged. Nothing was written."""


class StoreLost(StoreReadOnly):
    """What was opened is not there any more, or is damaged: nothing is taken in again, and the process must end."""


@dataclass(frozen=True, slots=True)
class NewLobby:
    """A new challenge or table; its id must be unused by lobbies and matches."""

    lobby: Lobby


@dataclass(frozen=True, slots=True)
class SaveLobby:
    """A lobby as it is now, people included; expects the version before it."""

    lobby: Lobby
    expect: int


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match that begins; its id is its lobby's."""

    match: StoredMatch


@dataclass(frozen=True, slots=True)
class SaveMatch:
    """The fields of a match and of its seats, not its deals and seals; expects the version before it."""

    match: StoredMatch
    expect: int
    before: StoredMatch | None = None
    """the match at that version, where it is at hand: what is the same there need not be written"""


@dataclass(frozen=True, slots=True)
class NewDeal:
    match: str
    deal: StoredDeal


@dataclass(frozen=True, slots=True)
class AddDecisions:
    """Revealed decisions, in order, after `first` earlier ones of the deal."""

    match: str
    deal: int
    first: int
    decisions: tuple[StoredDecision, ...]


@dataclass(frozen=True, slots=True)
class PutSeal:
    """A sealed choice, new or in place of the seat's earlier one."""

    match: str
    prompt: int
    seal: Seal


@dataclass(frozen=True, slots=True)
class DropSeals:
    """Every sealed choice of the match goes: they were revealed, or will never be. Or only that of a seat that left."""

    match: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class KeepSeal:
    """A seal that was shown and is not played any more."""

    match: str
    seal: EarlierSeal


@dataclass(frozen=True, slots=True)
class SavePlayer:
    player: Player


@dataclass(frozen=True, slots=True)
class NewPause:
    """Somebody takes time for their slow matches; none of theirs may go on."""

    pause: Pause


@dataclass(frozen=True, slots=True)
class EndPause:
    """It ends at another time than it would have (`expect`)."""

    pause: Pause
    expect: datetime


@dataclass(frozen=True, slots=True)
class SaveGuild:
    """What a server decided; expects the version before it, None to overwrite."""

    settings: GuildSettings
    expect: int | None = None


@dataclass(frozen=True, slots=True)
class AddAudit:
    """What a moderator did, for good."""

    audit: Audit


@dataclass(frozen=True, slots=True)
class DropMatch:
    """All that is kept of a match, or of a challenge or table of this id."""

    id: str


@dataclass(frozen=True, slots=True)
class DropServer:
    """All that is kept of a server besides its matches."""

    guild: Snowflake


@dataclass(frozen=True, slots=True)
class PutBar:
    """Somebody may not play in a server for a time, in place of what held for them."""

    bar: Bar


@dataclass(frozen=True, slots=True)
class DropBar:
    """They may play there again."""

    guild: Snowflake
    user: UserId


@dataclass(frozen=True, slots=True)
class DropBars:
    """Those that end by this time."""

    ended: datetime


@dataclass(frozen=True, slots=True)
class NoteRole:
    """The bot is about to give somebody a role of a server, or has (`given`)."""

    guild: Snowflake
    user: UserId
    role: Snowflake
    given: bool


@dataclass(frozen=True, slots=True)
class DropRole:
    """It has taken that role again."""

    guild: Snowflake
    user: UserId
    role: Snowflake


@dataclass(frozen=True, slots=True)
class NameMember:
    """How a person is called in a server, and that they are (or are no longer) there."""

    guild: Snowflake
    user: UserId
    name: str
    here: bool = True


@dataclass(frozen=True, slots=True)
class Block:
    """`by` takes no challenge from `user`, or takes them again."""

    by: UserId
    user: UserId
    on: bool
    name: str = ""
    """what `user` is called; lists of blocked people show it where no server knows them"""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The process was alive at this time."""

    at: datetime


@dataclass(frozen=True, slots=True)
class SaveNote:
    """A small value under a name, such as the hash of the synced commands."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class NewDailyDeal:
    """What a server plays on a day; there must be none yet."""

    deal: DailyDeal


@dataclass(frozen=True, slots=True)
class SaveDailyBest:
    """What could be made of it was worked out."""

    guild: Snowflake
    day: date
    best: int


@dataclass(frozen=True, slots=True)
class NewDailyTry:
    """Somebody's one try at it, a new match of the same change; they must have had none."""

    guild: Snowflake
    day: date
    user: UserId
    match: str


@dataclass(frozen=True, slots=True)
class ShareDaily:
    """They show it to everybody, which they must not have done; or it could not be shown after all."""

    guild: Snowflake
    day: date
    user: UserId
    shared: bool = True


@dataclass(frozen=True, slots=True)
class Erased:
    """What stays of a match's proof when somebody who sat there has their data erased."""

    match: str
    agreement: bytes
    record: str


@dataclass(frozen=True, slots=True)
class EraseAgreement:
    """A match ends in which a player's data was erased while it was live: only the hash of its agreement stays."""

    erased: Erased


@dataclass(frozen=True, slots=True)
class Erase:
    """Everything of a person goes; where others need it, a number below zero that nobody has stands in their place.
    Expects that nothing of theirs is open, that `matches` are all of theirs that are over, and that they have left
    those that are live, which are `going`: the others play on, and need the agreement until the end."""

    user: UserId
    number: UserId
    matches: tuple[Erased, ...]
    shown_since: datetime
    """boards of matches that ended since then are drawn anew"""
    at: datetime
    """when: what keeps them from playing in a server longer than until then stays, without its reason"""
    going: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepImport:
    """A record from elsewhere; of those of its sender only so many stay, the newest."""

    record: Import
    most: int


Step: TypeAlias = (
    NewLobby
    | SaveLobby
    | NewMatch
    | SaveMatch
    | NewDeal
    | AddDecisions
    | PutSeal
    | DropSeals
    | KeepSeal
    | SetDeadline
    | DropDeadlines
    | MoveDeadlines
    | PutOff
    | ShiftDeadlines
    | MarkBehind
    | EndMarking
    | PutSurface
    | SurfaceShown
    | DropSurface
    | SavePlayer
    | NewPause
    | EndPause
    | SaveGuild
    | AddAudit
    | DropMatch
    | DropServer
    | PutBar
    | DropBar
    | DropBars
    | NoteRole
    | DropRole
    | NameMember
    | Block
    | SaveRating
    | DropRating
    | NewSeason
    | SaveSeason
    | SeasonMoves
    | FreezeSeason
    | MarkSeason
    | AddRatingEntry
    | Heartbeat
    | SaveNote
    | NewDailyDeal
    | SaveDailyBest
    | NewDailyTry
    | ShareDaily
    | KeepImport
    | Erase
    | EraseAgreement
)
Change: TypeAlias = tuple[Step, ...]
Json: TypeAlias = Mapping[str, Any]
