"""`gops backup`: make a checked copy of the database while the bot runs."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.common import add_env, load_settings
from bot.errors import BackupError
from bot.settings import ELSEWHERE, Settings

if TYPE_CHECKING:
    from bot.operate.database_check import DatabaseContents

NAME = "backup"
HELP = "copy the database while the bot runs, and check the copy"
EXAMPLE = "gops backup --keep 30"

KEEP = 14
"""the value of `bot.operate.backups.KEEP`, which is imported late"""

NICENESS = 10
"""niceness of the process: players go first"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="folder (GOPS_BACKUPS, or beside the database)")
    parser.add_argument("--keep", type=_count, default=KEEP, metavar="N", help=f"number of backups to keep ({KEEP})")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--check", action="store_true", help="check the newest backup again, and make none")
    what.add_argument("--list", action="store_true", help="list the backups, and make none")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if the backup is intact, 1 if there is none or a match in it is damaged."""
    settings = load_settings(args)
    if settings.server:
        raise BackupError(ELSEWHERE)
    folder = args.to or settings.backup_folder
    os.nice(NICENESS)
    if args.list:
        return _list(folder)
    return _check(folder) if args.check else _make(settings, folder, args.keep)


def _list(folder: Path) -> int:
    from bot.operate import backups

    for backup in backups.list_backups(folder):
        checked = backup.checked
        said = f"checked {checked.at:%Y-%m-%d %H:%M} UTC" if checked is not None else "never checked"
        print(f"{backup.path}  {backup.path.stat().st_size / 1e6:.1f} MB  {said}")
    return 0


def _check(folder: Path) -> int:
    from bot.operate import backups

    backup = backups.newest_backup(folder)
    return _print_contents(backup.path, backups.check_backup(backup))


def _make(settings: Settings, folder: Path, keep: int) -> int:
    from bot.operate import backups

    backup, contents = backups.make_backup(settings.database, folder, keep)
    return _print_contents(backup.path, contents)


def _print_contents(path: Path, contents: DatabaseContents) -> int:
    print(
        f"{path}: complete, version {contents.version}. Matches finished: {contents.finished}, live: {contents.live},"
        f" checked by the referee: {contents.verified}."
    )
    for id in contents.doubtful:
        print(f"gops backup: match {id} is not valid: its records were changed or are damaged", file=sys.stderr)
    return 1 if contents.doubtful else 0


def _count(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not number:
        raise argparse.ArgumentTypeError("must be a number of backups, at least 1")
    return number
