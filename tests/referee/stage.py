"""A referee over a real database with a clock and entropy that tests turn."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.referee.clock.deadlines import Sleeper
from bot.referee.clock.presence import Presence
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import Deadline
from bot.referee.model.participant import Person, Place
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from tests.referee.waiting import wait_idle

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
HERE = Place(1, 2)
ANA, BEN, CEM = Person(10, "Ana"), Person(11, "Ben"), Person(12, "Cem")


class HandClock:
    """A clock that moves only by hand."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def forward(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class SeededEntropy:
    """The same bytes in every run, never twice the same. How many codes are drawn changes no deal."""

    def __init__(self, seed: str = "seed") -> None:
        self.seed = seed
        self.drawn = Counter[int]()

    def bytes(self, count: int) -> bytes:
        self.drawn[count] += 1
        return hashlib.shake_256(f"{self.seed} {count} {self.drawn[count]}".encode()).digest(count)


class Table:
    """A referee and its people."""

    def __init__(self, store: Any, clock: HandClock | None = None, seed: str = "seed") -> None:
        self.store = store
        self.clock = clock or HandClock()
        self.referee = Referee(store, self.clock, SeededEntropy(seed))
        self.reminded: list[Deadline] = []
        self.place = HERE
        self.sleeper = Sleeper(self.referee, self._remind, Presence(self.referee, timedelta(), lambda: 0.0))

    async def _remind(self, deadline: Deadline) -> bool:
        self.reminded.append(deadline)
        return True

    async def start(self, people: Sequence[Person] = (ANA, BEN), **wish: Any) -> str:
        """A match of these people, challenged by the first and accepted by the others."""
        lobby = await self.referee.challenges.open(self.place, people[0], people[1:], Wish(**wish))
        for person in people[1:]:
            await self.referee.challenges.accept(lobby.id, person.user, 900)
        return lobby.id

    async def seal(self, id: str, user: int, card: Any, prompt: int | None = None) -> tuple[MatchView, bool]:
        if prompt is None:
            prompt = (await self.referee.views.view(id)).prompt
        return await self.referee.matches.seal(id, user, prompt, card, self.clock.now())

    async def round(self, id: str, ana: Any, ben: Any) -> MatchView:
        await self.seal(id, ANA.user, ana)
        view, revealed = await self.seal(id, BEN.user, ben)
        assert revealed
        return view

    async def play_out(self, id: str, ana: Sequence[int], ben: Sequence[int]) -> MatchView:
        """Both bid in this order; the last card is forced."""
        for one, other in zip(ana[:-1], ben[:-1], strict=True):
            await self.round(id, one, other)
        return await self.referee.views.view(id)

    async def fire(self) -> None:
        """Fire everything that is due by now."""
        while await self.sleeper.fire_due() == 0:
            await wait_idle(self.sleeper)
