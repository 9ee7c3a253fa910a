"""What tells a process from outside: to stop, or to say where everything stands."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from bot.process.base import stack_dump

STDIN = 0


def watch_stop_signals(*, until_stdin_ends: bool) -> asyncio.Event:
    """Set once this process is told to stop, by a signal or, if wanted, by the end of whoever started it."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    stack_dump.dump_on_signal(loop)
    if until_stdin_ends:
        loop.add_reader(STDIN, _stop_at_end, loop, stop)
    return stop


def _stop_at_end(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """What is said there means nothing; its end means that the other side is gone, even if that was killed."""
    if not os.read(STDIN, 1024):
        loop.remove_reader(STDIN)
        stop.set()


T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """To its end; on uvloop, but on Windows, for which there is none."""
    try:
        import uvloop
    except ModuleNotFoundError:
        return asyncio.run(work)
    return uvloop.run(work)
