"""`gops play --workers`: several processes beside the stand-in, any of which may be killed."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.playground.driver import Stage
from bot.playground.fleet import database
from tests import postgres
from tests.e2e.house import UNHURRIED, awaits, has, told
from tests.page.house import warmed
from tests.test_commands import gops

ANSWERS, LEADS, WAITS = "answering presses on consoles", "connected to Discord", "standing by: another keeper leads"


class Parts:
    """What the playground tells of its processes."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._now: dict[str, Any] = {}
        self._news = asyncio.Event()

    @classmethod
    @asynccontextmanager
    async def heard(cls, stage: Stage) -> AsyncGenerator[Parts]:
        parts = cls(stage)
        await stage.link.listen("/events", parts._hear)
        yield parts

    def _hear(self, frame: Any) -> None:
        if frame["type"] in ("snapshot", "process"):
            self._now = frame["process"]["parts"]
            self._news.set()

    async def until(self, holds: Callable[[], Any]) -> Any:
        async with asyncio.timeout(60):
            while not (found := holds()):
                self._news.clear()
                await self._news.wait()
        return found

    def doing(self, what: str) -> list[str]:
        return [name for name, one in self._now.items() if one["state"] == "running" and one["doing"] == what]

    def pids(self) -> list[int]:
        return [one["pid"] for one in self._now.values()]

    async def kill(self, name: str) -> None:
        """And wait until it runs again."""
        before = self._now[name]["starts"]
        await self._stage.link.call("POST", "/process", {"do": "kill", "part": name})
        await self.until(lambda: self._now[name]["starts"] > before and self._now[name]["state"] == "running")


async def test_a_match_while_one_of_each_is_killed(server: postgres.Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(server.binaries), prepend=os.pathsep)
    async with (
        warmed("--workers", "2") as address,
        Stage.connect(address, patience=60) as stage,
        Parts.heard(stage) as parts,
    ):
        stage.until_done = True
        await stage.settings(ack_seconds=UNHURRIED)
        await stage.bot_ready(patience=60)
        await parts.until(lambda: len(parts.doing(ANSWERS)) == 2 and parts.doing(LEADS) and parts.doing(WAITS))
        ana, ben = await stage.person("Ana"), await stage.person("Ben")
        await ana.slash("/gops challenge", opponent=ben, cards=5)
        board = await ben.sees("challenges you")
        await ben.press("Accept", in_=board)

        async def bid(round: int, *cards: str) -> None:
            for person, card in zip((ana, ben), cards, strict=True):
                await person.press(card, in_=await person.sees(awaits(round, dm=True)))

        await bid(1, "5", "A")
        await parts.kill("Worker 1")
        await bid(2, "4", "2")
        [leader] = parts.doing(LEADS)
        await parts.kill(leader)
        await parts.until(lambda: [one for one in parts.doing(LEADS) if one != leader])
        await bid(3, "3", "4")
        await parts.kill("The balancer")
        await parts.until(lambda: parts.doing("listening"))
        await ana.press("2", in_=await ana.sees(awaits(4, dm=True)))
        [leader] = parts.doing(LEADS)
        starts = parts._now[leader]["starts"]
        await parts.kill("PostgreSQL")
        await parts.until(lambda: parts._now[leader]["starts"] > starts and parts.doing(LEADS))
        await ben.press("5", in_=await ben.sees(awaits(4, dm=True)))
        await ana.sees(has("1st"), in_=board)
        assert "1 played" in told(await ana.slash("/gops leaderboard"))
        await parts.until(lambda: None not in parts.pids())  # who lost PostgreSQL may be starting once more
        pids = parts.pids()
        assert len(pids) == 6
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_without_a_server_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(database, "INSTALLED", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["play", "--workers", "2", "--no-browser", "--port", "0"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == f"gops play: {database.NONE}\n"


def test_workers_that_are_none() -> None:
    for wrong in ("0", "9", "two"):
        done = gops("play", "--no-browser", f"--workers={wrong}")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "workers are a number from 1 to 8" in done.stderr


def test_a_program_ends_when_nobody_holds_it() -> None:
    """As PostgreSQL does where the playground was killed."""
    sleeps = shutil.which("sleep")
    assert sleeps is not None
    ignoring = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")  # as a shell leaves it for what runs in its background
    held = subprocess.Popen(
        (*ignoring, sys.executable, "-m", "bot.playground.fleet.held", sleeps, "600"), stdin=subprocess.PIPE
    )
    assert held.stdin is not None
    held.stdin.close()
    assert held.wait(30) == signal.SIGINT
