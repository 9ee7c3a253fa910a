"""Who of the people in a ranking is still in the server, and what they are called there: asked behind the answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import discord

from bot.referee.changes import Conflict, NameMember, StoreBusy, StoreReadOnly

if TYPE_CHECKING:
    from cogs.services import Services

log = logging.getLogger(__name__)

BELIEVED = timedelta(hours=1)
"""how long what Discord said of somebody is believed"""

LONGEST = 30.0
"""seconds after which Discord is not waited for any more; the next look asks again"""


class Members:
    """Nobody waits for this: a ranking shows what the store knows, and the next one knows better."""

    def __init__(self) -> None:
        self._asked: dict[tuple[int, int], datetime] = {}
        """when each of them was last asked for; forgotten once it is not believed any more"""

    def look(self, guild: discord.Guild, services: Services, users: Iterable[int]) -> None:
        """Ask for all of them at once, each at most once in an hour, and write down together what has changed."""
        now = services.referee.clock.now()
        self._asked = {key: at for key, at in self._asked.items() if now - at < BELIEVED}
        due = [user for user in users if (guild.id, user) not in self._asked]
        if not due:
            return
        self._asked.update({(guild.id, user): now for user in due})
        task = asyncio.create_task(self._ask(guild, services, due), name="members")
        services.under_way.add(task)
        task.add_done_callback(services.under_way.discard)

    async def _ask(self, guild: discord.Guild, services: Services, users: list[int]) -> None:
        found: dict[int, NameMember] = {}
        try:
            async with asyncio.timeout(LONGEST):
                await asyncio.gather(*(self._ask_for(guild, services, user, found) for user in users))
        except TimeoutError:
            log.warning("Discord did not say who is still in server %d", guild.id)
        try:
            if found:
                await services.referee.write(tuple(found.values()))
        except (Conflict, StoreBusy, StoreReadOnly):
            found.clear()
        for user in users:
            if user not in found:
                self._asked.pop((guild.id, user), None)

    async def _ask_for(self, guild: discord.Guild, services: Services, user: int, found: dict[int, NameMember]) -> None:
        try:
            member = await guild.fetch_member(user)
        except discord.NotFound:
            name = await services.referee.name(guild.id, user, "")
            found[user] = NameMember(guild.id, user, name, here=False)
        except (discord.DiscordException, *services.broken):
            log.debug("nothing was heard of a member")
        else:
            found[user] = NameMember(guild.id, user, member.display_name)
