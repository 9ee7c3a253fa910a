"""A PostgreSQL database as one end of a move (`data.moving`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

from bot.errors import DatabaseError, OlderDatabase
from data.postgres.dialect import numbered
from data.postgres.driver import ANY, CUT, Long, Transaction, judged, long
from data.postgres.leader import BOT
from data.postgres.migrate import check, migrate
from data.sql.people import NOTE
from data.sql.schema import BATCH, MOVED, SqlTable, Values, load


@dataclass(frozen=True, slots=True)
class Server:
    """The database, by its address."""

    address: str = field(repr=False)

    @property
    def name(self) -> str:
        parts = urlsplit(self.address)
        user, at, host = parts.netloc.rpartition("@")
        options = urlencode([one for one in parse_qsl(parts.query) if one[0] != "password"], safe="/")
        return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}{options and '?'}{options}"

    @asynccontextmanager
    async def source(self) -> AsyncGenerator[ServerSource]:
        async with self._alone() as link:
            reached = await check(link, load())
            if not reached:
                raise DatabaseError("There is no database of this bot at that address: it has no tables.")
            if reached < len(load()):
                raise OlderDatabase(reached, len(load()))
            transaction = link.transaction(isolation="repeatable_read", readonly=True)
            await transaction.start()
            yield ServerSource(link, transaction)  # closing the connection ends the transaction

    @asynccontextmanager
    async def target(self) -> AsyncGenerator[ServerEnd]:
        async with self._alone() as link:
            await migrate(link, load())
            async with link.transaction():
                yield ServerEnd(link)

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[Long]:
        """A connection that holds the lock of a running bot: none can run, and none can begin."""
        try:
            link = await long(self.address)
            try:
                if not await link.fetchval("SELECT pg_try_advisory_lock($1)", BOT):
                    raise DatabaseError("A bot runs on the PostgreSQL database: stop it first.")
                yield link
            finally:
                with suppress(*CUT):
                    await link.close()
        except Exception as error:
            raise judged(error) from error


@dataclass(frozen=True, slots=True)
class ServerEnd:
    """An open transaction."""

    link: Long

    async def rows(self, table: SqlTable) -> AsyncIterator[list[Values]]:
        batch: list[Values] = []
        async for row in self.link.cursor(table.rows()):
            batch.append(tuple(row))
            if len(batch) == BATCH:
                yield batch
                batch = []
        if batch:
            yield batch

    async def last(self, table: SqlTable) -> int:
        counter = await self.link.fetchval("SELECT pg_get_serial_sequence($1, 'id')", table.name)
        return await self.link.fetchval(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {counter}")

    async def put(self, table: SqlTable, rows: Sequence[Values]) -> None:
        await self.link.copy_records_to_table(table.name, records=rows, columns=table.columns)

    async def go_on_from(self, table: SqlTable, last: int) -> None:
        await self.link.fetchval("SELECT setval(pg_get_serial_sequence($1, 'id'), $2)", table.name, last)


@dataclass(frozen=True, slots=True)
class ServerSource(ServerEnd):
    """The database that everything is copied from."""

    transaction: Transaction

    async def retire(self, to: str) -> None:
        try:
            await self.transaction.rollback()
            await self.link.execute(numbered(NOTE), MOVED, to)
        except ANY as error:
            raise DatabaseError(f"the server says: {error}") from error
