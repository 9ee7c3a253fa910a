"""Notifications to systemd (sd_notify(3)), and a watchdog that ends a process whose event loop hangs.

systemd has its own watchdog (`SystemdNotifier.feed`). A container has none: its health check only marks it unhealthy,
so `Watchdog` ends the process, and its supervisor starts it again.
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping


class SystemdNotifier:
    """Sends notifications to the socket that the environment names; without one it does nothing."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        told = environment.get("WATCHDOG_USEC", "")
        self.patience = int(told) / 1e6 if for_us and told.isascii() and told.isdecimal() else 0.0
        """seconds after which systemd kills a silent process; 0: never"""

    def tell(self, *lines: str) -> None:
        """Send lines without waiting. Errors are ignored: the receiver may be gone."""
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as link:
                link.setblocking(False)
                link.connect(address)
                link.send("\n".join(lines).encode())
        except OSError:
            return

    async def feed(self, alive: Callable[[], bool]) -> None:
        """Feed the watchdog twice in the time allowed while `alive` returns True, until cancelled."""
        while self.patience:
            if alive():
                self.tell("WATCHDOG=1")
            await asyncio.sleep(self.patience / 2)


log = logging.getLogger(__name__)

HUNG = 30
"""Checks, a second apart, without a turn of the loop between them. A frozen process makes no checks."""

EXIT_HUNG = 1


class Watchdog:
    """A thread that watches the event loop."""

    def __init__(self, last_turn: Callable[[], float], looks: int = HUNG, apart: float = 1.0) -> None:
        """`last_turn` returns a new value after each turn of the loop."""
        self._last_turn, self._looks, self._apart = last_turn, looks, apart
        self._ended = threading.Event()

    def __enter__(self) -> Watchdog:
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _watch(self) -> None:
        seen, still = self._last_turn(), 0
        while not self._ended.wait(self._apart):
            now = self._last_turn()
            seen, still = now, still + 1 if now == seen else 0
            if still >= self._looks:
                log.critical("the event loop hangs for %.0f s: ending the process", still * self._apart)
                faulthandler.dump_traceback(all_threads=True)
                os._exit(EXIT_HUNG)
