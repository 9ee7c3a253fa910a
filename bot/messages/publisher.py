"""What people see follows what happens. A change wakes its match, the plan says what is behind, and the writer of each
message shows it; no message waits for another."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from bot.errors import RefereeError
from bot.messages.asides import Asides
from bot.messages.boards import RETRY, Boards
from bot.messages.consoles import Consoles
from bot.messages.display import Display, Displays, Moment
from bot.messages.dms import Dms
from bot.messages.notes import Notes
from bot.messages.notices import Notices
from bot.messages.plan import Close, Edit, Leave, LetGo, Step, Wait, plan
from bot.messages.render import Painter
from bot.messages.writer import Writer, Writers
from bot.process.base.event_loop import BackgroundTasks
from bot.referee.model.changes import SurfaceShown
from bot.referee.model.model import Lobby, LobbyState, Snowflake, UserId
from bot.referee.model.partitions import partition_of
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState, board_among
from bot.referee.model.views import MatchView
from bot.referee.people.privacy import ErasedMatches
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.rest.global_limit import SPARE

log = logging.getLogger(__name__)

MOST_BEHIND = 100_000
"""Surfaces that are read at a start."""

TIMES_PAUSE = 0.05
"""Seconds between two matches that show only new deadlines."""


class Publisher:
    """One task a match that is behind; matches do not wait for each other."""

    def __init__(self, referee: Referee, delivery: Delivery, painter: Painter | None = None) -> None:
        self.referee = referee
        self.delivery = delivery
        self.displays = Displays()
        self.notes = Notes(referee)
        self.tasks = BackgroundTasks()
        self.writers = Writers(self.tasks.start, self.wake, delivery.rest_client.unsent)
        self.dms = Dms(referee, delivery)
        parts = referee, delivery, self.displays, self.writers, self.notes, self.dms, self.wake
        self.boards = boards = Boards(*parts, painter or Painter(on=False))
        boards.on_result = lambda view, at: self.writers[view.id, 0].want(partial(self.notices.tell_end, view, at))
        boards.on_lost = self._play_by_dm
        self.consoles = Consoles(*parts, self.boards)
        referee.practice.last_look = self.consoles.last_look
        self.asides = Asides(delivery, self.writers, referee.clock)
        self.notices = notices = Notices(*parts, self.boards, self.consoles, self.asides)
        # What handlers ask of the parts.
        self.move_board, self.paint_result, self.check_lobby = boards.move, boards.picture, boards.check_lobby
        self.send_console_by_dm, self.tell_ruling = self.consoles.send_by_dm, notices.tell_ruling
        self.edit_consoles, self.offer_draw = boards.edit_consoles, notices.offer_draw
        self.answer_mention, self.split_by_dm = notices.answer_mention, notices.split_by_dm
        self.offer_rematch, self.tell_server = notices.offer_rematch, notices.posts.post_log
        self.post_lobby = notices.posts.post_lobby
        delivery.refusals.report = lambda channel, code: self.tasks.start(
            notices.posts.post_refusal(channel, code), "server-log"
        )
        self._is_closed = False

    # --- what is to be shown -----------------------------------------------------------------------------

    def changed(self, id: str) -> None:
        """A change was committed. While a press is under way that did no more than seal, nobody else has news: its end
        is soon enough."""
        display, live = self.displays.get(id), self.referee.find_cached(id)
        if display is None or live is None or not display.only_sealed(live):
            self.wake(id)

    def wake(self, id: str) -> None:
        """Something of this match or lobby is to be shown, or may be by now."""
        if self._is_closed:
            return
        display = self.displays[id]
        display.is_woken = True
        display.stop_timer()
        if display.task is None:
            display.task = self.tasks.start(self._bring_up(display), f"publish-{id}")

    @contextmanager
    def press(self, surface: Surface) -> Generator[Writer]:
        """Deal with a press on this surface: until that has ended nobody else shows it."""
        display, writer = self.displays[surface.match], self.writers.of(surface)
        display.presses += 1
        writer.presses += 1
        try:
            yield writer
        finally:
            display.presses -= 1
            writer.presses -= 1
            is_planned = self._is_planned(display, surface)
            writer.is_missed = writer.is_missed and not is_planned
            writer.settle()
            if display.stuck_for:
                display.look()
            if not is_planned:
                self.wake(surface.match)

    def _is_planned(self, display: Display, console: Surface) -> bool:
        """Return True if the newest version was planned for, and this console shows it by its own press."""
        live = self.referee.find_cached(display.id)
        if live is None or not live.stored.live or display.version != live.stored.version:
            return False
        if display.task is not None or display.stuck_for or console.kind is SurfaceKind.BOARD:
            return False
        return self.notes.is_shown(console, display.version)

    def pressed(self, id: str) -> None:
        """Somebody looks at this match: what failed is tried soon."""
        self.displays[id].look()
        self.wake(id)

    def record_look(self, id: str, user: UserId, at: datetime) -> None:
        """Note that a user looked at their match. After a restart their next press tells it again."""
        self.displays[id].seen[user] = at

    async def check_boards(
        self, guild: Snowflake, channel: Snowflake = 0, *, is_thread: bool = False, closed_only: bool = False
    ) -> None:
        """Try all boards of a place that is gone or can be viewed again: they are found missing, or shown.
        `closed_only`: a thread was opened, so only boards that were closed with it may come back."""
        # The store does not know the thread of a match, only its board does.
        for id in await self.referee.finder.live_ids(guild, 0 if is_thread else channel):
            board = board_among(await self.notes.surfaces(id))
            if board is None or board.state is SurfaceState.LOST or (is_thread and board.channel != channel):
                continue
            if board.state is SurfaceState.CLOSED or not closed_only:
                await self.retry_board(board)

    async def retry_board(self, board: Surface) -> None:
        """Try a board that could not be shown."""
        await self.notes.put(replace(board, state=SurfaceState.LIVE, shown=0, token="", token_until=None))
        self.displays[board.match].stuck_for = 0.0
        self.wake(board.match)

    def forget_offer(self, id: str, message: Snowflake) -> None:
        """A press shows this offer itself, for the last time."""
        if (display := self.displays.get(id)) is not None:
            display.offers.pop(message, None)

    def show_erased(self, erased: ErasedMatches) -> None:
        """The data of a player is gone: show that in their matches, and on consoles that nobody may press any more."""
        now = self.referee.clock.now()
        for console in erased.consoles:
            if console.has_live_token(now) or (console.message and not console.kind.ephemeral):
                self.consoles.show(console, self.consoles.edit)
        for id in (*erased.matches, *erased.going):
            self.wake(id)

    async def catch_up(self) -> None:
        """After a start, or a time without connection: everything that is behind, and what may be older than was noted.
        What shows only a deadline too early waits while matches need the calls."""
        early = await self.referee.surfaces.mark_behind()
        behind = {surface.match: None for surface in await self.referee.surfaces.load_behind(MOST_BEHIND)}
        for id in behind:
            if id not in early:
                self.pressed(id)
        if left := [id for id in behind if id in early]:
            self.tasks.start(self._show_times(left), "times")

    async def _show_times(self, ids: Sequence[str]) -> None:
        """Show the new deadlines of these matches and lobbies, in this order."""
        waiting = deque(ids)
        while waiting:
            if self.delivery.budget.free_share >= SPARE and self.referee.surfaces.owns(id := waiting.popleft()):
                self.wake(id)
            await asyncio.sleep(TIMES_PAUSE)

    async def idle(self) -> None:
        """Wait until nothing is being published, at most until everything under way is done."""
        await self.tasks.wait_until_idle()
        while any(display.timer is not None for display in self.displays.values()):
            await asyncio.sleep(0.01)
            await self.tasks.wait_until_idle()
        await self.notes.flush()

    async def leave(self, partition: int) -> None:
        """Stop showing what belongs to a partition, and note what was shown. Make no call: another process shows it."""
        displays = [display for id, display in self.displays.items() if partition_of(id) == partition]
        tasks = [display.task for display in displays if display.task is not None]
        for display in displays:
            display.stop_timer()
            del self.displays[display.id]
        for writer in [*self.writers.values()]:
            if writer.match and partition_of(writer.match) == partition:
                writer.forget()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.notes.flush()

    async def close(self) -> None:
        """Stop, and note what was shown."""
        self._is_closed = True
        for display in self.displays.values():
            display.stop_timer()
        await self.tasks.close()
        await self.notes.flush()

    # --- planning ----------------------------------------------------------------------------------------

    async def _bring_up(self, display: Display) -> None:
        """Make one plan after the other until nothing more can be done now."""
        pause: float | None = None
        try:
            while display.is_woken:
                display.is_woken = False
                try:
                    pause = await self._plan(display)
                except Exception:  # the store may be locked for a while; nothing else would wake us
                    log.exception("publishing %s failed; it is tried again", display.id)
                    pause = RETRY
        finally:
            # At once, before anybody else runs: whoever wakes it from here on starts a new task.
            display.task = None
        if pause is not None and not self._is_closed:
            display.timer = asyncio.get_running_loop().call_later(max(pause, 0.0), self.wake, display.id)
        elif not display.faces and display.is_empty and self.displays.get(display.id) is display:
            del self.displays[display.id]

    async def _plan(self, display: Display) -> float | None:
        """Make a plan and carry it out; return the seconds until more can be done, or None."""
        surfaces = await self.notes.surfaces(display.id)
        live = self.referee.find_cached(display.id) or await self._find(display.id)
        if live is None:
            self._let_go(display, surfaces)
            return None
        if isinstance(live, Live):
            if not display.version:  # the first look at it
                display.into_thread = await self.boards.is_due_in_thread(live, surfaces)
            if len(live.turns) != display.revealed:
                await self.notices.tell_reveal(display, live, surfaces)
        if display.is_woken:
            return None  # a press has shown something while this was read
        now = self._find_room(display, surfaces)
        if isinstance(live, Live):
            display.notice(live, surfaces, now)
        steps = plan(surfaces, live, display, now)
        for step in steps:
            self._carry_out(display, live, step, surfaces)
        waits = [step.until for step in steps if isinstance(step, Wait)]
        return min(waits) - now.loop if waits else None

    async def _find(self, id: str) -> Live | Lobby | None:
        """What there is to show of it."""
        lobby = await self.referee.lobbies.find(id)
        if lobby is not None and lobby.state is not LobbyState.STARTED:
            return lobby
        try:
            return await self.referee.live(id)
        except RefereeError:
            return None

    def _find_room(self, display: Display, surfaces: Sequence[Surface]) -> Moment:
        """Return what there is room for now. A message that is being shown wakes the publisher when that has ended."""
        busy, stale, board, at = set[int](), set[int](), board_among(surfaces), self.referee.clock.now()
        for one in (*surfaces, *(offer.surface for offer in display.offers.values())):
            if (writer := self.writers.get(one.key)) is not None:
                if writer.presses or writer.under_way:
                    writer.is_missed = True
                    busy.add(one.key)
                if writer.is_stale:
                    stale.add(one.key)
        # The first edit after a start has to be made.
        free = self.delivery.free_share(board, at) if board and display.edited and not board.has_live_token(at) else 1.0
        return Moment(at, asyncio.get_running_loop().time(), free, busy, stale)

    def _let_go(self, display: Display, surfaces: Sequence[Surface]) -> None:
        """Nothing of it is kept in memory any more, unless there is news, or somebody shows it who wakes us."""
        if not display.is_woken and not display.presses:
            for surface in surfaces:
                if (writer := self.writers.get(surface.key)) is not None:
                    writer.forget()
            if self.displays.get(display.id) is display:
                del self.displays[display.id]
            self.referee.release(display.id)

    # --- carrying out ------------------------------------------------------------------------------------

    def _carry_out(self, display: Display, live: Live | Lobby, step: Step, surfaces: Sequence[Surface]) -> None:
        match step:
            case Wait():
                pass
            case LetGo():
                self._let_go(display, surfaces)
            case Edit(surface):
                of_kind = {SurfaceKind.LOBBY: self.boards.edit_lobby, SurfaceKind.BOARD: self.boards.edit}
                self.boards.show(surface, of_kind.get(surface.kind, self.consoles.edit))
            case Leave(surface, state):  # it is noted as up to date
                assert isinstance(live, Live)
                if (writer := self.writers.get(surface.key)) is not None:
                    writer.drop_wish()
                if surface.kind is SurfaceKind.BOARD:
                    display.ticks_at = 0.0
                if state is surface.state:
                    self.notes.add(SurfaceShown(surface.id, surface.message, live.stored.version, surface.match))
                else:
                    self.notes.add_change(surface, state=state, shown=live.stored.version)
                if not live.stored.live:
                    self.wake(display.id)
            case Close(offer):
                self.writers.of(offer.surface).want(partial(self.notices.close, display, offer))

    async def _play_by_dm(self, board: Surface, view: MatchView) -> CallResult:
        """Go on without a board: send a console by DM to each player who has none, and return LATER if some are to be
        tried again. A match is stopped, and does not count, where a player cannot be reached by DM; the others read
        that by DM, because no board can say so."""
        consoles, results = self.consoles, set[CallResult]()
        for seat in view.seats:
            if seat.user and not seat.left and not view.over:
                console = await consoles.by_dm(view.id, seat.user) or await consoles.owe(view.id, seat.user)
                results.add(CallResult.DONE if console.message else await consoles.send_now(console))
        if CallResult.LATER in results:
            return CallResult.LATER
        if results - {CallResult.DONE}:
            with suppress(RefereeError):  # it is over already
                await self.referee.matches.abort(view.id, "channel")
                self.writers.of(replace(board, message=0)).want(partial(self.notices.tell_stopped, view.id))
        return CallResult.DONE
