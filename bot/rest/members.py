"""Who is in a server, and what they are called there. Nothing keeps a list of members: Discord is asked for each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot import discord_internals
from bot.referee.model.changes import Conflict, NameMember, StoreBusy, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.rest_client import CALL_FAILURES


@dataclass(frozen=True, slots=True)
class DiscordUser:
    """A user or bot, with their name and roles in the server where they were named."""

    id: int
    name: str
    bot: bool = False
    is_member: bool = False
    """of the server where they were named"""
    roles: frozenset[int] = frozenset()


def read_user(user: discord.abc.User) -> DiscordUser:
    """Return a DiscordUser from discord.py's user. Only members have roles."""
    if not isinstance(user, discord.Member):
        return DiscordUser(user.id, user.display_name, user.bot)
    return DiscordUser(user.id, user.display_name, user.bot, is_member=True, roles=discord_internals.roles_of(user))


log = logging.getLogger(__name__)

CACHE_TIME = timedelta(hours=1)
"""how long what Discord said of somebody is believed"""

TIMEOUT = 30.0
"""seconds after which Discord is not waited for any more; the next look asks again"""


class Members:
    """Looks up members of servers by their id."""

    def __init__(self, client: discord.Client, referee: Referee) -> None:
        self._client = client
        self._referee = referee
        self._asked: dict[tuple[int, int], datetime] = {}
        """when each of them was last asked for; forgotten once it is not believed any more"""
        self._looking: set[asyncio.Task[None]] = set()

    async def find(self, guild: int, user: int) -> DiscordUser | None:
        """Return a member of a server, or None."""
        place = self._client.get_guild(guild)
        if place is None:
            return None
        try:
            return read_user(await place.fetch_member(user))
        except discord.NotFound:
            return None

    def refresh(self, guild: int, users: Iterable[int]) -> None:
        """Ask for all of them at once, each at most once in an hour, and write down together what has changed. Nobody
        waits for this: a ranking shows what the store knows, and the next one knows better."""
        now = self._referee.clock.now()
        self._asked = {key: at for key, at in self._asked.items() if now - at < CACHE_TIME}
        due = [user for user in users if (guild, user) not in self._asked]
        if not due or self._client.get_guild(guild) is None:
            return
        self._asked.update({(guild, user): now for user in due})
        task = asyncio.create_task(self._refresh(guild, due), name="members")
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def wait_until_idle(self) -> None:
        """Wait until no request is running."""
        while self._looking:
            await asyncio.wait(self._looking)

    async def close(self) -> None:
        for task in self._looking:
            task.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)

    async def _refresh(self, guild: int, users: list[int]) -> None:
        found: dict[int, NameMember] = {}
        try:
            async with asyncio.timeout(TIMEOUT):
                await asyncio.gather(*(self._fetch(guild, user, found) for user in users))
        except TimeoutError:
            log.warning("Discord did not say who is still in server %d", guild)
        try:
            if found:
                await self._referee.write(tuple(found.values()))
        except (Conflict, StoreBusy, StoreReadOnly):
            found.clear()
        for user in users:
            if user not in found:
                self._asked.pop((guild, user), None)

    async def _fetch(self, guild: int, user: int, found: dict[int, NameMember]) -> None:
        try:
            member = await self.find(guild, user)
        except CALL_FAILURES:
            log.debug("nothing was heard of a member")
            return
        if member is not None:
            found[user] = NameMember(guild, user, member.name)
        else:
            name = await self._referee.people.find_name(guild, user, "")
            found[user] = NameMember(guild, user, name, here=False)
