"""An event loop in virtual time for many processes at once: each of them can be stopped, continued and killed.

All that a process does runs in a context that has its address, with its timers and its tasks. What belongs to a process
that is stopped waits until it continues; what belongs to a dead one never runs.
"""

from __future__ import annotations

import asyncio
import gc
import heapq
import itertools
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from typing import Any

from tests.virtual_time import VirtualLoop

PROCESS: ContextVar[str] = ContextVar("process", default="")
"""The address of the process that runs; empty for the world."""


def context_of(address: str) -> Context:
    """Return a context in which what runs belongs to the process at this address."""
    context = copy_context()
    context.run(PROCESS.set, address)
    return context


class Later:
    """What runs later unless it is cancelled. It is lighter than `asyncio.Handle`."""

    __slots__ = ("_args", "_callback", "_when")

    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...], when: float) -> None:
        self._callback: Callable[..., object] | None = callback
        self._args = args
        self._when = when

    def when(self) -> float:
        return self._when

    def run(self) -> None:
        if self._callback is not None:
            self._callback(*self._args)

    def cancel(self) -> None:
        self._callback, self._args = None, ()


Step = tuple[Context, tuple[Any, ...]]
"""A callback and its arguments, in the context of the process that it belongs to."""


class WorldLoop(VirtualLoop):
    """Runs what is due in order of time. Between two moments no time passes, however much is computed."""

    _ready: deque[Step]
    _stopping: bool

    def __init__(self) -> None:
        super().__init__()
        self._timers: list[tuple[float, int, Callable[..., object], tuple[Any, ...]]] = []
        self._numbers = itertools.count()
        self._waiting: dict[str, deque[Step]] = {}
        """What waits for each process that is stopped. For a dead one nothing is kept."""
        self.errors: list[str] = []
        self.set_exception_handler(self._note_error)

    def _note_error(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.errors.append(f"{context.get('message')}: {context.get('exception')!r}")

    def after(self, seconds: float, call: Callable[..., object], *args: Any) -> None:
        """Call something of the world, which belongs to no process. It cannot be cancelled."""
        heapq.heappush(self._timers, (self._virtual + seconds, next(self._numbers), call, args))

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Any:
        later = Later(callback, args, self._virtual + max(delay, 0.0))
        step = copy_context() if context is None else context, (later.run,)
        self.after(max(delay, 0.0), self._ready.append, step)
        return later

    def call_at(self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None) -> Any:
        return self.call_later(when - self._virtual, callback, *args, context=context)

    def run_soon(self, *call: Any, context: Context | None = None) -> Any:
        """Run a callback with its arguments next. Only what comes without a context can be cancelled: tasks and futures
        have theirs."""
        if context is not None:
            self._ready.append((context, call))
            return None
        callback, *args = call
        later = Later(callback, tuple(args), self._virtual)
        self._ready.append((copy_context(), (later.run,)))
        return later

    call_soon: Any = run_soon
    call_soon_threadsafe: Any = run_soon

    def create_task(self, coro: Any, *, name: Any = None, context: Context | None = None) -> Any:
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def _run_once(self) -> None:
        """Run until the loop is to stop: what is due, what is due after that, and then the next timer."""
        ready, waiting, timers, pop = self._ready, self._waiting, self._timers, heapq.heappop
        while not self._stopping:
            while ready:
                step = context, call = ready.popleft()
                if waiting and (address := context.get(PROCESS)) in waiting:
                    waiting[address].append(step)
                    continue
                try:
                    context.run(*call)
                except Exception as error:
                    self.errors.append(repr(error))
            if not self._stopping:
                self._virtual, _, call, args = pop(timers)  # without any, all wait for each other
                call(*args)

    def stop_process(self, address: str) -> None:
        self._waiting.setdefault(address, deque())

    def continue_process(self, address: str) -> None:
        self._ready.extend(self._waiting.pop(address, ()))

    def kill_process(self, address: str) -> None:
        """Let nothing of a process run any more, and free what its tasks hold. What they do while they are closed
        belongs to the dead process."""
        self._waiting[address] = deque(maxlen=0)
        context = context_of(address)
        for task in asyncio.all_tasks(self):
            if _read_context(task).get(PROCESS) == address:
                context.run(_close, task)
        gc.collect()

    def is_dead(self, address: str) -> bool:
        steps = self._waiting.get(address)
        return steps is not None and steps.maxlen == 0

    def end(self) -> None:
        """Let the processes that are stopped run once more, so that their tasks can be cancelled."""
        for address in [*self._waiting]:
            if not self.is_dead(address):
                self.continue_process(address)


def _read_context(task: asyncio.Task[Any]) -> Context:
    """Return the context of a task: `Task.get_context` of Python 3.12."""
    return next(each for each in gc.get_referents(task) if isinstance(each, Context))


def _close(task: Any) -> None:
    """End the coroutine of a task that never runs again, as it ends when it is garbage."""
    asyncio._unregister_task(task)
    task._log_destroy_pending = False
    coroutine = task.get_coro()
    while True:
        try:
            coroutine.close()
            return
        except RuntimeError:  # it waits again where it would clean up
            continue
