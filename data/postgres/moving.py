"""Source and target of a move (`data.moving`) in a PostgreSQL database."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from bot.errors import DatabaseError, OlderDatabase
from data.postgres.dialect import number_parameters
from data.postgres.driver import ANY_ERROR, DISCONNECTED, BulkConnection, Transaction, connect_bulk, translate_errors
from data.postgres.inspection import BOT
from data.postgres.migrate import check_version, migrate
from data.sql.people import NOTE
from data.sql.schema import BATCH_SIZE, MOVED, SqlTable, Values, load_migrations


@dataclass(frozen=True, slots=True)
class ServerLocation:
    """Address of a PostgreSQL database."""

    address: str = field(repr=False)

    @property
    def name(self) -> str:
        parts = urlsplit(self.address)
        user, at, host = parts.netloc.rpartition("@")
        options = urlencode([option for option in parse_qsl(parts.query) if option[0] != "password"], safe="/")
        return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{options and '?'}{options}"

    @asynccontextmanager
    async def source(self) -> AsyncGenerator[ServerSource]:
        async with self._lock_database() as connection:
            reached = await check_version(connection, load_migrations())
            if not reached:
                raise DatabaseError("There is no database of this bot at that address: it has no tables.")
            if reached < len(load_migrations()):
                raise OlderDatabase(reached, len(load_migrations()))
            transaction = connection.transaction(isolation="repeatable_read", readonly=True)
            await transaction.start()
            yield ServerSource(connection, transaction)  # closing the connection ends the transaction

    @asynccontextmanager
    async def target(self) -> AsyncGenerator[ServerTransaction]:
        async with self._lock_database() as connection:
            await migrate(connection, load_migrations())
            async with connection.transaction():
                yield ServerTransaction(connection)

    @asynccontextmanager
    async def _lock_database(self) -> AsyncGenerator[BulkConnection]:
        """Connect and hold the lock of the bot, so that no bot runs or starts. Raise `DatabaseError` if one runs."""
        with translate_errors(self.name):
            connection = await connect_bulk(self.address)
            try:
                if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", BOT):
                    raise DatabaseError("A bot runs on the PostgreSQL database: stop it first.")
                yield connection
            finally:
                with suppress(*DISCONNECTED):
                    await connection.close()


@dataclass(frozen=True, slots=True)
class ServerTransaction:
    """Open transaction on a server."""

    connection: BulkConnection

    async def rows(self, table: SqlTable) -> AsyncIterator[list[Values]]:
        batch: list[Values] = []
        async for row in self.connection.cursor(table.rows()):
            batch.append(tuple(row))
            if len(batch) == BATCH_SIZE:
                yield batch
                batch = []
        if batch:
            yield batch

    async def last_id(self, table: SqlTable) -> int:
        """Return the highest id that the table ever gave."""
        counter = await self.connection.fetchval("SELECT pg_get_serial_sequence($1, 'id')", table.name)
        return await self.connection.fetchval(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {counter}")

    async def insert(self, table: SqlTable, rows: Sequence[Values]) -> None:
        await self.connection.copy_records_to_table(table.name, records=rows, columns=table.columns)

    async def set_last_id(self, table: SqlTable, last: int) -> None:
        await self.connection.fetchval("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", table.name, last)


@dataclass(frozen=True, slots=True)
class ServerSource(ServerTransaction):
    """Snapshot of the database to copy from."""

    transaction: Transaction

    async def retire(self, to: str) -> None:
        """Note where the contents went, and end the transaction. Raise `DatabaseError` if nothing can be written."""
        try:
            await self.transaction.rollback()
            await self.connection.execute(number_parameters(NOTE), MOVED, to)
        except ANY_ERROR as error:
            raise DatabaseError(f"the server says: {error}") from error
