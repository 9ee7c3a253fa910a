"""`gops move`: everything that is stored, from a file to a PostgreSQL server or back."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bot.errors import GopsError
from bot.referee.ports.changes import Conflict, StoreBusy, StoreReadOnly
from bot.settings import SERVERS

if TYPE_CHECKING:
    from data.sql.ends import SqlTable

NAME = "move"
HELP = "copy everything that is stored into an empty database, and compare; the bot has to be stopped"
EXAMPLE = "gops move data/gops.sqlite3 postgresql://gops@host/gops"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = "a file, or the address of a PostgreSQL database (the password as PGPASSWORD or in ~/.pgpass)"
    parser.add_argument("source", metavar="FROM", help=f"{where}; nothing of it changes")
    parser.add_argument("target", metavar="TO", help="the same; a file may be missing, a database has to be empty")


def run(args: argparse.Namespace) -> int:
    """0: the target holds what the source holds, to the last row; 1: the target is as it was."""
    try:
        rows = asyncio.run(_move(_where(args.source), _where(args.target)))
    except (GopsError, Conflict, StoreBusy, StoreReadOnly) as error:
        print(f"gops {NAME}: {error or type(error).__name__}", file=sys.stderr)
        return 1
    print(f"{rows:,} rows, compared with those that they are copies of. Name the target in GOPS_DATABASE, and start.")
    return 0


async def _move(source: Path | str, target: Path | str) -> int:
    from data.moving import move, named

    return await move(named(source), named(target), _tell)


def _tell(table: SqlTable, rows: int) -> None:
    if rows:
        print(f"{rows:>12,}  {table.name}", flush=True)


def _where(text: str) -> Path | str:
    return text if text.startswith(SERVERS) else Path(text)
