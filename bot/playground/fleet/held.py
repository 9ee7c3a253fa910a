"""`python -m bot.playground.fleet.held COMMAND ...`: a program that knows nothing of us, and ends with us.

When standard input ends whoever started this is gone. SIGTERM and the end of input become SIGINT, at which PostgreSQL
ends whoever is connected; SIGQUIT, at which it ends as in a crash, is handed on as it is.
"""

import argparse
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

STDIN = 0


def when_input_ends(then: Callable[[], object]) -> None:
    """Call this, from a thread, once nobody holds the other end of standard input."""

    def read() -> None:
        while os.read(STDIN, 4096):
            pass
        then()

    threading.Thread(target=read, daemon=True).start()


def as_user(name: str) -> dict[str, Any]:
    """What `subprocess` is told to run something as somebody else; nothing for no name."""
    if not name:
        return {}
    import pwd  # only now: some systems have none

    return {"user": name, "group": pwd.getpwnam(name).pw_gid, "extra_groups": []}


def leave_to_program(number: int, frame: object) -> None:
    """At a terminal it hears of Ctrl-C itself."""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--user", default="")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    # Started in the background of a shell it would inherit from us that this is ignored.
    signal.signal(signal.SIGINT, leave_to_program)
    process = subprocess.Popen(asked.command, stdin=subprocess.DEVNULL, **as_user(asked.user))  # noqa: S603 - ours

    def hand_on(number: int, _: object) -> None:
        process.send_signal(signal.SIGINT if number == signal.SIGTERM else number)

    for number in (signal.SIGTERM, signal.SIGQUIT):
        signal.signal(number, hand_on)
    when_input_ends(lambda: process.send_signal(signal.SIGINT))
    return abs(process.wait())


if __name__ == "__main__":
    sys.exit(main())
