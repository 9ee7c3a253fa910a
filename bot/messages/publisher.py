"""What people see is reconciled, not sent: every surface that is behind is brought up to the newest version.

After a crash it simply runs again. Bursts coalesce; what fails is tried again later; a deleted board is posted anew.
What is to be done says `bot.messages.plan`; here it is carried out.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from types import TracebackType
from typing import Final

from bot.errors import RefereeError
from bot.messages.asides import Asides
from bot.messages.boards import RETRY, Boards
from bot.messages.consoles import Consoles
from bot.messages.dms import Dms
from bot.messages.executor import Executor
from bot.messages.marks import Marks
from bot.messages.notices import Notices
from bot.messages.painter import Painter
from bot.messages.plan import plan
from bot.messages.server_log import ServerLog
from bot.messages.show import Moment, Offer, Show, Shows
from bot.messages.steps import Close, Drop, Edit, Leave, LetGo, Owe, Post, Reserve, Room, Step, Stop, Tell, Wait
from bot.referee.model.model import Lobby, LobbyState, Surface, SurfaceKind, SurfaceState, UserId
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery, has_live_token, lane_of
from bot.rest.lanes import Lane

log = logging.getLogger(__name__)

SLOW = 2.0
"""seconds after which whoever makes a call that Discord keeps waiting waits for that alone, and the others go on"""

TROUBLE = 30.0
"""seconds after which something unforeseen is tried again"""


ERASED = ("unknown-match", "challenge-gone")
"""why what was to be shown cannot be: the data of its server is gone"""


class Publisher:
    """One task a match that is behind; matches do not wait for each other."""

    def __init__(self, referee: Referee, reach: Delivery, painter: Painter | None = None) -> None:
        self.referee = referee
        self.reach = reach
        self.lanes = reach.lanes
        self.lanes.freed = self._wake_if_open
        self.shows = Shows()
        self.marks = Marks(referee)
        self.boards = Boards(referee, reach, self.shows, self.marks, painter or Painter(on=False), self.wake)
        self.dms = Dms(referee, reach)
        self.consoles = Consoles(referee, reach, self.shows, self.marks, self.dms, self.boards)
        referee.practice.last_look = self.consoles.last_look
        self.notices = Notices(referee, reach, self.shows, self.marks, self.dms, self.boards, self.consoles)
        self._executor = Executor(referee, reach, self.marks, self.dms, self.boards, self.consoles, self.notices)
        self.asides = Asides(reach, referee.clock)
        self._tasks: set[asyncio.Task[None]] = set()
        self.server_log = ServerLog(referee, reach, self._task)
        self._closed = False

    # --- being told --------------------------------------------------------------------------------------

    def changed(self, id: str) -> None:
        """A change was committed. While a press is under way that did no more than seal, nobody else has news: its end
        is soon enough."""
        show = self.shows.known(id)
        live = self.referee.find_cached(id) if show is not None and show.presses else None
        if show is None or live is None or not show.only_sealed(live):
            self.wake(id)

    def wake(self, id: str) -> None:
        """Something of this match or lobby is to be shown."""
        show = self.shows.of(id)
        show.wake()
        if show.runner is None:
            show.runner = self._task(self._run(show), f"publish-{id}")

    def left_to_press(self, id: str, surface: int) -> AbstractContextManager[None]:
        """A press shows this surface now, and nobody else does until it has."""
        return _Press(self, id, surface)

    def pressed(self, id: str) -> None:
        """Somebody looks at this match: what failed is tried soon."""
        show = self.shows.known(id)
        if show is not None:
            show.looked_at()
        self.wake(id)

    def warns(self, console: Surface, version: int, banner: str) -> None:
        """The answer to a press on this console, at this version: it is kept should that be shown once more."""
        show = self.shows.known(console.match)
        if show is not None:
            show.warn(console.message, version, banner)

    def answer_on(self, console: Surface, version: int, banner: str) -> None:
        """Show the answer to a press on the console that has taken the place of the pressed one."""
        self.warns(console, version, banner)
        self.marks.changed(console, shown=0)

    def pressed_board(self, id: str) -> None:
        """A callback is showing the board itself, which makes its next edit free."""
        show = self.shows.of(id)
        show.edited, show.free = asyncio.get_running_loop().time(), True

    def showed_board(self, view: MatchView) -> None:
        """The board is known to show this."""
        self.shows.of(view.id).shows(view)

    def slowed(self, id: str) -> bool:
        """Whether Discord is why the board of this match is late."""
        show = self.shows.known(id)
        return show is not None and show.is_slowed(self.referee.clock.now())

    async def catch_up(self) -> None:
        """After a start, or a time without connection: everything that is behind, and what shows old times is."""
        await self.referee.surfaces.mark_behind()
        for surface in await self.referee.surfaces.load_behind(limit=100_000):
            self.shows.of(surface.match).rests.clear()
            self.wake(surface.match)

    async def idle(self) -> None:
        """Wait until nothing is being published, at most until everything under way is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        await self.marks.flush()

    async def close(self) -> None:
        """Stop, and note what was shown."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.dms.close()
        await self.marks.flush()

    # --- working -----------------------------------------------------------------------------------------

    def _task(self, work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _wake_if_open(self, id: str) -> None:
        if not self._closed:
            self.wake(id)

    async def _run(self, show: Show) -> None:
        me = asyncio.current_task()
        try:
            while True:
                try:
                    pause = await self._bring_up(show)
                except Exception:  # the store may be locked for a while; nothing else would wake us
                    log.exception("publishing %s failed; it is tried again", show.id)
                    pause = RETRY
                if show.runner is not me or (pause is None and not show.woken):
                    return
                if not show.woken:
                    await show.sleep(max(pause or 0.0, 0.0))
        finally:
            # At once, before anybody else runs: whoever wakes it from here on starts a new task.
            if show.runner is me:
                show.runner = None
                if show.is_empty:
                    self.shows.drop(show)

    async def _bring_up(self, show: Show) -> float | None:
        """One plan after the other is carried out; seconds until more can be done, or None."""
        me = show.runner
        while show.runner is me:
            show.woken = False
            surfaces = await self.marks.surfaces(show.id)
            live = await self._shown(show.id, surfaces)
            if live is None:
                self._let_go(show)
                return None
            dms: Mapping[UserId, bool] = {}
            if show.fate is CallResult.CHANNEL_GONE:
                dms = await self._executor.open_dms(live)
            due = False
            if isinstance(live, Live) and not show.version:  # the first look at it
                due = await self.boards.is_due_in_thread(live, surfaces)
            if show.woken:
                continue  # a press has shown something while this was read
            now = Moment(self.referee.clock.now(), asyncio.get_running_loop().time())
            if isinstance(live, Live):
                show.into_thread = show.into_thread or due
                show.notice(live, surfaces, now)
            steps = plan(surfaces, live, show, self._room(show, surfaces, dms, now.at), now)
            if not await self._carry_out(show, live, steps):
                waits = [step.until for step in steps if isinstance(step, Wait) and step.until is not None]
                return min(waits) - now.loop if waits else None
        return None

    async def _shown(self, id: str, surfaces: Sequence[Surface]) -> Live | Lobby | None:
        """What there is to show of it."""
        lobby = await self.referee.lobbies.find(id) if not surfaces or surfaces[0].kind is SurfaceKind.LOBBY else None
        if lobby is not None and lobby.state is not LobbyState.STARTED:
            return lobby
        try:
            return await self.referee.live(id)
        except RefereeError:
            return None

    def _room(self, show: Show, surfaces: Sequence[Surface], dms: Mapping[UserId, bool], now: datetime) -> Room:
        lanes: dict[int, Lane] = {}
        for one in surfaces if not show.offers else (*surfaces, *(offer.surface for offer in show.offers)):
            key = lane_of(one)
            if (lane := self.lanes.look(key)) is not None:
                lanes[key] = lane
        board = next((one for one in surfaces if one.kind is SurfaceKind.BOARD), None)
        spare = board is not None and show.spare is not None and has_live_token(show.spare, now)
        return Room(self.reach.free_share(board, now), show.turns, lanes, dms, spare)

    def offer_answered(self, id: str, message: int) -> None:
        """A press shows this offer itself, for the last time."""
        show = self.shows.known(id)
        if show is not None:
            show.offers = tuple(one for one in show.offers if one.surface.message != message)

    def offer_at(self, id: str, message: int) -> Offer | None:
        """The offer that this message is, as far as this process knows."""
        show = self.shows.known(id)
        return next((one for one in show.offers if one.surface.message == message), None) if show else None

    def _let_go(self, show: Show) -> None:
        """Nothing of it is kept in memory any more, unless there is news, or somebody shows it who wakes us."""
        if not show.woken and not show.is_busy:
            self.shows.drop(show)
            self.asides.drop(show.id)
            self.referee.release(show.id)

    # --- carrying out ------------------------------------------------------------------------------------

    async def _carry_out(self, show: Show, live: Live | Lobby, steps: Sequence[Step]) -> bool:
        """What can be done at this moment; whether something else may have to be done by now."""
        again = False
        for planned in steps:
            if not isinstance(planned, Reserve):
                step = planned
            elif self._executor.reserve(show, planned.surface):
                step = planned.then  # nothing has changed since the plan
            else:
                again = True
                continue
            match step:
                case Wait(surface, None):
                    self.lanes.want(lane_of(surface), show.id)
                case Wait():
                    pass
                case LetGo():
                    self._let_go(show)
                case Drop(surface):
                    self._executor.drop(show, surface)
                    again = True
                case Leave(surface, state) if isinstance(live, Live) and _is_noted(step):
                    self._executor.leave(show, surface, state, live.stored.version)
                    again = again or not live.stored.live
                case Edit(surface, True) | Post(surface) if surface.kind is SurfaceKind.CONSOLE_DM:
                    self._apart(show, surface, isinstance(step, Edit))
                case Edit(surface) | Post(surface) | Leave(surface):
                    await self._together(show, surface, self._executor.act(show, live, step))
                    return True
                case Owe(surface) | Stop(surface) | Tell(surface) | Close(Offer(surface=surface)):
                    await self._together(show, surface, self._executor.act(show, live, step))
                    return True
        return again

    async def _together(self, show: Show, surface: Surface, work: Coroutine[None, None, None]) -> None:
        """While the others wait; but if Discord keeps it waiting they go on, and only this one waits."""
        me = show.runner
        timer = asyncio.get_running_loop().call_later(SLOW, self._hand_over, show, surface)
        try:
            await self._tried(show, surface, work)
        finally:
            timer.cancel()
        if show.runner is not me:
            show.apart.pop(surface.id, None)
            self._wake_if_open(show.id)

    def _hand_over(self, show: Show, surface: Surface) -> None:
        """Somebody else goes on with the others."""
        if show.runner is not None and not self._closed:
            show.apart[surface.id], show.runner = show.runner, None
            self.wake(show.id)

    def _apart(self, show: Show, console: Surface, paid: bool) -> None:
        """By a task of its own: a counted call may have to wait for long, and a new message takes several."""
        show.turns.pop(console.id, None)
        show.apart[console.id] = self._task(self._alone(show, console, paid), f"edit-{console.id}")

    async def _alone(self, show: Show, console: Surface, paid: bool) -> None:
        try:
            await self._tried(show, console, self._executor.console(console, paid))
        finally:
            show.apart.pop(console.id, None)
        self._wake_if_open(show.id)  # at once: whoever waits until nothing is published must not look in between

    async def _tried(self, show: Show, surface: Surface, work: Coroutine[None, None, None]) -> None:
        try:
            await work
        except Exception as error:  # one surface in trouble must not keep the others behind
            if isinstance(error, RefereeError) and error.id in ERASED:
                log.debug("%s is not kept any more: there is nothing to show", show.id)
            else:
                log.exception("a surface of %s failed; it is tried again", show.id)
            show.rests[surface.id] = asyncio.get_running_loop().time() + TROUBLE


def _is_noted(step: Leave) -> bool:
    """Whether a note is all that it takes: a board that is given up is told of on consoles."""
    return step.surface.kind is not SurfaceKind.BOARD or step.state is SurfaceState.LIVE


class _Press:
    """While this lasts a press shows a surface."""

    __slots__ = ("_id", "_publisher", "_show", "_surface")

    def __init__(self, publisher: Publisher, id: str, surface: int) -> None:
        self._publisher: Final = publisher
        self._id: Final = id
        self._surface: Final = surface
        self._show: Final = publisher.shows.of(id)

    def __enter__(self) -> None:
        live = self._publisher.referee.find_cached(self._id)
        self._show.begin_press(self._surface, live.stored.prompt if live is not None else -1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._show.end_press(self._surface)
        self._publisher.pressed(self._id)
