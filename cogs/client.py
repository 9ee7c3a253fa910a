"""The client: what discord.py is told to keep, and what features add to it."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from cogs.asked.commands import Command
from cogs.asked.presses import Press, Presses
from cogs.doors import gateway
from cogs.inside import InsideBot
from cogs.services import Services
from cogs.wire.direct import Direct


class GopsClient(InsideBot):
    """A client without member cache, message cache or privileged intents."""

    services: Services

    def __init__(self, tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree, **options: Any) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=tree,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
            **options,
        )
        self.offered: list[Command] = []
        """the commands of `/gops`; `cogs.tree` puts them in order"""
        self.presses = Presses()
        self.direct = Direct(self)
        """draws what is there already"""

    def offer(self, *offered: Command) -> None:
        """A feature's commands."""
        self.offered += offered

    def answer(self, *presses: Press) -> None:
        """What a feature does when its buttons and selects are pressed."""
        self.presses.add(*presses)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Buttons and selects; commands have their tree."""
        await gateway.pressed(interaction, self.presses)

    async def on_message(self, message: discord.Message, /) -> None:
        """Nothing is asked of us in words."""
