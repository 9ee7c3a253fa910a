"""One database file: a writer whose waiting changes share a flush, a reader, and what to say of a bad disk."""

import asyncio
import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from bot.referee.model.changes import StoreBusy, StoreLost, StoreReadOnly
from data.sql.statement import Read, Statement
from data.sqlite.connection import check_files, check_writable, connect_frozen, connect_reader, connect_writer
from data.sqlite.files import OpenedFiles, put_log_aside, read_last_change
from data.sqlite.migrate import Migration, load_migrations
from data.sqlite.transaction import WriteResult, execute_batch, is_broken, is_busy, run_in_snapshot, run_read
from data.sqlite.worker import SqliteThread

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

BUSY = timedelta(seconds=2)
"""How long one call waits for another process that writes."""

WRITE_MARGIN = timedelta(seconds=15)
"""After its last sign of life, in which a bot may have written: it gives one every 3 seconds, and ends within 10."""

MAX_BATCH = 100
"""How many changes share one transaction at most."""

ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full: free some space, the bot goes on by itself",
    sqlite3.SQLITE_IOERR: "the disk fails: check it, and the system's log",
    sqlite3.SQLITE_CORRUPT: "the file is damaged: stop the bot, keep the file, go back to a backup with `gops restore`",
    sqlite3.SQLITE_NOTADB: "this is no database: stop the bot, keep the file, go back to a backup with `gops restore`",
}
CANNOT_WRITE = (
    "the file cannot be written: check owner and rights of it and its folder, and whether the disk is mounted read-only"
)

DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def _execute_checked(
    connection: sqlite3.Connection, changes: Sequence[Sequence[Statement]], opened: OpenedFiles | None
) -> tuple[Sequence[WriteResult], str]:
    """What came of them; and what is wrong with the files, in which case nothing of it may be acknowledged."""
    # The file itself before as well: the commit may put the log into it, and then it looks like ours.
    if opened is not None and opened.is_overwritten():
        return [], opened.find_loss(connection)
    results = execute_batch(connection, changes)
    return results, opened.find_loss(connection) if opened is not None else ""


