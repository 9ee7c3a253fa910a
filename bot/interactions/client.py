"""The client: what discord.py is told to keep, and what features add to it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.discord_internals import InternalsBot
from bot.interactions.commands import CommandEntry
from bot.interactions.component import Component, ComponentRouter
from bot.interactions.context import from_interaction
from bot.interactions.services import Services
from bot.rest.inline_response import InlineResponse
from bot.rest.rest_client import RestClient

log = logging.getLogger(__name__)

COMMAND_TYPES = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
"""what discord.py's tree deals with"""

COMPONENT_TYPES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


class DirectMessage(NamedTuple):
    """What somebody wrote to the bot in a DM, but for the words: they are nobody's business."""

    channel: int
    user: int
    id: int


def kept_by_discord_py() -> dict[str, Any]:
    """Return the options of the client and of each shard: no member cache, no message cache, no privileged intents; of
    messages only direct ones are heard of."""
    return {
        "intents": discord.Intents(guilds=True, dm_messages=True),
        "member_cache_flags": discord.MemberCacheFlags.none(),
        "max_messages": None,
        "chunk_guilds_at_startup": False,
        "allowed_mentions": discord.AllowedMentions.none(),
    }


class GopsClient(InternalsBot):
    """The client, with what features add to it."""

    services: Services

    def __init__(self, tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree, **options: Any) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            tree_cls=tree,
            max_ratelimit_timeout=60.0,
            **kept_by_discord_py(),
            **options,
        )
        self.command_entries: list[CommandEntry] = []
        """the commands of `/gops`; `bot.command_tree` puts them in order"""
        self.router = ComponentRouter()
        self._listening: list[Callable[[DirectMessage], Awaitable[None]]] = []
        self.rest_client = RestClient(self)
        """draws what is there already"""

    async def stop_intake(self) -> None:
        """What came in is answered, before anything is closed that this takes; what comes from now on is not heard."""
        self.is_closing = True
        await self.services.stop()

    def add_commands(self, *offered: CommandEntry) -> None:
        """A feature's commands."""
        self.command_entries += offered

    def add_components(self, *presses: Component) -> None:
        """What a feature does when its buttons and selects are pressed."""
        self.router.add(*presses)

    async def leave_banned_servers(self) -> None:
        """Leave them on Discord. What is kept of them follows the event that Discord sends for that."""
        for guild in self.guilds:
            if guild.id in self.services.bans.servers:
                log.info("leaving server %d: it is banned", guild.id)
                with suppress(discord.HTTPException, *self.services.connection_errors):
                    await guild.leave()

    def add_dm_listener(self, heed: Callable[[DirectMessage], Awaitable[None]]) -> None:
        """Who is told of direct messages that people write."""
        self._listening.append(heed)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Deal with a press of a button or menu, or with a form that was sent in; commands have their tree."""
        if interaction.type in COMPONENT_TYPES:
            data: Any = interaction.data or {}
            await self.router.dispatch(from_interaction(interaction), data.get("custom_id"))

    async def handle_request(self, interaction: discord.Interaction[Any], inline: InlineResponse) -> None:
        """Anything that came by HTTP."""
        inline.set_age(self.services.seconds_since(interaction.created_at))
        inline.on_sent = partial(self.rest_client.late_tokens.record, interaction.token)
        with self.answer_by_request(interaction, inline):
            if interaction.type in COMMAND_TYPES:
                await self.run_app_command(interaction)
            else:
                await self.on_interaction(interaction)

    async def on_written(self, told: dict[str, Any]) -> None:
        """Somebody wrote to us in a DM."""
        if told.get("guild_id") is None:
            written = DirectMessage(int(told["channel_id"]), int(told["author"]["id"]), int(told["id"]))
            for heed in self._listening:
                await heed(written)
