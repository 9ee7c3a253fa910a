"""The only module that knows aiosqlite: a connection on a thread of its own that runs whole functions.

It uses three names that aiosqlite does not promise: `_thread`, `_conn` and `_execute`. That they are what they were is
seen by `tests/data/sqlite/test_worker.py`.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import aiosqlite

P = ParamSpec("P")
T = TypeVar("T")


class SqliteThread(aiosqlite.Connection):
    """A transaction is one call, and nothing of another task can slip between its statements."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # whoever forgets to close it shall still be able to leave

    @classmethod
    async def start(cls, connector: Callable[[], sqlite3.Connection]) -> "SqliteThread":
        worker = cls(connector)
        try:
            await worker
        except BaseException:  # a cancelled start too
            worker._thread.join()  # it has nothing left to do; it must not outlive the event loop
            raise
        return worker

    async def close(self) -> None:
        try:
            await super().close()
        except BaseException:  # cancelled: the thread ends by itself, but would tell a loop that is gone by then
            self._thread.join()
            raise

    async def call(self, work: Callable[Concatenate[sqlite3.Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function with the connection. aiosqlite logs what it runs, so this shows it no parameters."""

        def job() -> T:
            return work(self._conn, *args, **kwargs)

        execute = cast("Callable[..., Any]", self._execute)
        return cast("T", await execute(job))
