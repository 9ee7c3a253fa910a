"""Names that the dead-code check (vulture) finds unused in `bot`, `cogs` and `data`, with their users.

Every name is imported, so a renamed or deleted name fails here.
"""

import argparse
from typing import Any

import numba

from bot import command_tree, discord_internals
from bot.app import RunningBot
from bot.interactions import commands
from bot.playground.faults import call as fault
from bot.playground.gateway import frame
from bot.playground.rest import ledger
from bot.playground.world import model
from bot.process.gateway import Shard
from cogs.match.lost_places import LostPlaces
from cogs.welcome.home import Greeter

DISCORD_PY_CALLS = (
    RunningBot.on_shard_connect,
    RunningBot.on_shard_ready,
    RunningBot.on_shard_resumed,
    RunningBot.on_shard_disconnect,
    RunningBot.on_interaction,
    Greeter.on_written,
    LostPlaces.on_ready,
    LostPlaces.on_guild_join,
    LostPlaces.on_guild_remove,
    LostPlaces.on_guild_channel_delete,
    LostPlaces.on_raw_thread_delete,
    LostPlaces.on_raw_thread_update,
    LostPlaces.on_threads_synced,
    RunningBot.setup_hook,
    Shard.before_identify_hook,
    command_tree.Tree.on_error,
    commands.UserTransformer.transform,
    discord_internals.SharedState._get_guild,
    discord_internals.InternalsBot._get_state,
    discord_internals.ReadyLayout.to_components,
    discord_internals.ReadyLayout.has_components_v2,
    discord_internals.ReadyLayout.is_dispatchable,
)


def set_for_libraries(parser: argparse.ArgumentParser, state: Any) -> tuple[object, ...]:
    """Return attributes that discord.py, numba and argparse read."""
    cache: object = numba.config.CACHE_DIR  # pyright: ignore
    return parser.formatter_class, cache, state._get_client, state._command_tree


PROTOCOL = (fault.Kind.ANSWER, frame.Op.DISPATCH, model.ChannelType.CATEGORY, model.Flag.HAS_THREAD)
"""numbers and words that come over the wire: the tables are whole"""

TESTS_ASK = (ledger.Ledger.under_way,)
"""what tests ask of the stand-in: which calls somebody waits for who waits in vain"""
