"""A worker's part in what people see: it shows the console that is pressed, by its answer, and nothing else. All the
rest is left to the keeper that leads, who is given a hint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from bot.referee.ports.changes import Change, NoteSurface, PutSurface, TakeSurface
from bot.referee.ports.model import CROSSED, Surface, SurfaceKind
from bot.referee.referee import Referee
from cogs.show.marks import Marks
from cogs.show.publisher import Publisher
from cogs.show.surfaces import console_among
from cogs.wire.lanes import Lanes
from cogs.wire.reach import Reach, lane_of

Inform = Callable[[str, int], None]
"""tells the keeper of a match and its version, 0 where only what shows it was changed"""


SOON = 0.1
"""Seconds after a bid was stored at the latest. The keeper is told once the console has been noted, too, which is
sooner nearly always: so it looks once at each bid."""


class WorkerMarks(Marks):
    """A console is taken before it is shown, and noted afterwards: so whoever draws it meanwhile is found out."""

    def __init__(self, referee: Referee, lanes: Lanes, hint: Inform) -> None:
        super().__init__(referee, shared=True)
        self.gathered = 0.0  # until it is noted the keeper waits; where there are many, they wait for each other
        self._lanes = lanes
        self._hint = hint
        self._owed: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        """matches with a version of which the keeper was not told, and what tells it"""

    def owe(self, match: str, version: int) -> None:
        """A change was stored, and what is noted follows."""
        if match in self._owed:
            timer = self._owed[match][1]
        else:
            timer = asyncio.get_running_loop().call_later(SOON, self.pay, match)
        self._owed[match] = version, timer

    def pay(self, match: str) -> None:
        """The keeper is told."""
        version = 0
        if match in self._owed:
            version, timer = self._owed.pop(match)
            timer.cancel()
        self._hint(match, version)

    def pay_all(self) -> None:
        for match in list(self._owed):
            self.pay(match)

    def taken(self, surface: Surface) -> Change:
        return (TakeSurface(surface),)

    async def take(self, surface: Surface) -> None:
        await self.referee.surfaces.take(surface)

    async def keep(self, surface: Surface, taken: Surface | None = None) -> Surface | None:
        lane = self._lanes.look(lane_of(surface))
        if taken is not None and not surface.shown:  # it never arrived: what reached it before does so still
            self.mark(PutSurface(replace(surface, shown=CROSSED), taken.token))
        elif lane is not None and lane.stale:  # two answers at once, and nobody knows which came last
            self.mark(NoteSurface(replace(surface, shown=CROSSED)))
            self._lanes.forget(lane_of(surface))
        else:
            self.mark(NoteSurface(surface))
        return None  # whoever replaces it meanwhile shows the other

    async def flush(self) -> None:
        shown = {one.surface.match for one in self._kept.values() if isinstance(one, NoteSurface | PutSurface)}
        await super().flush()
        for match in shown:
            self.pay(match)


class Bystander(Publisher):
    """Publishes nothing by itself."""

    def __init__(self, referee: Referee, reach: Reach, hint: Inform, doubt: Callable[[str], None]) -> None:
        """`doubt`: forgets what is remembered of a match's surfaces, for others write of them."""
        self._marks = WorkerMarks(referee, reach.lanes, hint)
        self._doubt = doubt
        super().__init__(referee, reach, marks=self._marks)

    def changed(self, id: str) -> None:
        live = self.referee.known(id)
        self._marks.owe(id, live.stored.version if live is not None else 0)

    async def close(self) -> None:
        await super().close()
        self._marks.pay_all()

    def wake(self, id: str) -> None:
        """Whoever wakes has noted something, which is a hint of its own."""

    async def replaced(self, pressed: Surface, instead: Surface | None, version: int, banner: str) -> str:
        """The keeper shows the other, without the sentence: that is told beside it."""
        if not banner or pressed.kind is not SurfaceKind.CONSOLE_DM:
            return ""
        self._doubt(pressed.match)
        newest = console_among(await self.referee.store.surfaces(pressed.match), pressed.user, pressed.kind)
        return banner if newest is not None and newest.message > pressed.message else ""

    def pressed(self, id: str) -> None: ...

    def left_to_press(self, id: str, surface: int) -> AbstractContextManager[None]:
        """It is taken in the store, where the keeper finds it."""
        return nullcontext()

    async def catch_up(self) -> None: ...
