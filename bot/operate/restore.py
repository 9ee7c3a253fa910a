"""A backup put back. Whoever played on after it was made has seen more than it knows, so no match in it goes on."""

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
from data.sql.table_copy import MOVED
from data.sqlite import whole
from data.sqlite.files import BESIDE
from data.store import SqliteStore

TOGETHER = 100
"""matches that are stopped at a time: they share a flush"""


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was put back, what was ended in it, and where the database that was there lies now."""

    contents: DatabaseContents
    matches: int
    lobbies: int
    aside: Path | None


def restore(backup: Path, database: Path, clock: SystemClock | None = None) -> RestoreResult:
    """Raises `BackupError`, `NewerDatabase` or `ChangedMigration`, and then nothing has changed."""
    refuse_in_use(database)
    if backup.exists() and database.exists() and backup.samefile(database):
        raise BackupError(f"{backup} is the database itself.")
    contents = check_database(backup)
    fresh = database.with_name(f".{database.name}.restored")
    now = datetime.now(UTC)
    aside = database.with_name(f"{database.name}.before-{now:%Y%m%dT%H%M%S.%fZ}")
    try:
        _remove_files(fresh)
        database.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        shutil.copyfile(backup, fresh)
        matches, lobbies = asyncio.run(_end_unfinished(fresh, clock or SystemClock()))
        there = whole.put_in_place(fresh, database, aside)
    except BlockingIOError:
        raise BackupError(in_use_message(database)) from None
    except sqlite3.Error as error:
        raise BackupError(f"{fresh} cannot be written: {error}.") from error
    except OSError as error:
        raise BackupError(f"{error.filename or fresh} cannot be written: {error.strerror or error}.") from error
    finally:
        _remove_files(fresh)
    return RestoreResult(contents, matches, lobbies, aside if there else None)


def in_use_message(database: Path) -> str:
    return f"A bot has {database} open: stop it first."


def refuse_in_use(database: Path) -> None:
    """Nothing is done to a database that a bot has open."""
    try:
        used = whole.in_use(database)
    except OSError as error:
        raise BackupError(f"{database} cannot be opened: {error.strerror or error}.") from error
    if used:
        raise BackupError(in_use_message(database))


def _remove_files(fresh: Path) -> None:
    for ending in ("", *BESIDE):
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)


async def _end_unfinished(fresh: Path, clock: SystemClock) -> tuple[int, int]:
    """Stop what was live, end what was asked: the same cards must not be dealt again to people who saw them. What
    shows them is behind then, so everybody reads it when the bot starts."""
    async with await SqliteStore.open(fresh) as store:
        referee = Referee(store, clock, SystemEntropy())
        live, asked = await store.unfinished()
        for start in range(0, len(live), TOGETHER):
            await asyncio.gather(*(referee.matches.abort(id, "rolled-back") for id in live[start : start + TOGETHER]))
        for start in range(0, len(asked), TOGETHER):
            await asyncio.gather(*(referee.lobbies.put_back(id) for id in asked[start : start + TOGETHER]))
    with closing(sqlite3.connect(fresh)) as connection, connection:
        # Discord may have been told of other commands; and this file is the one that counts from now on.
        connection.execute("DELETE FROM notes WHERE key LIKE ? || ' %' OR key = ?", (COMMAND_HASH, MOVED))
    return len(live), len(asked)
