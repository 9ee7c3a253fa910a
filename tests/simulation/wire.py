"""The connections of a process to the fake server, over a wire that can be cut."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from data.postgres.driver import CONNECTIONS, PATIENCE
from data.sql.statement import Statement
from tests.simulation.loop import WorldLoop
from tests.simulation.server import PUT, Server, Session


class Wire:
    """Carries statements and answers. While it is cut, both wait, and no side hears of it."""

    def __init__(self, loop: WorldLoop, chance: random.Random, server: Server, name: str) -> None:
        self.loop, self.server, self.name = loop, server, name
        self.is_cut = self.is_dead = False
        self.sessions: list[Session] = []
        self._chance = chance
        self._held: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
        self._open: set[asyncio.Future[Any]] = set()

    def carry(self, arrive: Callable[..., object], *args: Any) -> None:
        if self.is_cut:
            self._held.append((arrive, args))
        else:
            self.loop.after(0.0002 + 0.0006 * self._chance.random(), self._pass_on, arrive, args)

    def _pass_on(self, arrive: Callable[..., object], args: tuple[Any, ...]) -> None:
        if self.is_cut:
            self._held.append((arrive, args))
        elif not self.is_dead:
            arrive(*args)

    def ask(self, session: Session, sql: str, params: Sequence[object]) -> asyncio.Future[Any]:
        """Have a statement executed. The answer is a TimeoutError if none comes in time."""
        answer: asyncio.Future[Any] = self.loop.create_future()
        self._open.add(answer)
        if self.is_cut:
            self.loop.after(PATIENCE.total_seconds(), self._give_up, answer)
        self.carry(self.server.receive, session, sql, params, partial(self._reply, answer))
        return answer

    def _reply(self, answer: asyncio.Future[Any], told: object) -> None:
        """Bring an answer. It takes no time: that of the statement is for both."""
        if self.is_cut:
            self._held.append((self._settle, (answer, told)))
        else:
            self._settle(answer, told)

    def _settle(self, answer: asyncio.Future[Any], told: object) -> None:
        self._open.discard(answer)
        if answer.done() or self.is_dead:
            return
        if isinstance(told, Exception):
            answer.set_exception(told)
        else:
            answer.set_result(told)

    def _give_up(self, answer: asyncio.Future[Any]) -> None:
        self._settle(answer, TimeoutError())

    def cut(self) -> None:
        self.is_cut = True
        for answer in self._open:
            self.loop.after(PATIENCE.total_seconds(), self._give_up, answer)

    def mend(self) -> None:
        self.is_cut = False
        held, self._held = self._held, []
        for arrive, args in held:
            self.carry(arrive, *args)

    def end(self) -> None:
        """The process is gone: what is on the wire is lost, and the server ends its connections."""
        self.is_dead = True
        for session in self.server.find_sessions(self.name):
            self.server.close_session(session)


class Connection:
    """A connection outside the pool."""

    def __init__(self, wire: Wire, *, is_pooled: bool = False) -> None:
        self._wire = wire
        self._session = wire.server.open_session(wire.name, is_pooled=is_pooled)
        self.is_ended = False

    async def execute(self, sql: str, *params: object) -> str:
        return await self._ask(sql, params)

    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]:
        return await self._ask(sql, params)

    async def fetchval(self, sql: str, *params: object) -> Any:
        rows = await self._ask(sql, params)
        return rows if sql == PUT else rows[0][0]

    async def _ask(self, sql: str, params: Sequence[object]) -> Any:
        if self.is_ended:
            raise ConnectionResetError("the connection was ended")
        try:
            return await self._wire.ask(self._session, sql, params)
        except (OSError, TimeoutError, asyncio.CancelledError):
            self.terminate()
            raise

    async def close(self) -> None:
        self.terminate()

    def terminate(self) -> None:
        if not (self.is_ended or self._wire.is_dead):
            self.is_ended = True
            self._wire.carry(self._wire.server.close_session, self._session)


class WholeChange:
    """In place of the functions of the server: every change is one call, with its statements as they are."""

    name = call = PUT

    def find(self, _: Sequence[Statement]) -> WholeChange:
        return self

    def arguments(self, change: Sequence[Statement]) -> list[Sequence[Statement]]:
        return [change]


class PooledConnection(Connection):
    routines = frozenset({PUT})


class Pool:
    """The connections of a pool. A change that gets none waits for one."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.free: list[PooledConnection] = []
        self._made = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def acquire(self) -> AbstractAsyncContextManager[PooledConnection]:
        return _Lent(self)

    async def take(self) -> PooledConnection:
        while not self.free and self._made >= CONNECTIONS:
            waiter: asyncio.Future[None] = self._wire.loop.create_future()
            self._waiting.append(waiter)
            await waiter
        if self.free:
            return self.free.pop()
        self._made += 1
        return PooledConnection(self._wire, is_pooled=True)

    def give_back(self, connection: PooledConnection) -> None:
        if connection.is_ended:
            self._made -= 1
        else:
            self.free.append(connection)
        if self._waiting and not (waiter := self._waiting.popleft()).done():
            waiter.set_result(None)

    async def close(self) -> None:
        self.terminate()

    def terminate(self) -> None:
        for connection in self.free:
            connection.terminate()


class _Lent:
    """One connection of the pool, for a while."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def __aenter__(self) -> PooledConnection:
        self._connection = self._pool.free.pop() if self._pool.free else await self._pool.take()
        return self._connection

    async def __aexit__(self, *_: object) -> None:
        self._pool.give_back(self._connection)
