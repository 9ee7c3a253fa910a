"""Checks on this machine: settings, disk, database, backups, and the worker process."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import statistics
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from bot.errors import DatabaseError
from bot.operate import backups as kept
from bot.operate.doctor.report import Diagnosis, DoctorContext, trouble, unknown, warning, well
from bot.referee.house.thinking import Worker
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.settings import database_source, is_open_to_others
from data.moving import locate
from data.sql import people
from data.sql.schema import MOVED, load_migrations
from data.sql.statement import Read
from data.sqlite import whole
from data.sqlite.connection import connect_frozen
from data.sqlite.files import OTHERS_RIGHTS, SUFFIXES

T = TypeVar("T")

FLUSHES = 20
SLOW, TOO_SLOW = 0.02, 0.1
"""median seconds of a flush for a warning and for trouble: every bid waits for one"""

MEGA = 1_000_000
LITTLE, TOO_LITTLE = 1000 * MEGA, 100 * MEGA
LONG_LOG = 64 * MEGA
"""SQLite checkpoints the log at 4 MB, unless a read takes very long."""

OLD, UNCHECKED = timedelta(days=2), timedelta(days=32)
STARTS = 60.0


async def settings(context: DoctorContext) -> list[Diagnosis]:
    if context.problems:
        return [trouble(problem, "correct it in .env or the environment") for problem in context.problems]
    found: list[Diagnosis] = []
    if not context.settings.token:
        found.append(trouble("DISCORD_TOKEN is not set", "put the bot's token there: see .env.example"))
    if context.settings.clock_file is not None:
        found.append(warning("GOPS_CLOCK_FILE moves the clock", "leave it empty: it is for tests"))
    return found or [well("they hold")]


async def rights(context: DoctorContext) -> list[Diagnosis]:
    """Check that only the bot's own user can read the token, nonces and sealed bids."""
    return [
        warning(f"{file} can be read by others on this machine", f"`gops doctor --fix`, or chmod go-rwx {file}")
        for file in _list_readable_by_others(context)
    ] or [well("only the owner can read token, database and backups")]


def restrict_rights(context: DoctorContext) -> list[str]:
    """Remove the rights of other users, and return what was done."""
    done: list[str] = []
    for file in _list_readable_by_others(context):
        file.chmod(stat.S_IMODE(file.stat().st_mode) & ~OTHERS_RIGHTS)
        done.append(f"only its owner can read {file} now")
    return done


def _list_readable_by_others(context: DoctorContext) -> list[Path]:
    database, folder = context.settings.database, context.settings.backup_folder
    secret = [database, *(database.with_name(database.name + ending) for ending in SUFFIXES)]
    secret += [one.path for one in kept.list_backups(folder)] + sorted(
        database.parent.glob(f"{database.name}.before-*")
    )
    wide = [file for file in secret if file.is_file() and file.stat().st_mode & OTHERS_RIGHTS]
    return [context.dotenv, *wide] if is_open_to_others(context.dotenv) else wide


async def server(context: DoctorContext) -> list[Diagnosis]:
    """Check the PostgreSQL server without writing to it."""
    if not context.settings.server:
        return [well("no PostgreSQL server is set: the database is a file")]
    from data.postgres.inspection import is_in_use, read_version

    try:
        reached = await read_version(context.settings.server)
        is_used = await is_in_use(context.settings.server)
    except (DatabaseError, StoreBusy, StoreReadOnly) as error:
        return [trouble(f"{error}", "check GOPS_DATABASE, and whether that server runs")]
    if reached < len(load_migrations()):
        return [warning("its tables are from an older version", "start the bot: it brings them up to date")]
    runs = "a bot runs on it" if is_used else "no bot runs on it now"
    return [well(f"it answers, and its tables have this version; {runs}")]


async def flush(context: DoctorContext) -> list[Diagnosis]:
    """Measure with an unnamed file how long a bid waits for the disk."""
    folder = _folder(context)
    took: list[float] = []
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            for _ in range(FLUSHES):
                file.write(bytes(4096))
                began = time.perf_counter()
                os.fsync(file.fileno())
                took.append(time.perf_counter() - began)
    except OSError as error:
        return [trouble(f"{folder} cannot be written: {error.strerror}", "check owner, rights and mount of the folder")]
    half, most = statistics.median(took), max(took)
    said = f"a flush takes {half * 1000:.1f} ms, the slowest of {FLUSHES} {most * 1000:.1f} ms"
    if half > TOO_SLOW:
        return [trouble(said, "put the database on another disk: every bid waits that long")]
    return [warning(said, "find out what else writes to this disk") if half > SLOW else well(said)]


async def space(context: DoctorContext) -> list[Diagnosis]:
    found: list[Diagnosis] = []
    database = context.settings.database
    size = database.stat().st_size if database.is_file() else 0
    for what, folder in (("database", _folder(context)), ("backups", _existing_folder(context.settings.backup_folder))):
        free = shutil.disk_usage(folder).free
        said = f"{free / MEGA:,.0f} MB are free for the {what}, which needs {size / MEGA:,.0f} MB now"
        if free < TOO_LITTLE:
            found.append(trouble(said, "free some space: without it no bid can be saved"))
        elif free < max(LITTLE, 2 * size):
            found.append(warning(said, "free some space soon, or keep fewer backups"))
        else:
            found.append(well(said))
    return found


async def log(context: DoctorContext) -> list[Diagnosis]:
    database = context.settings.database
    file = database.with_name(f"{database.name}-wal")
    size = file.stat().st_size if file.is_file() else 0
    if size > LONG_LOG:
        return [
            warning(
                f"it has grown to {size / MEGA:,.0f} MB",
                "stop the program that reads it for so long, or restart the bot",
            )
        ]
    return [well(f"{size / MEGA:.1f} MB")]


