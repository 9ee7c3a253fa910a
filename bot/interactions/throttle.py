"""Limit of presses of one user on one message: further ones are refused, the first of them with a sentence."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum, auto

MAX_RUNNING = 4
"""presses of one user on one message that are handled at once"""


class Verdict(Enum):
    """What is done with a press."""

    HANDLE = auto()
    WARN = auto()
    """refuse it with a sentence"""
    DROP = auto()
    """ignore it: the sentence was sent already"""


class PressThrottle:
    """Counts unanswered presses by user and message. A user who waits for each answer is never limited."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[int, int], int] = {}
        self._told: set[tuple[int, int]] = set()

    def __len__(self) -> int:
        return len(self._under_way) + len(self._told)

    @contextmanager
    def press(self, user: int, message: int) -> Generator[Verdict]:
        """Count this press until the block ends, and yield what to do with it."""
        key = user, message
        before = self._under_way.get(key, 0)
        self._under_way[key] = before + 1
        try:
            if before < MAX_RUNNING:
                yield Verdict.HANDLE
            elif key in self._told:
                yield Verdict.DROP
            else:
                self._told.add(key)
                yield Verdict.WARN
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]
                self._told.discard(key)
