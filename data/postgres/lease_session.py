"""Session of a process with the PostgreSQL server, apart from the pool: it carries the beat and the leases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from data.postgres.driver import BUSY, DISCONNECTED, RETRYABLE, DedicatedConnection, connect_dedicated
from data.postgres.inspection import BOT

END = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = $1"""
"""Ends the connections of a process."""

LOCK_TIMEOUT = "SET LOCAL lock_timeout = '1s'"


class LeaseSession:
    """A connection that is made again when it is needed. The server ends one that is silent for a lease."""

    def __init__(self, address: str, name: str, lease: timedelta) -> None:
        self._address = address
        self._name = name
        self._lease = lease
        self._turn = asyncio.Lock()
        """Held during each statement: a connection executes one at a time."""
        self.connection: DedicatedConnection | None = None

    async def execute(self, sql: str) -> str:
        """Execute a statement, and return its status."""
        async with self._turn:
            return await (await self._connect()).execute(sql)

    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]:
        async with self._turn:
            return await (await self._connect()).fetch(sql, *params)

    async def run(self, sql: str, dead: str = "") -> bool:
        """Execute statements in a transaction. Return False if others held their locks for a second, or a deadlock was
        ended. The connections of a dead process of the name `dead` are ended then."""
        whole = f"BEGIN; {LOCK_TIMEOUT}; {sql}; COMMIT"
        try:
            await self.execute(whole)
        except (*BUSY, *RETRYABLE):
            await self.execute("ROLLBACK")
            if not dead:
                return False
            await self.fetch(END, dead)
            await self.execute(whole)
        return True

    def disconnect(self) -> None:
        """End the connection at once."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.terminate()

    async def close(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            with suppress(*DISCONNECTED, TimeoutError):
                async with asyncio.timeout(1.0):
                    await connection.close()

    async def _connect(self) -> DedicatedConnection:
        if self.connection is None:
            connection = await connect_dedicated(self._address, self._lease, self._name)
            try:
                if not await connection.fetchval("SELECT pg_try_advisory_lock_shared($1)", BOT):
                    raise ConnectionRefusedError("a command works on the database")
            except BaseException:  # also when cancelled: nobody else would close it
                connection.terminate()
                raise
            self.connection = connection
        return self.connection
