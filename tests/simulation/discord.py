"""What Discord counts: the calls of all processes in any second."""

from __future__ import annotations

from collections import deque

SECOND = 1.0


class Counted:
    """Counted calls, by the time at which they arrive."""

    def __init__(self, most: int) -> None:
        self.calls = self.highest = 0
        """Calls in all, and the highest number in any second."""
        self.over: list[str] = []
        self._most = most
        self._times: deque[float] = deque()

    def arrive(self, now: float) -> None:
        times = self._times
        times.append(now)
        while times[0] <= now - SECOND:
            times.popleft()
        self.calls += 1
        self.highest = max(self.highest, len(times))
        if len(times) > self._most:
            self.over.append(f"{now:.3f}: {len(times)} calls in a second")
