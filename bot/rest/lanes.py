"""One lane a message: no two calls that show it are under way at once, and no older state stays.

Whoever shows takes a turn: a press, an edit by token, a counted edit. What can wait does so. A press cannot wait for
long: it goes beside the call that is on its way, and when the end of both is known, the message counts as *stale*
until it was shown once more. Whatever fails is shown anew by whoever tries again, after a rest that is kept here.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Final

REST, LONGEST_REST = 1.0, 30.0
"""seconds between a call that failed and the next; twice as long each time"""


class LaneTaken(Exception):
    """A turn did not come in time, and whoever waited for it must not go beside the call that is on its way."""


@dataclass(frozen=True, slots=True)
class Lane:
    """How it stands with one message, for whoever decides whether to show it."""

    taken: bool = False
    """whether a call is on its way there"""
    stale: bool = False
    """whether this must be shown once more, however new it is believed to be"""
    rest: float = 0.0
    """seconds until the next try, after one that failed"""


class _Lane:
    """Of one message; there only while something is to be known of it."""

    __slots__ = (
        "crossed",
        "failed",
        "held",
        "owner",
        "rests_until",
        "stale",
        "turns",
        "under_way",
        "waiting",
        "wanted",
    )

    def __init__(self) -> None:
        self.owner = ""
        """the match or lobby that the message shows; empty: nobody shows it once more"""
        self.under_way = 0
        self.waiting: deque[asyncio.Future[None]] = deque()
        self.crossed = False
        """whether calls were under way at the same time, so that nobody knows which came last"""
        self.stale = False
        """whether what stands there may be older than what was shown last"""
        self.wanted = False
        """whether somebody was turned away who would have shown it"""
        self.failed = 0
        self.rests_until = 0.0
        self.turns = 0
        self.held = 0
        """how many have a turn, or will have another"""


class Lanes:
    """All lanes of the bot. `freed` is told whose message can be shown again, where somebody waits for that."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.freed: Callable[[str], None] = lambda _: None
        self._now = now
        self._lanes: dict[int, _Lane] = {}

    def __len__(self) -> int:
        return len(self._lanes)

    def __contains__(self, message: int) -> bool:
        return message in self._lanes

    def look(self, message: int) -> Lane | None:
        """How it stands; None where nothing is to be known of it, so that it can be shown at once."""
        lane = self._lanes.get(message)
        return Lane(lane.under_way > 0, lane.stale, self.rest(message)) if lane is not None else None

    def unsure(self, message: int) -> bool:
        """Whether nobody knows, or will know, which call came last. That is not noted as shown: after a kill the notes
        are all that is left."""
        lane = self._lanes.get(message)
        return lane is not None and (lane.crossed or lane.stale)

    def want(self, message: int, owner: str) -> None:
        """A call is on its way there: `owner` is told when it has ended."""
        lane = self._lanes.get(message)
        if lane is not None and lane.under_way:
            lane.owner, lane.wanted = owner, True

    def outdate(self, message: int, owner: str) -> None:
        """There is news that a call on its way there may not show: the message is shown once more after it."""
        lane = self._lanes.get(message)
        if lane is not None and lane.under_way:
            lane.owner, lane.crossed = owner, True

    def rest(self, message: int) -> float:
        """Seconds until the next try, after one that failed."""
        lane = self._lanes.get(message)
        return max(lane.rests_until - self._now(), 0.0) if lane is not None and lane.failed else 0.0

    def failed(self, message: int, after: float = 0.0) -> float:
        """A call came to nothing and is to be tried again; in how many seconds. `after`: as Discord asks for."""
        lane = self._lane(message)
        lane.failed += 1
        rest = max(after, min(REST * 2 ** (lane.failed - 1), LONGEST_REST))
        lane.rests_until = self._now() + rest
        return rest

    def wait(self, message: int, seconds: float) -> None:
        """The next try is to come in just so many seconds, however many failed."""
        lane = self._lane(message)
        lane.failed, lane.rests_until = max(lane.failed, 1), self._now() + seconds

    def forget(self, message: int) -> None:
        """The message is gone, or nobody shows it any more."""
        lane = self._lanes.get(message)
        if lane is not None:
            lane.owner, lane.stale, lane.failed = "", False, 0
            self.tidy(message, lane)

    def turn(self, message: int, owner: str = "", patience: float | None = None, *, beside: bool = True) -> LaneTurn:
        """`with` it while calls are made, `async with` it for each of them. A press, which has only so much patience,
        goes before who can wait, and in the end `beside` the call that is on its way, or hears `LaneTaken`."""
        return LaneTurn(self, message, self._lane(message), owner, patience, beside)

    def _lane(self, message: int) -> _Lane:
        lane = self._lanes.get(message)
        if lane is None:
            lane = self._lanes[message] = _Lane()
        return lane

    def tidy(self, message: int, lane: _Lane) -> None:
        """Forget a lane that nobody uses."""
        if not (lane.held or lane.stale or lane.failed) and self._lanes.get(message) is lane:
            del self._lanes[message]


class LaneTurn:
    """Somebody's calls to one message: one, or one after the other until one succeeds."""

    __slots__ = ("_beside", "_landed", "_lane", "_lanes", "_message", "_number", "_patience")

    def __init__(
        self, lanes: Lanes, message: int, lane: _Lane, owner: str, patience: float | None, beside: bool
    ) -> None:
        self._lanes: Final = lanes
        self._message: Final = message
        self._lane: Final = lane
        self._patience = patience
        self._beside: Final = beside
        self._landed = False
        lane.held += 1
        lane.turns += 1
        self._number = lane.turns
        if owner:
            lane.owner = owner

    @property
    def overtaken(self) -> bool:
        """Whether somebody else came later, whose message must not be put back."""
        return self._lane.turns != self._number

    def landed(self) -> None:
        """The call that is under way is known to have had its effect."""
        self._landed = True

    def __enter__(self) -> LaneTurn:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lane.held -= 1
        self._lanes.tidy(self._message, self._lane)

    async def __aenter__(self) -> LaneTurn:
        lane, self._landed = self._lane, False
        if not lane.under_way:
            lane.under_way = 1
        elif not await self._waited():
            if not self._beside:
                raise LaneTaken
            lane.crossed = lane.under_way > 0
            lane.under_way += 1
        return self

    async def _waited(self) -> bool:
        """Whether this turn came; who had it before has handed it over."""
        handed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._patience is None:
            self._lane.waiting.append(handed)
        else:
            self._lane.waiting.appendleft(handed)
        try:
            async with asyncio.timeout(self._patience):
                await handed
        except TimeoutError:
            if handed.done() and not handed.cancelled():
                return True
        except asyncio.CancelledError:
            if handed.done() and not handed.cancelled():
                self._leave()
            raise
        else:
            return True
        return False

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, asyncio.CancelledError):  # where it is by now, nobody knows
            self._lane.crossed = True
        self._leave()

    def _leave(self) -> None:
        lane = self._lane
        lane.under_way -= 1
        if lane.under_way:
            return
        if lane.crossed:
            lane.crossed = False
            lane.stale = lane.wanted = bool(lane.owner)
        elif self._landed:
            lane.stale, lane.failed = False, 0
        while lane.waiting:
            handed = lane.waiting.popleft()
            if not handed.done():
                lane.under_way = 1
                handed.set_result(None)
                return
        if lane.wanted:
            lane.wanted = False
            self._lanes.freed(lane.owner)
