"""A list of statements as one transaction, and several such lists as one transaction with one flush.

Everything here runs on a connection's own thread, in one call.
"""

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from bot.referee.changes import Conflict

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement with its parameters, which may be secret and stay out of the repr."""

    sql: str
    params: tuple[Any, ...] = field(default=(), repr=False)
    rows: int | None = None
    """how many rows it must change or find; None for any number"""
    failure: str = ""
    """what was wrong if it does not; never a card or a token"""
    answers: bool = False
    """whether the first value that it gives is part of the answer"""


Answer: TypeAlias = list[int]
Outcome: TypeAlias = Answer | Exception

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


def carry_out(connection: sqlite3.Connection, change: Sequence[Statement]) -> Answer:
    """The statements of one change, in the open transaction."""
    answer: Answer = []
    for statement in change:
        cursor = connection.execute(statement.sql, statement.params)
        found = None if cursor.description is None else cursor.fetchall()
        count = cursor.rowcount if found is None else len(found)
        if statement.rows is not None and count != statement.rows:
            raise Conflict(statement.failure)
        if statement.answers and found:
            answer.append(found[0][0])
    return answer


def carry_out_all(connection: sqlite3.Connection, changes: Sequence[Sequence[Statement]]) -> list[Outcome]:
    """Several changes that share one flush. One that fails is undone alone; if the whole cannot be committed, or the
    disk gives up half-way, nothing was done and the error is raised."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [_one(connection, change) for change in changes]
        done = any(not isinstance(outcome, Exception) for outcome in outcomes)
        connection.execute("COMMIT" if done else "ROLLBACK")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return outcomes


def _one(connection: sqlite3.Connection, change: Sequence[Statement]) -> Outcome:
    connection.execute("SAVEPOINT change")
    try:
        outcome: Outcome = carry_out(connection, change)
    except Exception as error:
        if is_busy(error) or is_broken(error) or not connection.in_transaction:
            raise
        connection.execute("ROLLBACK TO change")
        outcome = Conflict(str(error)) if code(error) in TAKEN else error
    connection.execute("RELEASE change")
    return outcome


def snapshot(connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], T]) -> T:
    """Several reads that see the same moment."""
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
