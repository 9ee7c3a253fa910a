"""Source and target of a move (`data.moving`) in a database file."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import DatabaseError, OlderDatabase
from data.sql.people import NOTE
from data.sql.schema import BATCH_SIZE, MOVED, SqlTable, Values, load_migrations, quote
from data.sqlite.connection import connect_reader, connect_writer
from data.sqlite.files import FileLock, count_commit, delete_files
from data.sqlite.migrate import read_version
from data.sqlite.whole import PATIENCE, is_in_use


@contextmanager
def _translate_errors(path: Path) -> Generator[None]:
    """Turn errors of SQLite into `DatabaseError` with the path."""
    try:
        yield
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be used: {error}.") from error


@dataclass(frozen=True, slots=True)
class FileLocation:
    """Path of a database file."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path.absolute())

    @asynccontextmanager
    async def source(self) -> AsyncGenerator[FileSource]:
        if not self.path.is_file():
            raise DatabaseError(f"There is no database at {self.path}.")
        self._refuse_in_use()
        lock = FileLock(self.path)  # no bot can start meanwhile
        try:
            with (
                _translate_errors(self.path),
                closing(connect_reader(self.path, PATIENCE, load_migrations())) as connection,
            ):
                if read_version(connection) < len(load_migrations()):
                    raise OlderDatabase(read_version(connection), len(load_migrations()))
                connection.execute("BEGIN")
                yield FileSource(connection, self.path)
        finally:
            lock.release()

    @asynccontextmanager
    async def target(self) -> AsyncGenerator[FileTransaction]:
        self._refuse_in_use()
        is_new = not self.path.exists()
        try:
            with (
                _translate_errors(self.path),
                closing(connect_writer(self.path, PATIENCE, load_migrations())) as connection,
            ):
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield FileTransaction(connection)
                    count_commit(connection)
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except BaseException:  # also when cancelled: leave no incomplete file
            if is_new:
                delete_files(self.path)
            raise

    def _refuse_in_use(self) -> None:
        try:
            if is_in_use(self.path):
                raise DatabaseError(f"A bot has {self.path} open: stop it first.")
        except OSError as error:
            raise DatabaseError(f"{self.path} cannot be opened: {error.strerror or error}.") from error


@dataclass(frozen=True, slots=True)
class FileTransaction:
    """Open transaction on a file."""

    connection: sqlite3.Connection

    async def rows(self, table: SqlTable) -> AsyncIterator[list[Values]]:
        cursor = self.connection.execute(table.rows())
        while rows := cursor.fetchmany(BATCH_SIZE):
            yield rows

    async def last_id(self, table: SqlTable) -> int:
        """Return the highest id that the table ever gave."""
        row = self.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,)).fetchone()
        return 0 if row is None else row[0]

    async def insert(self, table: SqlTable, rows: Sequence[Values]) -> None:
        columns, marks = ", ".join(map(quote, table.columns)), ", ".join("?" * len(table.columns))
        self.connection.executemany(f"INSERT INTO {quote(table.name)} ({columns}) VALUES ({marks})", rows)

    async def set_last_id(self, table: SqlTable, last: int) -> None:
        self.connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table.name,))
        self.connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table.name, last))


@dataclass(frozen=True, slots=True)
class FileSource(FileTransaction):
    """Snapshot of the file to copy from."""

    path: Path

    async def retire(self, to: str) -> None:
        """Note where the contents went, and end the transaction. Raise `DatabaseError` if nothing can be written."""
        self.connection.execute("ROLLBACK")
        with (
            _translate_errors(self.path),
            closing(connect_writer(self.path, PATIENCE, load_migrations())) as connection,
        ):
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(NOTE, (MOVED, to))
            count_commit(connection)
            connection.execute("COMMIT")
