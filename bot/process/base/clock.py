"""The system clock, corrected to Discord's time, and system entropy."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

FARTHEST = timedelta(days=3650)
"""largest offset of a clock file: dates end beyond it"""

CLOSE = timedelta(seconds=1)
"""tolerated difference from Discord's time: interactions need a part of it for their way"""

UNLIKELY = timedelta(days=2)
"""a larger difference is ignored: no clock is so wrong"""

LATE = 2
"""interactions that must agree before the clock is set back: a single one may have been late"""

PERIOD = 1800.0
"""seconds after which older interactions are dropped, because clocks drift"""


def read_offset(file: Path) -> timedelta:
    """Read the offset in a clock file. Raises OSError, or ValueError if it is not a number of seconds."""
    seconds = float(file.read_text(encoding="utf-8").strip() or 0)
    if not abs(seconds) <= FARTHEST.total_seconds():  # also refuses NaN
        raise ValueError("a clock is moved by ten years at most")
    return timedelta(seconds=seconds)


_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)

steady: Callable[[], float] = time.monotonic if _BOOT is None else partial(time.clock_gettime, _BOOT)
"""monotonic seconds; they include the sleep of the machine where the system counts it"""


class SystemClock:
    """Aware UTC time, corrected to Discord's. It starts from the system time and then follows the monotonic clock, so
    that a change of the system time has no effect. The ids of interactions give the difference from Discord's clock.
    A clock file (tests and the playground) has seconds to add, and is read again when it changes."""

    def __init__(
        self, file: Path | None = None, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady
    ) -> None:
        self.file = file
        self.skew = timedelta()
        """correction that is added to the system time"""
        self._steady = steady
        self._began = steady()
        self._wall = self._right = datetime.fromtimestamp(wall(), UTC)
        """start of the clock by the system time, and by Discord's"""
        self._offset = timedelta()
        self._stamp: tuple[int, int] | None = None
        self._heard: list[_Heard] = []
        """differences by interactions, in the present half hour and the one before"""

    def now(self) -> datetime:
        if self.file is not None:
            return self._local() + self.skew
        return self._right + timedelta(seconds=self._steady() - self._began)

    def _local(self) -> datetime:
        time = self._wall + timedelta(seconds=self._steady() - self._began)
        return time if self.file is None else time + self.offset()

    def off(self, at: datetime) -> timedelta:
        """Return the correction that is due after an interaction with this time. An interaction can be late but never
        early, so the quickest ones are nearest to the truth."""
        told = at - self._local()
        if abs(told) > UNLIKELY:
            return timedelta()
        moment = self._steady()
        if not self._heard or moment - self._heard[-1].since > PERIOD:
            self._heard = [*self._heard[-1:], _Heard(moment, told)]
        newest = self._heard[-1]
        newest.quickest = max(newest.quickest, told)
        newest.presses += 1
        truth = max(one.quickest for one in self._heard) - self.skew
        if abs(truth) <= CLOSE or (truth < timedelta() and sum(one.presses for one in self._heard) < LATE):
            return timedelta()
        return truth

    def set(self, by: timedelta) -> None:
        self.skew += by
        self._right += by

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
            return self._offset  # no file yet, or half written: keep the last offset
        return self._offset


@dataclass
class _Heard:
    """The interactions of one period."""

    since: float
    quickest: timedelta
    presses: int = 0


class SystemEntropy:
    """Unpredictable bytes of the system."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)
