"""Servers that removed the bot: their data stays for a while, in case it is invited back, and is then deleted."""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta

from bot.errors import RefereeError
from bot.referee.match.matches import Matches
from bot.referee.model.changes import DropDeadlines, DropMatch, DropServer, PutOff, SetDeadline
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake
from bot.referee.model.rating_changes import roles_owner
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.referee.season.seasons import season_owner
from bot.referee.server.roles import Roles

log = logging.getLogger(__name__)

KEPT = timedelta(days=30)
UNSEEN = timedelta(seconds=5)
"""Time until a due deletion is tried again while Discord has not listed the servers of the bot."""
AT_ONCE = 50
"""Matches deleted in one transaction, so that presses do not wait long."""


class Leaving(Commands):
    """A removal is a deadline that deletes the data; it does not exist while the bot is in the server."""

    def __init__(self, repository: MatchRepository, matches: Matches, roles: Roles) -> None:
        super().__init__(repository)
        self._matches = matches
        self._roles = roles
        self._seen = False
        """whether it is known in which servers the bot is"""

    async def note_removed(self, guild: Snowflake) -> None:
        """Start the time until the data is deleted, unless it runs already."""
        owner = _owner(guild)
        if not await self._store.deadlines_of(owner):
            due = self._clock.now() + KEPT
            await self._repository.write((SetDeadline(Deadline(owner, DeadlineKind.SERVER, due)),))
            log.info("removed from server %d: its data goes in %d days", guild, KEPT.days)

    async def note_return(self, guild: Snowflake) -> None:
        """Cancel the deletion."""
        owner = _owner(guild)
        if await self._store.deadlines_of(owner):
            await self._repository.write((DropDeadlines(owner),))
            await self._roles.schedule_check(guild)
            log.info("back in server %d, where everything is as it was", guild)

    async def note_servers(self, present: Collection[Snowflake]) -> None:
        """Note the servers of the bot, which may have changed while it was off."""
        for guild in await self._store.servers():
            await (self.note_return(guild) if guild in present else self.note_removed(guild))
        self._seen = True

    async def delete_data(self, deadline: Deadline) -> bool:
        """Delete a part of the data; return True until nothing is left."""
        if not self._seen:  # while the bot was off it may have been invited back
            await self._repository.write((PutOff(replace(deadline, due=self._clock.now() + UNSEEN)),))
            return True
        (guild,) = read_owner(deadline.owner)
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
            (DropServer(guild), *map(DropDeadlines, (deadline.owner, season_owner(guild), roles_owner(guild))))
        )
        log.info("the data of server %d is gone", guild)
        return False


def _owner(guild: Snowflake) -> str:
    return f"server {guild}"
