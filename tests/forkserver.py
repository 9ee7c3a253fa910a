"""Starts processes that have the bot imported already: one for each worker of the tests, `python -m tests.forkserver`.

What it starts is a process of its own like any other, with its own sockets and pipes, to be signalled, killed and
waited for; it only does not have to import a thousand modules first, which is most of the processor time of a start.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import selectors
import signal
import socket
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from bot import commands
from tests import thinkers

READY = b"ready\n"

PRELOADED = (
    "bot.app",
    "bot.playground.local",
    *(one.name for one in walk_packages(commands.__path__, "bot.commands.")),
)
"""what is imported before anything is started, with everything that it needs; not `bot.__main__`, which is run"""
THINKERS = "thinkers"
"""what is asked instead of a process to start: where the worker processes of the house come from"""

UNHURRIED = "TESTS_UNHURRIED"
"""in the environment of a bot: the seconds after which it says that an answer takes long, where Discord waits longer"""

LATE_TOKENS = "TESTS_LATE_TOKENS"
"""in the environment of a bot: how much shorter it waits for a token that Discord does not know yet"""

STREAMS = 3
"""standard input, output and error come along with each request"""

STDIN = 0


@dataclass
class Child:
    pid: int
    told: bool = False
    """whether the other side knows that it has ended; until then its number belongs to nobody else"""


class Server:
    """One connection for each child: it brings the command, gets the pid and the exit code, and kills by closing."""

    def __init__(self, path: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._children: dict[socket.socket, Child] = {}
        self._select = selectors.DefaultSelector()
        self._path = str(path)
        self._thinkers: thinkers.Source | None = None
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is the tests' to handle; we end with them
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    def serve(self) -> dict[str, Any] | None:
        """Until standard input ends; in a child it returns what that has to run."""
        for one in (STDIN, self._woken, self._listener):
            self._select.register(one, selectors.EVENT_READ)
        while True:
            for key, _ in self._select.select():
                if key.fileobj == STDIN:
                    return self._close()
                if key.fileobj == self._woken:
                    os.read(self._woken, 4096)
                    self._tell()
                    if self._thinkers is not None:
                        self._thinkers.look()
                elif key.fileobj is self._listener:
                    wanted = self._start()
                    if wanted is not None:
                        return wanted
                else:
                    self._bury(key.fileobj)

    def _start(self) -> dict[str, Any] | None:
        connection, _ = self._listener.accept()
        data, streams, _, _ = socket.recv_fds(connection, 65536, STREAMS)
        while not data.endswith(b"\n"):
            data += connection.recv(65536)
        wanted = json.loads(data)
        if wanted == THINKERS:
            with connection:
                connection.sendall(f"{self._where_thinkers_are()}\n".encode())
            return None
        pid = os.fork()
        if not pid:
            connection.close()
            self._become(streams)
            return wanted
        for stream in streams:
            os.close(stream)
        self._children[connection] = Child(pid)
        self._select.register(connection, selectors.EVENT_READ)
        connection.sendall(b"%d\n" % pid)
        return None

    def _where_thinkers_are(self) -> str:
        """Where the worker processes of the house come from, which most tests need none of."""
        path = f"{self._path}-thinkers"
        if self._thinkers is None:
            self._thinkers = thinkers.Source(path)
        return path

    def _become(self, streams: list[int]) -> None:
        """As a process finds itself at its start: its own three streams, no others, every signal as usual."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        self._select.close()
        self._listener.close()
        for connection in self._children:
            connection.close()
        os.closerange(STREAMS, os.sysconf("SC_OPEN_MAX"))

    def _tell(self) -> None:
        """A child has ended: its exit code."""
        for connection, child in self._children.items():
            if child.told:
                continue
            ended = os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if ended is not None:
                child.told = True
                code = ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
                connection.sendall(b"%d\n" % code)

    def _bury(self, connection: Any) -> None:
        """The other side is done with a child, or gone."""
        child = self._children.pop(connection)
        self._select.unregister(connection)
        connection.close()
        if not child.told:
            os.kill(child.pid, signal.SIGKILL)
        os.waitpid(child.pid, 0)

    def _close(self) -> None:
        for connection in list(self._children):
            self._bury(connection)
        if self._thinkers is not None:
            self._thinkers.end()


def run(wanted: dict[str, Any]) -> None:
    """Run `python -m MODULE ARGUMENTS` in the given folder and environment."""
    os.environ.clear()
    os.environ.update(wanted["environment"])
    os.chdir(wanted["folder"])
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - streams stay open to the end
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.argv[1:] = wanted["arguments"]
    if UNHURRIED in os.environ:
        error_handler: Any = import_module("bot.interactions.error_handler")
        painter: Any = import_module("bot.messages.render")
        error_handler.DEFER_AFTER = float(os.environ[UNHURRIED])
        painter.PATIENCE = 4 * error_handler.DEFER_AFTER
        publisher: Any = import_module("bot.messages.publisher")
        publisher.SLOW = error_handler.DEFER_AFTER
    if LATE_TOKENS in os.environ:
        late: Any = import_module("bot.rest.late_tokens")
        haste = float(os.environ[LATE_TOKENS])
        answer: Any = import_module("bot.interactions.answer")
        answer.PAUSES = tuple(haste * one for one in answer.PAUSES)
        late.PAUSES, late.LATEST = tuple(haste * one for one in late.PAUSES), haste * late.LATEST
    thinkers.use()
    runpy.run_module(wanted["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for name in PRELOADED:
        import_module(name)
    server = Server(Path(sys.argv[1]))
    gc.collect()
    gc.freeze()  # not copied because a child's collector has looked at it
    os.write(1, READY)
    mine = server.serve()
    if mine is not None:
        run(mine)
