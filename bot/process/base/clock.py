"""The real clock and the real entropy."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

FARTHEST = timedelta(days=3650)
"""a clock is moved by no more than this: further on dates come to an end"""

CLOSE = timedelta(seconds=1)
"""so far from Discord's time a clock is right: presses take a part of it on their way"""

UNLIKELY = timedelta(days=2)
"""no clock is believed to be so wrong: such a time is no press's"""

LATE = 2
"""presses that must agree before the clock is set back: one alone may have been late itself"""

PERIOD = 1800.0
"""seconds after which older presses are forgotten: no machine's clock goes quite right"""


def read_offset(file: Path) -> timedelta:
    """What a clock file adds. Raises OSError, or ValueError where that is no number of seconds."""
    seconds = float(file.read_text(encoding="utf-8").strip() or 0)
    if not abs(seconds) <= FARTHEST.total_seconds():  # nor is what is no number at all
        raise ValueError("a clock is moved by ten years at most")
    return timedelta(seconds=seconds)


_BOOT: int | None = getattr(time, "CLOCK_BOOTTIME", None)

steady: Callable[[], float] = time.monotonic if _BOOT is None else partial(time.clock_gettime, _BOOT)
"""seconds that go by whatever is done to the time of day; also those in which the machine slept, where it tells"""


class SystemClock:
    """Aware UTC time, as Discord has it. It begins with this machine's and goes on steadily, so that nobody can set it
    while the bot runs; how far it is from Discord's is learnt from the ids of presses. A clock file (tests and the
    playground) holds seconds to add, and is read when it changes."""

    def __init__(
        self, file: Path | None = None, wall: Callable[[], float] = time.time, steady: Callable[[], float] = steady
    ) -> None:
        self.file = file
        self.skew = timedelta()
        """what is added to this machine's time"""
        self._steady = steady
        self._began = steady()
        self._wall = self._right = datetime.fromtimestamp(wall(), UTC)
        """when it began by this machine's time, and by Discord's"""
        self._offset = timedelta()
        self._stamp: tuple[int, int] | None = None
        self._heard: list[_Heard] = []
        """what presses told, in the present half hour and in the one before"""

    def now(self) -> datetime:
        if self.file is not None:
            return self._local() + self.skew
        return self._right + timedelta(seconds=self._steady() - self._began)

    def _local(self) -> datetime:
        time = self._wall + timedelta(seconds=self._steady() - self._began)
        return time if self.file is None else time + self.offset()

    def off(self, at: datetime) -> timedelta:
        """By how much it has to be set, now that a press of this time came in. A press can be late but never early,
        so what the quickest of them tell is nearest to the truth."""
        told = at - self._local()
        if abs(told) > UNLIKELY:
            return timedelta()
        moment = self._steady()
        if not self._heard or moment - self._heard[-1].since > PERIOD:
            self._heard = [*self._heard[-1:], _Heard(moment, told)]
        self._heard[-1].add(told)
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
            return self._offset  # no file yet, or half written: the last offset holds
        return self._offset


@dataclass
class _Heard:
    """The presses of a while."""

    since: float
    quickest: timedelta
    presses: int = 0

    def add(self, told: timedelta) -> None:
        self.quickest = max(self.quickest, told)
        self.presses += 1


class SystemEntropy:
    """Bytes that nobody can foresee."""

    def bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)
