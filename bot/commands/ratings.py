"""`gops ratings rebuild`: compute every ranking again from its results."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from bot.commands.common import add_env, load_settings
from bot.errors import GopsError
from bot.referee.model.changes import Conflict
from bot.settings import Settings

if TYPE_CHECKING:
    from data.cache import CachingStore

NAME = "ratings"
HELP = "compute every ranking again from its results, and say if anything differed"
EXAMPLE = "gops ratings rebuild"

TRIES = 10
"""attempts for a pool in which a match ends meanwhile: the bot may run at the same time"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("rebuild",), help="the only action")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a ranking differs")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if every ranking agrees with its results, 1 after an error, or if one differs with --check."""
    settings = load_settings(args)
    if not settings.server and not settings.database.exists():
        raise GopsError(f"there is no database at {settings.database}")
    return asyncio.run(_rebuild(settings, check=args.check))


async def _rebuild(settings: Settings, check: bool) -> int:
    from data.cache import CachingStore

    wrong = 0
    async with await CachingStore.open(settings.where) as store:
        pools = await store.every_pool()
        for guild, pool in pools:
            moved = await _rebuild_pool(store, guild, pool, check)
            wrong += bool(moved)
        if not pools:
            print("Nobody has a rating yet.")
    return int(check and wrong > 0)


async def _rebuild_pool(store: CachingStore, guild: int, pool: str, check: bool) -> int:
    """Rebuild one ranking. Return the number of changes."""
    from bot.process.base.clock import SystemClock
    from bot.referee.model.rating_changes import schedule_role_check
    from bot.referee.server.rating_rebuild import rebuild

    for last in (*[False] * (TRIES - 1), True):
        found = await rebuild(store, guild, pool)
        try:
            if found.steps and not check:
                await store.write((*found.steps, *schedule_role_check(await store.guild(guild), SystemClock().now())))
        except Conflict:
            if last:
                raise
            continue
        said = f"ratings changed: {found.moved}" if found.steps else "nothing changed"
        print(f"{pool} in server {guild}: matches {found.matches}, people {found.people}, {said}")
        return len(found.steps)
    raise AssertionError
