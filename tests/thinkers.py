"""Worker processes of the house from a fork server with their libraries imported and compiled.

Outside the tests each worker is a new interpreter (`bot/referee/house/thinking.py`), which needs more than a second of
CPU before its first thought. Tests start about a hundred workers.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from multiprocessing import forkserver, popen_forkserver, resource_tracker, spawn
from types import SimpleNamespace
from typing import Any

PRELOADED = "tests.worker_libraries"
SERVE = "from multiprocessing.forkserver import main; main({}, {}, [{!r}])"

KNOWN = sys.version_info < (3, 14) and hasattr(os, "fork")
"""newer Pythons authenticate with a key that only the starter of the fork server has"""


class Source:
    """The fork server of multiprocessing at a path. When lost, it starts again on the same socket."""

    def __init__(self, path: str) -> None:
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen()
            self._door = os.dup(door.fileno())
        self._begin()

    def _begin(self) -> None:
        alive, self._ours = os.pipe()
        given = (self._door, alive)
        self._server = subprocess.Popen([sys.executable, "-c", SERVE.format(*given, PRELOADED)], pass_fds=given)
        os.close(alive)

    def look(self) -> None:
        """A child of ours has ended: perhaps this one."""
        if self._server.poll() is not None:
            os.close(self._ours)
            self._begin()

    def end(self) -> None:
        os.close(self._ours)
        self._server.wait()
        os.close(self._door)


def use() -> None:
    """From now on worker processes of this one come from there."""
    from bot.referee.house import thinking

    if KNOWN:
        thinking.START = "forkserver"
        client: Any = forkserver._forkserver  # pyright: ignore[reportAttributeAccessIssue]
        client.ensure_running = _found
        door: Any = popen_forkserver
        door.spawn = SimpleNamespace(get_preparation_data=_told)


def _told(name: str) -> dict[str, Any]:
    """Return the preparation data of a process, with the environment of the asking process."""
    return {**spawn.get_preparation_data(name), "environment": Environment()}


class Environment:
    """Set the environment of the process that unpickles this."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _take_on, (dict(os.environ),)


def _take_on(environment: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def _found() -> None:
    """Instead of a fork server for each process: the one of this worker of the tests."""
    from tests import forked

    resource_tracker.ensure_running()
    client: Any = forkserver._forkserver  # pyright: ignore[reportAttributeAccessIssue]
    client._forkserver_address = forked.thinkers()
    if client._forkserver_alive_fd is None:
        client._forkserver_alive_fd = os.open(os.devnull, os.O_RDONLY)  # it wants one to hand on
