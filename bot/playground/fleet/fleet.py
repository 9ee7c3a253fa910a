"""Workers, keepers, a balancer and a PostgreSQL server: each a process of its own, kept running beside the stand-in."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bot.playground.fleet.database import Database, NoServer
from bot.playground.fleet.status import Listener
from bot.playground.supervisor import Supervisor

HERE = "127.0.0.1"
KEEPERS = 2
BALANCER, DATABASE = "The balancer", "PostgreSQL"

LISTENS_WITHIN = 30.0
"""seconds for the first worker; the keepers tell Discord an address, which is tried out at once"""

LOOK = 0.05
"""seconds between two looks"""


class Fleet:
    """What a supervisor is of one process. `changed` is called at every turn of each."""

    def __init__(
        self,
        workers: int,
        environment: Mapping[str, str],
        folder: Path,
        database: Database,
        supervise: Callable[..., Supervisor] = Supervisor,
    ) -> None:
        """`environment`: of each process; their logs go to the folder."""
        front, *ports = _free_ports(1 + KEEPERS + workers)
        self._environment = {
            **environment,
            "GOPS_DATABASE": database.address,
            "GOPS_ENDPOINT": f"http://{HERE}:{front}/interactions",
        }
        self._folder = folder
        self._database = database
        self._supervise = supervise
        self._listening: list[Listener] = []
        self._told: dict[str, str] = {}
        """what each says of itself"""
        self._behind = ports[KEEPERS:]
        self.changed: Callable[[], None] = lambda: None
        self._keepers = self._bots("Keeper", ports[:KEEPERS])
        self._workers = self._bots("Worker", self._behind)
        balancer = (sys.executable, "-m", "bot.playground.fleet.balancer", str(front), *map(str, self._behind))
        self._beside = {BALANCER: self._part(BALANCER, balancer, NOTIFY_SOCKET=self._socket(BALANCER))}
        self._server = self._part(DATABASE, database.command, crash=signal.SIGQUIT)

    @property
    def parts(self) -> Mapping[str, Supervisor]:
        return {**self._workers, **self._keepers, **self._beside, DATABASE: self._server}

    def describe(self) -> dict[str, Any]:
        """How all of them are, and each: `parts`, by name."""
        known = {name: {**one.describe(), "doing": self._told.get(name, "")} for name, one in self.parts.items()}
        states = {one["state"] for one in known.values()}
        missing = [one["note"] for one in known.values() if one["state"] != "running"]
        state = states.pop() if len(states) == 1 else "ended"
        note = {"running": "All of them are running.", "off": "All of them are off."}.get(state) or " ".join(missing)
        return {"state": state, "note": note, "parts": known}

    async def start(self) -> None:
        """The server first, then whoever needs it; each again whenever it ends. Raises `NoServer`."""
        self._listen()
        await self._database.prepare()
        await self._server.start()
        if not await self._database.answers():
            raise NoServer(f"PostgreSQL does not answer. {self._server.describe()['note']}")
        for one in (*self._workers.values(), *self._beside.values()):
            await one.start()
        await self._somebody_listens()
        for one in self._keepers.values():
            await one.start()

    async def kill(self) -> None:
        """All at once, as a power cut would; they are started again by themselves."""
        for one in self.parts.values():
            await one.kill()

    async def stop(self) -> None:
        """Ask them to finish, and leave them off; the server last."""
        await asyncio.gather(*(one.stop() for one in self.parts.values() if one is not self._server))
        await self._server.stop()

    async def close(self) -> None:
        """The end of it all."""
        await asyncio.gather(*(one.close() for one in self.parts.values() if one is not self._server))
        await self._server.close()
        for one in self._listening:
            one.close()
        self._database.forget()

    def _bots(self, role: str, ports: Sequence[int]) -> dict[str, Supervisor]:
        """One for each port, by name."""
        named = {f"{role} {number}": port for number, port in enumerate(ports, 1)}
        run = (sys.executable, "-m", "bot", "run", "--until-stdin-ends", "--env", os.devnull, "--role", role.lower())
        return {
            name: self._part(name, run, GOPS_LISTEN=f"{HERE}:{port}", NOTIFY_SOCKET=self._socket(name))
            for name, port in named.items()
        }

    def _part(
        self, name: str, command: Sequence[str], crash: signal.Signals = signal.SIGKILL, **settings: str
    ) -> Supervisor:
        log = self._folder / f"{_plain(name)}.log"
        part = self._supervise(command, {**self._environment, **settings}, log, name, crash)
        part.changed = partial(self._turned, name)
        return part

    def _turned(self, name: str) -> None:
        """It began or ended; what it said before that is out of date."""
        self._told.pop(name, None)
        self.changed()

    def _heard(self, name: str, words: str) -> None:
        self._told[name] = words
        self.changed()

    def _socket(self, name: str) -> str:
        return str(self._database.scratch / _plain(name))

    def _listen(self) -> None:
        """To what each says of itself."""
        if not self._listening:
            for name in (*self._workers, *self._keepers, *self._beside):
                self._listening.append(Listener(self._socket(name), partial(self._heard, name)))

    async def _somebody_listens(self) -> None:
        """Wait for the first worker; without one it works as well, some seconds later."""
        try:
            async with asyncio.timeout(LISTENS_WITHIN):
                while not await _listens(self._behind[0]):  # noqa: ASYNC110 - it tells nobody
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            return


def _plain(name: str) -> str:
    """As files are called."""
    return name.removeprefix("The ").lower().replace(" ", "-")


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection(HERE, port)
    except OSError:
        return False
    writer.close()
    return True


def _free_ports(count: int) -> list[int]:
    """So many, no two the same."""
    taken = [socket.create_server((HERE, 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in taken]
    for one in taken:
        one.close()
    return ports
