"""Check of uploaded files in a process of its own, one file a person at a time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from bot.errors import RefereeError
from bot.referee.archive.record_import import import_record, read_text, refuse_unreadable
from bot.referee.house.thinking import Worker
from bot.referee.model.model import UserId
from bot.referee.verify.check import verify_text
from bot.referee.verify.findings import Report

Found = TypeVar("Found")

PATIENCE = 20.0
"""Seconds that a file may take, and may wait; the largest honest file takes about one."""

HUMBLE = 10
"""Nice value of the process: no clock waits for it."""


class Desk:
    """Checks uploaded files. All errors are `RefereeError`."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.worker = Worker(HUMBLE, line=patience, stuck=patience)
        self._patience = patience
        self._busy: set[UserId] = set()

    async def verify(self, user: UserId, data: bytes) -> Report:
        """Return what can be checked of a record."""
        return await self._ask(user, check, data)

    async def bring(self, user: UserId, data: bytes) -> str:
        """Referee a record, and return its stored form."""
        return await self._ask(user, import_record, data)

    async def _ask(self, user: UserId, work: Callable[[bytes], Found], data: bytes) -> Found:
        if user in self._busy:
            raise RefereeError("record-busy")
        self._busy.add(user)
        try:
            return await self.worker.think(work, data, self._patience)
        except (TimeoutError, BrokenProcessPool, MemoryError) as error:
            raise RefereeError("record-slow") from error
        finally:
            self._busy.discard(user)

    def close(self) -> None:
        self.worker.stop()


def check(data: bytes) -> Report:
    """Verify a file in the worker process."""
    with refuse_unreadable():
        return verify_text(read_text(data))
