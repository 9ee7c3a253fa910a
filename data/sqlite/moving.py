"""A database file as one end of a move (`data.moving`)."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.errors import DatabaseError, OlderDatabase
from data.sql.people import NOTE
from data.sql.schema import BATCH, MOVED, SqlTable, Values, load, quoted
from data.sqlite.connection import connect_reader, connect_writer
from data.sqlite.files import BESIDE, FileLock, counted
from data.sqlite.migrate import version
from data.sqlite.whole import PATIENCE, in_use


@contextmanager
def _told(path: Path) -> Generator[None]:
    """What SQLite has against a file, as a sentence."""
    try:
        yield
    except sqlite3.Error as error:
        raise DatabaseError(f"{path} cannot be used: {error}.") from error


@dataclass(frozen=True, slots=True)
class File:
    """The file, by its path."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path.absolute())

    @asynccontextmanager
    async def source(self) -> AsyncGenerator[FileSource]:
        if not self.path.is_file():
            raise DatabaseError(f"There is no database at {self.path}.")
        self._refuse_in_use()
        lock = FileLock(self.path)  # a bot that is started meanwhile is refused
        try:
            with _told(self.path), closing(connect_reader(self.path, PATIENCE, load())) as connection:
                if version(connection) < len(load()):
                    raise OlderDatabase(version(connection), len(load()))
                connection.execute("BEGIN")
                yield FileSource(connection, self.path)
        finally:
            lock.end()

    @asynccontextmanager
    async def target(self) -> AsyncGenerator[FileEnd]:
        self._refuse_in_use()
        new = not self.path.exists()
        try:
            with _told(self.path), closing(connect_writer(self.path, PATIENCE, load())) as connection:
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield FileEnd(connection)
                    counted(connection)
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except BaseException:  # cancelled too: no file stays that holds half of a store, or nothing
            if new:
                for ending in ("", *BESIDE):
                    self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
            raise

    def _refuse_in_use(self) -> None:
        try:
            if in_use(self.path):
                raise DatabaseError(f"A bot has {self.path} open: stop it first.")
        except OSError as error:
            raise DatabaseError(f"{self.path} cannot be opened: {error.strerror or error}.") from error


@dataclass(frozen=True, slots=True)
class FileEnd:
    """An open transaction."""

    connection: sqlite3.Connection

    async def rows(self, table: SqlTable) -> AsyncIterator[list[Values]]:
        found = self.connection.execute(table.rows())
        while rows := found.fetchmany(BATCH):
            yield rows

    async def last(self, table: SqlTable) -> int:
        row = self.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (table.name,)).fetchone()
        return 0 if row is None else row[0]

    async def put(self, table: SqlTable, rows: Sequence[Values]) -> None:
        columns, places = ", ".join(map(quoted, table.columns)), ", ".join("?" * len(table.columns))
        self.connection.executemany(f"INSERT INTO {quoted(table.name)} ({columns}) VALUES ({places})", rows)

    async def go_on_from(self, table: SqlTable, last: int) -> None:
        self.connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table.name,))
        self.connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table.name, last))


@dataclass(frozen=True, slots=True)
class FileSource(FileEnd):
    """The file that everything is copied from."""

    path: Path

    async def retire(self, to: str) -> None:
        self.connection.execute("ROLLBACK")
        with _told(self.path), closing(connect_writer(self.path, PATIENCE, load())) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(NOTE, (MOVED, to))
            counted(connection)
            connection.execute("COMMIT")
