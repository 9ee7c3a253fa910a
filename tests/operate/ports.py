"""A port of this machine that nobody listens on, and that nobody is given meanwhile."""

import os
import re
import socket
from itertools import count

LOWEST, SLICE = 20_000, 1_000
"""The lowest port and the ports for each test process. They lie below the ephemeral ports (Linux: from 32,768 on),
because most of them are opened seconds later, by a process that has to start first."""

_next = count(os.getpid())


def free_port() -> int:
    number = re.search(r"\d+", os.environ.get("PYTEST_XDIST_WORKER", ""))
    first = LOWEST + SLICE * (int(number[0]) if number else 0) % (12 * SLICE)
    while True:
        port = first + next(_next) % SLICE
        with socket.socket() as link:
            link.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                link.bind(("127.0.0.1", port))
            except OSError:  # another process has the port
                continue
        return port
