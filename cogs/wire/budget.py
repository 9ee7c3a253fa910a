"""One token bucket in front of every counted call: Discord allows a whole bot 50 a second.

It decides when something is worth drawing; that never too many calls go out at once is for `cogs.wire.gate` to see to.
"""

import asyncio
import time

RATE = 40.0
"""counted calls a second that we allow ourselves; the rest is left to what discord.py does by itself"""

BURST = 40.0


class Budget:
    """Callbacks never queue here; boards, consoles and nudges do."""

    def __init__(self, rate: float = RATE, burst: float = BURST) -> None:
        self.rate = rate
        self.burst = burst
        self._tokens = burst
        self._at = time.monotonic()

    @property
    def free(self) -> float:
        """The share of the budget that is free now, from 0 to 1."""
        self._refill()
        return max(self._tokens, 0.0) / self.burst

    def spend(self, calls: int = 1) -> float:
        """Take tokens, into debt if need be: how many seconds to wait before calling."""
        self._refill()
        self._tokens -= calls
        return max(0.0, -self._tokens / self.rate)

    async def take(self) -> None:
        """Wait for one counted call; first come, first served."""
        wait = self.spend()
        if wait:
            await asyncio.sleep(wait)

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
        self._at = now
