"""One writer for each message that the bot keeps up to date: it alone makes the calls that show something there.

The publisher asks a writer to show the newest state, and does not wait. A press is answered through the writer of its
message. Calls go one at a time; only a press that has waited for a moment goes beside a slow call. Nobody knows then
which of both lands last, so the message counts as unsure, and is shown once more when both have ended.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Container, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from bot.errors import RefereeError
from bot.referee.model.model import UserId
from bot.referee.model.surfaces import Surface
from bot.rest.call_result import Attempt, CallResult
from bot.rest.delivery import Render
from bot.rest.late_tokens import PAUSES
from bot.ui.message import Message

log = logging.getLogger(__name__)

REST, LONGEST_REST = 1.0, 30.0
"""seconds between a call that failed and the next; twice as long each time"""

GIVE_WAY = 0.3
"""seconds that a press waits for another call to its message"""

SHARED, ANSWERED = 1.5, 2.2
"""seconds that a press on a board with keys waits, and after which it must have been answered"""

ERASED = ("unknown-match", "challenge-gone", "not-in-match")
"""why what was to be shown cannot be: the data of its server or player is gone"""

WriterKey = int | tuple[str, UserId]
"""a message, or a match and whom a line beside its board is for"""

UpdateCall = Callable[[], Awaitable[Attempt]]
"""makes the calls that show the newest state"""


def rest_after(failures: int, attempt: Attempt) -> float:
    """Seconds until the next try after so many failures."""
    return attempt.retry_after or min(REST * 2 ** (failures - 1), LONGEST_REST)


class Press(Protocol):
    """A press that can show its message again, at no cost."""

    begun: float
    """when it arrived, by the monotonic clock"""

    async def try_update(self, new: Message | Render) -> Attempt:
        """Make one try; return LATER where another one makes sense."""
        ...

    async def acknowledge(self) -> None:
        """Answer without a change of the message."""
        ...


@dataclass(slots=True, eq=False)
class Writer:
    """The writer of one message. It is kept while something is to be known of the message."""

    _writers: Writers
    key: WriterKey
    match: str = ""
    """the match or lobby that the message shows; empty: nobody shows it once more"""
    presses: int = 0
    """presses that are being dealt with and will show it"""
    under_way: int = 0
    """calls that are showing it"""
    banner: tuple[int, str] = 0, ""
    """a version, and the sentence that stays should that version be shown once more"""
    is_stale: bool = False
    """whether the message may be older than what was shown last"""
    is_missed: bool = False
    """whether the publisher has to plan once more: it found a call under way, or that call was not the last"""
    is_crossed: bool = False
    """whether calls are, or were, under way at the same time: what such a call has shown is not noted"""
    _waiting: int = 0
    """how many wait for the call under way"""
    _turns: int = 0
    _wish: UpdateCall | None = None
    _failures: int = 0
    _rests_until: float = 0.0
    _task: asyncio.Task[None] | None = None
    _gives_way: bool = False
    """whether the call under way was cancelled, which was not sent yet"""
    _news: asyncio.Event | None = None
    """set when a call has ended or the wish has changed; None until it is waited for"""

    def banner_at(self, version: int) -> str:
        """Return the sentence of the last press if it was shown with this version."""
        since, banner = self.banner
        return banner if since == version else ""

    def doubt(self, banner: tuple[int, str] | None = None) -> None:
        """Have the message shown once more, however new it is: what it says beside the match has changed."""
        self.banner = banner or self.banner
        if self.under_way:
            self.is_crossed = True
        else:
            self.is_stale = True

    # --- what waits ---

    def want(self, work: UpdateCall) -> None:
        """Show the newest state as soon as possible; the newest wish replaces the one before."""
        self._wish = work
        if self._task is None:
            self._task = self._writers.start(self._run())
        if self._news is not None:
            self._news.set()

    def drop_wish(self) -> None:
        """Nothing has to be shown any more."""
        self._wish = None
        self._cancel_unsent()
        if self._news is not None:
            self._news.set()

    def forget(self) -> None:
        """Nobody shows the message any more."""
        self.match, self.is_stale, self._failures, self.banner = "", False, 0, (0, "")
        self.drop_wish()
        self.settle()

    async def _run(self) -> None:
        """Carry out wishes until none is left."""
        is_last = False
        try:
            while (wish := self._wish) is not None:
                is_last = False
                if self._failures and (wait := self._rests_until - time.monotonic()) > 0.0:
                    with suppress(TimeoutError):  # or until the wish changes
                        async with asyncio.timeout(wait):
                            await self._sleep()
                    continue
                await self._begin()
                if self._wish is not wish:
                    self._end(landed=False)
                    continue  # a press has shown the newest meanwhile
                attempt = await self._make(self._carry_out(wish))
                is_last = attempt.is_last
                if self._wish is wish and attempt.result is not CallResult.LATER:
                    self._wish = None
        finally:
            self._task, self.is_missed = None, self.is_missed or not is_last
            self.settle()

    async def _carry_out(self, work: UpdateCall) -> Attempt:
        """Carry out a wish. What failed stays wished for, unless something newer is or nothing has to be shown."""
        try:
            attempt = await work()
        except asyncio.CancelledError:
            if not self._gives_way or (self._task is not None and self._task.uncancel()):
                raise
            self._gives_way = False
            return Attempt(CallResult.LATER)
        except Exception as error:  # one message in trouble must not keep the others behind
            if isinstance(error, RefereeError) and error.id in ERASED:
                log.debug("%s is not kept any more: there is nothing to show", self.match)
                self.forget()
                return Attempt(CallResult.MESSAGE_GONE)
            if self._wish is not None:
                log.exception("a message of %s failed; it is tried again", self.match)
            attempt = Attempt(CallResult.LATER)
        if attempt.result is not CallResult.LATER:
            self._failures = 0
            self.is_stale = self.is_stale and attempt.result is CallResult.DONE  # else it is gone
        elif self._wish is not None:
            self._failures += 1
            self._rests_until = time.monotonic() + rest_after(self._failures, attempt)
        return attempt

    # --- what a caller waits for ---

    async def attempt(self, work: UpdateCall) -> CallResult:
        """Do this now, after the call under way, and wait for it. What failed is not tried again."""
        await self._begin()
        return (await self._make(work())).result

    async def answer(self, press: Press, new: Message | Render, *, shared: bool = False) -> bool:
        """Show the message by this press; return True if it is known to have arrived. What is rendered is rendered just
        before each try. `shared`: several people press at once, and a late press is only acknowledged."""
        patience = min(SHARED, max(press.begun + ANSWERED - time.monotonic(), 0.0)) if shared else GIVE_WAY
        self._turns += 1
        turn = self._turns
        self.presses += 1
        try:
            for pause in (*PAUSES, None):
                if not await self._begin(patience, beside=not shared):
                    await press.acknowledge()
                    return False
                attempt = await self._make(press.try_update(new))
                if attempt.result is CallResult.DONE and self._wish is not None:
                    self.drop_wish()
                if attempt.result is not CallResult.LATER or pause is None:
                    return attempt.result is CallResult.DONE
                await asyncio.sleep(max(pause, attempt.retry_after))
                if turn != self._turns and isinstance(new, Message):
                    break  # what was rendered once must not take the place of what came later
        finally:
            self.presses -= 1
            self.settle()
        return False

    # --- one call at a time ---

    async def _begin(self, patience: float | None = None, *, beside: bool = False) -> bool:
        """Wait for the call under way, a press before others. After `patience` go `beside` it, or return False.
        A press does not wait for a call that is not sent yet, and may be needless then."""
        if patience is None and self._waiting:
            await asyncio.sleep(0)  # presses that wait go first
        if self.under_way:
            self._waiting += 1
            if patience is not None:
                self._cancel_unsent()
            try:
                async with asyncio.timeout(patience):
                    while self.under_way:
                        await self._sleep()
                        if patience is None:
                            await asyncio.sleep(0)  # presses that wait go first
            except TimeoutError:
                if not beside:
                    return False
                self.is_crossed = self.under_way > 0
            finally:
                self._waiting -= 1
        self.under_way += 1
        return True

    def _cancel_unsent(self) -> None:
        """Cancel the counted call under way if it is not sent yet."""
        if self._task is not None and self._task in self._writers.unsent and not self._gives_way:
            self._gives_way = self._task.cancel()

    async def _make(self, call: Awaitable[Attempt]) -> Attempt:
        """Make the call that has begun, and end it."""
        landed = False
        try:
            attempt = await call
            landed = attempt.result is CallResult.DONE
            return attempt
        except asyncio.CancelledError:
            self.is_crossed = True  # where the call is by now, nobody knows
            raise
        finally:
            self._end(landed)

    def _end(self, landed: bool) -> None:
        """End a call; who waits begins. `landed`: it is known to have had its effect."""
        self.under_way -= 1
        if self.under_way:
            return
        if self.is_crossed:
            self.is_crossed, self.is_stale = False, bool(self.match)
        elif landed:
            self.is_stale, self._failures = False, 0
        if self._news is not None:
            self._news.set()
        self.settle()

    async def _sleep(self) -> None:
        """Wait until a call ends or the wish changes."""
        if self._news is None or self._news.is_set():
            self._news = asyncio.Event()
        await self._news.wait()

    def settle(self) -> None:
        """Have the message shown where it must be and nobody does; keep nothing without need."""
        if self.presses or self.under_way or self._waiting:
            return
        if self.match and (self.is_stale or self.is_missed):
            self._writers.freed(self.match)
        self.is_missed = False
        is_needed = self.is_stale or self._failures or self._task or self._wish or self.banner[1]
        if not is_needed and self._writers.get(self.key) is self:
            del self._writers[self.key]


class Writers(dict[WriterKey, Writer]):
    """All writers, by message. A console that is not there yet, or known by its token alone, has one by its row."""

    def __init__(
        self,
        start: Callable[[Coroutine[None, None, None]], asyncio.Task[None]],
        freed: Callable[[str], None],
        unsent: Container[asyncio.Task[None]] = (),
    ) -> None:
        """`start` runs a writer's work; `freed` is called with the match of a message that can be shown again; `unsent`
        has the tasks that wait for the limits before their call."""
        self.start = start
        self.freed = freed
        self.unsent = unsent

    def __missing__(self, message: WriterKey) -> Writer:
        writer = Writer(self, message, "" if isinstance(message, int) else message[0])
        if message:  # else it is not there yet, and known to nobody
            self[message] = writer
        return writer

    def of(self, surface: Surface) -> Writer:
        """Return the writer of this message of a match."""
        writer = self[surface.key]
        writer.match = surface.match or writer.match
        return writer
