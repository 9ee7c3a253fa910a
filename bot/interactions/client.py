"""The client: what discord.py is told to keep, and what features add to it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.discord_internals import InsideBot
from bot.interactions.commands import Offered
from bot.interactions.component import ComponentRouter, Press
from bot.interactions.made import asked_by
from bot.interactions.services import Services
from bot.rest.direct import Direct
from bot.rest.inline import Inline

log = logging.getLogger(__name__)

COMMANDS = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
"""what discord.py's tree deals with"""

PRESSES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class Written(NamedTuple):
    """What somebody wrote to the bot in a DM, but for the words: they are nobody's business."""

    channel: int
    user: int
    id: int


class GopsClient(InsideBot):
    """A client without member cache, message cache or privileged intents; of messages it hears of direct ones alone."""

    services: Services

    def __init__(self, tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree, **options: Any) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=tree,
            intents=discord.Intents(guilds=True, dm_messages=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
            **options,
        )
        self.offered: list[Offered] = []
        """the commands of `/gops`; `bot.command_tree` puts them in order"""
        self.presses = ComponentRouter()
        self._listening: list[Callable[[Written], Awaitable[None]]] = []
        self.direct = Direct(self)
        """draws what is there already"""
        self.hear_people()
        self.hear_presses()

    async def hush(self) -> None:
        """What came in is answered, before anything is closed that this takes; what comes from now on is not heard."""
        self.deaf = True
        await self.services.end()

    def offer(self, *offered: Offered) -> None:
        """A feature's commands."""
        self.offered += offered

    def answer(self, *presses: Press) -> None:
        """What a feature does when its buttons and selects are pressed."""
        self.presses.add(*presses)

    async def leave_banned_servers(self) -> None:
        """Leave them on Discord. What is kept of them follows the event that Discord sends for that."""
        for guild in self.guilds:
            if guild.id in self.services.bans.servers:
                log.info("leaving server %d: it is banned", guild.id)
                with suppress(discord.HTTPException, *self.services.broken):
                    await guild.leave()

    def listen_to(self, heed: Callable[[Written], Awaitable[None]]) -> None:
        """Who is told of direct messages that people write."""
        self._listening.append(heed)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Buttons and selects; commands have their tree."""
        await self._press(interaction)

    async def deal_with(self, interaction: discord.Interaction[Any], inline: Inline) -> None:
        """Anything that came by HTTP."""
        inline.made(self.services.since(interaction.created_at))
        with self.answering(interaction, inline):
            if interaction.type in COMMANDS:
                await self.carry_out(interaction)
            else:
                await self._press(interaction)

    async def _press(self, interaction: discord.Interaction[Any]) -> None:
        """Deal with a press of a button or menu, or with a form that was sent in."""
        if interaction.type in PRESSES:
            data: Any = interaction.data or {}
            await self.presses.deal_with(asked_by(interaction), data.get("custom_id"))

    async def on_written(self, told: dict[str, Any]) -> None:
        """Somebody wrote to us in a DM."""
        if told.get("guild_id") is None:
            written = Written(int(told["channel_id"]), int(told["author"]["id"]), int(told["id"]))
            for heed in self._listening:
                await heed(written)
