"""The event loop of a process, the signals that it handles, and the stack dump that one of them writes."""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import inspect
import logging
import os
import signal
from collections.abc import Coroutine, Iterator
from contextvars import Context
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

log = logging.getLogger(__name__)

END = "end of the stacks"
"""last line of the dump"""

STDERR = 2


def dump_on_signal(loop: asyncio.AbstractEventLoop) -> None:
    """Dump on SIGUSR1: threads at once, even if the loop hangs, and tasks as soon as the loop runs again."""
    loop.add_signal_handler(signal.SIGUSR1, log_stacks, loop)
    faulthandler.register(signal.SIGUSR1, file=STDERR, all_threads=True, chain=True)


def log_stacks(loop: asyncio.AbstractEventLoop) -> None:
    tasks = sorted(asyncio.all_tasks(loop), key=lambda task: task.get_name())
    log.warning("%d tasks:\n%s\n%s", len(tasks), "\n".join(map(describe_task, tasks)), END)


def describe_task(task: asyncio.Task[Any]) -> str:
    """Return the calls of a task, from the outermost to the one that waits."""
    places = [f"  {place}" for place in _places(task.get_coro())]
    return "\n".join([f"{task.get_name()}:", *(places or ["  has not begun"])])


def _places(waiting: Any) -> Iterator[str]:
    """Yield the frames of coroutines and generators that wait for each other, up to a future."""
    while waiting is not None:
        frame: FrameType | None = getattr(waiting, "cr_frame", None) or getattr(waiting, "gi_frame", None)
        if frame is None:
            frame = getattr(waiting, "ag_frame", None)
        if frame is not None:
            file = "/".join(Path(frame.f_code.co_filename).parts[-2:])
            yield f"{file}:{frame.f_lineno} {frame.f_code.co_qualname}"
        waiting = _next(waiting)


def _next(waiting: Any) -> Any:
    for name in ("cr_await", "gi_yieldfrom", "ag_await"):
        if (found := getattr(waiting, name, None)) is not None:
            return found
    if isinstance(waiting, asyncio.Future):
        return None
    # An `asend` object has no reference to its generator, but the garbage collector knows it.
    return next(filter(inspect.isasyncgen, gc.get_referents(waiting)), None)


STDIN = 0


def watch_stop_signals(*, until_stdin_ends: bool) -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set, and optionally the end of standard input. SIGUSR1 dumps stacks."""
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    dump_on_signal(loop)
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


class BackgroundTasks:
    """Running tasks that nobody awaits. The event loop itself keeps only weak references to tasks."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None], name: str | None = None) -> asyncio.Task[None]:
        """Start it without the context of the caller: what it changes is not the work of an interaction."""
        task = asyncio.get_running_loop().create_task(work, name=name, context=Context())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def wait_until_idle(self) -> None:
        """Wait until no task is running."""
        while self._running:
            await asyncio.wait(self._running)

    async def close(self) -> None:
        """Cancel all tasks and wait for their end."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
