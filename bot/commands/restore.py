"""`gops restore`: go back to a backup."""

import argparse
import sys
from pathlib import Path

from bot.commands.settled import add_env, settled
from bot.errors import GopsError
from bot.settings import ELSEWHERE, EXIT_SETUP, Settings

NAME = "restore"
HELP = "put a backup in the database's place; live matches are stopped, and do not count"
EXAMPLE = "gops restore latest"

LATEST = "latest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backup", metavar="BACKUP", help=f"a file (`gops backup --list` shows them), or {LATEST}")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """0: it is in place; 1: nothing has changed."""
    settings = settled(args, NAME)
    if settings is None:
        return EXIT_SETUP
    if settings.server:
        print(f"gops {NAME}: {ELSEWHERE}", file=sys.stderr)
        return 1
    try:
        return _restore(settings, args.backup)
    except GopsError as error:
        print(f"gops restore: {error}", file=sys.stderr)
        return 1


def _restore(settings: Settings, named: str) -> int:
    from bot.operate import backups
    from bot.operate.restoring import restore

    path = backups.newest(settings.backup_folder).path if named == LATEST else Path(named)
    restored = restore(path, settings.database)
    examined = restored.examined
    print(f"{settings.database} is {path} again: {examined.finished + examined.live} matches.")
    if restored.matches or restored.lobbies:
        print(
            f"{restored.matches} live matches and {restored.lobbies} open challenges in it were ended and do not count;"
            " their players read it when the bot starts."
        )
    if restored.aside is not None:
        print(f"What was there lies in {restored.aside}.")
    return 0
