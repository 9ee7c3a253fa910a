"""Reads and writes carried out: a list of statements as one transaction, several such lists with one flush.

Everything here runs on a connection's own thread, in one call.
"""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from bot.referee.model.changes import Conflict
from data.sql.statement import Read, Statement
from data.sqlite.files import counted

P = ParamSpec("P")
T = TypeVar("T")


Upshot: TypeAlias = list[int] | Exception
"""the ids that a change gives, or why it was not carried out"""

BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})
TAKEN = frozenset(
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


def code(error: BaseException) -> int:
    """SQLite's code of an error with its details; 0 for anything else."""
    return getattr(error, "sqlite_errorcode", 0)


def is_busy(error: BaseException) -> bool:
    return code(error) & 0xFF in BUSY


def is_broken(error: BaseException) -> bool:
    """Whether the file or the disk is at fault."""
    return code(error) & 0xFF in BROKEN


def carry_out(connection: sqlite3.Connection, change: Sequence[Statement]) -> list[int]:
    """The statements of one change, in the open transaction."""
    ids: list[int] = []
    for statement in change:
        cursor = connection.execute(statement.sql, statement.params)
        found = None if cursor.description is None else cursor.fetchall()
        count = cursor.rowcount if found is None else len(found)
        if statement.rows is not None and count != statement.rows:
            raise Conflict(statement.failure)
        if statement.gives_id and found:
            ids.append(found[0][0])
    return ids


def carry_out_all(connection: sqlite3.Connection, changes: Sequence[Sequence[Statement]]) -> list[Upshot]:
    """Several changes that share one flush. One that fails is undone alone; if the whole cannot be committed, or the
    disk gives up half-way, nothing was done and the error is raised."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = _all(connection, changes)
        done = any(not isinstance(outcome, Exception) for outcome in outcomes)
        if done:
            counted(connection)
        connection.execute("COMMIT" if done else "ROLLBACK")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return outcomes


def _all(connection: sqlite3.Connection, changes: Sequence[Sequence[Statement]]) -> list[Upshot]:
    """Nearly always none fails; where one does it is all done once more, each so that it can be undone alone."""
    try:
        return [carry_out(connection, change) for change in changes]
    except Exception as error:
        if is_busy(error) or is_broken(error) or not connection.in_transaction:
            raise
    connection.execute("ROLLBACK")
    connection.execute("BEGIN IMMEDIATE")
    return [_one(connection, change) for change in changes]


def _one(connection: sqlite3.Connection, change: Sequence[Statement]) -> Upshot:
    connection.execute("SAVEPOINT change")
    try:
        outcome: Upshot = carry_out(connection, change)
    except Exception as error:
        if is_busy(error) or is_broken(error) or not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO change")
        outcome = Conflict(str(error)) if code(error) in TAKEN else error
    connection.execute("RELEASE change")
    return outcome


def ask(connection: sqlite3.Connection, read: Read[T]) -> T:
    """What a read finds; a single query sees one moment by itself."""
    if len(read.queries) > 1:
        return snapshot(connection, _asked, read)
    return _asked(connection, read)


def _asked(connection: sqlite3.Connection, read: Read[T]) -> T:
    found = [[query.value(*row) for row in connection.execute(query.sql, query.params)] for query in read.queries]
    return read.made(*found)


def snapshot(
    connection: sqlite3.Connection,
    work: Callable[Concatenate[sqlite3.Connection, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Whatever a function reads is of the same moment."""
    connection.execute("BEGIN")
    try:
        return work(connection, *args, **kwargs)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
