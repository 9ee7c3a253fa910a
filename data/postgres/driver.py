"""The only module that knows asyncpg, which brings no types: what is used of it, and what they are."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import Any, Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from bot.errors import DatabaseError
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly

CONNECTIONS = 8

PATIENCE = timedelta(seconds=10)
"""for one connection, and for one statement"""

HALF_DONE = timedelta(seconds=15)

LOCK_PATIENCE = 5000
"""milliseconds that a change waits for one row"""

SERVER = {
    "application_name": "gops",
    "timezone": "UTC",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
"""Of a process that was cut off in the middle of a statement the server hears nothing more: it asks whether it is
there, for a row may be locked meanwhile."""

Errors = tuple[type[Exception], ...]

AGAIN: Errors = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""nothing was done, and the same may well succeed now"""

CUT: Errors = (
    *(OSError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.OperatorInterventionError),
    asyncpg.InternalClientError,  # asyncpg, where a connection is cut in the middle of what it does
)
"""the connection is gone, or the server is on its way down or up"""

BUSY: Errors = (asyncpg.InsufficientResourcesError, asyncpg.LockNotAvailableError, TimeoutError)
FULL: Errors = (asyncpg.DiskFullError,)
STANDBY: Errors = (asyncpg.ReadOnlySQLTransactionError,)
TAKEN: Errors = (asyncpg.UniqueViolationError, asyncpg.ForeignKeyViolationError)
FORBIDDEN: Errors = (asyncpg.InsufficientPrivilegeError,)
ANY: Errors = (asyncpg.PostgresError,)
UNKNOWN: Errors = (asyncpg.InvalidCatalogNameError, asyncpg.InvalidAuthorizationSpecificationError)
"""there is no such database, or nobody of that name, or the password is another one"""


class PoolLink(asyncpg.Connection):  # pyright: ignore[reportUntypedBaseClass, reportMissingTypeArgument]
    """A connection of a pool."""

    __slots__ = ("routines",)

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)  # pyright: ignore[reportUnknownMemberType]
        self.routines: set[str] = set()


class Transaction(Protocol):
    async def start(self) -> None: ...
    async def commit(self) -> None: ...
    async def rollback(self) -> None: ...
    async def __aenter__(self) -> object: ...
    async def __aexit__(self, *_: object) -> object: ...


class Link(Protocol):
    """One connection."""

    @property
    def routines(self) -> set[str]:
        """The names of the functions that its session has, as far as is known."""
        ...

    async def execute(self, sql: str, *params: object) -> str:
        """What was done, as `UPDATE 3`."""
        ...

    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]: ...
    async def fetchval(self, sql: str, *params: object) -> Any: ...
    async def prepare(self, sql: str) -> Prepared: ...
    def transaction(self, **params: object) -> Transaction: ...


class Prepared(Protocol):
    def get_parameters(self) -> Sequence[Type]: ...


class Type(Protocol):
    name: str


class Single(Protocol):
    """One connection of somebody's own. What is executed goes over in one message: a server that has heard half of a
    question waits for the rest for ever, and that is no silence which it ends."""

    async def execute(self, sql: str) -> str: ...
    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]: ...
    async def fetchval(self, sql: str, *params: object) -> Any: ...
    async def close(self) -> None: ...
    def terminate(self) -> None: ...


class Long(Single, Protocol):
    """One connection for work that takes as long as it takes."""

    async def execute(self, sql: str, *params: object) -> str: ...
    def transaction(self, **params: object) -> Transaction: ...
    def cursor(self, sql: str) -> AsyncIterator[Sequence[Any]]: ...
    async def copy_records_to_table(
        self, table: str, *, records: Sequence[Sequence[Any]], columns: Sequence[str]
    ) -> str: ...


class Listens(Single, Protocol):
    """One connection on which others are heard."""

    async def add_listener(self, channel: str, heard: Callable[[object, int, str, str], None]) -> None: ...
    def add_termination_listener(self, ended: Callable[[object], None]) -> None: ...


class Pool(Protocol):
    """A few of them, which are kept."""

    def acquire(self) -> AbstractAsyncContextManager[Link]: ...
    async def close(self) -> None: ...
    def terminate(self) -> None: ...


