"""The machine that the bot runs on: its time of day is set, it sleeps, is paused, or its processes stand still."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.e2e.hall import Hall
from tests.e2e.house import Bot

FILE = "TEST_HOST"
"""in the environment of a bot: where its machine's clocks are told"""

COMMAND = ("-m", "tests.soak.host_bot", "run")

WRONG = (30.0, 2 * 3600.0, 14 * 3600.0)
"""seconds by which a time of day is wrong at the most: as it drifts, as people set it, as a zone is mistaken"""

RIGHT = 0.3
"""of the times it is set, it is set right"""

STILL = 4.0
"""seconds for which its processes stand still at the most: people wait for their answers meanwhile"""

NIGHT = 900.0
"""seconds for which it sleeps or is paused at the most: three times as long as anybody has for a bid"""

AWHILE = 0.5
"""seconds of these that really go by, in which people press"""


@dataclass(frozen=True, slots=True)
class Moved:
    """How far a machine's clocks are from Discord's, in seconds."""

    wrong: float = 0.0
    """that its time of day was set by"""
    slept: float = 0.0
    """that its steady clock counted while nothing ran"""
    paused: float = 0.0
    """that it knows nothing of"""
    parted: str = ""
    """the other process that it has no network to, by its address"""


def read(file: Path) -> Moved:
    return Moved(**json.loads(file.read_text(encoding="utf-8")))


class Host:
    """One machine, from before the bot's first start on."""

    def __init__(self, hall: Hall, rng: random.Random, file: Path, bot: Bot) -> None:
        self.hall = hall
        self.bot = bot
        self._rng = rng
        self._file = file
        self.moved = Moved()
        self.moved_lately = False
        """by its time of day nobody can tell how old anything is"""
        self._tell()
        bot.command = COMMAND
        bot.settings[FILE] = str(file)

    @property
    def is_right(self) -> bool:
        """Whether a bot that starts now has Discord's time."""
        return abs(self.moved.wrong - self.moved.paused) < 1

    def _tell(self) -> None:
        self.moved_lately = True
        self._write()

    def _write(self) -> None:
        draft = self._file.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self.moved)), encoding="utf-8")
        draft.replace(self._file)

    async def set_clock(self) -> None:
        """Its time of day jumps, forwards or back, while people play; the next start begins with it."""
        most = self._rng.choice(WRONG)
        wrong = 0.0 if self._rng.random() < RIGHT else self._rng.uniform(-most, most)
        self.moved = replace(self.moved, wrong=self.moved.paused + wrong)
        self._tell()

    async def stand_still(self) -> None:
        """Its processes are stopped for some seconds, as on a machine that is short of memory."""
        async with self.stopped():
            await asyncio.sleep(self._rng.uniform(0.2, STILL))

    def part(self, peer: str) -> None:
        """What it and another process send each other stays on the way; without one it all comes through again."""
        self.moved = replace(self.moved, parted=peer)
        self._write()

    async def sleep(self) -> None:
        """It sleeps, and finds out when it wakes."""
        async with self._away() as seconds:
            self.moved = replace(self.moved, slept=self.moved.slept + seconds)

    async def pause(self) -> None:
        """Whoever runs it as a virtual machine pauses it: from then on its clocks are behind Discord's."""
        async with self._away() as seconds:
            self.moved = replace(self.moved, paused=self.moved.paused + seconds)

    @asynccontextmanager
    async def _away(self) -> AsyncGenerator[float]:
        """Nothing runs on it for so many seconds of Discord's, of which few really go by."""
        seconds = self._rng.uniform(1.0, NIGHT)
        async with self.stopped():
            await asyncio.sleep(self._rng.uniform(0.0, AWHILE))
            yield seconds
            self._tell()
            await self.hall.stage.forward(seconds)

    @asynccontextmanager
    async def stopped(self) -> AsyncGenerator[None]:
        """The bot's process stands still; where it is killed or ended meanwhile, it never knows."""
        await self.hall.up.wait()
        process = self.bot.process
        assert process is not None
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGCONT)
