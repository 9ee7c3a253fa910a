"""What the bot tells systemd, read at the other end of the socket."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

from bot.operate.watchdog import SystemdNotifier
from tests.e2e.house import opened


class Listener:
    """As systemd listens."""

    def __init__(self, address: str) -> None:
        self.link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.link.bind(address)

    async def hears(self, line: str) -> None:
        """Wait until this is said."""
        async with asyncio.timeout(60):
            while line not in (await asyncio.get_running_loop().sock_recv(self.link, 4096)).decode().split("\n"):
                pass


async def test_bot_notifies_systemd_of_its_start_and_its_stop(tmp_path: Path) -> None:
    address = str(tmp_path / "notify")
    listener = Listener(address)
    async with opened(tmp_path, start=False) as house:
        house.bot.settings |= {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "400000"}
        await house.bot.start()
        await listener.hears("READY=1")
        await listener.hears("WATCHDOG=1")
        await house.stage.gateway("close", code=4000)
        await listener.hears("STATUS=no connection to Discord")
        await listener.hears("STATUS=connected to Discord")
        await listener.hears("WATCHDOG=1")
        assert await house.bot.stop() == 0
        await listener.hears("STOPPING=1")
    listener.link.close()


async def test_hanging_loop_sends_no_watchdog_notice(tmp_path: Path) -> None:
    address = "@gops-test-" + tmp_path.name
    listener = Listener("\0" + address[1:])
    notifier = SystemdNotifier({"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "20000"})
    asked = 0

    def alive() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    feeding = asyncio.create_task(notifier.feed(alive))
    await listener.hears("WATCHDOG=1")
    assert asked > 3
    feeding.cancel()
    await asyncio.gather(feeding, return_exceptions=True)
    listener.link.close()


def test_notifier_without_a_listener_does_nothing(tmp_path: Path) -> None:
    SystemdNotifier({}).tell("READY=1")
    SystemdNotifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell("READY=1")
    assert SystemdNotifier({"WATCHDOG_USEC": "1000000"}).patience == 1.0
    assert SystemdNotifier({"WATCHDOG_USEC": "1000000", "WATCHDOG_PID": str(os.getpid() + 1)}).patience == 0.0
