"""A token bucket for counted calls, with the rate of the global limit.

It paces edits and posts; `bot.rest.global_limit` enforces the limit itself.
"""

import asyncio
import time


class CallBudget:
    """Paces boards, consoles and nudges. Answers to interactions do not use it."""

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
