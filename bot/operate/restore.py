"""Restore a backup. Players saw more than it knows, so its live matches are stopped."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import BackupError
from bot.operate.database_check import DatabaseContents, check_database
from bot.process.base.clock import SystemClock, SystemEntropy
from bot.referee.referee import Referee
from bot.referee.repository.surfaces import COMMAND_HASH
from data.sql.schema import MOVED
from data.sqlite import whole
from data.sqlite.database import SqliteDatabase
from data.sqlite.files import delete_files
from data.store import SqlStore

TOGETHER = 100
"""matches that are stopped at a time, in one flush"""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """Contents of the restored backup, what was ended in it, and the path of the replaced database."""

    contents: DatabaseContents
    matches: int
    lobbies: int
    aside: Path | None


def restore(backup: Path, database: Path, clock: SystemClock | None = None) -> RestoreResult:
    """Put a backup in place of the database. Changes nothing if it raises `BackupError` or another `DatabaseError`."""
    refuse_in_use(database)
    if backup.exists() and database.exists() and backup.samefile(database):
        raise BackupError(f"{backup} is the database itself.")
    contents = check_database(backup)
    fresh = database.with_name(f".{database.name}.restored")
    now = datetime.now(UTC)
    aside = database.with_name(f"{database.name}.before-{now:%Y%m%dT%H%M%S.%fZ}")
    try:
        delete_files(fresh)
        database.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        shutil.copyfile(backup, fresh)
        matches, lobbies = asyncio.run(_end_unfinished(fresh, clock or SystemClock()))
        there = whole.replace_database(fresh, database, aside)
    except BlockingIOError:
        raise BackupError(in_use_message(database)) from None
    except sqlite3.Error as error:
        raise BackupError(f"{fresh} cannot be written: {error}.") from error
    except OSError as error:
        raise BackupError(f"{error.filename or fresh} cannot be written: {error.strerror or error}.") from error
    finally:
        delete_files(fresh)
    return RestoreResult(contents, matches, lobbies, aside if there else None)


def in_use_message(database: Path) -> str:
    return f"A bot has {database} open: stop it first."


def refuse_in_use(database: Path) -> None:
    """Raise `BackupError` if a bot has the database open."""
    try:
        used = whole.is_in_use(database)
    except OSError as error:
        raise BackupError(f"{database} cannot be opened: {error.strerror or error}.") from error
    if used:
        raise BackupError(in_use_message(database))


async def _end_unfinished(fresh: Path, clock: SystemClock) -> tuple[int, int]:
    """Stop live matches and end open challenges: the same cards must not be dealt again to players who saw them. Their
    messages become outdated, so the next start of the bot shows it to everybody."""
    async with SqlStore(await SqliteDatabase.open(fresh)) as store:
        referee = Referee(store, clock, SystemEntropy())
        live, asked = await store.unfinished()
        for start in range(0, len(live), TOGETHER):
            await asyncio.gather(*(referee.matches.abort(id, "rolled-back") for id in live[start : start + TOGETHER]))
        for start in range(0, len(asked), TOGETHER):
            await asyncio.gather(*(referee.lobbies.put_back(id) for id in asked[start : start + TOGETHER]))
    with closing(sqlite3.connect(fresh)) as connection, connection:
        # Discord may have other commands by now, and this file is in use again.
        connection.execute("DELETE FROM notes WHERE key LIKE ? || ' %' OR key = ?", (COMMAND_HASH, MOVED))
    return len(live), len(asked)
