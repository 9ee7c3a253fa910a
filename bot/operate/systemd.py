"""What systemd is told by `Type=notify`: that the bot is there, how it is, and that it still runs (sd_notify(3))."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Mapping


class SystemdNotifier:
    """Whoever started the bot and asked to be told; nobody, where the environment names no socket."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        told = environment.get("WATCHDOG_USEC", "")
        self.patience = int(told) / 1e6 if for_us and told.isascii() and told.isdecimal() else 0.0
        """seconds after which a bot that says nothing is taken for dead; 0: never"""

    def tell(self, *lines: str) -> None:
        """Never waits, and never fails: whoever listens may be gone."""
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
        """A sign of life from the event loop itself, twice in the time allowed, until cancelled."""
        while self.patience:
            if alive():
                self.tell("WATCHDOG=1")
            await asyncio.sleep(self.patience / 2)
