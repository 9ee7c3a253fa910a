"""How fast a bot opens DMs with people it never wrote to (40003)."""

from collections import deque

from bot.playground.protocol import refusal
from bot.playground.world.clock import Clock
from bot.playground.world.settings import Settings


class DmCounter:
    def __init__(self, clock: Clock, settings: Settings) -> None:
        self._clock = clock
        self._settings = settings
        self._known: set[tuple[int, int]] = set()
        self._opened: dict[int, deque[float]] = {}

    def count(self, app_id: int, user_id: int) -> None:
        """Count a DM the first time it is opened; refuse it if there were too many lately."""
        window = self._settings.dm_opens
        if window is None or (app_id, user_id) in self._known:
            return
        now = self._clock.time()
        opened = self._opened.setdefault(app_id, deque())
        while opened and opened[0] < now - window.seconds:
            opened.popleft()
        if len(opened) >= window.count:
            raise refusal.too_many_dms()
        opened.append(now)
        self._known.add((app_id, user_id))
