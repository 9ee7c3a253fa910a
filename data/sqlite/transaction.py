"""Execution of reads and changes. Several changes share one transaction, and so one flush of the disk.

Each function runs in one call on the thread of its connection.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from bot.referee.model.changes import Conflict
from data.sql.statement import Read, Statement
from data.sqlite.files import count_commit

P = ParamSpec("P")
T = TypeVar("T")


WriteResult: TypeAlias = list[int] | Exception
"""Ids that a change returns, or the error that undid it."""

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
CONFLICTS = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
        sqlite3.SQLITE_CONSTRAINT_UNIQUE,
        sqlite3.SQLITE_CONSTRAINT_ROWID,
        sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY,
    }
)
BROKEN = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    }
)


def error_code(error: BaseException) -> int:
    """Return the extended error code of SQLite; 0 for other errors."""
    return getattr(error, "sqlite_errorcode", 0)


def is_busy(error: BaseException) -> bool:
    return error_code(error) & 0xFF in BUSY


def is_broken(error: BaseException) -> bool:
    """Return True if the file or the disk is at fault."""
    return error_code(error) & 0xFF in BROKEN


def execute(connection: sqlite3.Connection, change: Sequence[Statement]) -> list[int]:
    """Execute one change in the open transaction, and return its ids. Raise `Conflict` for a wrong number of rows."""
    ids: list[int] = []
    for statement in change:
        cursor = connection.execute(statement.sql, statement.params)
        rows = None if cursor.description is None else cursor.fetchall()
        count = cursor.rowcount if rows is None else len(rows)
        if statement.rows is not None and count != statement.rows:
            raise Conflict(statement.failure)
        if statement.gives_id and rows:
            ids.append(rows[0][0])
    return ids


def execute_batch(connection: sqlite3.Connection, changes: Sequence[Sequence[Statement]]) -> list[WriteResult]:
    """Execute changes in one transaction. A change that fails is undone alone.

    If the commit or the disk fails, raise the error; then nothing was changed.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        try:
            results: list[WriteResult] = [execute(connection, change) for change in changes]
        except Exception as error:
            if is_busy(error) or is_broken(error) or not connection.in_transaction:
                raise
            connection.execute("ROLLBACK")  # start again with a savepoint for each change
            connection.execute("BEGIN IMMEDIATE")
            results = [_execute_in_savepoint(connection, change) for change in changes]
        has_changes = any(not isinstance(outcome, Exception) for outcome in results)
        if has_changes:
            count_commit(connection)
        connection.execute("COMMIT" if has_changes else "ROLLBACK")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return results


def _execute_in_savepoint(connection: sqlite3.Connection, change: Sequence[Statement]) -> WriteResult:
    connection.execute("SAVEPOINT change")
    try:
        result: WriteResult = execute(connection, change)
    except Exception as error:
        if is_busy(error) or is_broken(error) or not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO change")
        result = Conflict(str(error)) if error_code(error) in CONFLICTS else error
    connection.execute("RELEASE change")
    return result


def run_read(connection: sqlite3.Connection, read: Read[T]) -> T:
    """Execute a read on one snapshot. A single query needs no transaction for that."""
    if len(read.queries) > 1:
        return run_in_snapshot(connection, _fetch, read)
    return _fetch(connection, read)


def _fetch(connection: sqlite3.Connection, read: Read[T]) -> T:
    values = [[query.value(*row) for row in connection.execute(query.sql, query.params)] for query in read.queries]
    return read.combine(*values)


def run_in_snapshot(
    connection: sqlite3.Connection,
    work: Callable[Concatenate[sqlite3.Connection, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Run a function that reads, so that all its queries see one snapshot."""
    connection.execute("BEGIN")
    try:
        return work(connection, *args, **kwargs)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
