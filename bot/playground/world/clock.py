"""The stand-in's own clock, which a file can move, and ids as Discord makes them of the time."""

import contextlib
import os
import time
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path


class Clock:
    """Real time plus an offset.

    The offset comes from a file holding a number of seconds, read again whenever the file changes, so that a
    bot which reads the same file moves along. Without a file the offset is kept in memory.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._offset = 0.0

    @property
    def offset(self) -> float:
        """Seconds added to real time at this moment."""
        if self._path is not None:
            self._reread(self._path)
        return self._offset

    def time(self) -> float:
        """Seconds since 1970 by this clock."""
        return time.time() + self.offset

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.time(), UTC)

    def set_offset(self, offset: timedelta) -> None:
        """Move the clock, and the file with it where there is one."""
        self._offset = offset.total_seconds()
        if self._path is not None:
            draft = self._path.with_name(f"{self._path.name}.draft")
            draft.write_text(f"{self._offset}\n")
            draft.replace(self._path)

    def _reread(self, path: Path) -> None:
        try:
            status = os.stat(path)
        except FileNotFoundError:
            self._stamp, self._offset = None, 0.0
            return
        stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        if stamp != self._stamp:
            with contextlib.suppress(ValueError):  # half-written: the next look will see all of it
                self._offset = float(path.read_text().strip() or 0)
                self._stamp = stamp


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
