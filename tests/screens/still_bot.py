"""The bot with a clock that stands still and chance that is known beforehand.

Run as `python -m tests.screens.still_bot run`. Whoever started it talks to it at the port that it writes into a file:
is it busy, skip a wait, begin chance anew.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import socket
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partialmethod
from pathlib import Path
from typing import Any

from aiohttp import ClientSession

PORT_FILE = "TESTS_STILL_PORT"
"""names the file"""

NOON = datetime(2035, 1, 5, 12, 0, tzinfo=UTC)
"""when it is, until the clock file says that it is later"""


class Chance:
    """Bytes by their number and by how many there were of that number: who asks in which order changes nothing."""

    def __init__(self) -> None:
        self.seed = ""
        self.asked = Counter[int]()

    def begin(self, seed: str) -> None:
        self.seed = seed
        self.asked.clear()

    def bytes(self, count: int) -> bytes:
        self.asked[count] += 1
        told = f"{self.seed} {count} {self.asked[count]}".encode()
        return hashlib.shake_256(told).digest(count)


class Loop(asyncio.SelectorEventLoop):
    """A loop whose waits can be cut short."""

    skipped = 0.0

    def time(self) -> float:
        return super().time() + self.skipped


class Elsewhere:
    """What the bot waits for just now that no clock brings."""

    def __init__(self) -> None:
        self.open = Counter[str]()
        self.handed: set[tuple[str, Any]] = set()
        """futures of other threads and processes, by name"""

    def under_way(self) -> list[str]:
        self.handed = {one for one in self.handed if not one[1].done()}
        return sorted([*self.open.elements(), *(name for name, _ in self.handed)])

    def counting(self, name: str, ask: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same question, counted while it is open."""

        async def counted(*given: Any, **how: Any) -> Any:
            self.open[name] += 1
            try:
                return await ask(*given, **how)
            finally:
                self.open[name] -= 1

        return counted

    def handing(self, name: str, hand_on: Callable[..., Any]) -> Callable[..., Any]:
        """The same hand-over to another thread or process, counted until it is done."""

        def counted(*given: Any, **how: Any) -> Any:
            future = hand_on(*given, **how)
            self.handed = {*self.handed, (name, future)}
            return future

        return counted


class Control:
    """Answers one question a line, from a thread of its own, so that a wait of the bot's keeps nobody waiting."""

    def __init__(self, loop: Loop, chance: Chance, elsewhere: Elsewhere) -> None:
        self.loop = loop
        self.elsewhere = elsewhere
        self.chance = chance
        self.resident: set[asyncio.Task[Any]] = set()
        """what is always there, however quiet it is"""
        self.door = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            line, _ = self.door.accept()
            with line, line.makefile("rw") as talk:
                for asked in talk:
                    what, *given = json.loads(asked)
                    talk.write(json.dumps(self.within(getattr(self, what), *given)) + "\n")
                    talk.flush()

    def within(self, do: Callable[..., Any], *given: Any) -> Any:
        """Its answer, asked inside the loop."""
        done = threading.Event()
        told: list[Any] = []

        def ask() -> None:
            told.append(do(*given))
            done.set()

        self.loop.call_soon_threadsafe(ask)
        done.wait()
        return told[0]

    def busy(self, skip: float = 0.0) -> list[str]:
        """What is under way, by name; where nothing is, a wait is cut short. What is always there (the one who looks
        after clocks) is at work, too, while it asks the store."""
        tasks = asyncio.all_tasks(self.loop) - self.resident
        named = [f"{one.get_name()} {one.get_coro()}" for one in tasks if not _only_waits(one)]
        found = [*named, *self.elsewhere.under_way()]
        if not found:
            self.skip(skip)
        return found

    def settle_in(self) -> None:
        """What is under way now will always be."""
        self.resident = asyncio.all_tasks(self.loop)

    def skip(self, seconds: float) -> None:
        """Cut waits short, unless one is for a call, a disk or another process: those are as slow as the machine, and
        would be given up."""
        if not self.elsewhere.under_way():
            self.loop.skipped += seconds

    def seed(self, seed: str) -> None:
        self.chance.begin(seed)


IDLE = {"Event.wait"}
"""what `asyncio.wait_for` makes of everything that it waits for"""


def _only_waits(task: asyncio.Task[Any]) -> bool:
    return getattr(task.get_coro(), "__qualname__", "") in IDLE


async def no_time(_: object) -> timedelta:
    return timedelta()


def still(self: Any, made: Callable[..., None], *given: Any, **how: Any) -> None:
    """However long the start took, no time is given back for it."""
    made(self, *given, **how)
    self._now = float
    self._began = 0.0


def main() -> int:
    from bot.__main__ import main as run
    from bot.process.base import clock, event_loop
    from bot.referee.clock import presence
    from bot.referee.proof import promises
    from data.sqlite.database import SqliteThread

    chance, elsewhere = Chance(), Elsewhere()

    def now(self: clock.SystemClock) -> datetime:
        return NOON + self.offset()

    def known(self: clock.SystemEntropy, count: int) -> bytes:
        return chance.bytes(count)

    def new_loop() -> Loop:
        loop = Loop()
        port = Control(loop, chance, elsewhere).door.getsockname()[1]
        Path(os.environ[PORT_FILE]).write_text(str(port), encoding="utf-8")
        return loop

    agreed = promises.agreement

    def agreement(*known: Any) -> bytes:
        id, nonce, setup, seats, levels, message = known
        # A message's number tells how much else there was in the same instant.
        return agreed(id, nonce, setup, seats, levels, message and 1)

    asks: tuple[tuple[type, str, str], ...] = (
        (SqliteThread, "call", "the store"),
        (ClientSession, "_request", "Discord"),
    )
    for kind, name, told in asks:
        setattr(kind, name, elsewhere.counting(told, getattr(kind, name)))
    for kind, name, told in ((Loop, "run_in_executor", "a thread"), (ProcessPoolExecutor, "submit", "a process")):
        setattr(kind, name, elsewhere.handing(told, getattr(kind, name)))
    promises.agreement = agreement
    # A busy machine holds processes up and loses connections: no clock is moved for that here.
    presence.STILL = float("inf")
    presence.read_downtime = no_time
    made: Any = presence.Presence.__init__
    patched: Any = presence.Presence
    patched.__init__ = partialmethod(still, made)
    clock.SystemClock.now = now
    clock.SystemEntropy.bytes = known
    event_loop.run = asyncio.run  # on a loop of Python's, whose clock can be moved
    asyncio.events.new_event_loop = new_loop
    return run()


if __name__ == "__main__":
    sys.exit(main())
