"""What processes say of themselves, in the words of sd_notify(3): datagrams with `STATUS=` and a few words."""

import asyncio
import os
import socket
from collections.abc import Callable

STATUS = "STATUS="
MOST = 4096
"""bytes"""


class Listener:
    """Hears one process, at a socket of this name, until it is closed."""

    def __init__(self, path: str, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(path)
        asyncio.get_running_loop().add_reader(self._socket, self._read)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()

    def _read(self) -> None:
        for line in self._socket.recv(MOST).decode("utf-8", "replace").splitlines():
            if line.startswith(STATUS):
                self._heard(line.removeprefix(STATUS))


def tell(words: str) -> None:
    """Whoever started this process and wants to know."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.sendto(f"{STATUS}{words}".encode(), os.environ["NOTIFY_SOCKET"])
