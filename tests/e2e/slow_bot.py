"""The bot with a house player more, who thinks until a file appears. Run as `python -m tests.e2e.slow_bot run`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from bot.engine.choices import Bid, Choice
from bot.solver.players.levels import LEVELS, Level, Question

MAY_BID = "TESTS_HOUSE_MAY_BID"
"""names the file"""
THINKS = ".thinks"
"""what the name of another file ends with, which is there as soon as it has begun to think"""


def patient(asked: Question) -> Choice:
    """The highest card, once the file is there."""
    file = Path(os.environ[MAY_BID])
    file.with_suffix(THINKS).touch()
    while not file.exists():
        time.sleep(0.01)
    prompt = asked.seen.prompt
    assert prompt is not None
    return Bid(prompt.options[-1:])


PATIENT = Level("patient", "Patient", "waits for a file", patient, slow=True)

if __name__ == "__main__":
    # Under this module's own name, by which a worker process finds it.
    from tests.e2e import slow_bot

    LEVELS.append(slow_bot.PATIENT)
    from bot.__main__ import main

    sys.exit(main())
