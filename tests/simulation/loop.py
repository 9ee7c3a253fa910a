"""An event loop in virtual time for many processes at once: each of them can be stopped, continued and killed.

All that a process does runs in a context that names it, with its timers and its tasks. What belongs to a process that
is stopped waits until it continues; what belongs to a dead one never runs.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

from tests.virtual_time import VirtualLoop

PROCESS: ContextVar[object] = ContextVar("process", default=None)


def context_of(process: object) -> Context:
    """Return a context in which what runs belongs to this process."""
    context = copy_context()
    context.run(PROCESS.set, process)
    return context


class Soon:
    """What runs next. It is lighter than `asyncio.Handle`."""

    __slots__ = ("_args", "_callback", "_cancelled", "_context")

    def __init__(self, context: Context, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        self._context, self._callback, self._args = context, callback, args
        self._cancelled = False

    def cancel(self) -> None:
        self._cancelled = True


Handle = Soon | asyncio.Handle


class WorldLoop(VirtualLoop):
    """Runs what is due in order of time. Between two moments no time passes, however much is computed."""

    _ready: deque[Handle]
    _stopping: bool

    def __init__(self) -> None:
        super().__init__()
        self._timers: list[tuple[float, int, Any, tuple[Any, ...] | None]] = []
        self._number = 0
        self._waiting: dict[object, list[Handle]] = {}
        """What waits for each process that is stopped or dead."""
        self._kept: list[asyncio.Task[Any]] = []
        """Tasks of the dead: collected as garbage, they would run once more."""
        self.errors: list[str] = []
        self.set_exception_handler(self._note_error)

    def _note_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.errors.append(f"{context.get('message')}: {context.get('exception')!r}")

    def at(self, when: float, call: Callable[..., object], *args: Any) -> None:
        """Call something of the world, which belongs to no process. It cannot be cancelled."""
        self._number += 1
        heapq.heappush(self._timers, (when, self._number, call, args))

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self._virtual + delay, callback, *args, context=context)

    def call_at(
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        self._number += 1
        heapq.heappush(self._timers, (when, self._number, timer, None))
        return timer

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Any:
        handle = Soon(copy_context() if context is None else context, callback, args)
        self._ready.append(handle)
        return handle

    def create_task(self, coro: Any, *, name: Any = None, context: Context | None = None) -> Any:
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def _run_once(self) -> None:
        """Run until the loop is to stop."""
        ready, timers, waiting, pop = self._ready, self._timers, self._waiting, heapq.heappop
        while not self._stopping:
            if not ready:
                self._virtual = timers[0][0]  # without any, all wait for each other
            while timers and timers[0][0] <= self._virtual:
                _, _, call, args = pop(timers)
                if args is None:
                    ready.append(call)
                else:
                    call(*args)
            for _ in range(len(ready)):
                handle = ready.popleft()
                if handle._cancelled:
                    continue
                if waiting and (process := handle._context.get(PROCESS)) in waiting:
                    waiting[process].append(handle)
                    continue
                try:
                    handle._context.run(handle._callback, *handle._args)
                except Exception as error:
                    self.errors.append(repr(error))

    def stop_process(self, process: object) -> None:
        self._waiting.setdefault(process, [])

    def continue_process(self, process: object) -> None:
        self._ready.extend(self._waiting.pop(process, ()))

    def kill_process(self, process: object) -> None:
        """Let nothing of a process run any more."""
        self.stop_process(process)
        self._kept = [task for task in {*self._kept, *asyncio.all_tasks(self)} if not task.done()]

    def end(self) -> None:
        """Let everybody run once more, so that all tasks can be cancelled."""
        for process in [*self._waiting]:
            self.continue_process(process)
