"""What people see is reconciled, not sent: every surface that is behind is brought up to the newest version.

After a crash it simply runs again. Bursts coalesce; what fails is tried again later; a deleted board is posted anew.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from bot.errors import Refused
from bot.referee.match.live import Live
from bot.referee.ports.changes import Conflict, DropSurface, SurfaceShown
from bot.referee.ports.model import LobbyState, Surface, SurfaceKind
from bot.referee.query.views import MatchView
from cogs.show import lost, moving
from cogs.show.board_face import Watched, face_of, face_of_live, since
from cogs.show.board_news import BoardNews
from cogs.show.consoles import RETRY, Consoles
from cogs.show.draw import board_message, lobby_message
from cogs.show.drawing import Drawing
from cogs.show.finding import is_behind
from cogs.show.marks import Marks
from cogs.ui.message import Message
from cogs.wire.reach import Fate, Reach, lane_of

if TYPE_CHECKING:
    from bot.referee.referee import Referee

log = logging.getLogger(__name__)

TICK = 1.0
"""seconds in which ticks (somebody sealed) coalesce where they are counted; a free one is shown at once"""

SPACING_FREE, SPACING_COUNTED = 1.0, 1.5
"""seconds between two edits of a board: a seal must stand there before others can have sealed and revealed"""

SLOW = 2.0
"""seconds after which a console that Discord keeps waiting is waited for apart, and the others go on"""

TROUBLE = 30.0
"""seconds after which something unforeseen is tried again"""

STUCK, STUCK_PRESSED, STUCK_MOST = 60.0, 5.0, 3600.0
"""seconds between tries of a board whose edits are forbidden; after a press; and at the most, for the longer that lasts
the fewer are made: Discord bans a bot that makes too many. A match that is over waits no longer than that"""

STALE_BOARD = timedelta(minutes=50)
"""a board this old is posted anew at the next reveal, before Discord refuses to edit it"""


class Publisher:
    """One task a match that is behind; matches do not wait for each other."""

    def __init__(self, referee: Referee, reach: Reach) -> None:
        self.referee = referee
        self.reach = reach
        self.lanes = reach.lanes
        self.lanes.freed = self._wake_if_open
        self.marks = Marks(referee)
        self.news = BoardNews(referee.clock.now)
        self.consoles = Consoles(referee, reach, self.marks, self.news)
        self._drawing = Drawing()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: dict[str, asyncio.Event] = {}
        self._watched: dict[str, Watched] = {}
        self._aside: dict[int, asyncio.Task[Any]] = {}
        """by surface, a console that is waited for apart: Discord may keep it waiting, and nothing else must wait"""
        self._closed = False

    # --- being told --------------------------------------------------------------------------------------

    def changed(self, id: str) -> None:
        """A change was committed. While a press is under way that did no more than seal, nobody else has news: its end
        is soon enough."""
        live = self.referee.known(id)
        if live is None or not self._drawing.only_sealed(live):
            self.wake(id)

    def wake(self, id: str) -> None:
        """Something of this match or lobby is to be shown."""
        event = self._again.setdefault(id, asyncio.Event())
        event.set()
        if id not in self._tasks:
            task = asyncio.get_running_loop().create_task(self._work(id), name=f"publish-{id}")
            self._tasks[id] = task

    async def catch_up(self) -> None:
        """After a start: everything that is behind."""
        for surface in await self.referee.store.behind(limit=100_000):
            self.wake(surface.match)

    async def idle(self) -> None:
        """Wait until nothing is being published, at most until everything under way is done."""
        while self._tasks or self._aside:
            await asyncio.wait([*self._tasks.values(), *self._aside.values()])
        await self.marks.flush()

    async def close(self) -> None:
        """Stop, and note what was shown."""
        self._closed = True
        tasks = [*self._tasks.values(), *self._aside.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.consoles.close()
        await self.marks.flush()

    # --- working -----------------------------------------------------------------------------------------

    async def _work(self, id: str) -> None:
        event = self._again[id]
        try:
            while True:
                event.clear()
                try:
                    pause = await self._bring_up(id)
                except Exception:  # the store may be locked for a while; nothing else would wake us
                    log.exception("publishing %s failed; it is tried again", id)
                    pause = RETRY
                if pause is None and not event.is_set():
                    return
                if pause:
                    soon = asyncio.get_running_loop().call_later(pause, event.set)
                    await event.wait()
                    soon.cancel()
        finally:
            # Both at once, before anybody else runs: whoever wakes us from here on starts a new task.
            self._again.pop(id, None)
            self._tasks.pop(id, None)

    async def _bring_up(self, id: str) -> float | None:
        """One pass over the surfaces of a match; seconds until another one is due, or None."""
        surfaces = await self.marks.surfaces(id)
        lobby = await self.referee.store.lobby(id) if not surfaces or surfaces[0].kind is SurfaceKind.LOBBY else None
        if lobby is not None and lobby.state is not LobbyState.STARTED:
            pauses = [await self._lobby(surfaces), await self.consoles.offers.bring_up(id)]
            pause = min((one for one in pauses if one is not None), default=None)
            if pause is None and lobby.state is not LobbyState.OPEN:
                self._let_go(id)
            return pause
        try:
            live = await self.referee.live(id)
        except Refused:
            self._let_go(id)
            return None
        now = self.referee.clock.now()
        offers = await self.consoles.offers.bring_up(id)
        pauses = [offers] if offers is not None else []
        # What has news is asked of all of them, each time: it is told by what was there the last time.
        face = face_of_live(live)
        news = {one.id: self._news(live, face, one) for one in surfaces if one.kind is not SurfaceKind.LOBBY}
        behind = [one for one in surfaces if self._is_due(one, live)]
        for surface in behind:
            if surface is not behind[0]:  # while one was edited, a callback may have drawn the next
                surface = next((one for one in await self.marks.surfaces(id) if one.id == surface.id), None)
            if surface is None or self._drawing.taken(surface.id) or not self._is_due(surface, live):
                continue
            if self.lanes.taken(lane_of(surface), id):
                continue  # we are woken when that call has ended
            if rest := self.reach.rest(surface):
                pauses.append(rest)
                continue
            is_board = surface.kind is SurfaceKind.BOARD
            try:
                if is_board:
                    pause = await self._board(surface, live)
                elif surface.message and surface.shown >= news[surface.id] and not self._is_stale(surface):
                    # Somebody else sealed: this console heals when it is pressed, and is told of the reveal.
                    self.marks.mark(SurfaceShown(surface.id, live.stored.version))
                    continue
                elif surface.kind is SurfaceKind.CONSOLE_DM and not self.reach.is_free(surface, now):
                    pause = self._counted_console(surface, live)
                else:
                    pause = await self._free_console(surface, live)
            except Exception:  # one surface in trouble must not keep the others behind
                log.exception("a surface of %s failed; it is tried again", id)
                pause = TROUBLE
            if pause:
                pauses.append(pause)
        pauses += [pause for one in surfaces if (pause := self._stuck_for(one, live))]
        if not pauses and not live.stored.live:
            self._let_go(id)
        return min(pauses, default=None)

    def _let_go(self, id: str) -> None:
        """It is over, and that is shown: nothing of it is kept in memory any more."""
        self._watched.pop(id, None)
        self.news.forget(id)
        self.consoles.forget(id)
        self.referee.let_go(id)

    def _is_stale(self, surface: Surface) -> bool:
        """Whether what stands there may be older than what we believe."""
        return surface.state == "live" and self.lanes.stale(lane_of(surface))

    def _is_due(self, surface: Surface, live: Live) -> bool:
        if is_behind(surface, live.stored.version) or self._stuck_for(surface, live) == 0:
            return True
        return surface.kind is not SurfaceKind.LOBBY and self._is_stale(surface)

    def _stuck_for(self, surface: Surface, live: Live) -> float | None:
        """Seconds until a board whose edits are forbidden is tried again; None if it is none, or not any more."""
        if surface.kind is not SurfaceKind.BOARD or surface.state != "stuck":
            return None
        watched = self._watched.setdefault(live.stored.id, Watched())
        now = asyncio.get_running_loop().time()
        watched.stuck_since = watched.stuck_since or now
        if not live.stored.live and now - watched.stuck_since > STUCK_MOST:
            return None
        return max(watched.again - now, 0.0)

    def stuck(self, id: str) -> None:
        """An edit of this board was forbidden just now."""
        watched = self._watched.setdefault(id, Watched())
        now = asyncio.get_running_loop().time()
        watched.stuck_since, watched.tried = watched.stuck_since or now, now
        watched.again = now + min(max(STUCK, (now - watched.stuck_since) / 10), STUCK_MOST)

    def pressed(self, id: str) -> None:
        """Somebody looks at this match: a board that is stuck is tried soon."""
        watched = self._watched.get(id)
        if watched is not None and watched.stuck_since:
            watched.again = min(watched.again, watched.tried + STUCK_PRESSED)
        self.wake(id)

    def _counted_console(self, surface: Surface, live: Live) -> float | None:
        """Drawn only when its call can be made: what waited would put a newer drawing back."""
        turns = self._watched.setdefault(live.stored.id, Watched()).turns
        if surface.message:
            now = asyncio.get_running_loop().time()
            turn = turns.setdefault(surface.id, now + self.reach.budget.spend())
            if turn > now:
                return turn - now
        self._set_aside(surface, live, paid=turns.pop(surface.id, None) is not None)
        return None

    def _news(self, live: Live, face: tuple[object, ...], surface: Surface) -> int:
        """The version since when this person's console has looked as it looks now, as far as this process knows."""
        stored = live.stored
        if surface.kind is SurfaceKind.BOARD:
            return stored.version
        seat = stored.seat_of(surface.user)
        own = (face, next((one.digest for one in stored.sealed if one.seat == seat), b""))
        consoles = self._watched.setdefault(stored.id, Watched()).consoles
        known = consoles.get(surface.user)
        if known is None:
            known = consoles[surface.user] = (own, since(live, seat))
        elif known[0] != own:
            known = consoles[surface.user] = (own, stored.version)
        return known[1]

    def _set_aside(self, surface: Surface, live: Live, paid: bool) -> None:
        """Bring this one up by a task of its own, and look again when that is done."""
        if surface.id not in self._aside:
            task = asyncio.get_running_loop().create_task(self._bring_up_aside(surface, live, paid))
            self._aside[surface.id] = task

    async def _bring_up_aside(self, surface: Surface, live: Live, paid: bool) -> None:
        pause: float | None = None
        try:
            view = await self.referee.views.of(live.stored.id, surface.user)
            pause = await self.consoles.bring_up(surface, view, paid)
        except Exception:  # one surface in trouble must not end the others
            log.exception("a surface of %s failed; it is tried again", live.stored.id)
            pause = TROUBLE
        finally:
            self._aside.pop(surface.id, None)
        if pause:
            asyncio.get_running_loop().call_later(pause, self._wake_if_open, live.stored.id)
        else:  # at once: whoever waits until nothing is being published must not look in between
            self._wake_if_open(live.stored.id)

    async def _free_console(self, surface: Surface, live: Live) -> float | None:
        """By a token, which waits for nothing; unless a press draws it now."""
        view = await self.referee.views.of_live(live, surface.user)
        if self._drawing.taken(surface.id) or surface.id in self._aside:
            return None
        drawing = asyncio.create_task(self.consoles.bring_up(surface, view), name=f"draw-{surface.id}")
        try:
            done, _ = await asyncio.wait({drawing}, timeout=SLOW)
        except asyncio.CancelledError:
            drawing.cancel()
            raise
        if done:
            return drawing.result()
        self._aside[surface.id] = drawing
        drawing.add_done_callback(lambda _: self._ended_aside(surface, live.stored.id))
        return None

    def _ended_aside(self, surface: Surface, id: str) -> None:
        drawing = self._aside.pop(surface.id)
        if not drawing.cancelled():
            if error := drawing.exception():
                log.error("a surface of %s failed; it is tried again", id, exc_info=error)
            self._wake_if_open(id)

    @contextmanager
    def left_to_press(self, id: str, surface: int) -> Generator[None]:
        """A press draws this surface now, and nobody else does until it has."""
        live = self.referee.known(id)
        try:
            with self._drawing.press(id, surface, live.stored.prompt if live is not None else -1):
                yield
        finally:
            self.pressed(id)

    def _wake_if_open(self, id: str) -> None:
        if not self._closed:
            self.wake(id)

    async def _lobby(self, surfaces: Sequence[Surface]) -> float | None:
        for listed in surfaces:
            lobby = await self.referee.store.lobby(listed.match)
            # Known anew: a callback may just have drawn it.
            surface = next((one for one in await self.marks.surfaces(listed.match) if one.id == listed.id), listed)
            if lobby is None or self._drawing.taken(surface.id):
                continue
            if surface.shown >= lobby.version and not self._is_stale(surface):
                continue
            if lobby.state is LobbyState.STARTED:  # just now: it is a board, and whoever made it one has woken us
                continue
            if self.lanes.taken(lane_of(surface), lobby.id):
                continue
            if rest := self.reach.rest(surface):
                return rest

            async def draw(id: str = lobby.id) -> Message:
                nonlocal lobby
                lobby = await self.referee.lobbies.get(id)
                return lobby_message(lobby)

            fate = await self.reach.edit(surface, draw, self.referee.clock.now())
            if fate is Fate.LATER:
                return self.reach.rest(surface)
            gone = fate in (Fate.MESSAGE_GONE, Fate.CHANNEL_GONE)
            with suppress(Conflict):  # it has become a board meanwhile, whose versions are those of the match
                if gone:
                    await self.referee.write((DropSurface(surface.id),))
                    await self.referee.lobbies.gone(lobby.id)  # nobody sees any more what they would accept
                else:
                    await self.marks.put(replace(surface, shown=lobby.version))
        return None

    # --- the board ---------------------------------------------------------------------------------------

    async def _board(self, surface: Surface, live: Live) -> float | None:
        """Reveals and results must be shown; a tick is best effort."""
        stored = live.stored
        watched = self._watched.setdefault(stored.id, Watched())
        now = asyncio.get_running_loop().time()
        face = face_of_live(live)
        if face == watched.face and surface.state == "live" and not self._is_stale(surface):
            pause = self._tick(watched, now)
            if pause is None:  # dropped: the budget is needed elsewhere
                self.marks.mark(SurfaceShown(surface.id, stored.version))
                return None
            if pause > 0:
                return pause
        else:
            self.news.due(stored.id)
        spacing = (SPACING_FREE if watched.free else SPACING_COUNTED) - (now - watched.edited)
        if spacing > 0 and watched.edited and stored.live:
            return spacing
        watched.free = bool(surface.token_until and surface.token_until > self.referee.clock.now())
        if not watched.free:  # consoles, which are free, must not wait behind a board
            watched.turn = watched.turn or now + self.reach.budget.spend()
            if watched.turn > now:
                if watched.turn - now > TICK:
                    self.news.limited(stored.id)
                return watched.turn - now
        watched.ticking = watched.turn = 0.0
        view = await self.referee.views.of_live(live)
        if self._stale(surface, view, watched):
            return await moving.post_anew(self, surface, view)
        watched.edited = now
        self.news.calling(stored.id)

        async def draw() -> Message:
            nonlocal view
            view = await self.consoles.newest(view)
            return board_message(view)

        fate = await self.reach.edit(surface, draw, self.referee.clock.now(), paid=not watched.free)
        if fate is Fate.DONE:
            watched.face = face_of(view)
            self.news.shown(stored.id)
            self.marks.mark(SurfaceShown(surface.id, view.version))
            if surface.state != "live":
                watched.stuck_since = watched.again = 0.0
                await lost.found_again(self, surface, view)
            if view.over:
                await self.consoles.tell_end(view, surface.posted)
            return None
        return await self._board_failed(surface, view, fate)

    def _tick(self, watched: Watched, now: float) -> float | None:
        """How long a tick still waits; None if it is dropped."""
        if not watched.free and self.reach.budget.free < 0.5:
            return None
        if watched.free:
            return 0.0
        if not watched.ticking:
            watched.ticking = now + TICK
        return max(0.0, watched.ticking - now)

    def _stale(self, surface: Surface, view: MatchView, watched: Watched) -> bool:
        old = self.referee.clock.now() - surface.posted > STALE_BOARD
        return old and bool(watched.face) and face_of(view) != watched.face and not view.over

    async def _board_failed(self, surface: Surface, view: MatchView, fate: Fate) -> float | None:
        if fate is Fate.LATER:
            self.news.limited(view.id)
            return self.reach.rest(surface)
        if fate in (Fate.MESSAGE_GONE, Fate.TOO_OLD):
            return await moving.post_anew(self, surface, view, gone=fate is Fate.MESSAGE_GONE)
        return await lost.keep_without(self, surface, view, fate)

    def look_again(self, id: str) -> None:
        """Whatever this process believes of a board is no reason to let it be."""
        self._watched.pop(id, None)
        self.wake(id)

    def pressed_board(self, id: str) -> None:
        """A callback is drawing the board itself, which makes its next edit free."""
        watched = self._watched.setdefault(id, Watched())
        watched.edited, watched.free = asyncio.get_running_loop().time(), True

    def drew_board(self, view: MatchView, free: bool | None = None) -> None:
        """The board is known to show this; `free`, if it is told, whether its next edit is."""
        watched = self._watched.setdefault(view.id, Watched())
        watched.face = face_of(view)
        if free is not None:
            watched.free = free
        self.news.shown(view.id)
