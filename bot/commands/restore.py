"""`gops restore`: put a backup in place of the database, or check a copy that is in place."""

from __future__ import annotations

import argparse
import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.common import add_env, load_settings, refuse_running, run_logged_in
from bot.errors import BackupError
from bot.settings import ELSEWHERE, Settings

if TYPE_CHECKING:
    from bot.app import Bot

NAME = "restore"
HELP = "put a backup in place of the database; live matches are stopped and do not count"
EXAMPLE = "gops restore latest"

LATEST = "latest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "backup", nargs="?", metavar="BACKUP", help=f"a file (`gops backup --list` shows them), or {LATEST}"
    )
    what.add_argument(
        "--check",
        action="store_true",
        help="check a copy that something else put in place: stop every match that players saw further",
    )
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if the backup is in place or checked, 1 if nothing changed or the check has to run again."""
    settings = load_settings(args)
    if args.check:
        return asyncio.run(run_logged_in(settings, partial(_check, settings)))
    if settings.server:
        raise BackupError(ELSEWHERE)
    return _restore(settings, args.backup)


def _restore(settings: Settings, named: str) -> int:
    from bot.operate import backups
    from bot.operate.restore import restore

    path = backups.newest_backup(settings.backup_folder).path if named == LATEST else Path(named)
    restored = restore(path, settings.database)
    contents = restored.contents
    print(f"{settings.database} is restored from {path}. Matches: {contents.finished + contents.live}.")
    if restored.matches or restored.lobbies:
        print(
            f"Live matches ended: {restored.matches}. Open challenges ended: {restored.lobbies}. They do not count;"
            " their players get a message when the bot starts."
        )
    if restored.aside is not None:
        print(f"The old files are in {restored.aside}.")
    return 0


async def _check(settings: Settings, client: Bot) -> int:
    from bot.operate.rollback_guard import check_restored
    from bot.process.base.clock import SystemClock, SystemEntropy
    from bot.referee.referee import Referee
    from bot.rest.delivery import Delivery
    from bot.rest.global_limit import CallBudget
    from data.cache import CachingStore

    refuse_running(settings)
    async with await CachingStore.open(settings.where, alone=True) as store:
        referee = Referee(store, SystemClock(settings.clock_file), SystemEntropy())
        checked = await check_restored(referee, Delivery(client.rest_client, CallBudget(lambda: settings.calls)))
    print(
        f"Live matches stopped: {len(checked.stopped)}. Open challenges ended: {len(checked.ended)}. Results that do"
        f" not count any more: {len(checked.unrated)}. Players get a message when the bot starts."
    )
    return 0
