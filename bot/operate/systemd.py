"""Notifications to systemd (`Type=notify`, sd_notify(3)): readiness, status and watchdog."""

from __future__ import annotations

import asyncio
import os
import socket
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
