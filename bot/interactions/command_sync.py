"""Slash commands as Discord is told them."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from bot import discord_internals
from bot.interactions.client import GopsClient
from bot.referee.model.changes import SaveNote

log = logging.getLogger(__name__)

HASH_NOTE = "commands"
"""key of the note with the hash of the commands that were synced last"""


def commands_payload(tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Return all commands of a tree as JSON."""
    commands = tree.get_commands()
    menus = [menu for menu in tree.get_commands(type=discord.AppCommandType.user) if menu not in commands]
    return discord_internals.payload_of([*commands, *menus], tree)


async def sync_if_changed(bot: GopsClient) -> None:
    """Sync the commands if their hash differs from the noted one."""
    referee, note = bot.services.referee, f"{HASH_NOTE} {bot.application_id}"
    told = commands_hash(commands_payload(bot.tree))
    if await referee.store.note(note) != told:
        await bot.tree.sync()
        await referee.write((SaveNote(note, told),))
        log.info("told Discord of the commands")


def commands_hash(commands: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
