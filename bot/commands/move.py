"""`gops move`: move all stored data from a file to a PostgreSQL server, or back."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.commands.common import add_env
from bot.errors import SettingsError
from bot.settings import SERVERS, database_source, load

if TYPE_CHECKING:
    from data.moving import MoveResult
    from data.sql.schema import SqlTable

NAME = "move"
HELP = "copy all data into an empty database and compare it; stop the bot first"
EXAMPLE = "gops move data/gops.sqlite3 postgresql://gops@host/gops"

ADDRESS_HINT = "If the database has a password, add it there, as in postgresql://gops:password@host/gops."

KEPT = (
    "everything was moved, but FROM could not be marked ({why}): do not start a bot on it, or people play the same"
    " matches twice"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = "a file, or the address of a PostgreSQL database (the password as PGPASSWORD or in ~/.pgpass)"
    parser.add_argument("source", metavar="FROM", help=f"{where}; no bot can use it afterwards")
    parser.add_argument("target", metavar="TO", help="the same; a file may be missing, a database must be empty")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Return 0 if the target has every row of the source, 1 if the target is unchanged."""
    source, target = _read_place(args.source), _read_place(args.target)
    moved = asyncio.run(_move(source, target))
    print(f"{moved.rows:,} rows copied and compared. {_next_step(source, target, args)}")
    if moved.unmarked:
        print(f"gops {NAME}: {KEPT.format(why=moved.unmarked)}", file=sys.stderr)
    return 0


def _next_step(source: Path | str, target: Path | str, args: argparse.Namespace) -> str:
    """Return the next step for the operator."""
    from data.moving import locate

    name = locate(target).name
    try:
        there = load(os.environ, Path(args.env)).where
    except SettingsError:
        there = source
    if there == target:
        return f"GOPS_DATABASE is already {name}: start the bot."
    step = f"Set GOPS_DATABASE={name} {database_source(os.environ, Path(args.env)).where}, and start the bot."
    return step if isinstance(target, Path) else f"{step}\n{ADDRESS_HINT}"


async def _move(source: Path | str, target: Path | str) -> MoveResult:
    from data.moving import locate, move

    return await move(locate(source), locate(target), _print_table)


def _print_table(table: SqlTable, rows: int) -> None:
    if rows:
        print(f"{rows:>12,}  {table.name}", flush=True)


def _read_place(text: str) -> Path | str:
    return text if text.startswith(SERVERS) else Path(text)
