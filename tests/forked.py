"""A process of the bot, started by the fork server of this worker (`tests/forkserver.py`)."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from tests.forkserver import READY, THINKERS

PATIENCE = 30.0
STDERR = 2

ADDRESS = "TEST_FORK_SERVER"
"""where the fork server of this worker is, for a process of it that starts others in its turn"""

_end: Callable[[], None] | None = None


def end() -> None:
    """Stop the fork server and kill its running processes."""
    global _end
    if _end is not None:
        _end()
        _end = None
        _address.cache_clear()


@cache
def _address() -> str:
    """The fork server of this process, started when first needed; if we are killed, it ends too."""
    global _end
    if ADDRESS in os.environ:
        return os.environ[ADDRESS]
    folder = tempfile.TemporaryDirectory(prefix="gops-fork-", ignore_cleanup_errors=True)
    path = str(Path(folder.name) / "socket")
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.forkserver", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == READY

    def ended() -> None:
        server.communicate(timeout=PATIENCE)
        folder.cleanup()

    _end = ended
    return path


def thinkers() -> str:
    """Where the worker processes of the house come from (`tests/thinkers.py`)."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(PATIENCE)
        link.connect(_address())
        link.sendall(json.dumps(THINKERS).encode() + b"\n")
        with link.makefile(encoding="utf-8") as told:
            return told.readline().rstrip()


class Forked:
    """Like `asyncio.subprocess.Process`, as far as tests need it."""

    def __init__(
        self,
        command: Sequence[str],
        streams: tuple[int, int, int],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        """`command` is what stands behind `python`: `-m`, a module, its arguments."""
        assert command[0] == "-m"
        address = _address()
        wanted = {
            "module": command[1],
            "arguments": command[2:],
            "environment": {**(os.environ if environment is None else environment), ADDRESS: address},
            "folder": str(folder or Path.cwd()),
        }
        self._link = socket.socket(socket.AF_UNIX)
        self._link.settimeout(PATIENCE)
        self._link.connect(address)
        data = json.dumps(wanted).encode() + b"\n"
        sent = socket.send_fds(self._link, [data], streams)
        self._link.sendall(data[sent:])
        self.pid = self._number()
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        """Signal the process; its pid stays reserved until its end was announced."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def finish(self) -> int:
        """Wait for its end, for the whole process."""
        if self.returncode is None:
            self.returncode = self._number()
            self._link.close()
        return self.returncode

    def watch(self, then: Callable[[], None] = lambda: None) -> None:
        """Notice its end from now on, in the running loop, and do this."""
        loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = loop.create_future()

        def end() -> None:
            loop.remove_reader(self._link)
            self._ended.set_result(self.finish())
            then()

        loop.add_reader(self._link, end)

    async def wait(self) -> int:
        return await asyncio.shield(self._ended)

    def _number(self) -> int:
        """Read the next number from the fork server: the pid, and at the end the exit code."""
        data = b""
        while not data.endswith(b"\n"):
            more = self._link.recv(1)
            if not more:
                raise EOFError("the fork server is gone")
            data += more
        return int(data)


def forked(command: Sequence[str], log: IO[bytes], environment: Mapping[str, str]) -> Forked:
    """Into a log, watched by the running loop."""
    with open(os.devnull, "rb") as nothing:
        process = Forked(command, (nothing.fileno(), log.fileno(), log.fileno()), environment)
    process.watch()
    return process


def piped(command: Sequence[str], environment: Mapping[str, str] | None = None) -> tuple[Forked, IO[bytes]]:
    """With what it says, watched by the running loop; its complaints go where ours go."""
    ours, its = os.pipe()
    with open(os.devnull, "rb") as nothing, open(its, "wb") as into:
        process = Forked(command, (nothing.fileno(), into.fileno(), STDERR), environment)
    process.watch()
    return process, open(ours, "rb")


def done(command: Sequence[str], text: bytes, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, like `subprocess.run`."""
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as wrong, tempfile.TemporaryFile() as given:
        given.write(text)
        given.seek(0)
        code = Forked(command, (given.fileno(), told.fileno(), wrong.fileno()), folder=folder).finish()
        for stream in (told, wrong):
            stream.seek(0)
        return subprocess.CompletedProcess(command, code, told.read().decode("utf-8"), wrong.read().decode("utf-8"))
