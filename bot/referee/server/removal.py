"""Servers of the bot. The data of one that removed it stays for a while, in case it is invited back, and is then
deleted."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.match.matches import Matches
from bot.referee.model.changes import (
    Conflict,
    DropDeadlines,
    DropMatch,
    DropServer,
    PartitionMoved,
    PutOff,
    SetDeadline,
)
from bot.referee.model.clock_changes import bans_owner, read_owner
from bot.referee.model.counts import NoteJoined, NoteLeft
from bot.referee.model.daily_posts import daily_owner
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake
from bot.referee.model.rating_changes import roles_owner
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.referee.season.seasons import season_owner
from bot.referee.server.roles import Roles

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)
UNSEEN = timedelta(seconds=5)
"""Time until a due deletion is tried again while Discord has not listed the servers of the bot."""
JUST_JOINED = timedelta(minutes=10)
"""Longest time since the bot joined a server in which it may say hello there."""
LISTED = timedelta(minutes=10)
"""Time after the start of a process in which all shards have told of their servers, whichever process connects them."""
ANSWERED = timedelta(minutes=10)
"""Time after which Discord is asked again about a server that no event has named."""
AT_ONCE = 50
"""Matches deleted or servers noted in one transaction, so that presses do not wait long."""


OWNERS = (season_owner, roles_owner, bans_owner, daily_owner)
"""Owners of the other deadlines of a server."""


class Leaving(Commands):
    """The servers that the bot is a member of. A removal is a deadline that deletes the data; it does not exist while
    the bot is in the server."""

    def __init__(self, repository: MatchRepository, matches: Matches, roles: Roles) -> None:
        super().__init__(repository)
        self._matches = matches
        self._roles = roles
        self._began = self._clock.now()
        self._shards = 1
        self._seen: set[int] = set()
        """the shards of which the servers are known"""
        self._awaited: dict[Snowflake, bool] = {}
        """servers of which Discord has told nothing but the id, and whether it is stored when the bot joined them"""
        self._unstored: set[Snowflake] = set()
        """those of them that had no row before Discord listed them"""
        self._news: dict[Snowflake, bool] = {}
        """what Discord says of membership, until that is stored"""
        self._answers: dict[Snowflake, tuple[bool, datetime]] = {}
        """servers that are not stored: whether Discord counts the bot there, and when it was asked"""
        self._turn = asyncio.Lock()
        """events are stored in the order in which they came"""

    async def is_member(self, guild: Snowflake) -> bool:
        """Return True if the bot is a member of this server."""
        known = self._news.get(guild)
        if known is not None and self._store.owns(guild):
            return known
        if await self._store.is_member(guild):
            return True
        return self._find_answer(guild) is True and not await self._is_removed(guild)

    async def is_unknown(self, guild: Snowflake) -> bool:
        """Return True if only Discord can say if the bot is in this server: it is not stored, and was not asked."""
        return self._find_answer(guild) is None and not await self._is_removed(guild)

    def note_answer(self, guild: Snowflake, *, member: bool) -> None:
        """Note for a while what Discord answered about a server that no event has named."""
        now = self._clock.now()
        self._answers = {one: answer for one, answer in self._answers.items() if now - answer[1] < ANSWERED}
        self._answers[guild] = member, now

    def _find_answer(self, guild: Snowflake) -> bool | None:
        answer, at = self._answers.get(guild, (None, self._began))
        return answer if self._clock.now() - at < ANSWERED else None

    async def _is_removed(self, guild: Snowflake) -> bool:
        return bool(await self._store.deadlines_of(_owner(guild)))

    async def note_removed(self, guild: Snowflake) -> None:
        """Start the time until the data is deleted, unless it runs already."""
        with self._hear((guild,), member=False):
            async with self._turn:
                self._awaited.pop(guild, None)
                self._unstored.discard(guild)
                await self._store_removal(guild)

    async def note_member(self, guild: Snowflake, joined: datetime | None = None) -> bool:
        """Note that the bot is in a server, which may be new or back: its data is not deleted then. Discord says this
        of each server at every start, and only a change is written. Return True once, for a server without a row that
        the bot has just joined."""
        with self._hear((guild,), member=True):
            async with self._turn:
                is_new = guild not in self._awaited and await self._store_new(guild, joined)
                if not self._awaited.get(guild, False) and not is_new:
                    await self._store_membership(guild, joined)
                is_new |= guild in self._unstored and self._is_just(joined)
                self._awaited.pop(guild, None)
                self._unstored.discard(guild)
        return is_new

    async def note_servers(self, present: Collection[Snowflake], shard: int = 0, shards: int = 1) -> None:
        """Note all servers of the bot on a shard, which may have changed while it was off."""
        present = frozenset(present)
        with self._hear(present, member=True):
            async with self._turn:
                await self._store_servers(present, shard, shards)

    async def _store_servers(self, present: frozenset[Snowflake], shard: int, shards: int) -> None:
        here, dated = frozenset(await self._store.member_servers()), frozenset(await self._store.joined_servers())
        stored = frozenset(
            guild
            for guild in await self._store.servers()
            if shard_of(guild, shards) == shard and self._store.owns(guild)
        )
        for guild in sorted(stored - present):
            await self._store_removal(guild)
        for guild in sorted(stored & present - here):
            await self._store_membership(guild, None)
        new = sorted(present - stored)
        for start in range(0, len(new), AT_ONCE):
            await self._repository.write(tuple(map(NoteJoined, new[start : start + AT_ONCE])))
            self._unstored.update(new[start : start + AT_ONCE])
        self._awaited.update((guild, guild in dated) for guild in present)
        self._shards = shards
        self._seen.add(shard)

    async def compare(
        self, present: Collection[Snowflake], shard: int, shards: int
    ) -> tuple[Sequence[Snowflake], set[Snowflake]]:
        """Return the servers of a shard that are not present any more, and those present that are stored with the time
        when the bot joined them. It writes nothing."""
        here, dated = frozenset(await self._store.member_servers()), frozenset(await self._store.joined_servers())
        removed = [guild for guild in here - frozenset(present) if shard_of(guild, shards) == shard]
        return sorted(removed), {*(here & dated).intersection(present)}

    async def _store_removal(self, guild: Snowflake) -> None:
        owner = _owner(guild)
        if await self._store.deadlines_of(owner):
            return
        due = self._clock.now() + KEPT
        await self._repository.write((SetDeadline(Deadline(owner, DeadlineKind.SERVER, due)), NoteLeft(guild)))
        log.info("removed from server %d: its data is deleted in %d days", guild, KEPT.days)

    async def _store_new(self, guild: Snowflake, joined: datetime | None) -> bool:
        """Return False if this server has a row, or was not joined within the last minutes."""
        if not self._is_just(joined) or await self._is_removed(guild):
            return False
        try:
            await self._repository.write((NoteJoined(guild, joined, first=True),))
        except Conflict:
            return False
        return True

    def _is_just(self, joined: datetime | None) -> bool:
        return joined is not None and self._clock.now() - joined < JUST_JOINED

    async def _store_membership(self, guild: Snowflake, joined: datetime | None) -> None:
        owner = _owner(guild)
        if not await self._store.deadlines_of(owner):
            await self._repository.write((NoteJoined(guild, joined),))
            return
        await self._repository.write((DropDeadlines(owner), NoteJoined(guild, joined)))
        await self._roles.schedule_check(guild)
        log.info("back in server %d: its data is kept", guild)

    @contextmanager
    def _hear(self, guilds: Collection[Snowflake], *, member: bool) -> Generator[None]:
        """Let news count at once. They are forgotten when they are stored, or if another process has to store them."""
        self._news.update(dict.fromkeys(guilds, member))
        try:
            yield
        except PartitionMoved:
            self._forget_news(guilds, member=member)
            raise
        self._forget_news(guilds, member=member)

    def _forget_news(self, guilds: Iterable[Snowflake], *, member: bool) -> None:
        for guild in guilds:
            if self._news.get(guild) is member:
                del self._news[guild]

    async def delete_data(self, deadline: Deadline) -> bool:
        """Delete a part of the data; return True until nothing is left."""
        (guild,) = read_owner(deadline.owner)
        is_listed = shard_of(guild, self._shards) in self._seen
        if self._store.is_shared:  # another process hears of the shard, and has told by then that the bot is back
            is_listed = self._clock.now() >= self._began + LISTED
        if not is_listed:  # while the bot was off it may have been invited back
            await self._repository.write((PutOff(replace(deadline, due=self._clock.now() + UNSEEN)),))
            return True
        for id in await self._store.live_in(guild):
            try:
                await self._matches.abort(id, "channel")
            except RefereeError:
                log.debug("it has ended meanwhile")
        ids = await self._store.ids_in(guild, AT_ONCE)
        if ids:
            await self._repository.write(tuple(map(DropMatch, ids)))
            for id in ids:
                self._repository.discard(id)
            return True
        await self._repository.write(
            (DropServer(guild), *map(DropDeadlines, (deadline.owner, *(own(guild) for own in OWNERS))))
        )
        log.info("the data of server %d is deleted", guild)
        return False


def shard_of(guild: Snowflake, shards: int) -> int:
    """Return the number of the shard that Discord tells of a server."""
    return (guild >> 22) % shards


def _owner(guild: Snowflake) -> str:
    return f"server {guild}"
