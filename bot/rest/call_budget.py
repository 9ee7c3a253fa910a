"""One token bucket in front of every counted call, as many a second as the gate lets through.

It decides when something is worth a call; `bot.rest.global_limit` sees to it that never too many go out at once.
"""

import asyncio
import time


class CallBudget:
    """Callbacks never queue here; boards, consoles and nudges do."""

    def __init__(self, calls: float) -> None:
        """So many counted calls in a second, of which all may be made at once after a quiet one."""
        self._calls = calls
        self._tokens = calls
        self._at = time.monotonic()

    @property
    def free_share(self) -> float:
        """The share of the budget that is free now, from 0 to 1."""
        self._refill()
        return max(self._tokens, 0.0) / self._calls

    def reserve(self, calls: int = 1) -> float:
        """Take tokens, into debt if need be: how many seconds to wait before calling."""
        self._refill()
        self._tokens -= calls
        return max(0.0, -self._tokens / self._calls)

    async def wait(self) -> None:
        """Wait for one counted call; first come, first served."""
        wait = self.reserve()
        if wait:
            await asyncio.sleep(wait)

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self._calls, self._tokens + (now - self._at) * self._calls)
        self._at = now
