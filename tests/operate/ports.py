"""A port of this machine that nobody listens on, and that no other test of this machine is given meanwhile."""

import os
import socket
from itertools import count

LOWEST, PORTS = 20_000, 12_000
"""They lie below the ephemeral ports (Linux: from 32,768 on), because most of them are opened seconds later, by a
process that has to start first."""

_next = count(os.getpid() * 100)


def free_port() -> int:
    """The port stays reserved until this process ends."""
    while True:
        port = LOWEST + next(_next) % PORTS
        if _reserve(port):
            return port


def _reserve(port: int) -> bool:
    """Take the UDP port of this number: no other process can, and the TCP port stays free for the server of a test."""
    with socket.socket() as link, socket.socket(type=socket.SOCK_DGRAM) as reservation:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            link.bind(("127.0.0.1", port))
            reservation.bind(("127.0.0.1", port))
        except OSError:  # another process has the port
            return False
        reservation.detach()  # stays open
    return True
