"""SQLite database with one connection that writes and one that reads, each on its own thread.

Changes that wait share a transaction, and so one flush of the disk.
"""

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
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import aiosqlite

from bot.referee.model.changes import Change, StoreBusy, StoreLost, StoreReadOnly
from data.sql.schema import Migration, load_migrations
from data.sql.statement import Read, Statement
from data.sqlite.connection import check_files, check_writable, connect_frozen, connect_reader, connect_writer
from data.sqlite.files import OpenedFiles, put_log_aside, read_last_change
from data.sqlite.transaction import WriteResult, execute_batch, is_broken, is_busy, run_in_snapshot, run_read

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")

BUSY = timedelta(seconds=2)
"""Time for which a call waits while another process writes."""

WRITE_MARGIN = timedelta(seconds=15)
"""Time after the last heartbeat in which a bot may have written. Heartbeats come every 3 seconds; a stop takes 10."""

MAX_BATCH = 100
"""Maximum number of changes in one transaction."""

ADVICE = {
    sqlite3.SQLITE_FULL: "the disk is full: free some space, the bot continues by itself",
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
    """Execute changes. Return their results, and what happened to the files, or an empty string.

    If the files are lost, no change may be acknowledged.
    """
    # Check the file before the commit, too: a checkpoint could write the log into a foreign file and hide the exchange.
    if opened is not None and opened.is_overwritten():
        return [], opened.find_loss(connection)
    results = execute_batch(connection, changes)
    return results, opened.find_loss(connection) if opened is not None else ""


class SqliteThread(aiosqlite.Connection):
    """Connection on a thread of its own. Each call runs one function, so no other task interrupts a transaction.

    It uses three names that aiosqlite does not promise: `_thread`, `_conn` and `_execute`.
    `tests/data/sqlite/test_sqlite_thread.py` fails if their meaning changes.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # a connection that was not closed does not keep the process alive

    @classmethod
    async def start(cls, connector: Callable[[], sqlite3.Connection]) -> "SqliteThread":
        worker = cls(connector)
        try:
            await worker
        except BaseException:  # also when cancelled
            worker._thread.join()  # the thread must not outlive the event loop
            raise
        return worker

    async def close(self) -> None:
        try:
            await super().close()
        except BaseException:  # when cancelled, the thread would report to a closed event loop
            self._thread.join()
            raise

    async def call(self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function with the connection. aiosqlite logs its calls, so no parameters are passed through it."""

        def job() -> T:
            return work(self._conn, *args, **kwargs)

        execute = cast("Callable[..., Any]", self._execute)
        return cast("T", await execute(job))


class SqliteDatabase:
    """Database in one file. Use `open`, and close it or use it as a context."""

    def __init__(self, path: Path, busy: timedelta, migrations: Sequence[Migration]) -> None:
        self.path = path.resolve()  # SQLite puts its files beside the target of a link
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
        """Time of the last change before this bot opened the file."""
        self.lost = asyncio.Event()
        """Set when the file was replaced, removed or damaged. Nothing is written any more, and the process must end."""
        self._loss = ""

    @classmethod
    async def open(
        cls, path: Path, busy: timedelta = BUSY, migrations: Sequence[Migration] | None = None
    ) -> "SqliteDatabase":
        """Open or create a file of the newest version. A file that cannot be written is opened for reading."""
        database = cls(path, busy, load_migrations() if migrations is None else migrations)
        check_files(database.path)
        try:
            try:
                database._writer = await database._open_writer()
            except StoreLost:
                raise
            except StoreReadOnly:  # if the file cannot be read either, the reader raises
                log.debug("opened for reading")
            await database._open_reader(frozen=database._writer is None)
        except BaseException:  # also when cancelled: the caller gets no database to close
            await database.close()
            raise
        return database

    async def __aenter__(self) -> "SqliteDatabase":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish pending changes and close the file. A second call does nothing."""
        self._closed = True
        try:
            while self._flush_task is not None and not self._flush_task.done():
                await asyncio.wait([self._flush_task])
        finally:  # also when cancelled: nothing else closes the file
            writer, self._writer = self._writer, None
            reader, self._reader = self._reader, None
            opened, self._opened = self._opened, None
            try:
                if opened is not None and opened.is_overwritten():
                    put_log_aside(self.path)
                if reader is not None:
                    await reader.close()
            finally:  # the last connection writes the log into the file
                try:
                    if writer is not None:
                        await writer.close()
                finally:
                    if opened is not None:
                        opened.close()

    # --- writing ------------------------------------------------------------------------------------------

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        """Execute a change, together with others that wait. Return its ids after the commit."""
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
                continue  # the callers were cancelled
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
        if self._reported:
            self._reported = ""
            log.warning("%s can be written again", self.path)
        return results

    async def is_restored(self, beat: datetime) -> bool:
        """Return True if the files changed later than a bot with this last heartbeat could have changed them."""
        return self._last_change is not None and self._last_change > beat + WRITE_MARGIN

    async def settle(self) -> None:
        """Do nothing: each start compares the times of the files."""

    def guard(self, _: Change) -> Sequence[Statement]:
        """Return no locks: one thread writes, one change after the other."""
        return ()

    async def scrub(self) -> None:
        """Truncate the log, which still holds deleted rows."""
        if self._writer is not None:
            with suppress(sqlite3.Error):  # the next change reports the error
                await self._writer.call(_truncate_log)

    async def _recover(self) -> SqliteThread:
        """Try again to open a file for writing that could only be read at the start."""
        writer = await self._open_writer()
        try:
            await self._open_reader()  # the old reader may not see later writes
        except BaseException:  # also when cancelled: the caller gets no writer to close
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
            if writer is None or not is_busy(error):  # a busy file can be written
                if writer is not None:
                    await writer.close()
                if opened is not None:
                    opened.close()
                raise self._translate_error(error) from error
        self._opened = opened
        return writer

    # --- reading ------------------------------------------------------------------------------------------

    async def read(self, read: Read[T]) -> T:
        """Execute a read on one snapshot."""
        return await self._call_reader(run_read, read)

    async def read_apart(self, read: Read[T]) -> T:
        """Execute a read on a connection of its own. This object opens it, because a second object on the same file
        would release the locks of the first when it closes."""
        if self._closed:
            raise StoreBusy("the store is closed")
        try:
            reader = await SqliteThread.start(partial(connect_reader, self.path, self._busy, self._migrations))
            try:
                return await reader.call(run_read, read)
            finally:
                await reader.close()
        except sqlite3.Error as error:
            raise self._translate_error(error) from error

    async def inspect(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function on one snapshot, for tests and for checks of the file itself."""
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
        """Convert an error of SQLite to one of the store. Log once what the operator has to do."""
        if is_busy(error):
            return StoreBusy("another process holds the database")
        if not is_broken(error):
            return error
        advice = ADVICE.get(error.sqlite_errorcode & 0xFF, CANNOT_WRITE)
        is_damaged = error.sqlite_errorcode & 0xFF in DAMAGED
        if is_damaged and self._opened is not None:  # an exchanged file looks damaged, because half of it is cached
            advice = self._opened.find_exchange() or advice
        if advice != self._reported:
            self._reported = advice
            log.error("%s: %s (%s)", self.path, advice, error)
        if is_damaged:
            return self._mark_lost(advice)
        return StoreReadOnly(advice)

    def _mark_lost(self, why: str) -> StoreLost:
        """Set `lost`, because later writes would go to a file that nobody can find again."""
        if not self.lost.is_set():
            self._loss = why
            self.lost.set()
            log.critical("the database is lost: %s; no more changes are accepted", why)
        return StoreLost(self._loss)


def _truncate_log(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
