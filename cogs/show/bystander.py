"""A worker's part in what people see: it shows the console that is pressed, by its answer, and nothing else. All the
rest is left to the keeper that leads, who is given a hint."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from bot.referee.ports.changes import Change, NoteSurface, PutSurface, TakeSurface
from bot.referee.ports.model import CROSSED, Surface
from bot.referee.referee import Referee
from cogs.show.marks import Marks
from cogs.show.publisher import Publisher
from cogs.wire.lanes import Lanes
from cogs.wire.reach import Reach, lane_of

Inform = Callable[[str, int], None]
"""tells the keeper of a match and its version, 0 where only what shows it was changed"""


class WorkerMarks(Marks):
    """A console is taken before it is shown, and noted afterwards: so whoever draws it meanwhile is found out."""

    def __init__(self, referee: Referee, lanes: Lanes, hint: Inform) -> None:
        super().__init__(referee, shared=True)
        self.gathered = 0.0  # until it is noted the keeper waits; where there are many, they wait for each other
        self._lanes = lanes
        self._hint = hint

    def taken(self, surface: Surface) -> Change:
        return (TakeSurface(surface),)

    async def take(self, surface: Surface) -> None:
        await self.referee.surfaces.take(surface)

    async def keep(self, surface: Surface, taken: Surface | None = None) -> None:
        lane = self._lanes.look(lane_of(surface))
        if taken is not None and not surface.shown:  # it never arrived: what reached it before does so still
            self.mark(PutSurface(replace(surface, shown=CROSSED), taken.token))
        elif lane is not None and lane.stale:  # two answers at once, and nobody knows which came last
            self.mark(NoteSurface(replace(surface, shown=CROSSED)))
            self._lanes.forget(lane_of(surface))
        else:
            self.mark(NoteSurface(surface))

    async def flush(self) -> None:
        shown = {one.surface.match for one in self._kept.values() if isinstance(one, NoteSurface | PutSurface)}
        await super().flush()
        for match in shown:
            self._hint(match, 0)


class Bystander(Publisher):
    """Publishes nothing by itself."""

    def __init__(self, referee: Referee, reach: Reach, hint: Inform) -> None:
        super().__init__(referee, reach, marks=WorkerMarks(referee, reach.lanes, hint))
        self._hint = hint

    def changed(self, id: str) -> None:
        live = self.referee.known(id)
        self._hint(id, live.stored.version if live is not None else 0)

    def wake(self, id: str) -> None:
        """Whoever wakes has noted something, which is a hint of its own."""

    def pressed(self, id: str) -> None: ...

    def left_to_press(self, id: str, surface: int) -> AbstractContextManager[None]:
        """It is taken in the store, where the keeper finds it."""
        return nullcontext()

    async def catch_up(self) -> None: ...
