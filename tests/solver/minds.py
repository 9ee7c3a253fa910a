"""Minds for tests; in a module of their own, because a worker process imports it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from bot.engine.choices import Bid, Choice
from bot.solver.players.levels import Level, Question, find_level

BELL = "TESTS_MIND_BELL"
"""names a folder: a held mind goes on when the file `go` is in it"""


def wait_for_bell() -> None:
    """A process that is not ready before it is told."""
    while not (Path(os.environ[BELL]) / "go").exists():
        time.sleep(0.01)


def held_sage(asked: Question) -> Choice:
    """Sage, once it may."""
    wait_for_bell()
    sage = find_level("sage")
    assert sage is not None
    return sage.mind(asked)


def highest(asked: Question) -> Choice:
    """The highest card."""
    prompt = asked.seen.prompt
    assert prompt is not None
    return Bid(prompt.options[-prompt.size :])


def in_which_process(when: str) -> int:
    """The number of the process that thinks, once this file is there."""
    while not Path(when).exists():
        time.sleep(0.01)
    return os.getpid()


def for_ever(asked: Question) -> Choice:
    """Never comes to an end by itself."""
    while True:
        time.sleep(60)


def dies(asked: Question) -> Choice:
    os._exit(1)


def fails(asked: Question) -> Choice:
    raise RuntimeError("a mind in trouble")


def cheats(asked: Question) -> Choice:
    """Bids a card that it does not hold."""
    return Bid((99,))


DEEP = Level("deep", "Deep", "thinks in a process of its own", highest, slow=True)
HELD_SAGE = Level("held", "Held", "thinks when it may", held_sage, slow=True)
STUCK = Level("stuck", "Stuck", "never ends", for_ever, slow=True)
DYING = Level("dying", "Dying", "ends its process", dies, slow=True)
FAILING = Level("failing", "Failing", "raises", fails)
CHEATING = Level("cheating", "Cheating", "bids what it has not", cheats)


class Endless:
    """Instead of a question: whoever looks at it never comes to an end by himself."""

    def __init__(self, folder: Path) -> None:
        self.begun = folder / "begun"

    @property
    def rules(self) -> Any:
        self.begun.touch()
        while True:
            time.sleep(0.01)