class SqliteDatabase:
    """Use `open`; close it, or use it as a context."""

    needs_row_locks = False
    """one thread writes, one change after the other"""

    def __init__(self, path: Path, busy: timedelta, migrations: Sequence[Migration]) -> None:
        self.path = path.resolve()  # what lies beside it does so where a link leads
        self._busy = busy
        self._migrations = migrations
        self._writer: SqliteThread | None = None
        self._reader: SqliteThread | None = None
        self._waiting: deque[tuple[Sequence[Statement], asyncio.Future[Sequence[int]]]] = deque()
        self._flush_task: asyncio.Task[None] | None = None
        self._reported = ""
        self._closed = False
        self._opened: OpenedFiles | None = None
        self._last_change = read_last_change(self.path)
        """before this bot opened it"""
        self.lost = asyncio.Event()
        """the file is another one, or gone, or damaged: nothing is written any more, and whoever runs this must end"""
        self._loss = ""

    @classmethod
    async def open(
        cls, path: Path, busy: timedelta = BUSY, migrations: Sequence[Migration] | None = None
    ) -> "SqliteDatabase":
        """Open or create a file, at the newest version. One that cannot be written is opened for reading."""
        database = cls(path, busy, load_migrations() if migrations is None else migrations)
        check_files(database.path)
        try:
            try:
                database._writer = await database._open_writer()
            except StoreLost:
                raise
            except StoreReadOnly:  # if there is nothing to read either, the reader says so
                log.debug("opened for reading")
            await database._open_reader(frozen=database._writer is None)
        except BaseException:  # cancelled too: nobody gets this database to close it
            await database.close()
            raise
        return database

    async def __aenter__(self) -> "SqliteDatabase":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish what was begun and let go of the file. Closing twice is no mistake."""
        self._closed = True
        try:
            while self._flush_task is not None and not self._flush_task.done():
                await asyncio.wait([self._flush_task])
        finally:  # cancelled too: nobody else lets go of the file
            writer, self._writer = self._writer, None
            reader, self._reader = self._reader, None
            opened, self._opened = self._opened, None
            try:
                if opened is not None and opened.is_overwritten():
                    put_log_aside(self.path)
                if reader is not None:
                    await reader.close()
            finally:  # the last one out puts the log back into the file
                try:
                    if writer is not None:
                        await writer.close()
                finally:
                    if opened is not None:
                        opened.close()

    # --- writing ------------------------------------------------------------------------------------------

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Carry a change out, together with others that wait; the ids that it gives come after the commit."""
        if self._closed:
            raise StoreReadOnly("the store is closed")
        if self.lost.is_set():
            raise StoreLost(self._loss)
        future: asyncio.Future[Sequence[int]] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, future))
        if self._flush_task is None or self._flush_task.done():
            self._flush_task = asyncio.create_task(self._flush(), name="store writer")
        return await future

    async def _flush(self) -> None:
        while self._waiting:
            count = min(len(self._waiting), MAX_BATCH)
            batch = [waiting for waiting in (self._waiting.popleft() for _ in range(count)) if not waiting[1].done()]
            if not batch:
                continue  # whoever asked has given up
            results: Sequence[WriteResult]
            try:
                results = await self._commit([change for change, _ in batch])
            except Exception as error:
                results = [copy(error) for _ in batch]
            for (_, future), result in zip(batch, results, strict=True):
                if future.done():
                    continue
                if isinstance(result, Exception):
                    future.set_exception(result)
                else:
                    future.set_result(result)

    async def _commit(self, changes: Sequence[Sequence[Statement]]) -> Sequence[WriteResult]:
        writer = self._writer or await self._recover()
        try:
            results, loss = await writer.call(_execute_checked, changes, self._opened)
        except sqlite3.Error as error:
            raise self._translate_error(error) from error
        if loss:
            raise self._mark_lost(loss)
        self._mark_writable()
        return results

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if the files changed later than a bot that wrote this sign of life could have changed them."""
        return self._last_change is not None and self._last_change > beat + WRITE_MARGIN

    async def settle(self) -> None:
        """Nothing is noted: every start looks at the times of the files."""

    async def scrub(self) -> None:
        """Empty the log, in which rows lie that were changed or deleted."""
        if self._writer is not None:
            with suppress(sqlite3.Error):  # what is wrong with the file is told by the next change
                await self._writer.call(_truncate_log)

    async def _recover(self) -> SqliteThread:
        """The file could not be written when it was opened; perhaps it can by now."""
        writer = await self._open_writer()
        try:
            await self._open_reader()  # the old one may be blind to what is written from now on
        except BaseException:  # cancelled too: nobody gets this writer to close it
            await writer.close()
            raise
        self._writer = writer
        return writer

    async def _open_writer(self) -> SqliteThread:
        writer: SqliteThread | None = None
        opened: OpenedFiles | None = None
        try:
            writer = await SqliteThread.start(partial(connect_writer, self.path, self._busy, self._migrations))
            opened = await writer.call(lambda _: OpenedFiles(self.path))
            await writer.call(check_writable)
        except sqlite3.Error as error:
            if writer is None or not is_busy(error):  # else somebody writes just now, so it can be written
                if writer is not None:
                    await writer.close()
                if opened is not None:
                    opened.close()
                raise self._translate_error(error) from error
        self._opened = opened
        return writer

    # --- reading ------------------------------------------------------------------------------------------

    async def read(self, read: Read[T]) -> T:
        """What is found at one moment of the database."""
        return await self._call_reader(run_read, read)

    async def inspect(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """What a function finds at one moment, for tests and for what concerns the file itself."""
        return await self._call_reader(run_in_snapshot, work)

    async def _call_reader(
        self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        if self._reader is None:
            raise StoreBusy("the store is closed")
        try:
            return await self._reader.call(work, *args, **kwargs)
        except sqlite3.Error as error:
            raise self._translate_error(error) from error

    async def _open_reader(self, frozen: bool = False) -> None:
        connect = connect_frozen if frozen else connect_reader
        try:
            reader = await SqliteThread.start(partial(connect, self.path, self._busy, self._migrations))
        except sqlite3.Error as error:
            raise self._translate_error(error) from error
        old, self._reader = self._reader, reader
        if old is not None:
            await old.close()

    # --- trouble ------------------------------------------------------------------------------------------

    def _translate_error(self, error: sqlite3.Error) -> Exception:
        """What the referee knows of SQLite's errors; the log says once what to do."""
        if is_busy(error):
            return StoreBusy("another process holds the database")
        if not is_broken(error):
            return error
        advice = ADVICE.get(error.sqlite_errorcode & 0xFF, CANNOT_WRITE)
        is_damaged = error.sqlite_errorcode & 0xFF in DAMAGED
        if is_damaged and self._opened is not None:  # half of one file and half of another looks like damage
            advice = self._opened.find_exchange() or advice
        if advice != self._reported:
            self._reported = advice
            log.error("%s: %s (%s)", self.path, advice, error)
        if is_damaged:
            return self._mark_lost(advice)
        return StoreReadOnly(advice)

    def _mark_lost(self, why: str) -> StoreLost:
        """The end: what is written from now on would be in no file that anybody finds again."""
        if not self.lost.is_set():
            self._loss = why
            self.lost.set()
            log.critical("the database is lost: %s; nothing is taken in any more", why)
        return StoreLost(self._loss)

    def _mark_writable(self) -> None:
        if self._reported:
            self._reported = ""
            log.warning("%s can be written again", self.path)


def _truncate_log(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
