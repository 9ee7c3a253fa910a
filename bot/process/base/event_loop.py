"""The event loop of a process, and the signals that it handles."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.process.base import stack_dump

STDIN = 0


def watch_stop_signals(*, until_stdin_ends: bool) -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set, and optionally the end of standard input. SIGUSR1 dumps stacks."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    stack_dump.dump_on_signal(loop)
    if until_stdin_ends:
        loop.add_reader(STDIN, _stop_at_end, loop, stop)
    return stop


def _stop_at_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Set `stop` at the end of input: the parent process is gone, even if it was killed. Ignore the input itself."""
    if not os.read(STDIN, 1024):
        loop.remove_reader(STDIN)
        stop.set()


T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, on uvloop if it is installed (Windows has none)."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return asyncio.run(work)
    return uvloop.run(work)
