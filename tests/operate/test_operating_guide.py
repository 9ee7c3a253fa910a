"""The commands of docs/operating.md are followed in their order, against the stand-in."""

from __future__ import annotations

import asyncio
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from tests import postgres
from tests.conftest import ROOT
from tests.e2e.house import House, opened
from tests.forked import Forked
from tests.operate.ports import free_port

PAPER = ROOT / "docs" / "operating.md"
ELSEWHERE = ("/opt/", "/etc/")
"""folders of the machine, which lie below a folder of the test's"""

PARTS = ("deploy", "Makefile", ".env.example", *(one.name for one in ROOT.glob("require*.txt")))
"""what of a checkout the paper names"""


def typed() -> Iterator[str]:
    """Every line that the paper gives to type."""
    for line in PAPER.read_text(encoding="utf-8").splitlines():
        if line.startswith("    ") and not re.match(r"\s+[A-Z_]+=", line):
            yield line.strip()


@dataclass
class Stranger:
    """Somebody who has the paper and a machine."""

    house: House
    folder: Path
    at: Path
    server: str
    """the address of a PostgreSQL database"""
    said: list[str] = field(default_factory=list[str])
    done: list[str] = field(default_factory=list[str])

    async def does(self, line: str) -> None:
        for part in line.split(" && "):
            program, *arguments = shlex.split(part.replace("<this repository>", "REPOSITORY"))
            await getattr(self, program.replace(".venv/bin/", "").replace("-", "_"))(*arguments)
            self.done.append(program)

    def place(self, named: str) -> Path:
        return self.folder / named.removeprefix("/") if named.startswith(ELSEWHERE) else self.at / named

    # --- done as it is written ---------------------------------------------------------------------------

    async def cd(self, folder: str) -> None:
        self.at = self.place(folder).resolve(strict=True)

    async def cp(self, *names: str) -> None:
        *files, to = map(self.place, names)
        for one in files:
            shutil.copy(one, to)

    async def chmod(self, mode: str, name: str) -> None:
        self.place(name).chmod(int(mode, 8))

    async def sed(self, script: str, name: str, *piped: str) -> None:
        """Change a file, and install what comes of it."""
        changed = await asyncio.to_thread(subprocess.check_output, ("sed", script, self.place(name)))
        assert piped[:7] == ("|", "install", "-D", "-m", "400", "-o", "gops")
        source, to = piped[7:]
        assert source == "/dev/stdin"
        self.place(to).parent.mkdir(parents=True)
        self.place(to).write_bytes(changed)
        self.done.append("install")

    async def gops(self, *arguments: str) -> None:
        stopped = arguments[0] in ("restore", "move")  # the paper has said to stop it
        if stopped:
            assert await self.house.bot.stop() == 0
        arguments = tuple(one.replace("postgresql://gops@host/gops", self.server) for one in arguments)
        with tempfile.TemporaryFile() as told:
            streams = told.fileno(), told.fileno(), told.fileno()
            process = Forked(("-m", "bot", *arguments), streams, self.settings, self.at)
            process.watch()
            code = await process.wait()
            told.seek(0)
            self.said.append(told.read().decode())
        assert code == 0, (arguments, self.said[-1])
        if arguments[0] == "move":
            self.name_database(self.said[-1])
        if stopped:
            await self.starts()
        if arguments[0] == "move" and self.server in arguments[2]:  # the rest of the paper is about a file
            await self.gops("move", self.server, "data/back.sqlite3")

    # --- looked at ---------------------------------------------------------------------------------------

    async def git(self, what: str, *arguments: str) -> None:
        if what == "pull":
            return
        assert (what, arguments[0]) == ("clone", "REPOSITORY")
        checkout = self.place(arguments[1])
        checkout.mkdir(parents=True)
        (checkout / "data").mkdir()  # where the database will lie
        for name in PARTS:
            (checkout / name).symlink_to(ROOT / name)

    async def make(self, *arguments: str) -> None:
        if arguments[0] == "-C":
            assert (self.place(arguments[1]) / "Makefile").exists()
            arguments = arguments[2:]
        target, *variables = arguments
        assert all(one.startswith("EXTRAS=") for one in variables)
        assert re.search(rf"^{re.escape(target)}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        if target == "run":
            self.fill_in()
            await self.starts()

    async def ln(self, how: str, checkout: str, link: str) -> None:
        """A checkout takes the place that the units name."""
        if how == "-sfn":
            self.place(link).unlink()
        self.place(link).symlink_to(self.place(checkout), target_is_directory=True)

    async def useradd(self, *arguments: str) -> None:
        assert f"User={arguments[-1]}" in (ROOT / "deploy" / "gops.service").read_text(encoding="utf-8")

    async def systemctl(self, what: str, *units: str) -> None:
        there = {one.name for one in (self.folder / "etc" / "systemd" / "system").iterdir()}
        assert {name if "." in name else f"{name}.service" for name in units if name != "--now"} <= there, what

    async def docker(self, *arguments: str) -> None:
        assert self.place(arguments[arguments.index("-f") + 1]).exists()

    async def python(self, *arguments: str) -> None:
        assert self.place(arguments[-1]).exists()

    # --- what the paper says in words --------------------------------------------------------------------

    def fill_in(self) -> None:
        """The token; and where this Discord is, which is not the true one."""
        port = str(free_port())
        self.house.bot.settings["GOPS_METRICS"] = port
        given = {
            "DISCORD_TOKEN": "playground",
            "DISCORD_API_URL": f"{self.house.stage.address}/api/v10",
            "GOPS_METRICS": port,
            "GOPS_PICTURES": "off",
            "GOPS_FACES": "off",
        }
        file = self.at / ".env"
        text = file.read_text(encoding="utf-8")
        for name, value in given.items():
            text, found = re.subn(rf"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
            assert found == 1, f"{name} stands in .env.example"
        file.write_text(text, encoding="utf-8")

    def name_database(self, said: str) -> None:
        """As `gops move` says."""
        found = re.search(r"^.* Set (GOPS_DATABASE=\S+) in (\S+), and start the bot\.$", said, re.MULTILINE)
        assert found is not None, said
        file = self.at / found[2]
        text, count = re.subn(r"^GOPS_DATABASE=.*$", lambda _: found[1], file.read_text("utf-8"), flags=re.MULTILINE)
        assert count == 1
        file.write_text(text, encoding="utf-8")

    @property
    def settings(self) -> dict[str, str]:
        """Return the only settings besides `.env`: PATH and HOME."""
        return {name: self.house.bot.environment()[name] for name in ("PATH", "HOME")}

    async def starts(self) -> None:
        with self.house.bot.log.open("ab") as log, tempfile.TemporaryFile() as nothing:
            streams = (nothing.fileno(), log.fileno(), log.fileno())
            process = Forked(("-m", "bot", "run"), streams, self.settings, self.folder / "gops")
        process.watch()
        self.house.bot.process = process
        await self.house.stage.bot_ready(patience=60)


async def test_operating_guide_leads_to_a_running_backed_up_and_monitored_bot(
    tmp_path: Path, server: postgres.Server
) -> None:
    async with opened(tmp_path, start=False) as house:
        stranger = Stranger(house, tmp_path, tmp_path, await postgres.emptied(server))
        (tmp_path / "etc" / "systemd" / "system").mkdir(parents=True)
        for line in typed():
            await stranger.does(line)
            if line == "make run":
                await house.ana.slash("/gops challenge", opponent=house.ben)  # as the paper says
                await house.ben.sees("challenges you")
        wanted = {"git", "cp", "make", "gops", "useradd", "install", "systemctl", "docker"}
        assert wanted <= set(stranger.done), "nothing of it was left out"
        told = "\n".join(stranger.said)
        assert "ok       permissions" in told
        assert "complete, version" in told
        assert "gops.sqlite3 is " in told
        assert "rows copied and compared" in told
        assert (tmp_path / "gops" / "data" / "gops.sqlite3").exists()
        assert (tmp_path / "gops" / ".env").stat().st_mode & 0o777 == 0o600
        port = house.bot.settings["GOPS_METRICS"]
        async with aiohttp.ClientSession() as web, web.get(f"http://127.0.0.1:{port}/readyz") as answered:
            assert (answered.status, await answered.text()) == (200, "ready\n")
