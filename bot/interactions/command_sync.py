"""Slash commands as JSON, and their sync with Discord."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from bot.discord_internals import payloads
from bot.discord_internals.client import InternalsBot
from bot.errors import SettingsError
from bot.interactions.client import GopsClient
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.rest.rest_client import CALL_FAILURES

log = logging.getLogger(__name__)

IN_SERVERS, BY_USERS = "0", "1"
"""Discord's numbers for the ways to install an application"""

PORTAL = "https://discord.com/developers/applications (Installation)"
NO_SERVERS = f"the bot cannot be added to servers: switch on Guild Install at {PORTAL}"
NO_USERS = f"people cannot install it for themselves: User Install is off at {PORTAL}"

RETRY_DELAY = 60.0
"""Seconds until the next try after a failure."""

REFUSED = (400, 403)
"""statuses of an answer that refuses install types; Discord documents neither these nor their codes"""


def commands_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return all commands of a tree as JSON."""
    return payloads.payload_of(tree.get_commands(), tree)


async def settle_installs(bot: InternalsBot) -> bool:
    """Offer the commands in the ways in which the application can be installed, and return whether users can install
    it. Allow both ways only where nobody ever chose. Raises `SettingsError` if servers cannot add it."""
    config = await bot.fetch_installs() or await _allow_both(bot)
    if IN_SERVERS not in config:
        raise SettingsError([NO_SERVERS])
    limit_installs(bot.tree, by_users=BY_USERS in config)
    return BY_USERS in config


async def _allow_both(bot: InternalsBot) -> dict[str, Any]:
    """Return how the application can be installed afterwards. Where nobody chose, Discord allows servers alone."""
    try:
        return await bot.set_installs({IN_SERVERS: {}, BY_USERS: {}})
    except discord.HTTPException as error:
        if error.status not in REFUSED:
            raise
        log.warning("Discord does not let users install it: %s", " ".join(error.text.split()))
        return {IN_SERVERS: {}}


def limit_installs(tree: app_commands.CommandTree[Any], *, by_users: bool) -> None:
    """Set the install types of all commands."""
    for command in tree.get_commands():
        command.allowed_installs = app_commands.AppInstallationType(guild=True, user=by_users)


async def sync_if_changed(bot: GopsClient) -> None:
    """Sync the commands if their hash differs from the noted one. Read the install types first: Discord refuses
    commands with a type that the application does not support."""
    if not await settle_installs(bot):
        log.info(NO_USERS)
    surfaces, application = bot.services.referee.surfaces, bot.application_id or 0
    current = commands_hash(commands_payload(bot.tree))
    if await surfaces.load_command_hash(application) != current:
        await bot.tree.sync()
        await surfaces.save_command_hash(application, current)
        log.info("registered the commands with Discord")


async def register_commands(bot: GopsClient) -> None:
    """Sync the commands as above, and try again until it is done. Nobody waits for it: earlier commands stay usable."""
    while True:
        try:
            await sync_if_changed(bot)
        except (*CALL_FAILURES, SettingsError, StoreBusy, StoreReadOnly) as error:
            log.warning("the commands could not be registered: %s", error)
            await asyncio.sleep(RETRY_DELAY)
        else:
            return


def commands_hash(commands: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
