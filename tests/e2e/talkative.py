"""The bot with everything that it logs, and with whatever a test does to it: `python -m tests.e2e.talkative run`."""

import logging
import os
import sys

from bot.__main__ import main
from bot.process.base import log

MORE = "TESTS_MORE"
"""names the code that is run before the bot is"""


def loudly(kind: str, expected: tuple[type[Exception], ...] = ()) -> None:
    set_up(kind, expected)
    logging.getLogger().setLevel(logging.DEBUG)


if __name__ == "__main__":
    set_up = log.set_up
    log.set_up = loudly
    exec(os.environ.pop(MORE, ""), {"logging": logging})
    sys.exit(main())
