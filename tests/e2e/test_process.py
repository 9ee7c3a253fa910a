"""The process: lost connections, a refused start, settings that are wrong, and being told to stop."""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from bot.process.sessions import BURST
from tests.e2e.house import Bot, House, awaits, has, opened, told
from tests.forked import forked

EXIT_SETUP = 78
LONGEST = 30.0
"""seconds: three refused tries are up to 1 + 2 + 4 + 8 apart, and each takes its time"""


@pytest.fixture(scope="module", autouse=True)
def in_earnest() -> Iterator[None]:
    """Here the bot is started by an interpreter of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Bot, "forked", False)
        yield


LOST: list[tuple[str, dict[str, Any], str]] = [
    ("reconnect", {}, "resumed"),
    ("close", {"code": 1000}, "resumed"),
    ("close", {"code": 4000}, "resumed"),
    ("invalidate", {"resumable": False}, "ready"),
]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("do", "how", "then"), LOST, ids=lambda value: str(value))
async def test_match_goes_on_after_a_lost_connection(scene: House, do: str, how: dict[str, Any], then: str) -> None:
    """A match goes on where it was."""
    board = await scene.match(cards=3)
    await scene.ana.press("2", in_=await scene.ana.sees(awaits(1, dm=True)))
    console = await scene.ben.sees(awaits(1, dm=True))
    await scene.stage.gateway(do, **how)
    await scene.stage.settled(then)
    await scene.ben.press("3", in_=console)
    await scene.ana.sees(has("round 2 of 3"), in_=board)


async def test_a_gateway_that_falls_silent(tmp_path: Path) -> None:
    """No event, no answer to a heartbeat, and the connection looks open: the bot notices, and goes on where it was."""
    async with opened(tmp_path, start=False) as house:
        await house.stage.settings(heartbeat_seconds=0.5)
        house.bot.settings["GOPS_SILENCE"] = "1.5"
        await house.bot.start()
        board = await house.match(cards=3)
        await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
        console = await house.ben.sees(awaits(1, dm=True))
        assert await house.stage.gateway("silence") == 1
        await house.stage.settled("resumed")
        assert "**You take" in told(await house.ben.press("3", in_=console))
        await house.ana.sees(has("round 2 of 3"), in_=board)
        assert house.bot.trouble() == []


async def test_a_gateway_that_refuses_a_few_times(tmp_path: Path) -> None:
    """It comes back within seconds, with a line for each try and no traceback."""
    async with opened(tmp_path) as house:
        board = await house.match(cards=3)
        await house.stage.gateway("refuse", times=3)
        await house.stage.gateway("close", code=4000)
        await house.stage.settled("resumed", patience=LONGEST)
        assert house.bot.logged().count("trying again in") in (3, 4), (
            "three that were refused, and the one that was closed if it was young"
        )
        assert house.bot.trouble() == []
        await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("3", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("round 2 of 3"), in_=board)
        with closing(sqlite3.connect(house.bot.database)) as database:
            [(kept,)] = database.execute("SELECT value FROM notes WHERE key = 'sessions'")
        assert json.loads(kept)[0] == BURST - 1, "one session was begun, and resumed"


async def test_a_refused_start_is_tried_again(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        await house.stage.gateway("refuse", times=1)
        await house.bot.start()
        await house.match()


async def test_stop_finishes_current_work_and_exits_with_0(tmp_path: Path) -> None:
    """What is under way is finished, nothing new is taken in, and it says so; exit code 0."""
    async with opened(tmp_path) as house:
        board = await house.match()
        console = await house.ana.sees(awaits(1, dm=True))
        theirs = await house.ben.sees(awaits(1, dm=True))
        await house.ana.press("2", in_=console)
        await house.stage.fault("slow", "PATCH /webhooks/*", seconds=30, times=9)
        await house.ben.press("3", in_=theirs)
        process = house.bot.process
        assert process is not None
        process.send_signal(signal.SIGTERM)
        await house.bot.logs("finishing current work")
        answer = told(await house.ana.press("Bid", in_=board))
        assert answer == "I am restarting, and nothing was saved. Press again in half a minute."
        await house.stage.clear_faults()
        assert await process.wait() == 0
        assert "round 2 of 13" in (await house.ana.sees(has("round 2 of 13"), in_=board)).text
        await house.ana.sees(awaits(2, dm=True))
        assert house.bot.trouble() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_nothing_is_left_behind_when_stopped_while_the_house_thinks(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Ctrl-C in a terminal reaches every process of the bot."""
    async with opened(tmp_path) as house:
        console = (await house.ana.slash("/gops practice", level="sage")).shown
        console = (await house.ana.press("K", in_=console)).shown
        assert "is thinking" in console.text
        process = house.bot.process
        assert process is not None
        parts = children_of(process.pid)
        assert parts, "the house thinks in a process of its own"
        for pid in (process.pid, *(parts if number is signal.SIGINT else ())):
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        assert await process.wait() == 0
        async with asyncio.timeout(LONGEST):
            while any(map(is_running, parts)):  # noqa: ASYNC110 - they are not ours to wait for
                await asyncio.sleep(0.01)
        assert "leaked" not in house.bot.logged()
        assert [line for line in house.bot.logged().splitlines() if not line.startswith("{")] == []


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def children_of(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize(
    ("settings", "sentences"),
    [
        ({"DISCORD_TOKEN": ""}, ["gops run: DISCORD_TOKEN is not set. "]),
        (
            {"DISCORD_API_URL": "nowhere", "GOPS_LOG": "loud"},
            ["gops run: DISCORD_API_URL must be an address such as", "gops run: GOPS_LOG must be console or json"],
        ),
        (
            {"DISCORD_API_URL": "http://any-host"},
            ["gops run: DISCORD_API_URL must begin with https:// unless"],
        ),
        ({"GOPS_DATABASE": "/"}, ["gops run: GOPS_DATABASE must be a file, not a folder or a device"]),
        ({"GOPS_DATABASE": "/proc/no/such.sqlite3"}, ["gops run: the file cannot be written: check owner and rights"]),
    ],
)
async def test_start_with_wrong_settings_names_every_problem(
    tmp_path: Path, settings: dict[str, str], sentences: list[str]
) -> None:
    """Every problem is named, and a supervisor is told that starting again will not help. (From the fork server: an
    interpreter of its own does the same in `test_refused_token_exits_with_78`.)"""
    environment = {"DISCORD_TOKEN": "x", "GOPS_DATABASE": str(tmp_path / "gops.sqlite3"), **settings}
    with (tmp_path / "errors").open("w+b") as log:
        process = forked(
            ("-m", "bot", "run", "--env", str(tmp_path / "none")), log, environment={**os.environ, **environment}
        )
        code = await asyncio.wait_for(process.wait(), 60)
        log.seek(0)
        errors = log.read().decode()
    assert code == EXIT_SETUP, errors
    for sentence in sentences:
        assert sentence in errors
    assert "Traceback" not in errors


async def test_fatal_lines_are_json_where_logs_are(tmp_path: Path) -> None:
    database = tmp_path / "gops.sqlite3"
    database.write_bytes(b"no database" * 500)
    for settings in ({"GOPS_CLOCK": "1"}, {"DISCORD_TOKEN": ""}, {"GOPS_DATABASE": str(database)}):
        environment = {**os.environ, "DISCORD_TOKEN": "x", "GOPS_DATABASE": str(tmp_path / "a"), "GOPS_LOG": "json"}
        with (tmp_path / "errors").open("w+b") as log:
            command = ("-m", "bot", "run", "--env", str(tmp_path / "none"))
            process = forked(command, log, environment=environment | settings)
            assert await asyncio.wait_for(process.wait(), 60) == EXIT_SETUP
            log.seek(0)
            lines = [json.loads(line) for line in log.read().decode().splitlines()]
        assert lines[-1]["level"] == "critical"
        assert not lines[-1]["message"].startswith("gops run")


async def test_refused_token_exits_with_78(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        environment = {**house.bot.environment(), "DISCORD_TOKEN": "wrong"}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run"), env=environment, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == EXIT_SETUP, errors.decode()
        assert "Discord refuses this token: check DISCORD_TOKEN" in errors.decode()


BROKEN = """
import sys
from bot import app
from bot.__main__ import main

async def fail(_):
    raise ValueError("broken")

app.send_heartbeats = fail
sys.exit(main())
"""
"""The bot, with a background task that fails."""


async def test_failed_background_task_ends_the_bot(tmp_path: Path) -> None:
    """Without it nobody could play. A supervisor starts the bot again."""
    async with opened(tmp_path, start=False) as house:
        house.bot.command = ("-c", BROKEN, "run")
        await house.bot.spawn()
        assert house.bot.process is not None
        assert await asyncio.wait_for(house.bot.process.wait(), LONGEST) == 1
        assert "heartbeat stopped, and the bot with it" in house.bot.logged()
        assert "ValueError: broken" in house.bot.logged()
