"""Random numbers that are handed to a mind: nothing but a key, so that anybody who has it draws the same ones.

docs/fairness.md fixes every byte.
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
        """The next number, from 0 to 2^32 - 1."""
        if not self._block:
            self._block = hmac.digest(self._key, str(self._counter).encode(), "sha256")
            self._counter += 1
        number, self._block = int.from_bytes(self._block[:4], "big"), self._block[4:]
        return number

    def below(self, bound: int) -> int:
        """From 0 to bound - 1, every one equally likely: what would favour some is thrown away."""
        limit = _NUMBERS - _NUMBERS % bound
        while (number := self.number()) >= limit:
            pass
        return number % bound

    def share(self) -> float:
        """From 0 (included) to 1 (not): 53 bits out of two numbers."""
        return ((self.number() >> 5) * 2**26 + (self.number() >> 6)) / 2**53

    def sample(self, items: Sequence[T], size: int) -> tuple[T, ...]:
        """So many different places of `items`, every choice of them equally likely."""
        left = list(items)
        return tuple(left.pop(self.below(len(left))) for _ in range(size))
