"""The client: what discord.py is told to keep, and what features add to it."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import Any, cast

import discord
from discord import app_commands

from bot.discord_internals.api_calls import answer_by_request
from bot.discord_internals.client import InternalsBot
from bot.errors import RefereeError
from bot.interactions import error_handler
from bot.interactions.commands import CommandEntry
from bot.interactions.component import Component, ComponentRouter
from bot.interactions.context import InteractionContext, from_interaction
from bot.interactions.services import Services
from bot.interactions.shared_work import SharedWork
from bot.rest.inline_response import EXTRAS_KEY, InlineResponse
from bot.rest.rest_client import CONNECTION_ERRORS, RestClient

log = logging.getLogger(__name__)

COMMAND_TYPES = (discord.InteractionType.application_command, discord.InteractionType.autocomplete)
"""what discord.py's tree deals with"""

AUTOCOMPLETE = discord.InteractionType.autocomplete.value

COMPONENT_TYPES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


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
    shared: SharedWork | None = None

    def __init__(self, tree: type[app_commands.CommandTree[Any]] = app_commands.CommandTree, **options: Any) -> None:
        super().__init__(tree, max_ratelimit_timeout=60.0, **kept_by_discord_py(), **options)
        self.command_entries: set[CommandEntry] = set()
        """the commands of `/gops`; `bot.command_tree` puts them in order"""
        self.router = ComponentRouter()
        self.rest_client = RestClient(self)
        """draws what is there already"""

    async def stop_intake(self) -> None:
        """What came in is answered, before anything is closed that this takes; what comes from now on is not heard."""
        self.is_closing = True
        await self.services.stop()

    def add_feature(self, feature: ModuleType) -> None:
        """Add all commands, groups of commands, menus and components that a module declares."""
        for declared in vars(feature).values():
            if isinstance(declared, Component):
                self.router.add(declared)
            elif isinstance(declared, app_commands.ContextMenu):
                self.tree.add_command(declared)
            elif isinstance(declared, app_commands.Command | app_commands.Group):
                self.command_entries.add(cast("CommandEntry", declared))

    async def leave_banned_servers(self) -> None:
        """Leave them on Discord. What is kept of them follows the event that Discord sends for that."""
        for guild in sorted(self.services.bans.servers):
            if await self.services.referee.leaving.is_member(guild):
                log.info("leaving server %d: it is banned", guild)
                with suppress(discord.HTTPException, *CONNECTION_ERRORS):
                    await self.call_api("DELETE", "/users/@me/guilds/{guild_id}", guild_id=guild)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Deal with a press of a button or menu, or with a form that was sent in; commands have their tree."""
        if interaction.type in COMPONENT_TYPES:
            data: Any = interaction.data or {}
            await self.router.dispatch(from_interaction(interaction), data.get("custom_id"))

    async def handle_request(self, interaction: discord.Interaction[Any], inline: InlineResponse) -> None:
        """Anything that came by HTTP."""
        inline.age = partial(self.services.seconds_since, interaction.created_at)
        inline.on_sent = partial(self.rest_client.late_tokens.record, interaction.token)
        with answer_by_request(interaction, inline):
            await self._handle(interaction)

    async def handle_payload(self, payload: dict[str, Any], inline: InlineResponse | None) -> None:
        """Handle an interaction that another process may have received; without a response it came by the gateway."""
        interaction = self.read(payload)
        if inline is None:
            await self._handle(interaction)
        else:
            interaction.extras[EXTRAS_KEY] = inline
            await self.handle_request(interaction, inline)

    async def refuse(self, payload: dict[str, Any]) -> None:
        """Tell the author of an interaction that nobody handled it."""
        if payload["type"] != AUTOCOMPLETE:
            await error_handler.run(from_interaction(self.read(payload)), _raise_busy)

    async def _handle(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type in COMMAND_TYPES:
            await self.run_app_command(interaction)
        else:
            await self.on_interaction(interaction)


async def _raise_busy(_: InteractionContext) -> None:
    raise RefereeError("busy")
