"""Loading, changing and caching matches, for all commands."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from types import TracebackType
from typing import TypeVar
from weakref import WeakValueDictionary

from bot.errors import RefereeError
from bot.referee.model import Clock, Entropy
from bot.referee.model.changes import Change, Conflict, MoveDeadlines, NoteHandled, SetDeadline, Step
from bot.referee.model.model import Snowflake, StoredMatch
from bot.referee.model.partitions import partition_of
from bot.referee.repository.jobs import Jobs
from bot.referee.repository.live import Live, Played, replay_match
from data.store import Store


class PressTurn:
    """The turn of one press among those in the same match. It ends with the bid, before the answer is sent."""

    def __init__(self, lock: asyncio.Lock) -> None:
        self._lock = lock
        self._held = False

    async def __aenter__(self) -> PressTurn:
        """Wait for earlier presses, unless the turn has begun."""
        if not self._held:
            await self._lock.acquire()
            self._held = True
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.end()

    def end(self) -> None:
        """Let the next press in. Call it before every call to Discord."""
        if self._held:
            self._held = False
            self._lock.release()


class HandledInteraction:
    """An interaction that is being handled, which changes something once: Discord sends it again after a kill."""

    def __init__(self, id: Snowflake) -> None:
        self.id = id
        self.is_new = False
        """True if it is known to have changed nothing before"""
        self.is_noted = False


INTERACTION: ContextVar[HandledInteraction | None] = ContextVar("interaction", default=None)
"""What asks for the changes; None for the bot itself."""

TRIES = 10
"""Number of tries of a change that met a change of another process."""

REMEMBERED, LOOKED_UP = 4096, 16
"""Size of the cache of live matches, and of finished ones."""

Work = Callable[[Live], Awaitable[Played | None]]

Follow = Callable[[Live, Played], Awaitable[Played]]
"""Adds automatic steps (house bids, ratings) to a change; gets the match before it."""


K = TypeVar("K")
V = TypeVar("V")


class LastUsed(OrderedDict[K, V]):
    """The values that were used last, and no more than `most`."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def find(self, key: K) -> V | None:
        """Return a value, which becomes the one used last."""
        if key in self:
            self.move_to_end(key)
        return self.get(key)

    def keep(self, key: K, value: V) -> V:
        """Keep a value as the one used last."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)
        return value


class MatchRepository:
    """The store is authoritative. The cache holds the last version that this process saw committed."""

    def __init__(self, store: Store, clock: Clock, entropy: Entropy, follow: Follow) -> None:
        self.store = store
        self.clock = clock
        self.entropy = entropy
        self.jobs = Jobs(store)
        self._follow = follow
        self.listeners: list[Callable[[str], None]] = []
        """Called with the id of a match or lobby after a committed change."""
        self.clock_listeners: list[Callable[[str], None]] = []
        """Called likewise, if the change may have set a deadline before the next look at them."""
        self.next_look: datetime | None = None
        """When due deadlines are looked for next even if nothing calls for it; None while that is not known."""
        self.on_end: Callable[[StoredMatch], object] = lambda match: None
        """Called with a match that a committed change has ended."""
        self._held = Counter[str]()
        """Matches of whose changes nobody hears yet."""
        self._remembered: OrderedDict[str, Live] = OrderedDict()
        self._over = LastUsed[str, Live](LOOKED_UP)
        self._drawn = LastUsed[str, None](REMEMBERED)
        """Codes of matches and lobbies that are not committed yet."""
        self._forgotten = 0
        """Number of cache clears; a read that overlaps one is repeated."""
        self._times_set = 0
        """Number of times the clock was set."""
        self._set = asyncio.Event()
        """Cleared while the clock and all deadlines are being set."""
        self._set.set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._arrivals: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, id: str) -> asyncio.Lock:
        """Return the lock of a match for commands of this process. Never hold it across a call to Discord."""
        return self._locks.setdefault(id, asyncio.Lock())

    def arrival(self, id: str) -> asyncio.Lock:
        """Return the lock that each press holds until its turn is asked for, so that no later press of this match
        overtakes it. Meanwhile it may wait for the store and the clock, and once for Discord, a second at most: to
        learn if the bot is in a server that is not stored yet."""
        return self._arrivals.setdefault(id, asyncio.Lock())

    def press_turn(self, id: str) -> PressTurn:
        """Return a turn that keeps presses in order, also while the match is read."""
        return PressTurn(self._turns.setdefault(id, asyncio.Lock()))

    async def live(self, id: str) -> Live:
        """Return the cached match, or load it. A change by another process shows when a write fails."""
        known = self._remembered.get(id)
        if known is not None:
            self._remembered.move_to_end(id)
            return known
        if id in self._over:
            return self._over[id]
        while True:
            forgotten = self._forgotten
            stored = await self.store.match(id)
            if stored is None:
                raise RefereeError("unknown-match", x=id)
            if not self.store.owns(id):
                return replay_match(stored)
            known = self._remembered.get(id)
            if known is not None and known.stored.version >= stored.version:
                return known  # changed while it was read: what was read must not hide that
            if not stored.live:
                return self._over.keep(id, replay_match(stored))
            if forgotten == self._forgotten:
                return self.cache(replay_match(stored))

    def find_cached(self, id: str) -> Live | None:
        """Return the match if it is cached, as it is right after each change."""
        return self._remembered.get(id)

    async def reload(self, id: str) -> Live:
        """Load the match from the store."""
        self._remembered.pop(id, None)
        self._over.pop(id, None)
        return await self.live(id)

    async def refresh(self, id: str) -> None:
        """Reload a match that another process changed, unless this one knows a newer version."""
        stored = await self.store.match(id)
        known = self._remembered.get(id)
        if stored is None:
            self.discard(id)
        elif known is None and not stored.live:
            self._over.keep(id, replay_match(stored))
        elif known is None or known.stored.version < stored.version:
            self.cache(replay_match(stored))

    def clear_cache(self) -> None:
        """Forget all cached matches: the store was changed by others, or its deadlines were moved."""
        self._forgotten += 1
        self.wake_clock("")
        self._remembered.clear()
        self._over.clear()

    def drop_partition(self, partition: int) -> None:
        """Forget the matches of a partition: another process changes them from now on."""
        for id in [*self._remembered, *self._over]:
            if partition_of(id) == partition:
                self.discard(id)

    def release(self, id: str) -> None:
        """Remove a finished match from the cache, since no message shows it any more."""
        known = self._remembered.get(id)
        if known is not None and not known.stored.live:
            del self._remembered[id]
        self._over.pop(id, None)
        self.store.drop_cached(id)

    def discard(self, id: str) -> None:
        """Remove a deleted match from the cache."""
        self._remembered.pop(id, None)
        self._over.pop(id, None)
        self.store.drop_cached(id)

    def cache(self, live: Live) -> Live:
        """Cache a version that was just committed, or read."""
        self._over.pop(live.stored.id, None)
        self._remembered[live.stored.id] = live
        self._remembered.move_to_end(live.stored.id)
        while len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        return live

    async def change(self, id: str, work: Work, *, is_bid: bool = False) -> Played:
        """Load, work, commit. If the store has a newer version, load and work again. `is_bid`: its seal names the
        interaction."""
        write = self.store.write if is_bid else self.write
        async with self.lock(id):
            for _ in range(TRIES):
                time = await self.wait_for_clock()
                live = await self.live(id)
                played = await work(live)
                if played is None:
                    return Played(live, ())
                try:
                    followed = await self._follow(live, played)
                    self.check_clock(time)
                    await write(followed.steps)
                except Conflict:
                    self._remembered.pop(id, None)
                    self._over.pop(id, None)
                    continue
                self.cache(followed.live)
                if live.stored.live and not followed.live.stored.live:
                    self.on_end(followed.live.stored)
                self.notify(id, timed=any(map(self._is_sooner, followed.steps)))
                return followed
        raise RefereeError("busy")

    def _is_sooner(self, step: Step) -> bool:
        """Return True if a step may set a deadline before the next look at them."""
        if isinstance(step, SetDeadline):
            return self.next_look is None or step.deadline.due < self.next_look
        return isinstance(step, MoveDeadlines)

    @contextmanager
    def set_clock(self) -> Generator[None]:
        """Block changes while the clock and the deadlines are set; changes by the old time are repeated."""
        self._times_set += 1
        self._set.clear()
        try:
            yield
        finally:
            self._set.set()

    async def wait_for_clock(self) -> int:
        """Return how often the clock was set; wait while it is being set."""
        while not self._set.is_set():
            await self._set.wait()
        return self._times_set

    def check_clock(self, before: int) -> None:
        """Raise `Conflict` if the clock was set since."""
        if self._times_set != before:
            raise Conflict("the clock was set meanwhile")

    async def write(self, change: Change) -> Sequence[int]:
        """Commit a change with the interaction that asks for it. Raise `repeated` if that changed something before."""
        asked = INTERACTION.get()
        if asked is None or asked.is_noted or not change:
            return await self.store.write(change)
        if not asked.is_new and await self.store.is_handled(asked.id):
            raise RefereeError("repeated")
        asked.is_new = True
        ids = await self.store.write((*change, NoteHandled(asked.id)))
        asked.is_noted = True
        return ids

    def notify(self, id: str, *, timed: bool = True) -> None:
        """Tell the listeners of a committed change; `timed`: it may have set a deadline before the next look."""
        self._drawn.pop(id, None)
        if id not in self._held:
            for listener in (*self.listeners, *(self.clock_listeners if timed else ())):
                listener(id)

    def wake_clock(self, owner: str) -> None:
        """Tell the clock of a deadline that belongs to no match or lobby, or with an empty owner that many moved."""
        for listener in self.clock_listeners:
            listener(owner)

    @contextmanager
    def hold_news(self, ids: Iterable[str]) -> Generator[None]:
        """Tell listeners of changes of these matches only when this is left."""
        held = Counter(ids)
        self._held += held
        try:
            yield
        finally:
            self._held -= held
            for id in held:
                self.notify(id)

    async def new_id(self, guild: Snowflake = 0) -> str:
        """Return an unused code like K7Q2, in the partition of this server if there is one. Codes get longer once the
        short ones are crowded."""
        for size in (4, 4, 4, 5, 5, 6, 7, 8, 13):
            code = self._draw_code(size)
            while code in self._drawn or not self._is_in_place(code, guild):
                code = self._draw_code(size)
            self._drawn.keep(code, None)
            if not await self.store.known_id(code):
                return code
            self._drawn.pop(code, None)  # its match may have changed meanwhile
        raise RefereeError("busy")

    def _is_in_place(self, code: str, guild: Snowflake) -> bool:
        """Return True if a code is in the partition of its server, or without one in a partition of this process."""
        return partition_of(code) == partition_of(guild) if guild else self.store.owns(code)

    def _draw_code(self, size: int) -> str:
        return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in self.entropy.bytes(size))


class Commands:
    """Commands about one subject, over the matches that the repository keeps."""

    def __init__(self, repository: MatchRepository) -> None:
        self._repository, self._store, self._clock = repository, repository.store, repository.clock


_ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 letters and digits that cannot be mistaken for each other"""
