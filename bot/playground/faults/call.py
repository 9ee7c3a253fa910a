"""Faults on demand: what goes wrong with the next calls of a route."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from itertools import count

from bot.playground.protocol.wire import Json

_numbers = count(1)


class Kind(StrEnum):
    ANSWER = "answer"
    """A status (502, 503, 403 …) instead of the real answer."""
    RESET = "reset"
    """The connection breaks."""
    LIMIT = "limit"
    """A 429 with a scope."""
    SLOW = "slow"
    """The answer takes its time, or until the faults are cleared; nothing else is wrong with it."""


class When(StrEnum):
    BEFORE = "before"
    """The call has no effect."""
    AFTER = "after"
    """The call has its effect, but the bot does not hear of it."""


@dataclass(slots=True)
class Fault:
    kind: Kind
    route: str = "*"
    """A pattern for `METHOD /template` or `METHOD /path`, in which `*` stands for anything; both without /api/v10."""
    times: int = 1
    when: When = When.BEFORE
    status: int = 502
    code: int = 0
    message: str = "fault on demand"
    seconds: float = 0.5
    """How slow, or the `retry_after` of a 429."""
    scope: str = "user"
    files: bool = False
    """Only a call that uploads a file."""
    number: int = field(default_factory=lambda: next(_numbers))

    def matches(self, method: str, template: str, path: str) -> bool:
        return fnmatchcase(f"{method} {template}", self.route) or fnmatchcase(f"{method} {path}", self.route)

    def to_json(self) -> Json:
        return {name: getattr(self, name) for name in self.__slots__}


class Faults:
    """Those that wait for their call, oldest first; each is used up after its `times`."""

    def __init__(self) -> None:
        self.waiting: list[Fault] = []
        self._cleared = asyncio.Event()

    def add(self, fault: Fault) -> Fault:
        self.waiting.append(fault)
        return fault

    def clear(self) -> None:
        self.waiting.clear()
        self._cleared.set()
        self._cleared = asyncio.Event()

    async def slow(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._cleared.wait(), seconds)

    def take(self, method: str, template: str, path: str, *, files: bool = False) -> Fault | None:
        if not self.waiting:
            return None
        for fault in self.waiting:
            if fault.matches(method, template, path) and files >= fault.files:
                fault.times -= 1
                if fault.times <= 0:
                    self.waiting.remove(fault)
                return fault
        return None
