"""Slow levels of the house: they think in a worker process, with a time limit.

No state is stored: after a restart every match with an awaited house seat is checked again.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from contextvars import Context
from dataclasses import replace
from typing import Any, TypeVar

from bot.engine.cards import Seat
from bot.engine.choices import Choice
from bot.engine.refusals import RuleError
from bot.errors import RefereeError
from bot.referee.house import seats as house
from bot.referee.house.prospects import Prospects
from bot.referee.house.seats import Memory
from bot.referee.match.matches import Matches
from bot.referee.model.model import HOUSE
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import MatchRepository
from bot.solver.kernels.cache_folder import is_compiled
from bot.solver.players.levels import SLY, Level
from bot.solver.players.lookahead import OVER, Prospect, install_interrupt, look_ahead

log = logging.getLogger(__name__)

Posed = TypeVar("Posed")
Found = TypeVar("Found")

PATIENCE = 20.0
"""Seconds of thinking after which Sly bids instead. Waiting and starting a process do not count."""

CLOCK_SHARE = 0.25
"""Share of the clock of a bid after which Sly bids instead, where people play against a clock."""

STARTING = 600.0
"""Seconds that a process may take to start and, once after an install, to compile the kernels."""

LINE = 60.0
"""Seconds after which a waiting question fails."""

STUCK = 120.0
"""Seconds after which an abandoned question counts as stuck, and its process is killed with its cache."""

HUMBLE = 5
"""Nice value of a worker process."""

REST = 900.0
"""Seconds without a question after which the process ends: it holds more memory than the bot."""

AGAIN = 0.2
"""Seconds after which an interrupted look-ahead is interrupted again."""

START = "spawn"
"""Start method of a worker process: a new interpreter, not a copy of a bot with threads and locks."""

STORED_AGAIN_AFTER = 5.0
"""Seconds until a choice that could not be stored is tried again."""


def no_preparation() -> None:
    """Do nothing; the return of this call shows that the process has started."""


class Worker:
    """One worker process that thinks, started when first needed. It handles one question at a time.

    A question that takes too long is still finished: its result is cached in the process and answers the rest of the
    match. Only a stuck question is killed, or one whose caller was cancelled.
    """

    def __init__(
        self,
        humble: int = HUMBLE,
        rest: float = REST,
        line: float = LINE,
        stuck: float = STUCK,
        prepare: Callable[[], None] = no_preparation,
    ) -> None:
        """`prepare` is called in each new process, before the first question."""
        self._humble, self._rest = humble, rest
        self._prepare = prepare
        self._line, self._stuck = line, stuck
        self._leave: asyncio.TimerHandle | None = None
        self._pool: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()
        self._starting: asyncio.Task[ProcessPoolExecutor] | None = None
        self._late: asyncio.Task[Any] | None = None
        self._asking = 0
        self._ahead = False

    async def think(
        self, mind: Callable[[Posed], Found], question: Posed, patience: float, *, in_all: bool = False
    ) -> Found:
        """Return the answer of a mind, or raise TimeoutError. `in_all`: starting, compiling and waiting count too."""
        time = asyncio.get_running_loop().time
        end = time() + (patience if in_all else float("inf"))

        def limit(most: float) -> float:
            return min(most, max(end - time(), 0.0))

        with suppress(BrokenProcessPool):  # it is started once more below
            async with asyncio.timeout(limit(STARTING)):
                await self.start()
        self._asking += 1
        try:
            self._interrupt_lookahead()
            async with asyncio.timeout(limit(max(self._line, patience))):
                await self._turn.acquire()
        finally:
            self._asking -= 1
        self._cancel_rest()
        here = asyncio.Event()
        thought = asyncio.ensure_future(self._think_or_restart(mind, question, here))
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(limit(STARTING)):
                    await here.wait()
            done, _ = await asyncio.wait([thought], timeout=limit(patience) if here.is_set() else 0)
        except asyncio.CancelledError:  # the caller was cancelled
            self._abandon(thought)
            thought.cancel()
            raise
        if not done:
            self._abandon(thought)
            raise TimeoutError
        self._release_turn()
        return thought.result()

    async def start(self) -> ProcessPoolExecutor:
        """Start the process if there is none, and wait until it is ready."""
        if self._pool is not None:
            return self._pool
        if self._starting is None:
            self._starting = asyncio.create_task(self._start(), name="worker process")
            self._starting.add_done_callback(_forget_error)
        return await asyncio.shield(self._starting)

    async def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context(START)
        pool = ProcessPoolExecutor(1, mp_context=context, initializer=_set_up_worker, initargs=(self._humble,))
        try:
            # The first question starts the process; other tasks need not wait for it.
            await asyncio.wrap_future(await asyncio.to_thread(pool.submit, self._prepare))
        except BaseException:  # cancelled too: no other code knows this process
            _kill(pool)
            raise
        finally:
            self._starting = None
        self._pool = pool
        return pool

    async def look_ahead(self, prospect: Prospect) -> int:
        """Compute one step of a look-ahead in a running process. A question from `think` interrupts it."""
        await self._turn.acquire()
        if self._asking or self._pool is None:
            self._turn.release()
            return prospect.place if self._asking else OVER
        self._cancel_rest()
        self._ahead = True
        thought = asyncio.ensure_future(self._submit(look_ahead, prospect))
        thought.add_done_callback(lambda _: setattr(self, "_ahead", False))
        try:
            await asyncio.wait([thought])
        except asyncio.CancelledError:
            self._abandon(thought)
            self._interrupt_lookahead()
            raise
        self._release_turn()
        return thought.result()

    def _interrupt_lookahead(self) -> None:
        """Interrupt the look-ahead, at the latest after the current piece of a solve."""
        if not self._ahead or self._pool is None or not hasattr(signal, "SIGUSR1"):
            return
        running: dict[int, Any] = getattr(self._pool, "_processes", None) or {}
        for number in running:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGUSR1)
        asyncio.get_running_loop().call_later(AGAIN, self._interrupt_lookahead)  # perhaps it had not yet begun

    def _abandon(self, thought: asyncio.Task[Any]) -> None:
        """Let a question finish without a caller. The next one starts when it is done, or stuck."""
        self._late = thought
        stuck = asyncio.get_running_loop().call_later(self._stuck, thought.cancel)

        def ended(_: object) -> None:
            stuck.cancel()
            self._late = None
            if not thought.cancelled():
                thought.exception()  # no caller waits for the error
            self._release_turn()

        thought.add_done_callback(ended)

    def _release_turn(self) -> None:
        self._cancel_rest()
        self._leave = asyncio.get_running_loop().call_later(self._rest, self.stop)
        self._turn.release()

    def _cancel_rest(self) -> None:
        if self._leave is not None:
            self._leave.cancel()
            self._leave = None

    async def _think_or_restart(self, mind: Callable[[Posed], Found], question: Posed, here: asyncio.Event) -> Found:
        """Ask the process; restart it once if it died. Set `here` once it runs, or will not start."""
        try:
            try:
                return await self._submit(mind, question, here)
            except BrokenProcessPool:  # the process died; perhaps only between two thoughts
                self.stop()
                here.clear()
                return await self._submit(mind, question, here)
        finally:
            here.set()

    async def _submit(
        self, mind: Callable[[Posed], Found], question: Posed, here: asyncio.Event | None = None
    ) -> Found:
        try:
            pool = await self.start()
            if here is not None:
                here.set()
            return await asyncio.wrap_future(pool.submit(mind, question))
        except asyncio.CancelledError:
            self.stop()  # a thought cannot be interrupted otherwise; the next one gets a new process
            raise

    def stop(self) -> None:
        """Kill the process."""
        self._cancel_rest()
        late, self._late = self._late, None
        if late is not None:
            late.cancel()
        if self._starting is not None:
            self._starting.cancel()
        pool, self._pool = self._pool, None
        if pool is not None:
            _kill(pool)


def _forget_error(task: asyncio.Task[Any]) -> None:
    """Retrieve the exception of a task; the next caller starts the process again."""
    if not task.cancelled():
        task.exception()


def _kill(pool: ProcessPoolExecutor) -> None:
    running: dict[int, Any] = getattr(pool, "_processes", None) or {}
    for process in list(running.values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def compile_kernels_first() -> None:
    """Compile the kernels in a new worker process."""
    from bot.solver.players.sage import compile_kernels

    compile_kernels()


def _set_up_worker(humble: int) -> None:
    """Lower the priority of a worker process, and end it with its parent."""
    install_interrupt()
    parent = multiprocessing.parent_process()

    def follow() -> None:
        if parent is not None:
            parent.join()
        os._exit(0)

    if hasattr(os, "nice"):
        os.nice(humble)  # button presses go first

    threading.Thread(target=follow, daemon=True).start()


class Thinking:
    """Looks after every match with an awaited house seat."""

    def __init__(
        self, repository: MatchRepository, matches: Matches, patience: float = PATIENCE, stuck: float = STUCK
    ) -> None:
        self.repository = repository
        self.matches = matches
        self.patience = patience
        self.memory = Memory(repository)
        self.worker = Worker(stuck=stuck, prepare=compile_kernels_first)
        self.prospects = Prospects(repository, self.worker)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._preparing: asyncio.Task[ProcessPoolExecutor] | None = None
        self._again: set[str] = set()
        self._closed = False

    def wake(self, id: str) -> None:
        """Check a match that has changed."""
        live = self.repository.find_cached(id)
        if live is None or not live.stored.has_house or not house.awaited_levels(live) or self._closed:
            return
        if id in self._tasks:
            self._again.add(id)
            return
        self._tasks[id] = asyncio.get_running_loop().create_task(self._work(id), name=f"house-{id}", context=Context())

    def prepare(self) -> None:
        """Compile the kernels in the background, if this installation has not done that yet."""
        if not is_compiled():
            self._preparing = asyncio.create_task(self.worker.start(), name="compile kernels")
            self._preparing.add_done_callback(_forget_error)

    async def catch_up(self) -> None:
        """Check all live matches with house seats after a start."""
        for stored in await self.repository.store.live_of(HOUSE):
            await self.repository.live(stored.id)
            self.wake(stored.id)

    @property
    def waiting(self) -> int:
        """Number of matches with an awaited house seat."""
        return len(self._tasks)

    async def close(self) -> None:
        self._closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.prospects.close()
        self.worker.stop()
        if self._preparing is not None:
            await asyncio.gather(self._preparing, return_exceptions=True)

    async def _work(self, id: str) -> None:
        try:
            while True:
                self._again.discard(id)
                live = await self.repository.live(id)
                waiting = house.awaited_levels(live)
                if waiting:
                    async with asyncio.TaskGroup() as group:
                        for seat, level in waiting.items():
                            group.create_task(self._seal_choice(live, seat, level))
                elif id not in self._again:
                    return
        except Exception:  # the store may be locked or full for a while
            log.exception("the house could not bid in %s; it tries again", id)
            if not self._closed:
                asyncio.get_running_loop().call_later(STORED_AGAIN_AFTER, self.wake, id)
        finally:
            self._tasks.pop(id, None)
            self._again.discard(id)

    async def _seal_choice(self, live: Live, seat: Seat, level: Level) -> None:
        choice, instead = await self._choose(live, seat, level)
        try:
            await self.matches.seal_house(live.stored.id, live.stored.prompt, seat, choice, instead)
        except RefereeError as refusal:
            if refusal.id == "busy":
                raise
            log.debug("a thought came too late: %s", refusal.id)

    async def _choose(self, live: Live, seat: Seat, level: Level) -> tuple[Choice, str]:
        """Return the choice, and the key of the level that made it if it is not the seat's own."""
        if not level.slow:
            return house.choose_bid(live, seat, level), ""
        state = live.match.state
        assert state is not None
        try:
            question = house.make_question(live, seat)
            if level.remembers:
                question = replace(question, shown=await self.memory.load_shown(live, seat))
            clock = live.stored.setup.clock
            patience = min(self.patience, CLOCK_SHARE * clock or self.patience)
            choice = await self.worker.think(level.mind, question, patience, in_all=bool(clock))
            live.rules.check_choice(state, seat, choice)
            if level.looks_ahead:
                self.prospects.add(live, Prospect(question, choice))
        except TimeoutError:
            log.warning("%s ran out of time in %s", level.key, live.stored.id)
        except RuleError:
            log.error("%s chose a bid that the rules of %s refuse", level.key, live.rules.game.key)
        except Exception:  # an error in a mind must not stop a match
            log.exception("%s failed in %s", level.key, live.rules.game.key)
        else:
            return choice, ""
        return house.choose_bid(live, seat, SLY), SLY.key
