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

IDLE_PATIENCE = timedelta(seconds=15)

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

RETRYABLE: Errors = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""nothing was done, and the same may well succeed now"""

DISCONNECTED: Errors = (
    *(OSError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.OperatorInterventionError),
    asyncpg.InternalClientError,  # asyncpg, where a connection is cut in the middle of what it does
)
"""the connection is gone, or the server is on its way down or up"""

BUSY: Errors = (asyncpg.InsufficientResourcesError, asyncpg.LockNotAvailableError, TimeoutError)
FULL: Errors = (asyncpg.DiskFullError,)
STANDBY: Errors = (asyncpg.ReadOnlySQLTransactionError,)
CONFLICTS: Errors = (asyncpg.UniqueViolationError, asyncpg.ForeignKeyViolationError)
FORBIDDEN: Errors = (asyncpg.InsufficientPrivilegeError,)
ANY_ERROR: Errors = (asyncpg.PostgresError,)
REFUSED: Errors = (asyncpg.InvalidCatalogNameError, asyncpg.InvalidAuthorizationSpecificationError)
"""there is no such database, or nobody of that name, or the password is another one"""


class PooledConnection(asyncpg.Connection):  # pyright: ignore[reportUntypedBaseClass, reportMissingTypeArgument]
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


class PostgresConnection(Protocol):
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
    async def prepare(self, sql: str) -> PreparedStatement: ...
    def transaction(self, **params: object) -> Transaction: ...


class PreparedStatement(Protocol):
    def get_parameters(self) -> Sequence[ParameterType]: ...


class ParameterType(Protocol):
    name: str


class DedicatedConnection(Protocol):
    """One connection of somebody's own. What is executed goes over in one message: a server that has heard half of a
    question waits for the rest for ever, and that is no silence which it ends."""

    async def execute(self, sql: str) -> str: ...
    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]: ...
    async def fetchval(self, sql: str, *params: object) -> Any: ...
    async def close(self) -> None: ...
    def terminate(self) -> None: ...


class BulkConnection(DedicatedConnection, Protocol):
    """One connection for work that takes as long as it takes."""

    async def execute(self, sql: str, *params: object) -> str: ...
    def transaction(self, **params: object) -> Transaction: ...
    def cursor(self, sql: str) -> AsyncIterator[Sequence[Any]]: ...
    async def copy_records_to_table(
        self, table: str, *, records: Sequence[Sequence[Any]], columns: Sequence[str]
    ) -> str: ...


class Listens(DedicatedConnection, Protocol):
    """One connection on which others are heard."""

    async def add_listener(self, channel: str, heard: Callable[[object, int, str, str], None]) -> None: ...
    def add_termination_listener(self, ended: Callable[[object], None]) -> None: ...


class Pool(Protocol):
    """A few of them, which are kept."""

    def acquire(self) -> AbstractAsyncContextManager[PostgresConnection]: ...
    async def close(self) -> None: ...
    def terminate(self) -> None: ...


async def connect_pool(address: str, idle: timedelta = IDLE_PATIENCE) -> Pool:
    """A pool with its first connection. `half_done`: for how long a process that hangs may hold what it has locked."""
    timeouts = {"lock_timeout": str(LOCK_PATIENCE), "idle_in_transaction_session_timeout": _to_millis(idle)}
    seconds = PATIENCE.total_seconds()
    pool = asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address,
        min_size=1,
        max_size=CONNECTIONS,
        timeout=seconds,
        command_timeout=seconds,
        init=_set_codecs,
        reset=_skip_reset,
        connection_class=PooledConnection,
        server_settings={**SERVER, **timeouts},
    )
    try:
        await pool
    except BaseException:  # cancelled too: nobody gets this pool to close it
        pool.terminate()
        raise
    return cast("Pool", pool)


async def connect_dedicated(address: str, silence: timedelta = timedelta()) -> DedicatedConnection:
    """A connection beside the pool; the server ends one that says nothing for longer than `quiet`, where that is told,
    which PostgreSQL can from version 14 on."""
    seconds = PATIENCE.total_seconds()
    settings = {"idle_session_timeout": _to_millis(silence)} if silence else {}
    made = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(seconds), command_timeout=seconds, server_settings={"application_name": "gops", **settings}
    )
    return cast("DedicatedConnection", made)


@asynccontextmanager
async def listening(address: str, channel: str, heard: Callable[[str], None]) -> AsyncGenerator[asyncio.Event]:
    """A connection on which is heard what others notify; the event is set when it has ended."""
    seconds = PATIENCE.total_seconds()
    connection: Any = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(seconds), command_timeout=seconds, server_settings={"application_name": "gops"}
    )
    made: Listens = cast("Any", connection)
    ended = asyncio.Event()
    try:
        made.add_termination_listener(lambda _: ended.set())
        await made.add_listener(channel, lambda _, __, ___, payload: heard(payload))
        yield ended
    finally:
        made.terminate()


async def connect_bulk(address: str) -> BulkConnection:
    """A connection for a whole database: it may take its time with every statement."""
    made = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(PATIENCE.total_seconds()), server_settings={"application_name": "gops"}
    )
    return cast("BulkConnection", made)


async def read_parameter_types(connection: PostgresConnection, sql: str) -> tuple[str, ...]:
    """As what the server takes each parameter of a statement."""
    return tuple(parameter.name for parameter in (await connection.prepare(sql)).get_parameters())


def _to_millis(time: timedelta) -> str:
    return str(time // timedelta(milliseconds=1))


async def _skip_reset(_: object) -> None:
    """Nothing here sets anything for a whole session, so there is nothing to ask the server to set back when a
    connection is let go: a round trip for each change and each read. An open transaction asyncpg ends by itself."""


async def _set_codecs(connection: Any) -> None:
    """Sums of whole numbers are whole numbers."""
    await connection.set_type_codec("numeric", encoder=str, decoder=_parse_number, schema="pg_catalog", format="text")


def _parse_number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


PROTOCOL_NAMES = ("bind_execute", "execute", "prepare", "query", "_get_timeout", "is_in_transaction", "is_connected")
"""what asyncpg asks its protocol for"""


def translate_error(error: Exception) -> Exception:
    """What the referee knows of it; anything else is a defect, and stays what it is."""
    if isinstance(error, FULL):
        return StoreReadOnly("the disk of the database is full: free some space, the bot goes on by itself")
    if isinstance(error, STANDBY):
        return StoreReadOnly("the database only reads: it is a standby, or was made read-only")
    if isinstance(error, CONFLICTS):
        return Conflict(str(error))  # the message names the constraint, and no value
    if isinstance(error, (*REFUSED, *FORBIDDEN)):
        return DatabaseError(f"GOPS_DATABASE: the server says: {error}")
    if isinstance(error, (*RETRYABLE, *BUSY, *DISCONNECTED)):
        return StoreBusy(f"the PostgreSQL server does not answer as it should ({type(error).__name__})")
    if _was_closed(error):
        return StoreBusy("the connection to the PostgreSQL server was ended")
    return error


def _was_closed(error: Exception) -> bool:
    """Whether asyncpg, between two steps of its own, found that the connection had been ended: it has taken the
    protocol away then, and asks None for it. What it was about to send was not sent."""
    return isinstance(error, AttributeError) and error.obj is None and error.name in PROTOCOL_NAMES
