"""Check a database file: its pages and rows, and a sample of its matches by the referee."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.errors import BackupError
from bot.referee.model.model import BROKEN_SEAL, StoredMatch
from bot.referee.proof import promises
from bot.referee.repository.live import replay_match
from bot.referee.repository.view_builder import record_data
from bot.referee.repository.view_service import lapses_key
from bot.referee.verify.check import verify
from data.sql.schema import load_migrations
from data.sqlite.migrate import migrate
from data.sqlite.whole import FrozenDatabase, find_damage, read_version
from data.store import SqlStore

SAMPLE = 100
"""matches of each kind (live, newest, any) that the referee verifies"""


KINDS = (
    "SELECT id FROM matches WHERE live = 1 ORDER BY random() LIMIT ?",
    "SELECT id FROM matches WHERE live = 0 ORDER BY ended DESC LIMIT ?",
    "SELECT id FROM matches WHERE live = 0 ORDER BY random() LIMIT ?",
)


@dataclass(frozen=True, slots=True)
class DatabaseContents:
    """Contents of a database file, and how many of its matches the referee verified."""

    version: int
    live: int
    finished: int
    verified: int
    doubtful: tuple[str, ...] = ()
    """ids of matches that are not as the referee stored them"""


def check_database(path: Path, sample: int = SAMPLE) -> DatabaseContents:
    """Check a file that no process writes, and leave it unchanged. Raises `BackupError` if it is damaged, and
    `NewerDatabase` or `ChangedMigration` if this bot cannot open it."""
    try:
        version = read_version(path)
        if version == 0:
            raise BackupError(f"{path} is a database, but not one of this bot.")
        if version == len(load_migrations()):
            return asyncio.run(_check_file(path, version, sample))
        return _check_migrated_copy(path, version, sample)
    except sqlite3.Error as error:
        raise BackupError(f"{path} is damaged, or no database at all: {error}.") from error
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror or error}.") from error


def _check_migrated_copy(path: Path, version: int, sample: int) -> DatabaseContents:
    """Check a migrated copy of a file of an older bot, as a restore would use it."""
    copy = path.with_name(f".{path.name}.examined")
    copy.unlink(missing_ok=True)
    try:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        shutil.copyfile(path, copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
            migrate(connection, load_migrations())
            connection.execute("PRAGMA journal_mode = DELETE")
        return asyncio.run(_check_file(copy, version, sample))
    finally:
        copy.unlink(missing_ok=True)


async def _check_file(path: Path, version: int, sample: int) -> DatabaseContents:
    database = FrozenDatabase(path)
    async with SqlStore(database) as store:
        if wrong := database.inspect(find_damage):
            raise BackupError(f"{path} is damaged: {wrong}.")
        live, finished = database.inspect(_count_matches)
        doubtful: list[str] = []
        chosen = database.inspect(lambda connection: _choose_matches(connection, sample))
        for id in chosen:
            stored = await store.match(id)
            assert stored is not None
            note = await store.note(lapses_key(id))
            if not is_intact(stored, note):
                doubtful.append(id)
    return DatabaseContents(version, live, finished, len(chosen), tuple(doubtful))


def _count_matches(connection: sqlite3.Connection) -> tuple[int, int]:
    [(live, finished)] = connection.execute("SELECT coalesce(sum(live), 0), coalesce(sum(1 - live), 0) FROM matches")
    return live, finished


def _choose_matches(connection: sqlite3.Connection, sample: int) -> list[str]:
    """Return ids of some live matches, of the newest finished ones, and of some others."""
    found: dict[str, None] = {}
    for kind in KINDS:
        rows = connection.execute(kind, (sample,))
        found |= dict.fromkeys(id for (id,) in rows)
    return list(found)


def is_intact(stored: StoredMatch, lapses: str | None = None) -> bool:
    """Return True if a match is as the referee stored it.

    A finished match is verified like by its players. In a live match every sealed bid has to match its seal."""
    try:
        live = replay_match(stored)
        if stored.live:
            sealed = (one for one in stored.sealed if one.seat not in live.match.left_seats)
            return all(promises.is_seal_intact(stored, live.place, one) for one in sealed)
        if stored.ending is not None and stored.ending.get("why") == BROKEN_SEAL:
            return True  # the broken seal is known, and was reported
        record = json.loads(json.dumps(record_data(live, json.loads(lapses) if lapses else ())))
        return all(finding.holds for finding in verify(record).findings)
    except Exception:  # damaged values can raise anything in the replay
        return False
