"""Deterministic random numbers for house players: the same key always gives the same numbers.

docs/fairness.md specifies every byte, so that others can check a choice.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

_NUMBERS = 2**32


class Chance:
    """32-bit numbers, big-endian, eight from each HMAC-SHA256(key, counter in decimal)."""

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._counter = 0
        self._block = b""

    def __repr__(self) -> str:
        return "Chance()"  # the key reveals what this seat will do

    def number(self) -> int:
        """Draw the next number, from 0 to 2^32 - 1."""
        if not self._block:
            self._block = hmac.digest(self._key, str(self._counter).encode(), "sha256")
            self._counter += 1
        number, self._block = int.from_bytes(self._block[:4], "big"), self._block[4:]
        return number

    def below(self, bound: int) -> int:
        """Draw a number from 0 to bound - 1 uniformly, by rejection sampling."""
        limit = _NUMBERS - _NUMBERS % bound
        while (number := self.number()) >= limit:
            pass
        return number % bound

    def share(self) -> float:
        """Draw a float from 0 (included) to 1 (excluded) with 53 bits, from two numbers."""
        return ((self.number() >> 5) * 2**26 + (self.number() >> 6)) / 2**53

    def sample(self, items: Sequence[T], size: int) -> tuple[T, ...]:
        """Draw `size` items without replacement, in random order."""
        left = list(items)
        return tuple(left.pop(self.below(len(left))) for _ in range(size))
