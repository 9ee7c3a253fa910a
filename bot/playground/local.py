"""The playground as a newcomer meets it: the stand-in, the bot beside it, and the page."""

import asyncio
import contextlib
import os
import signal
import socket
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot.playground.postgres import NoServer, find_programs, start_server
from bot.playground.protocol import schema
from bot.playground.server import TOKEN, Playground
from bot.playground.supervisor import Supervisor
from bot.playground.world.settings import Settings

PORT = 8765
"""where the page is, unless that is taken"""

CLOCK = "900"
"""seconds for a bid where nothing else is asked for: one person plays in both windows"""

PEOPLE = ("Ana", "Ben")
"""who is there from the beginning; the first one owns the server"""

COMMAND = (sys.executable, "-m", "bot", "run", "--until-stdin-ends", "--env", os.devnull)
"""starts a process of the bot"""

THIRD = "Cem"
"""who is in the group chat, too"""


@dataclass(frozen=True, slots=True)
class Options:
    """What the starter of the playground chose."""

    port: int | None = None
    """None for the usual port, or any free one if that is taken"""
    data: Path | None = None
    """folder of the database; None to keep nothing"""
    browser: bool = False
    processes: int = 1
    """how many processes the bot has: several share a PostgreSQL server"""


async def perform(options: Options, say: Callable[[str], None], papers: Mapping[str, Path], home: str = "") -> None:
    """Run everything until Ctrl-C, with these pages beside ours; `home` is the command of the bot that a window with
    nothing in it shows. Raises OSError if a port that was asked for is taken, and `NoServer`."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    with _folder(options.data) as folder, _list_settings(folder, options.processes) as all_settings:
        if not (folder / "clock").exists():
            (folder / "clock").write_text("0\n")
        playground = await _open(options.port, folder / "clock", papers)
        playground.core.world.home = home
        environment = _environment(playground.address, folder)
        supervisors = [
            Supervisor(COMMAND, environment | settings, folder / f"bot{number or ''}.log")
            for number, settings in enumerate(all_settings)
        ]
        playground.control(supervisors)
        try:
            for supervisor in supervisors:
                supervisor.changed = playground.processes.changed
                await supervisor.start()
            say(f"The playground is at {playground.address}")
            say("Ctrl-C ends everything.")
            if options.browser and _has_browser():
                await asyncio.to_thread(webbrowser.open, playground.address)
            await stop.wait()
            say("Stopping.")
        finally:
            await asyncio.gather(*(supervisor.close() for supervisor in supervisors))
            await playground.stop()


@contextlib.contextmanager
def _list_settings(folder: Path, processes: int) -> Generator[list[dict[str, str]]]:
    """Yield the settings of each process: one has a file, several share a PostgreSQL server of their own."""
    if processes == 1:
        yield [{"GOPS_DATABASE": str(folder / "gops.sqlite3")}]
        return
    programs = find_programs()
    if programs is None:
        raise NoServer("several processes need PostgreSQL; install it first (Debian: apt install postgresql)")
    server = start_server(programs)
    try:
        yield [
            {"GOPS_DATABASE": server.address(), "GOPS_PEER": f"127.0.0.1:{_find_free_port()}"} for _ in range(processes)
        ]
    finally:
        server.end()


def _find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


async def _open(port: int | None, clock: Path, papers: Mapping[str, Path]) -> Playground:
    """On the port asked for; else on the usual one, or on any that is free."""
    try:
        return await _listen(PORT if port is None else port, clock, papers)
    except OSError:
        if port is not None:
            raise
        return await _listen(0, clock, papers)


async def _listen(port: int, clock: Path, papers: Mapping[str, Path]) -> Playground:
    settings = Settings(identify_seconds=0.0)  # the bot is often turned off and on
    playground = Playground(port=port, settings=settings, clock_file=clock, schema=schema.find(), papers=papers)
    playground.core.world.steady = True
    playground.add_bot("GOPS", server="Playground", owner=PEOPLE[0])
    guild = next(iter(playground.core.world.guilds.values()))
    for name in PEOPLE[1:]:
        playground.core.world.add_member(guild, playground.core.world.add_user(name))
    _beyond(playground)
    try:
        await playground.start()
    except OSError:
        await playground.stop()
        raise
    return playground


def _beyond(playground: Playground) -> None:
    """Where the bot was never invited: a group chat, and a server of somebody else's. The first person has installed it
    for themselves."""
    world = playground.core.world
    world.add_user(THIRD)
    known = {one.name: one for one in world.users.values()}
    world.add_group("Card night", [known[name] for name in (*PEOPLE, THIRD)])
    elsewhere = world.add_guild("Elsewhere", world.add_user("another owner"))
    world.add_channel(elsewhere, "lounge")
    for name in (*PEOPLE, THIRD):
        world.add_member(elsewhere, known[name])
    next(iter(world.apps.values())).installs.add(known[PEOPLE[0]].id)


def _environment(address: str, folder: Path) -> dict[str, str]:
    """The bot's: everything of ours, but none of a real bot's settings."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith(("GOPS_", "DISCORD_"))}
    return {
        **ours,
        "DISCORD_TOKEN": TOKEN,
        "DISCORD_API_URL": f"{address}/api/v10",
        "GOPS_CLOCK_FILE": str(folder / "clock"),
        "GOPS_CLOCK": CLOCK,
    }


@contextlib.contextmanager
def _folder(data: Path | None) -> Generator[Path]:
    """The folder to keep, or one that is gone at the end."""
    if data is not None:
        data.mkdir(parents=True, exist_ok=True)
        yield data.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="gops-play-") as scratch:
        yield Path(scratch)


def _has_browser() -> bool:
    """Whether there is a screen to open one on; a browser in this very terminal would be in the way."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
