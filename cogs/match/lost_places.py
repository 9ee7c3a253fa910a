"""Events of Discord about channels, threads and servers that go or come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from bot.interactions.client import GopsClient
from bot.ui.screens.server_posts import hello_message


class LostPlaces:
    """Listener that updates boards when their channel, thread or server goes or comes back."""

    def __init__(self, bot: GopsClient) -> None:
        self.bot = bot

    async def on_servers_listed(self, shard: int, guilds: Sequence[int]) -> None:
        """Compare the stored servers with those of a new session, including servers that are unavailable."""
        await self.bot.services.referee.leaving.note_servers(guilds, shard, self.bot.shard_count or 1)
        await self.bot.leave_banned_servers()

    async def on_server_told(self, told: Mapping[str, Any]) -> None:
        """Note a server that the bot has joined, or of which only the id was known. Say hello in a new one, once: if
        the process ends before the call, nothing is said."""
        if told.get("unavailable"):
            return
        guild, joined, services = int(told["id"]), told.get("joined_at"), self.bot.services
        at = datetime.fromisoformat(joined) if joined else services.referee.clock.now()
        is_new = await services.referee.leaving.note_member(guild, at)
        if guild in services.bans.servers:
            await self.bot.leave_banned_servers()
        elif is_new and (channel := told.get("system_channel_id")):
            hello = hello_message(services.referee.daily.today())
            await services.delivery.post(int(channel), hello, f"g{guild}")

    async def on_server_lost(self, told: Mapping[str, Any]) -> None:
        """Note a server that removed the bot. One that is only unavailable stays."""
        if told.get("unavailable"):
            return
        guild = int(told["id"])
        await self.bot.services.referee.leaving.note_removed(guild)
        await self.bot.services.publisher.check_boards(guild)

    async def on_channel_deleted(self, told: Mapping[str, Any]) -> None:
        if "guild_id" in told:
            await self.bot.services.publisher.check_boards(int(told["guild_id"]), int(told["id"]))

    async def on_thread_deleted(self, told: Mapping[str, Any]) -> None:
        await self.bot.services.publisher.check_boards(int(told["guild_id"]), int(told["id"]), is_thread=True)

    async def on_thread_updated(self, told: Mapping[str, Any]) -> None:
        """Take up the boards of a thread that was opened again, and look after those in one that was locked."""
        guild, thread = int(told["guild_id"]), int(told["id"])
        state: Mapping[str, Any] = told.get("thread_metadata") or {}
        if state.get("locked") or not state.get("archived"):
            only = not state.get("locked")
            await self.bot.services.publisher.check_boards(guild, thread, is_thread=True, closed_only=only)

    async def on_threads_synced(self, told: Mapping[str, Any]) -> None:
        """Look after the boards of channels that may be viewed again: Discord told nothing of their threads meanwhile.

        Without `channel_ids` these are all channels of the server.
        """
        guild, threads = int(told["guild_id"]), [int(thread["id"]) for thread in told["threads"]]
        for channel in (*map(int, told.get("channel_ids", (0,))), *threads):
            await self.bot.services.publisher.check_boards(guild, channel)
