"""Where files that people send are looked at: in a process of its own, one file a person at a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from bot.engine.record.record import RecordError
from bot.errors import RefereeError
from bot.referee.archive.record_import import import_record, read_text
from bot.referee.house.thinking import Worker
from bot.referee.model.model import UserId
from bot.referee.verify.check import verify_text
from bot.referee.verify.findings import Report

Found = TypeVar("Found")

PATIENCE = 20.0
"""seconds that a file may take, and as long again in line; the largest honest one takes about one"""

HUMBLE = 10
"""how much it stands back from the bot: nobody's clock runs meanwhile"""


class Desk:
    """Takes files in. Whatever is wrong with one is a `RefereeError`."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.worker = Worker(HUMBLE, line=patience, stuck=patience)
        self._patience = patience
        self._busy: set[UserId] = set()

    async def verify(self, user: UserId, data: bytes) -> Report:
        """What can be checked of a record."""
        return await self._ask(user, check, data)

    async def bring(self, user: UserId, data: bytes) -> str:
        """A record refereed, as it is kept."""
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
    """In the worker."""
    try:
        return verify_text(read_text(data))
    except RecordError as error:
        raise RefereeError("record-refused", why=str(error)) from error
    except json.JSONDecodeError as error:
        raise RefereeError("record-unreadable", n=error.lineno, why=error.msg) from error
    except RecursionError as error:
        raise RefereeError("record-unreadable", n=1, why="it is nested too deeply") from error
    except ValueError as error:
        raise RefereeError("record-unreadable", n=1, why=str(error)[:100]) from error
