"""The supervised process, and the command that starts the playground."""

import asyncio
import os
import select
import socket
import sys
import time
from pathlib import Path

import aiohttp
import pytest

from bot.playground.supervisor import Supervisor
from tests.driver import Stage
from tests.page.house import playing
from tests.test_commands import gops


class Watch:
    """The states that a supervisor announced, one after another."""

    def __init__(self, code: str, log: Path) -> None:
        self.supervisor = Supervisor((sys.executable, "-c", code), dict(os.environ), log)
        self.supervisor.changed = self.look
        self.told: list[dict[str, object]] = []
        self.news = asyncio.Event()

    def look(self) -> None:
        self.told.append(self.supervisor.describe())
        self.news.set()

    async def until(self, state: str, times: int = 1) -> dict[str, object]:
        async with asyncio.timeout(20):
            while len(found := [one for one in self.told if one["state"] == state]) < times:
                self.news.clear()
                await self.news.wait()
        return found[-1]


async def test_ended_process_is_restarted_and_its_last_words_are_shown(tmp_path: Path) -> None:
    watch = Watch("import sys; sys.exit('no such luck')", tmp_path / "log")
    await watch.supervisor.start()
    ended = await watch.until("ended")
    assert ended["note"] == "The bot ended with exit code 1; it is started again in 1 s. It said: no such luck"
    assert (await watch.until("running", 2))["starts"] == 2
    await watch.supervisor.close()


async def test_supervised_process_can_be_killed_stopped_and_started(tmp_path: Path) -> None:
    watch = Watch("import time; time.sleep(60)", tmp_path / "log")
    await watch.supervisor.start()
    first = await watch.until("running")
    await watch.supervisor.kill()
    assert "was killed (SIGKILL)" in str((await watch.until("ended"))["note"])
    second = await watch.until("running", 2)
    assert second["pid"] != first["pid"]
    await watch.supervisor.stop()
    assert (await watch.until("off"))["pid"] is None
    await watch.supervisor.start()
    third = await watch.until("running", 3)
    await watch.supervisor.close()
    with pytest.raises(ProcessLookupError):
        os.kill(int(str(third["pid"])), 0)


async def test_bot_ends_when_its_launcher_is_killed(tmp_path: Path) -> None:
    """`gops play` is killed, as by a power cut; no process of it runs on."""
    launcher = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "play", "--no-browser", "--port", "0", "--data", str(tmp_path)),
        stdout=asyncio.subprocess.PIPE,
    )
    assert launcher.stdout is not None
    async with asyncio.timeout(180):  # two real starts, also on a slow machine
        address = (await launcher.stdout.readline()).decode().split()[-1]
        pid = await bot_of(address)
        ended = asyncio.create_task(asyncio.to_thread(wait_for_end, pid))
        launcher.kill()
        await launcher.wait()
        await ended


async def bot_of(address: str) -> int:
    """The process of the bot, once it is connected."""
    async with Stage.connect(address) as stage:
        await stage.bot_ready(patience=90)
        return int((await stage.link.call("GET", "/processes"))[0]["pid"])


def wait_for_end(pid: int) -> None:
    """Of a process that is not our child, and that nobody may be there to bury."""
    if sys.platform == "linux":
        handle = os.pidfd_open(pid)
        try:
            assert select.select([handle], [], [], 90)[0], f"process {pid} runs on"
        finally:
            os.close(handle)
        return
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} runs on")


def test_terminal_options_without_terminal_are_refused() -> None:
    done = gops("play", "--game", "vultures")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gops play: --game, --seats and --seed go with --terminal\n"


def test_taken_port_is_refused_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = gops("play", "--no-browser", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "in use" in done.stderr


def test_invalid_port_is_refused_in_one_line() -> None:
    for wrong in ("abc", "70000", "-1"):
        done = gops("play", "--no-browser", f"--port={wrong}")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "a port is a number from 0 to 65535" in done.stderr


def test_data_folder_that_is_a_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = gops("play", "--no-browser", "--data", str(tmp_path / "file"))
    assert (done.returncode, done.stderr) == (1, f"gops play: {tmp_path / 'file'}: File exists\n")


async def test_one_ctrl_c_ends_the_playground_and_the_bot() -> None:
    async with playing() as address, aiohttp.ClientSession(address) as client:
        while True:
            async with client.get("/play/processes") as answer:
                [process] = await answer.json()
            if process["pid"]:
                break
        os.kill(process["pid"], 0)
    with pytest.raises(ProcessLookupError):
        os.kill(process["pid"], 0)
