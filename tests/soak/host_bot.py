"""The bot on a machine whose clocks are moved (`tests/soak/host.py`). Run as `python -m tests.soak.host_bot run`.

As on any machine, its time of day may be set at any moment, its steady clock counts the time in which it slept, and
neither knows of time in which it was paused from outside. Its network to another process may be cut.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord

from bot import app
from bot.process.base import clock
from bot.process.peers import peers
from bot.process.peers.connection import LocalPeer, PeerConnection
from tests.soak.host import FILE, Moved, read

_time = time.time
_steady = clock.steady


class HostClock:
    """What its file says, read again whenever that changes."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._stamp: tuple[int, int] | None = None
        self._moved = Moved()

    @property
    def moved(self) -> Moved:
        found = self._file.stat()
        stamp = found.st_mtime_ns, found.st_ino
        if stamp != self._stamp:
            self._moved, self._stamp = read(self._file), stamp
        return self._moved

    def time(self) -> float:
        return _time() + self.moved.wrong

    def steady(self) -> float:
        return _steady() + self.moved.slept


def parted(host: HostClock) -> type[PeerConnection]:
    class Connection(PeerConnection):
        """Nothing comes through to the peer or from it while the network is cut; what is not too late comes then."""

        def __init__(self, local: LocalPeer, address: str = "") -> None:
            super().__init__(local, address)
            self._address = address
            self._data = b""
            self._frames: list[tuple[int, int, bytes]] = []

        def _is_cut(self) -> bool:
            return bool(self._address) and host.moved.parted == self._address

        def data_received(self, data: bytes) -> None:
            self._data += data
            if not self._is_cut():
                data, self._data = self._data, b""
                super().data_received(data)

        def send(self, kind: int, number: int, body: bytes = b"") -> None:
            self._frames.append((kind, number, body))
            while self._frames and not self._is_cut():
                super().send(*self._frames.pop(0))

    return Connection


def on(host: HostClock) -> None:
    """From now on this process goes by that machine's clocks."""

    class Clock(clock.SystemClock):
        def __init__(self, file: Path | None = None) -> None:
            super().__init__(file, host.time)

        def offset(self) -> timedelta:
            return super().offset() - timedelta(seconds=host.moved.paused)

    patched: Any = app
    patched.SystemClock, patched.steady = Clock, host.steady
    linked: Any = peers
    linked.PeerConnection = parted(host)
    offset = clock.SystemClock(Path(os.environ["GOPS_CLOCK_FILE"])).offset

    def of_day() -> float:
        return host.time() + offset().total_seconds() - host.moved.paused

    time.time = of_day
    discord.utils.utcnow = lambda: datetime.fromtimestamp(of_day(), UTC)


if __name__ == "__main__":
    from bot.__main__ import main

    on(HostClock(Path(os.environ[FILE])))
    sys.exit(main())
