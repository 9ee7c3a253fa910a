"""Somebody who presses one message faster than anybody can answer: they are told once, and keep nobody waiting."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from enum import Enum, auto

MAX_RUNNING = 4
"""presses of one person on one message under way at once"""


class Verdict(Enum):
    """What is done with a press."""

    HANDLE = auto()
    WARN = auto()
    """it changes nothing, and they hear so"""
    DROP = auto()
    """it changes nothing, as they have heard"""


class PressThrottle:
    """Presses under way, by person and message. It goes by what is unanswered and not by a number in a time: who waits
    for each answer may be as quick as they like."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[int, int], int] = {}
        self._told: set[tuple[int, int]] = set()

    def __len__(self) -> int:
        return len(self._under_way) + len(self._told)

    @contextmanager
    def press(self, user: int, message: int) -> Generator[Verdict]:
        """While this press is under way."""
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
