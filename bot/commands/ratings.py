"""`gops ratings rebuild`: compute every ranking again from its results."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from bot.commands.common import PATIENCE, add_env, load_settings
from bot.errors import GopsError, JobsWaiting
from bot.settings import Settings

if TYPE_CHECKING:
    from bot.referee.referee import Referee
    from bot.referee.server.rating_rebuild import RebuiltPool

NAME = "ratings"
HELP = "compute every ranking again from its results, and say if anything differed"
EXAMPLE = "gops ratings rebuild"


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
    from bot.process.base.clock import SystemClock, SystemEntropy
    from bot.referee.referee import Referee
    from bot.referee.server.rating_rebuild import rebuild
    from data.cache import CachingStore

    wrong = 0
    async with await CachingStore.open_beside(settings.where, alone=False) as store:
        referee = Referee(store, SystemClock(), SystemEntropy())
        referee.repository.jobs.patience = PATIENCE
        pools = await store.every_pool()
        for guild, pool in pools:
            found = await rebuild(store, guild, pool)
            if found.steps and not check:
                found = await _repair(referee, guild, pool, found)
            wrong += bool(found.steps)
            differs = f"ratings changed: {found.moved}" if found.steps else "nothing changed"
            print(f"{pool} in server {guild}: matches {found.matches}, people {found.people}, {differs}")
        if not pools:
            print("Nobody has a rating yet.")
    return int(check and wrong > 0)


async def _repair(referee: Referee, guild: int, pool: str, found: RebuiltPool) -> RebuiltPool:
    """Let the process that owns the server repair the ranking; without one do it here. Return what differed."""
    if not referee.store.is_shared:
        return await referee.rebuilding.repair(guild, pool)
    try:
        await referee.rebuilding.ask(guild, pool)
    except JobsWaiting as waiting:
        raise GopsError(f"{pool} in server {guild}: {waiting}") from None
    return found
