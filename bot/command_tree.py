"""The command tree: the commands of every feature, in one group."""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord import app_commands

from bot.interactions import error_handler
from bot.interactions.client import GopsClient
from bot.interactions.context import from_interaction
from cogs.challenge import challenges, rematches, searches
from cogs.daily import daily
from cogs.learning import analysis, hints, puzzle, review, rules
from cogs.match import bids, boards, lost_places, matches, random_cards, table_keys
from cogs.people import preferences, privacy
from cogs.practice import practice
from cogs.records import record_files, records, replays, sheets
from cogs.server import audit, moderating, settings
from cogs.welcome import home

log = logging.getLogger(__name__)

FEATURES = (
    home,
    challenges,
    rematches,
    searches,
    practice,
    daily,
    bids,
    random_cards,
    boards,
    table_keys,
    matches,
    records,
    sheets,
    record_files,
    replays,
    analysis,
    review,
    hints,
    puzzle,
    rules,
    preferences,
    settings,
    audit,
    moderating,
    privacy,
)
"""modules that declare commands, menus and components; an import alone registers nothing"""

ORDER = (
    *("challenge", "practice", "daily", "puzzle", "find", "open", "games", "rules", "leaderboard", "help"),
    *("show", "rematch", "draw", "resign", "profile", "history", "replay", "review", "analyse", "verify"),
    *("preferences", "block", "privacy", "settings"),
)
"""The order in which Discord lists commands; a command that is not named here comes last."""

USER, MESSAGE = discord.AppCommandType.user, discord.AppCommandType.message
INSTALLS = app_commands.AppInstallationType(guild=True, user=True)
CONTEXTS = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True)
"""Install types and contexts of every command. Without them Discord takes those of the application's settings. Commands
that need a server of ours refuse other places themselves: Discord knows contexts for a whole group only."""


class Tree(app_commands.CommandTree[discord.Client]):
    """discord.py's tree, with an answer to an error before a command's own function."""

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        async def fail(_: object) -> None:
            raise error

        await error_handler.run(from_interaction(interaction), fail)


def plant(bot: GopsClient) -> None:
    """Set up every feature and add its commands to the tree."""
    for feature in FEATURES:
        bot.add_feature(feature)
    bot.listen(home.Greeter(bot))
    bot.listen(lost_places.LostPlaces(bot))
    gops = app_commands.Group(
        name="gops",
        description="Referee for GOPS and its relatives: sealed bids, fair deals, ratings",
        guild_only=False,
        allowed_installs=INSTALLS,
        allowed_contexts=CONTEXTS,
    )
    ranks = {name: rank for rank, name in enumerate(ORDER)}
    for command in sorted(bot.command_entries, key=lambda entry: (ranks.get(entry.name, len(ORDER)), entry.name)):
        gops.add_command(command)
    bot.tree.add_command(gops)
    for menu in (*bot.tree.get_commands(type=USER), *bot.tree.get_commands(type=MESSAGE)):
        menu.allowed_installs, menu.allowed_contexts = INSTALLS, CONTEXTS
