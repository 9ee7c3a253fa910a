"""Ids as Discord makes them: the time in the upper bits, never the same twice."""

from datetime import UTC, datetime
from hashlib import blake2b

from bot.playground.world.clock import Clock

EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015, where Discord's time begins."""


def time_of(snowflake: int) -> datetime:
    """When an id was made."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, UTC)


def fixed(*parts: object) -> int:
    """An id that is the same in every run for the same parts (application commands keep theirs)."""
    digest = blake2b(":".join(map(str, parts)).encode(), digest_size=8).digest()
    return 10**18 + int.from_bytes(digest) % 10**17


class Mint:
    """Makes ids from the stand-in's clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_ms = 0
        self._worker = 0
        self._count = 0

    def new(self) -> int:
        ms = int(self._clock.time() * 1000) - EPOCH_MS
        self._count += 1
        if ms > self._last_ms:
            self._count = 0
        elif ms < self._last_ms or self._count > 0xFFF:
            # The clock went back, or this millisecond is full: a fresh worker cannot repeat an id.
            self._worker = (self._worker + 1) & 0x3FF
            self._count = 0
        self._last_ms = ms
        return (ms << 22) | (self._worker << 12) | self._count
