"""Bots and the stand-in as processes of their own: starting them, and what they cost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar

from tests.driver import Stage

TICKS = os.sysconf("SC_CLK_TCK")
BOT = "Bot"


class Process:
    """A running Python module."""

    under: ClassVar[Sequence[str]] = ()
    """a program that is to run it, with its words"""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(
        cls, *module: str, log: Path | None = None, home: Path | None = None, **environment: str
    ) -> Process:
        """`home` is another checkout whose modules are meant."""
        errors = log.open("ab") if log is not None else None
        try:
            process = await asyncio.create_subprocess_exec(
                *(*cls.under, sys.executable, "-m", *module),
                env={**os.environ, **environment},
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                cwd=home,
            )
        finally:
            if errors is not None:
                errors.close()
        return cls(process)

    async def stop(self) -> None:
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        await self.process.wait()

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far, in the process and in the kernel for it."""
        return sum(self._times())

    @property
    def cpu_of_its_own(self) -> float:
        """The same without what the kernel did for it."""
        return self._times()[0]

    def _times(self) -> tuple[float, float]:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return int(fields[11]) / TICKS, int(fields[12]) / TICKS

    @property
    def resident(self) -> float:
        """Megabytes of memory that it holds."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


class Town:
    """The stand-in without limits and without checked bodies, as a process; its stage; and the folder of a run."""

    def __init__(self, folder: Path, stand_in: Process, stage: Stage) -> None:
        self.folder = folder
        self.stand_in = stand_in
        self.stage = stage

    @property
    def database(self) -> Path:
        return self.folder / "gops.sqlite3"

    def settings(self, token: str) -> dict[str, str]:
        return {
            "DISCORD_TOKEN": token,
            "DISCORD_API_URL": f"{self.stage.address}/api/v10",
            "GOPS_DATABASE": str(self.database),
            "GOPS_LOG": "json",
        }

    async def bot(self) -> Process:
        """Our bot, connected."""
        bot = await self.bot_begun()
        await self.stage.bot_ready(BOT)
        return bot

    async def bot_begun(self) -> Process:
        """Our bot, about to start."""
        run = os.environ.get("BENCH_BOT", "bot run").split()
        return await Process.start(*run, log=self.folder / "bot.log", home=None, **self.settings("playground"))


@asynccontextmanager
async def town(folder: Path) -> AsyncGenerator[Town]:
    stand_in = await Process.start(
        "bot.playground", "--no-schema", "--no-limits", "--port", "0", "--print-address", "--name", BOT
    )
    assert stand_in.process.stdout is not None
    try:
        address = json.loads(await stand_in.process.stdout.readline())["address"]
        async with Stage.connect(address) as stage:
            yield Town(folder, stand_in, stage)
    finally:
        await stand_in.stop()
