"""Slash commands as JSON, and their sync with Discord."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from bot import discord_internals
from bot.interactions.client import GopsClient

log = logging.getLogger(__name__)


def commands_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return all commands of a tree as JSON."""
    commands = tree.get_commands()
    menus = [menu for menu in tree.get_commands(type=discord.AppCommandType.user) if menu not in commands]
    return discord_internals.payload_of([*commands, *menus], tree)


async def sync_if_changed(bot: GopsClient) -> None:
    """Sync the commands if their hash differs from the noted one."""
    surfaces, application = bot.services.referee.surfaces, bot.application_id or 0
    current = commands_hash(commands_payload(bot.tree))
    if await surfaces.load_command_hash(application) != current:
        await bot.tree.sync()
        await surfaces.save_command_hash(application, current)
        log.info("told Discord of the commands")


def commands_hash(commands: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
