"""The command tree: what is offered to Discord, and how it is told."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

import discord
from discord import app_commands

from cogs.asked.answer import Answer, answered
from cogs.asked.group import gops
from cogs.challenge import challenges, rematches, tables
from cogs.learning import learning
from cogs.match import bids, boards, matches
from cogs.people import notify
from cogs.practice import practice
from cogs.records import records

log = logging.getLogger(__name__)

MODULES = (bids, boards, challenges, learning, matches, notify, practice, records, rematches, tables)
"""importing a module adds its commands and presses"""

HASH = "commands"
"""the note that holds the hash of what was synced last"""


class Tree(app_commands.CommandTree[discord.Client]):
    """discord.py's tree, with an answer for everything that goes wrong before a command's own body."""

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        answer = Answer(interaction)

        async def fail() -> None:
            raise error

        await answered(answer, fail)


def plant(client: discord.Client) -> Tree:
    """Commands of this client."""
    tree = Tree(client)
    tree.add_command(gops)
    tree.add_command(challenges.challenge_menu)
    return tree


def payload(tree: Tree) -> list[dict[str, Any]]:
    """What Discord is told."""
    return [command.to_dict(tree) for command in tree.get_commands()] + [
        menu.to_dict(tree)
        for menu in tree.get_commands(type=discord.AppCommandType.user)
        if menu not in tree.get_commands()
    ]


def digest(commands: list[dict[str, Any]]) -> str:
    return hashlib.sha256(json.dumps(commands, sort_keys=True).encode()).hexdigest()
