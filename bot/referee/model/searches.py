"""People who search for an opponent: their row, how wide they search by now, and the steps of a change about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from bot.referee.model.clock_changes import DropDeadlines, SetDeadline
from bot.referee.model.model import Deadline, DeadlineKind, Lobby, LobbyState, Reply, Snowflake, UserId

PAIR = "pair"
"""Kind of the lobby of two people who were found for each other: it has no host; both are asked, and have `READY`."""
READY = timedelta(seconds=60)

STEP = timedelta(seconds=20)
"""Time after which a search gets wider."""
WINDOW = 100
"""Points of rating by which it gets wider, and its first width."""
HOUSE_AFTER = 3
"""Steps after which the house is offered."""
LAST = 30
"""Steps after which a search ends: ten minutes."""


@dataclass(frozen=True, slots=True)
class Search:
    """A person who waits for an opponent. A person has at most one, over all servers."""

    user: UserId
    name: str
    guild: Snowflake
    channel: Snowflake
    """where people see who waits"""
    game: str
    """key of the game or preset"""
    pool: str
    rating: float
    """points in the pool of the server when the search began"""
    provisional: bool
    began: datetime
    waited: int = 0
    """steps, without the time in which nobody could play"""
    lobby: str = ""
    """the challenge of the pair that this person is in; empty while they wait"""

    def fits(self, other: Search) -> bool:
        """Return True if these two can be a pair: the one who has waited longer decides how far apart they may be."""
        if (self.guild, self.game, self.pool) != (other.guild, other.game, other.pool) or self.user == other.user:
            return False
        window = WINDOW * (1 + max(self.waited, other.waited))
        return self.provisional or other.provisional or abs(self.rating - other.rating) <= window


@dataclass(frozen=True, slots=True)
class SearchPost:
    """The message that shows who waits in a channel."""

    channel: Snowflake
    guild: Snowflake
    message: Snowflake
    """0 if there is none, or none yet"""
    posted: datetime
    """noted before the call"""
    edited: datetime
    """time of the last call, noted before it"""
    pinged: datetime | None = None
    """when it last pinged the role of the server"""


@dataclass(frozen=True, slots=True)
class NewSearch:
    """A person begins to search; it is a conflict if they search anywhere."""

    search: Search


@dataclass(frozen=True, slots=True)
class SaveSearch:
    """Save how long a person has waited, where, and their pair; it is a conflict if another change was faster."""

    search: Search
    before: Search


@dataclass(frozen=True, slots=True)
class FreeSearch:
    """A person waits again, because their pair has ended without a match."""

    user: UserId
    lobby: str


@dataclass(frozen=True, slots=True)
class DropSearch:
    """End a search; with a lobby only if the person is in this pair."""

    user: UserId
    lobby: str | None = None


@dataclass(frozen=True, slots=True)
class SaveSearchPost:
    """Save the message of a channel. It is a conflict if the last call was made at another time than `was`."""

    post: SearchPost
    was: datetime | None
    """None for a channel that had no message before"""


SearchStep: TypeAlias = NewSearch | SaveSearch | FreeSearch | DropSearch | SaveSearchPost


def search_owner(guild: Snowflake, user: UserId) -> str:
    """Return the owner of the deadline of a search, which is in the partition of its server."""
    return f"search {guild} {user}"


def waiting_owner(guild: Snowflake, channel: Snowflake) -> str:
    """Return the owner of the deadline that shows who waits in a channel."""
    return f"waiting {guild} {channel}"


def schedule_search(guild: Snowflake, user: UserId, due: datetime) -> SetDeadline:
    return SetDeadline(Deadline(search_owner(guild, user), DeadlineKind.SEARCH, due))


def show_waiting(guild: Snowflake, channel: Snowflake, now: datetime) -> SetDeadline:
    """Have it shown who waits. The number of the deadline is new, so that no call under way drops it."""
    number = int(now.timestamp() * 1000)
    return SetDeadline(Deadline(waiting_owner(guild, channel), DeadlineKind.WAITING, now, number))


def end_search(search: Search, now: datetime) -> tuple[DropSearch | DropDeadlines | SetDeadline, ...]:
    """End a search for good."""
    owner = search_owner(search.guild, search.user)
    return DropSearch(search.user), DropDeadlines(owner), show_waiting(search.guild, search.channel, now)


def end_pair(lobby: Lobby, now: datetime) -> tuple[FreeSearch | DropSearch | SetDeadline, ...]:
    """Let those wait on who did nothing to end the challenge of a pair; who did not press in time has left."""
    stay: Sequence[Reply] = (Reply.ACCEPTED,)
    if lobby.state is not LobbyState.EXPIRED:
        stay = Reply.ACCEPTED, Reply.ASKED
    steps: list[FreeSearch | DropSearch | SetDeadline] = []
    for invite in lobby.people:
        if invite.answer in stay:
            steps += FreeSearch(invite.user, lobby.id), schedule_search(lobby.guild, invite.user, now)
        else:
            steps.append(DropSearch(invite.user, lobby.id))
    return (*steps, show_waiting(lobby.guild, lobby.channel, now))


def leave_queue(lobby: Lobby) -> tuple[DropSearch, ...]:
    """End the searches of a pair that begins to play."""
    return tuple(DropSearch(invite.user, lobby.id) for invite in lobby.people if lobby.kind == PAIR)
