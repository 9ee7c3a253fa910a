"""Members of servers and their names. The bot keeps no list of members, and asks Discord for each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import discord

from bot.discord_internals.client import InternalsBot
from bot.process.base.event_loop import BackgroundTasks
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


def read_member(guild: int, member: Mapping[str, Any]) -> DiscordUser:
    """Return a DiscordUser from Discord's member object of a server."""
    user = member["user"]
    name = member.get("nick") or user.get("global_name") or user["username"]
    roles = frozenset((guild, *map(int, member["roles"])))
    return DiscordUser(int(user["id"]), name, user.get("bot", False), is_member=True, roles=roles)


log = logging.getLogger(__name__)

CACHE_TIME = timedelta(hours=1)
"""After this time Discord is asked for a member again."""

TIMEOUT = 30.0
"""Seconds after which an unanswered call is given up."""

JOINED_TIMEOUT = 1.0
"""Seconds that Discord gets to say if the bot is in a server, while a person waits."""


class Members:
    """Looks up members of servers by their id."""

    def __init__(self, client: InternalsBot, referee: Referee) -> None:
        self._client = client
        self._referee = referee
        self._asked: dict[tuple[int, int], datetime] = {}
        """when Discord was last asked for a member, within CACHE_TIME"""
        self.tasks = BackgroundTasks()

    async def find(self, guild: int, user: int) -> DiscordUser | None:
        """Return a member of a server, or None."""
        if not await self._referee.leaving.is_member(guild):
            return None
        path = "/guilds/{guild_id}/members/{user_id}"
        try:
            return read_member(guild, await self._client.call_api("GET", path, guild_id=guild, user_id=user))
        except discord.NotFound:
            return None

    async def is_joined(self, guild: int) -> bool:
        """Ask Discord if the bot is in a server that is not stored: an interaction may come before the event
        that tells of its server."""
        if not await self._referee.leaving.is_unknown(guild):
            return False
        try:
            async with asyncio.timeout(JOINED_TIMEOUT):
                await self._client.call_api("GET", "/guilds/{guild_id}", guild_id=guild)
        except (discord.Forbidden, discord.NotFound):
            self._referee.leaving.note_answer(guild, member=False)
            return False
        except (TimeoutError, *CALL_FAILURES):
            return False  # it is asked again
        self._referee.leaving.note_answer(guild, member=True)
        return True

    def refresh(self, guild: int, users: Iterable[int]) -> None:
        """Fetch these members in the background, each at most once an hour even if that fails, and save their names in
        one write. A ranking shows the names in the store; the next one shows new names."""
        now = self._referee.clock.now()
        self._asked = {key: at for key, at in self._asked.items() if now - at < CACHE_TIME}
        due = [user for user in users if (guild, user) not in self._asked]
        if not due:
            return
        self._asked.update({(guild, user): now for user in due})
        self.tasks.start(self._refresh(guild, due), "members")

    async def _refresh(self, guild: int, users: list[int]) -> None:
        found = await asyncio.gather(*(self._fetch(guild, user) for user in users))
        if named := tuple(filter(None, found)):
            with suppress(Conflict, StoreBusy, StoreReadOnly):
                await self._referee.write(named)

    async def _fetch(self, guild: int, user: int) -> NameMember | None:
        try:
            async with asyncio.timeout(TIMEOUT):
                member = await self.find(guild, user)
        except CALL_FAILURES as error:
            log.info("could not find a member: %s", error)
            return None
        name = member.name if member is not None else await self._referee.people.find_name(guild, user, "")
        return NameMember(guild, user, name, here=member is not None)
