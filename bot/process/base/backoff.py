"""Back-off between attempts to connect."""

import random

STABLE = 30.0
"""A connection that lasted so many seconds was stable: the next attempt follows at once."""


class Backoff:
    """Exponential back-off with jitter: at most `first` seconds, then twice as long each time, up to `most`."""

    def __init__(self, first: float, most: float) -> None:
        self._first = first
        self._most = most
        self._failed = 0

    def wait(self, lasted: float) -> float:
        """Return the wait after a connection that lasted so many seconds; `lasted` is 0 for one that never came up."""
        if lasted >= STABLE:
            self._failed = 0
            return 0.0
        most = min(self._most, self._first * 2.0**self._failed)
        self._failed = min(self._failed + 1, 10)
        return random.uniform(most / 2, most)