async def migrations(context: DoctorContext) -> list[Diagnosis]:
    database = context.settings.database
    if not database.is_file():
        return [well("there is no database yet; the bot makes one")]
    try:
        with closing(connect_frozen(database, whole.PATIENCE, load_migrations())) as connection:
            [(version,)] = connection.execute("PRAGMA user_version")
    except DatabaseError as error:
        return [trouble(str(error), "do what it says")]
    except sqlite3.Error as error:
        return [_unreadable(error)]
    if version < len(load_migrations()):
        said = f"version {version}; the next start brings it up to {len(load_migrations())}"
        return [warning(said, "make a backup first (`gops backup`): an older version cannot open it afterwards")]
    return [well(f"version {version}, the newest")]


async def integrity(context: DoctorContext) -> list[Diagnosis]:
    """Check the file page by page, which takes minutes for a large one."""
    if context.settings.server:
        return [well("PostgreSQL has its own tools: pg_amcheck and checksums")]
    database = context.settings.database
    if not database.is_file():
        return [well("there is no database yet")]
    try:
        with closing(connect_frozen(database, whole.PATIENCE, load_migrations())) as connection:
            wrong = whole.find_damage(connection)
    except DatabaseError as error:
        return [unknown(str(error))]
    except sqlite3.Error as error:
        return [_unreadable(error)]
    if wrong:
        return [trouble(f"it is damaged: {wrong}", "stop the bot, keep the file, go back with `gops restore`")]
    return [well("whole")]


def _unreadable(error: sqlite3.Error) -> Diagnosis:
    return trouble(f"it cannot be read: {error}", "stop the bot, keep the file, go back with `gops restore`")


async def database(context: DoctorContext) -> list[Diagnosis]:
    """Check which database is used, which setting decides that, and that it was not moved elsewhere."""
    source = database_source(context.environment, context.dotenv)
    if to := await read_note(context, MOVED):
        said = f"everything in it was moved to {to}, so the bot refuses it"
        return [trouble(said, f"set GOPS_DATABASE to that database {source.where}")]
    said = f"{locate(context.settings.where).name}, as set {source.where}"
    if source.overrules:
        said += f"; GOPS_DATABASE in {context.dotenv} names another one, which is not used"
        return [warning(said, "set the database in one place only")]
    return [well(said)]


async def read_note(context: DoctorContext, key: str) -> str | None:
    """Return the note of the bot under a key; None if the database cannot be read."""
    return await read_database(context, people.note(key))


async def read_database(context: DoctorContext, read: Read[T]) -> T | None:
    """Return what a read of one query finds; None if the database cannot be read."""
    if context.settings.server:
        from data.postgres.inspection import read_once

        return await read_once(context.settings.server, read)
    try:
        return whole.read_once(context.settings.database, read)
    except (sqlite3.Error, DatabaseError):
        return None


async def worker(_: DoctorContext) -> list[Diagnosis]:
    """Check that the worker process of Sage, Hawk and the coach starts."""
    process, began = Worker(), time.perf_counter()
    try:
        await process.think(_load_libraries, None, STARTS)
    except TimeoutError:
        return [
            trouble(
                f"no worker was ready within {STARTS:.0f} s",
                "free memory and processors: until then Sly plays instead of stronger levels",
            )
        ]
    except Exception as error:  # any error here would meet the house, too
        said = f"a worker does not start: {type(error).__name__}: {error}"
        return [trouble(said, "install what requirements.txt pins: `make run` does")]
    finally:
        process.stop()
    return [well(f"ready after {time.perf_counter() - began:.1f} s")]


def _load_libraries(_: object) -> bool:
    """Import in the worker the libraries that thinking needs."""
    import numba
    import numpy as np

    return bool(np.zeros(1).size) and bool(numba.__version__)


async def backups(context: DoctorContext) -> list[Diagnosis]:
    if context.settings.server:
        said = "this check cannot see those of a PostgreSQL server"
        return [warning(said, "run pg_dump every day: docs/operating.md shows how")]
    folder, now = context.settings.backup_folder, datetime.now(UTC)
    found = kept.list_backups(folder)
    if not found:
        return [warning(f"there is no backup in {folder}", "run `gops backup` every day: docs/operating.md shows how")]
    newest = found[-1]
    told: list[Diagnosis] = []
    age = now - newest.made
    if age > OLD:
        told.append(warning(f"the newest is {age.days} days old", "run `gops backup` every day"))
    if age < -OLD:  # until then no missing backup would be noticed
        said = f"the newest is of {newest.made:%Y-%m-%d}, a date in the future: the clock was wrong then"
        told.append(warning(said, "set the clock, move backups with a wrong date away, and run `gops backup`"))
    checked = newest.checked
    if checked is None or now - checked.at > UNCHECKED:
        when = "never" if checked is None else f"{(now - checked.at).days} days ago"
        told.append(warning(f"the newest was last checked {when}", "run `gops backup --check`"))
    return told or [well(f"{len(found)} backups; the newest, of {newest.made:%Y-%m-%d %H:%M} UTC, is complete")]


def _folder(context: DoctorContext) -> Path:
    return _existing_folder(context.settings.database.parent)


def _existing_folder(folder: Path) -> Path:
    """Return the folder, or the nearest parent that exists."""
    folder = folder.absolute()
    return next(one for one in (folder, *folder.parents) if one.is_dir())
