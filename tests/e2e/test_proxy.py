"""HAProxy with the file of `deploy/` before three processes: a press reaches its match through any of them."""

import asyncio
import os
import re
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests import postgres
from tests.conftest import ROOT
from tests.e2e.house import awaits, has, told
from tests.e2e.test_sharing import sharing
from tests.operate.ports import free_port

CONFIGURATION = ROOT / "deploy" / "haproxy.cfg"
PROGRAM = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
"""`.ci/run` installs it. In CI a skipped test is a failure."""


@asynccontextmanager
async def proxied(folder: Path, port: int, ports: list[int]) -> AsyncIterator[None]:
    """Run HAProxy without the certificate on a port before processes on these ports."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    text = re.sub(r"bind :443 .*", f"bind 127.0.0.1:{port}", text)
    for number, behind in enumerate(ports, 1):
        text = text.replace(f"bot-{number}:8080", f"127.0.0.1:{behind}")
    assert ":8080\n" not in text.partition("backend")[2], "each process of the file is one of ours"
    (folder / "haproxy.cfg").write_text(text, encoding="utf-8")
    command = (str(PROGRAM), "-db", "-q", "-f", str(folder / "haproxy.cfg"))
    assert await (await asyncio.create_subprocess_exec(*command, "-c")).wait() == 0
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        await process.wait()


@pytest.mark.skipif(PROGRAM is None, reason="HAProxy is not installed")
async def test_presses_reach_their_match_through_the_proxy_while_processes_are_killed(
    tmp_path: Path, server: postgres.Server
) -> None:
    port, ports = free_port(), [free_port() for _ in range(3)]
    http = [{"GOPS_LISTEN": str(each), "GOPS_ENDPOINT": f"http://127.0.0.1:{port}/interactions"} for each in ports]
    async with proxied(tmp_path, port, ports), sharing(tmp_path, server, http) as (house, processes):
        await processes[0].logs("interactions go to")
        for process in processes:
            await process.logs("listening for interactions")
        board = await house.match(cards=4)
        for number, (mine, theirs) in enumerate((("2", "3"), ("3", "4"), ("4", "2")), 1):
            await house.ana.press(mine, in_=await house.ana.sees(awaits(number, dm=True)))
            await house.ben.press(theirs, in_=await house.ben.sees(awaits(number, dm=True)))
            if number < 3:  # a process that is killed before a bid counts may lose the press
                await house.ana.sees(awaits(number + 1, dm=True))
                await processes[number - 1]._end(signal.SIGKILL)
                await processes[2].logs("64 in all" if number == 2 else "32 in all")
        await house.ana.sees(has("Rematch"), in_=board)
        assert "1 played" in told(await house.ana.slash("/gops leaderboard"))
        assert (await house.stage.calls()).of("RESPONSE /interactions/*") >= 1, "they came by HTTP"
        assert processes[2].trouble() == []
