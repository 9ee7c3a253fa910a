"""Typed subset of asyncpg. No other module imports asyncpg, because it has no type hints."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from datetime import timedelta
from typing import Any, Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs]

from bot.errors import DatabaseError
from bot.referee.model.changes import Conflict, StoreBusy, StoreReadOnly

CONNECTIONS = 8

PATIENCE = timedelta(seconds=10)
"""Timeout of a connection attempt, and of a statement."""

IDLE_PATIENCE = timedelta(seconds=15)

LOCK_PATIENCE = 5000
"""Milliseconds for which a change waits for a row lock."""

NAME = "gops"
"""Name of a connection in the lists of the server."""

SERVER = {
    "timezone": "UTC",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
"""Settings of each connection. With keepalives the server notices a process that was cut off during a statement, and
releases its row locks."""

Errors = tuple[type[Exception], ...]

RETRYABLE: Errors = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
"""Errors after which nothing was changed, and a retry can succeed."""

DISCONNECTED: Errors = (
    *(OSError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.OperatorInterventionError),
    asyncpg.InternalClientError,  # asyncpg raises this for a connection that is lost during an operation
)
"""Errors of a lost connection, or of a server that starts or stops."""

BUSY: Errors = (asyncpg.InsufficientResourcesError, asyncpg.LockNotAvailableError, TimeoutError)
FULL: Errors = (asyncpg.DiskFullError,)
READ_ONLY: Errors = (asyncpg.ReadOnlySQLTransactionError,)
CONFLICTS: Errors = (asyncpg.UniqueViolationError, asyncpg.ForeignKeyViolationError)
FORBIDDEN: Errors = (asyncpg.InsufficientPrivilegeError,)
ANY_ERROR: Errors = (asyncpg.PostgresError,)
REFUSED: Errors = (asyncpg.InvalidCatalogNameError, asyncpg.InvalidAuthorizationSpecificationError)
"""Errors for an unknown database or role, or a wrong password."""


class PooledConnection(asyncpg.Connection):  # pyright: ignore[reportUntypedBaseClass, reportMissingTypeArgument]
    """Connection of a pool, with the names of the functions of its session."""

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
    """Connection of the pool."""

    @property
    def routines(self) -> set[str]:
        """Names of the functions that its session is known to have."""
        ...

    async def execute(self, sql: str, *params: object) -> str:
        """Execute a statement, and return its status, such as `UPDATE 3`."""
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
    """Connection outside the pool. `execute` takes no parameters, so that each statement is one message.

    A server that received half of a message waits for the rest, and its idle timeout does not end that.
    """

    async def execute(self, sql: str) -> str: ...
    async def fetch(self, sql: str, *params: object) -> Sequence[Sequence[Any]]: ...
    async def fetchval(self, sql: str, *params: object) -> Any: ...
    async def close(self) -> None: ...
    def terminate(self) -> None: ...


class BulkConnection(DedicatedConnection, Protocol):
    """Connection without a timeout for statements."""

    async def execute(self, sql: str, *params: object) -> str: ...
    def transaction(self, **params: object) -> Transaction: ...
    def cursor(self, sql: str) -> AsyncIterator[Sequence[Any]]: ...
    async def copy_records_to_table(
        self, table: str, *, records: Sequence[Sequence[Any]], columns: Sequence[str]
    ) -> str: ...


class Pool(Protocol):
    """Pool of connections."""

    def acquire(self) -> AbstractAsyncContextManager[PostgresConnection]: ...
    async def close(self) -> None: ...
    def terminate(self) -> None: ...


async def connect_pool(address: str, idle: timedelta = IDLE_PATIENCE, name: str = NAME) -> Pool:
    """Connect a pool under a name for the server.

    The server ends a transaction that is idle for longer than `idle`, and so releases its locks.
    """
    timeouts = {"lock_timeout": str(LOCK_PATIENCE), "idle_in_transaction_session_timeout": _to_millis(idle)}
    # No plan depends on values, as on SQLite: it is made once. To compile one takes longer than to execute it.
    plans = {"plan_cache_mode": "force_generic_plan", "jit": "off"}
    seconds = PATIENCE.total_seconds()
    pool = asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address,
        min_size=1,
        max_size=CONNECTIONS,
        timeout=seconds,
        command_timeout=seconds,
        max_cached_statement_lifetime=0,  # a plan is kept as long as its connection
        init=_set_codecs,
        reset=_skip_reset,
        connection_class=PooledConnection,
        server_settings={**SERVER, **timeouts, **plans, "application_name": name},
    )
    try:
        await pool
    except BaseException:  # also when cancelled: the caller gets no pool to close
        pool.terminate()
        raise
    return cast("Pool", pool)


async def connect_dedicated(address: str, silence: timedelta = timedelta(), name: str = NAME) -> DedicatedConnection:
    """Connect outside the pool. With `silence`, the server ends a session that is idle for longer.

    The timeout needs PostgreSQL 14.
    """
    seconds = PATIENCE.total_seconds()
    settings = {"idle_session_timeout": _to_millis(silence)} if silence else {}
    connection = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(seconds), command_timeout=seconds, server_settings={"application_name": name, **settings}
    )
    return cast("DedicatedConnection", connection)


async def connect_bulk(address: str) -> BulkConnection:
    """Connect outside the pool, without a timeout for statements."""
    connection = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        address, timeout=int(PATIENCE.total_seconds()), server_settings={"application_name": NAME}
    )
    return cast("BulkConnection", connection)


async def read_parameter_types(connection: PostgresConnection, sql: str) -> tuple[str, ...]:
    """Return the types of the parameters of a statement."""
    return tuple(parameter.name for parameter in (await connection.prepare(sql)).get_parameters())


def _to_millis(time: timedelta) -> str:
    return str(time // timedelta(milliseconds=1))


async def _skip_reset(_: object) -> None:
    """Skip the reset of a session that asyncpg does when a connection returns to the pool.

    It costs a round trip, and no session settings are changed here. asyncpg still ends an open transaction.
    """


async def _set_codecs(connection: Any) -> None:
    """Read `numeric` values, such as sums, as int where possible."""
    await connection.set_type_codec("numeric", encoder=str, decoder=_parse_number, schema="pg_catalog", format="text")


def _parse_number(text: str) -> int | float:
    return float(text) if "." in text else int(text)


PROTOCOL_NAMES = ("bind_execute", "execute", "prepare", "query", "_get_timeout", "is_in_transaction", "is_connected")
"""Attributes of its protocol that asyncpg reads."""


def translate_error(error: Exception, name: str = "GOPS_DATABASE") -> Exception:
    """Convert an error of asyncpg to one of the store. Return other errors unchanged, because they are defects.

    `name` is that of the database for the operator.
    """
    if isinstance(error, FULL):
        return StoreReadOnly("the disk of the database is full: free some space, the bot continues by itself")
    if isinstance(error, READ_ONLY):
        return StoreReadOnly("the database only reads: it is a standby, or was made read-only")
    if isinstance(error, CONFLICTS):
        return Conflict(str(error))  # the message names the constraint, and no value
    if isinstance(error, (*REFUSED, *FORBIDDEN)):
        return DatabaseError(f"{name}: the server says: {error}")
    if isinstance(error, (*RETRYABLE, *BUSY, *DISCONNECTED)):
        return StoreBusy(f"the PostgreSQL server does not answer as it should ({type(error).__name__})")
    if _was_closed(error):
        return StoreBusy("the connection to the PostgreSQL server was ended")
    return error


@contextmanager
def translate_errors(name: str = "GOPS_DATABASE") -> Generator[None]:
    """Raise errors of asyncpg as those of the store, with this name of the database."""
    try:
        yield
    except Exception as error:
        raise translate_error(error, name) from error


def _was_closed(error: Exception) -> bool:
    """Return True if the connection was closed between two steps of asyncpg.

    asyncpg then sets its protocol to None and raises AttributeError. The next message was not sent.
    """
    return isinstance(error, AttributeError) and error.obj is None and error.name in PROTOCOL_NAMES
