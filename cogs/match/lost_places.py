"""Events of Discord about channels, threads and servers that go or come back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord.ext import commands

from bot.interactions.client import GopsClient


class LostPlaces(commands.Cog):
    """Cog that updates boards whose channel, thread or server goes or comes back."""

    def __init__(self, bot: GopsClient) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Compare the stored servers with the connected ones, including those that are unavailable."""
        await self.bot.services.referee.leaving.note_servers({guild.id for guild in self.bot.guilds})
        await self.bot.leave_banned_servers()

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.bot.services.referee.leaving.note_return(guild.id)
        await self.bot.leave_banned_servers()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.bot.services.referee.leaving.note_removed(guild.id)
        await self.bot.services.publisher.boards.place_gone(guild.id)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.bot.services.publisher.boards.place_gone(channel.guild.id, channel.id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        await self.bot.services.publisher.boards.place_gone(thread.guild_id, thread.thread_id, thread=True)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, thread: discord.RawThreadUpdateEvent) -> None:
        """Take up the boards of a thread that was opened again, and look after those in one that was locked."""
        state: Any = thread.data.get("thread_metadata") or {}
        if state.get("locked"):
            await self.bot.services.publisher.boards.place_gone(thread.guild_id, thread.thread_id, thread=True)
        elif not state.get("archived"):
            await self.bot.services.publisher.boards.place_open(thread.guild_id, thread.thread_id)

    @commands.Cog.listener()
    async def on_threads_synced(self, told: Mapping[str, Any]) -> None:
        """Look after the boards of channels that may be viewed again: Discord told nothing of their threads meanwhile.

        Without `channel_ids` these are all channels of the server.
        """
        guild, threads = int(told["guild_id"]), [int(thread["id"]) for thread in told["threads"]]
        for channel in (*map(int, told.get("channel_ids", (0,))), *threads):
            await self.bot.services.publisher.boards.place_gone(guild, channel)