async def connected(address: str, half_done: timedelta = HALF_DONE) -> Pool:
    """A pool with its first connection. `half_done`: for how long a process that hangs may hold what it has locked."""
    waits = {"lock_timeout": str(LOCK_PATIENCE), "idle_in_transaction_session_timeout": _millis(half_done)}
    seconds = PATIENCE.total_seconds()
    pool = asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address,
        min_size=1,
        max_size=CONNECTIONS,
        timeout=seconds,
        command_timeout=seconds,
        init=_prepare,
        reset=_nothing,
        connection_class=PoolLink,
        server_settings={**SERVER, **waits},
    )
    try:
        await pool
    except BaseException:  # cancelled too: nobody gets this pool to close it
        pool.terminate()
        raise
    return cast("Pool", pool)


async def alone(address: str, quiet: timedelta = timedelta()) -> Single:
    """A connection beside the pool; the server ends one that says nothing for longer than `quiet`, where that is told,
    which PostgreSQL can from version 14 on."""
    seconds = PATIENCE.total_seconds()
    settings = {"idle_session_timeout": _millis(quiet)} if quiet else {}
    made = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(seconds), command_timeout=seconds, server_settings={"application_name": "gops", **settings}
    )
    return cast("Single", made)


@asynccontextmanager
async def listening(address: str, channel: str, heard: Callable[[str], None]) -> AsyncGenerator[asyncio.Event]:
    """A connection on which is heard what others notify; the event is set when it has ended."""
    seconds = PATIENCE.total_seconds()
    link: Any = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(seconds), command_timeout=seconds, server_settings={"application_name": "gops"}
    )
    made: Listens = cast("Any", link)
    ended = asyncio.Event()
    try:
        made.add_termination_listener(lambda _: ended.set())
        await made.add_listener(channel, lambda _, __, ___, payload: heard(payload))
        yield ended
    finally:
        made.terminate()


async def long(address: str) -> Long:
    """A connection for a whole database: it may take its time with every statement."""
    made = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(PATIENCE.total_seconds()), server_settings={"application_name": "gops"}
    )
    return cast("Long", made)


async def types(link: Link, sql: str) -> tuple[str, ...]:
    """As what the server takes each parameter of a statement."""
    return tuple(one.name for one in (await link.prepare(sql)).get_parameters())


def _millis(time: timedelta) -> str:
    return str(time // timedelta(milliseconds=1))


async def _nothing(_: object) -> None:
    """Nothing here sets anything for a whole session, so there is nothing to ask the server to set back when a
    connection is let go: a round trip for each change and each read. An open transaction asyncpg ends by itself."""


async def _prepare(link: Any) -> None:
    """Sums of whole numbers are whole numbers."""
    await link.set_type_codec("numeric", encoder=str, decoder=_number, schema="pg_catalog", format="text")


def _number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


STEPS = ("bind_execute", "execute", "prepare", "query", "_get_timeout", "is_in_transaction", "is_connected")
"""what asyncpg asks its protocol for"""


def judged(error: Exception) -> Exception:
    """What the referee knows of it; anything else is a defect, and stays what it is."""
    if isinstance(error, FULL):
        return StoreReadOnly("the disk of the database is full: free some space, the bot goes on by itself")
    if isinstance(error, STANDBY):
        return StoreReadOnly("the database only reads: it is a standby, or was made read-only")
    if isinstance(error, TAKEN):
        return Conflict(str(error))  # the message names the constraint, and no value
    if isinstance(error, (*UNKNOWN, *FORBIDDEN)):
        return DatabaseError(f"GOPS_DATABASE: the server says: {error}")
    if isinstance(error, (*AGAIN, *BUSY, *CUT)):
        return StoreBusy(f"the PostgreSQL server does not answer as it should ({type(error).__name__})")
    if _ended_meanwhile(error):
        return StoreBusy("the connection to the PostgreSQL server was ended")
    return error


def _ended_meanwhile(error: Exception) -> bool:
    """Whether asyncpg, between two steps of its own, found that the connection had been ended: it has taken the
    protocol away then, and asks None for it. What it was about to send was not sent."""
    return isinstance(error, AttributeError) and error.obj is None and error.name in STEPS
