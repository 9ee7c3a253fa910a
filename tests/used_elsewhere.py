"""Names that the dead-code check (vulture) finds unused in `bot`, `cogs` and `data`, with their users.

Every name is imported, so a renamed or deleted name fails here.
"""

import argparse
from typing import Any

import numba

from bot import command_tree
from bot.app import RunningBot
from bot.discord_internals import payloads
from bot.interactions import commands
from bot.pictures.card_backs import draw_icon
from bot.playground.faults import call as fault
from bot.playground.gateway import frame
from bot.playground.rest import ledger
from bot.playground.world import model
from bot.process.gateway import Shard
from cogs.match.lost_places import LostPlaces
from cogs.welcome.home import Greeter

DISCORD_PY_CALLS = (
    RunningBot.on_shard_connect,
    RunningBot.on_shard_resumed,
    RunningBot.on_shard_disconnect,
    RunningBot.on_all_shards,
    RunningBot.on_interaction,
    Greeter.on_written,
    LostPlaces.on_servers_listed,
    LostPlaces.on_server_told,
    LostPlaces.on_server_lost,
    LostPlaces.on_channel_deleted,
    LostPlaces.on_thread_deleted,
    LostPlaces.on_thread_updated,
    LostPlaces.on_threads_synced,
    RunningBot.setup_hook,
    Shard.before_identify_hook,
    command_tree.Tree.on_error,
    commands.UserTransformer.transform,
    payloads.ReadyLayout.to_components,
    payloads.ReadyLayout.has_components_v2,
    payloads.ReadyLayout.is_dispatchable,
)


def set_for_libraries(parser: argparse.ArgumentParser, state: Any) -> tuple[object, ...]:
    """Return attributes that discord.py, numba and argparse read."""
    cache: object = numba.config.CACHE_DIR  # pyright: ignore
    return parser.formatter_class, cache, state._get_client, state._command_tree, state._cs_response


PROTOCOL = (fault.Kind.ANSWER, frame.Op.DISPATCH, model.ChannelType.CATEGORY, model.Flag.HAS_THREAD)
"""numbers and words that come over the wire: the tables are whole"""

MAKE_PICTURES = (draw_icon,)
"""what `make pictures` draws into a file"""

TESTS_ASK = (ledger.Ledger.under_way,)
"""what tests ask of the stand-in: which calls somebody waits for who waits in vain"""
