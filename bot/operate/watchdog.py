"""End a process whose event loop hangs, so that its supervisor starts it again.

systemd has its own watchdog (`SystemdNotifier.feed`). A container has none: its health check only marks it unhealthy.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

HUNG = 30
"""Checks, a second apart, without a turn of the loop between them. A frozen process makes no checks."""

EXIT_HUNG = 1


class Watchdog:
    """A thread that watches the event loop."""

    def __init__(self, last_turn: Callable[[], float], looks: int = HUNG, apart: float = 1.0) -> None:
        """`last_turn` returns a new value after each turn of the loop."""
        self._last_turn, self._looks, self._apart = last_turn, looks, apart
        self._ended = threading.Event()

    def __enter__(self) -> Watchdog:
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()

    def _watch(self) -> None:
        seen, still = self._last_turn(), 0
        while not self._ended.wait(self._apart):
            now = self._last_turn()
            seen, still = now, still + 1 if now == seen else 0
            if still >= self._looks:
                log.critical("the event loop hangs for %.0f s: ending the process", still * self._apart)
                faulthandler.dump_traceback(all_threads=True)
                os._exit(EXIT_HUNG)
