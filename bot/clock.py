"""The real clock and the real entropy."""

import secrets
from datetime import UTC, datetime, timedelta
from pathlib import Path

FARTHEST = timedelta(days=3650)
"""a clock is moved by no more than this: further on dates come to an end"""


def read_offset(file: Path) -> timedelta:
    """What a clock file adds. Raises OSError, or ValueError where that is no number of seconds."""
    seconds = float(file.read_text(encoding="utf-8").strip() or 0)
    if not abs(seconds) <= FARTHEST.total_seconds():  # nor is what is no number at all
        raise ValueError("a clock is moved by ten years at most")
    return timedelta(seconds=seconds)


class SystemClock:
    """Aware UTC time. A clock file (tests and the playground) holds seconds to add, and is read when it changes."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self._offset = timedelta()
        self._stamp: tuple[int, int] | None = None

    @property
    def movable(self) -> bool:
        return self.file is not None

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset()

    def offset(self) -> timedelta:
        if self.file is None:
            return self._offset
        try:
            found = self.file.stat()
            stamp = (found.st_mtime_ns, found.st_size)
            if stamp != self._stamp:
                self._offset = read_offset(self.file)
                self._stamp = stamp
        except (OSError, ValueError):
            return self._offset  # no file yet, or half written: the last offset holds
        return self._offset


class SystemEntropy:
    """Bytes that nobody can foresee."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)
