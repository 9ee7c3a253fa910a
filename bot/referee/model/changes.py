"""A write is data: a `Change` is a list of steps that a Store applies in one transaction.

A step with `expect` raises `Conflict` if the stored value differs. The referee then loads and tries again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from bot.referee.model.clock_changes import (
    DropDeadlines,
    DropSurface,
    EndMarking,
    MarkBehind,
    MoveDeadlines,
    PutOff,
    PutSurface,
    ReserveDm,
    SetDeadline,
    ShiftDeadlines,
    SurfaceShown,
)
from bot.referee.model.counts import CountStep
from bot.referee.model.daily import DailyStep
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.jobs import AskJob, EndJob
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
from bot.referee.model.people import Audit, Ban, Import, Pause, Player
from bot.referee.model.people_check import CheckPeople
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
from bot.referee.model.searches import SearchStep


class Conflict(Exception):
    """A value was not as the change expected it; nothing was written."""


class CommitUnknown(Conflict):
    """The connection was lost during a commit. The caller reads again, and finds the change done or repeats it."""


class StoreBusy(Exception):
    """The store is locked for a moment; nothing was written."""


class PartitionMoved(StoreBusy):
    """Another process owns the partition by now; nothing was written."""


class StoreReadOnly(Exception):
    """The store cannot be written: disk full, read-only or damaged. Nothing was written."""


class StoreLost(StoreReadOnly):
    """The database is gone or damaged. It accepts no more writes, and the process must end."""


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
    """The fields of a match and its seats, without deals and seals; expects the version before it."""

    match: StoredMatch
    expect: int
    before: StoredMatch | None = None
    """The match at that version, if it is cached: unchanged fields need no write."""


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
    """Delete all seals of a match, which were revealed or never will be; or only those of a seat that left."""

    match: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class KeepSeal:
    """Keep a seal that was shown and is not played."""

    match: str
    seal: EarlierSeal


@dataclass(frozen=True, slots=True)
class SavePlayer:
    player: Player


@dataclass(frozen=True, slots=True)
class NewPause:
    """A person pauses their slow matches; they must have no current pause."""

    pause: Pause


@dataclass(frozen=True, slots=True)
class EndPause:
    """Change the end of a pause; expects the earlier end."""

    pause: Pause
    expect: datetime


@dataclass(frozen=True, slots=True)
class SaveGuild:
    """The settings of a server; expects the version before it, None to overwrite."""

    settings: GuildSettings
    expect: int | None = None


@dataclass(frozen=True, slots=True)
class AddAudit:
    """An action of a moderator, for the audit log."""

    audit: Audit


@dataclass(frozen=True, slots=True)
class DropMatch:
    """Delete all data of a match, or of a lobby of this id."""

    id: str


@dataclass(frozen=True, slots=True)
class DropServer:
    """Delete all data of a server except its matches."""

    guild: Snowflake


@dataclass(frozen=True, slots=True)
class PutBan:
    """Ban a person from a server, in place of an earlier ban."""

    ban: Ban


@dataclass(frozen=True, slots=True)
class DropBan:
    """Lift a ban."""

    guild: Snowflake
    user: UserId


@dataclass(frozen=True, slots=True)
class NoteHandled:
    """This interaction has changed something. Those of more than an hour before it are forgotten."""

    interaction: Snowflake


@dataclass(frozen=True, slots=True)
class DropBans:
    """Delete the bans of a server that end by this time."""

    guild: Snowflake
    ended: datetime


@dataclass(frozen=True, slots=True)
class NoteRole:
    """The bot is about to give a role to a person, or has done so (`given`)."""

    guild: Snowflake
    user: UserId
    role: Snowflake
    given: bool


@dataclass(frozen=True, slots=True)
class DropRole:
    """The bot has taken that role."""

    guild: Snowflake
    user: UserId
    role: Snowflake


@dataclass(frozen=True, slots=True)
class NameMember:
    """The name of a person in a server, and whether they are there."""

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
    process: int = 0


@dataclass(frozen=True, slots=True)
class SaveNote:
    """A small value under a key, such as the hash of the synced commands."""

    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Erased:
    """What remains of a match's proof after the data of a player is erased."""

    match: str
    agreement: bytes
    record: str


@dataclass(frozen=True, slots=True)
class EraseAgreement:
    """Replace the agreement by its hash: a match ends in which a player's data was erased while it was live."""

    erased: Erased


@dataclass(frozen=True, slots=True)
class Erase:
    """Delete all data of a person; where others need it, a number below zero replaces the person.

    Expects no open lobbies. `matches` are all their finished matches, and `going` the live ones, which they have left.
    The others play on, and need the agreement until the end.
    """

    user: UserId
    number: UserId
    matches: tuple[Erased, ...]
    shown_since: datetime
    """Boards of matches that ended since then are drawn again."""
    at: datetime
    """Time of the erasure: longer bans stay, without their reason."""
    going: tuple[str, ...] = ()
    partitions: tuple[int, ...] = ()
    """All that have rows about the person: their owners write nothing meanwhile."""


@dataclass(frozen=True, slots=True)
class KeepImport:
    """An imported record. Only the newest `most` of its sender stay."""

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
    | PutBan
    | DropBan
    | DropBans
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
    | CountStep
    | DailyStep
    | SearchStep
    | Heartbeat
    | SaveNote
    | NoteHandled
    | AskJob
    | CheckPeople
    | EndJob
    | ReserveDm
    | KeepImport
    | Erase
    | EraseAgreement
)
Change: TypeAlias = tuple[Step, ...]
