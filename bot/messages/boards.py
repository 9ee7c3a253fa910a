"""Boards: shown, given a new place, noted as out of reach, and found again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from bot.errors import RefereeError
from bot.messages.display import Displays
from bot.messages.dms import Dms
from bot.messages.notes import Notes
from bot.messages.render import Painter, lobby_message, moved_message
from bot.messages.writer import Writer, Writers
from bot.referee.model.changes import Conflict, SurfaceShown
from bot.referee.model.durations import SLOW
from bot.referee.model.model import Lobby, LobbyState, Snowflake, UserId
from bot.referee.model.surfaces import KEPT, Surface, SurfaceKind, SurfaceState, board_among, lobby_surface
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.rest.call_result import Attempt, CallResult
from bot.rest.delivery import Delivery, Render
from bot.ui.custom_ids import challenge_ids
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.screens.result import ResultPicture
from bot.ui.screens.result_card import make_sketch
from bot.ui.text.sentences import say
from bot.ui.text.stamps import link_to

RETRY = 5.0
"""seconds after which a message that Discord did not take is sent again"""

LONGEST_NAME = 100

BEGINNING = timedelta(minutes=15)
"""so long a match has just begun: later its board stays where people have found it"""

LOBBY_GONE = (CallResult.MESSAGE_GONE, CallResult.CHANNEL_GONE)
"""nobody can answer a challenge any more"""


@dataclass(eq=False)
class MessageParts:
    """The parts of one publisher."""

    referee: Referee
    delivery: Delivery
    displays: Displays
    writers: Writers
    notes: Notes
    dms: Dms
    wake: Callable[[str], None]
    """plans what has to be shown of this match or lobby"""

    def show(self, surface: Surface, edit: Callable[[Writer, Surface], Awaitable[Attempt]]) -> None:
        """Have a message shown: free by its token, else by a counted edit, or sent if it is owed."""
        writer = self.writers.of(surface)
        writer.want(partial(edit, writer, surface))


@dataclass(eq=False)
class Boards(MessageParts):
    """The public message of each match."""

    painter: Painter
    on_result: Callable[[MatchView, datetime], object] = lambda view, posted: None
    """called with a result that is shown, and with the time when its board was posted"""
    on_lost: Callable[[Surface, MatchView], Awaitable[CallResult]] = field(init=False)
    """called for a board that has no place any more; returns LATER if it is to be called again"""

    async def link(self, view: MatchView) -> str:
        """Where the board is."""
        board = await self.referee.surfaces.find_board(view.id)
        return link_to(view.guild, board.channel, board.message) if board else link_to(view.guild, view.channel)

    async def _is_challenge(self, id: str, message: Snowflake) -> bool:
        """Return True if the challenge had this id; the thread of the match has it, too, because it grew from it."""
        lobby = await self.referee.lobbies.find(id)
        return lobby is not None and lobby.message == message

    async def post(
        self, view: MatchView, message: Message | Render, nonce: str, silent: bool = False, *, in_thread: bool = True
    ) -> tuple[CallResult, Snowflake, Snowflake]:
        """A message where the board is, but not in its thread unless `in_thread`; return the result, its channel and
        its id."""
        board = await self.referee.surfaces.find_board(view.id)
        is_there = board is not None and (in_thread or not await self._is_challenge(view.id, board.channel))
        channel = board.channel if board is not None and is_there else view.channel
        fate, posted = await self.delivery.post(channel, message, nonce, silent)
        return fate, channel, posted

    async def picture(self, view: MatchView, *, shared: bool = False) -> ResultPicture | None:
        """The picture of a result, where it has one that can be painted in time."""
        sketched = make_sketch(view, shared=shared) if self.painter.on else None
        png = await self.painter.paint(sketched.svg) if sketched is not None else b""
        return ResultPicture(png, sketched.alt) if sketched is not None and png else None

    # --- shown -------------------------------------------------------------------------------------------

    async def check_lobby(self, lobby: Lobby) -> None:
        """Check that the message of a challenge is there and known, before an acceptance from elsewhere."""
        if lobby.state is not LobbyState.OPEN or not lobby.guild:
            return  # the bot cannot read messages where it is no member
        if lobby.message is None:
            asks = challenge_ids.challenge(lobby.id, ""), challenge_ids.table(lobby.id, "")
            if found := await self.delivery.find_message(lobby.channel, asks):
                await self.referee.lobbies.note_message(lobby, lobby_surface(lobby, found))
        elif (await self.delivery.read_custom_ids(lobby.channel, lobby.message))[0] in LOBBY_GONE:
            await self.referee.lobbies.end_deleted(lobby.id)
            raise RefereeError("challenge-gone", how="deleted")

    async def edit_lobby(self, _: Writer, surface: Surface) -> Attempt:
        """Show the newest version of a challenge; it becomes the board."""
        lobby = await self.referee.lobbies.get(surface.match)
        if lobby.state is LobbyState.STARTED:
            return Attempt(CallResult.DONE)  # while this waited it has become a board

        async def render() -> Message:
            nonlocal lobby
            lobby = await self.referee.lobbies.get(surface.match)
            return await lobby_message(self.referee, lobby)

        attempt = await self.delivery.edit(surface, render, self.referee.clock.now())
        if attempt.result is CallResult.LATER:
            return attempt
        with suppress(Conflict):  # it has become a board meanwhile, with the versions of the match
            if attempt.result in LOBBY_GONE:
                await self.referee.surfaces.drop(surface.id)
                await self.referee.lobbies.end_deleted(lobby.id)  # nobody sees any more what they would accept
            else:
                await self.notes.put(replace(surface, shown=lobby.version))
        return attempt

    async def edit(self, writer: Writer, board: Surface) -> Attempt:
        """Show the newest version of the match, in a thread if it is due there."""
        if self.displays[board.match].into_thread:
            return await self.post_again(board)
        # No view is made before the turn of the call: many boards can wait for theirs.
        display, live, views = self.displays[board.match], await self.referee.live(board.match), list[MatchView]()
        display.ticks_at, now = 0.0, self.referee.clock.now()

        async def render() -> Message:
            display.edited = asyncio.get_running_loop().time()
            views.append(view := await self.referee.views.view(board.match))
            return render_board(view, await self.picture(view) if view.over else None)

        attempt = await self.delivery.edit(board, render, now, counted=bool(live.stored.guild))
        view = views[-1] if views else await self.referee.views.view_live(live)
        if attempt.result is not CallResult.DONE:
            return await self._mend(view, attempt, board)
        display.record_shown()
        if not writer.is_crossed:
            self.notes.add(SurfaceShown(board.id, board.message, view.version, board.match))
        if board.state is not SurfaceState.LIVE:  # edits are allowed once more: nothing is said of it any more
            await self.notes.put(replace(board, state=SurfaceState.LIVE, shown=view.version))
            await self.edit_consoles(view.id)
        if view.over:
            self.on_result(view, board.posted)
        return Attempt(CallResult.DONE, is_last=not view.over)

    async def record_press(self, asked: Surface, view: MatchView, version: int, *, arrived: bool) -> None:
        """A press has shown this version on a board, or tried to: its token may be the board's. If the board has moved
        meanwhile, the pressed message leads to it again."""
        if not await self.notes.renew(replace(asked, shown=version), arrived=arrived):
            board = await self.referee.surfaces.find_board(asked.match)
            if board is not None and board.message != asked.message:
                self.leave_pointer(asked, view, board.message, board.channel)

    async def _mend(self, view: MatchView, attempt: Attempt, board: Surface) -> Attempt:
        """Do what is left to do for a board that could not be shown: post it again, or leave it."""
        fate = attempt.result
        places_gone = CallResult.CHANNEL_GONE, CallResult.THREAD_CLOSED
        is_lost = fate in places_gone and await self._is_challenge(board.match, board.channel)
        if is_lost and fate is CallResult.THREAD_CLOSED:  # in a locked one nobody can press anything
            is_lost = await self.delivery.is_locked(board.channel)
        known = board_among(await self.notes.surfaces(board.match))
        if fate is CallResult.LATER or (known is not None and known.message != board.message):
            return attempt  # it is tried again, or the board has moved meanwhile
        if is_lost:  # its thread was deleted or locked: it goes back to the channel
            back = replace(board, channel=view.channel, token="", token_until=None)
            await self.notes.put(back)
            return await self.post_again(back, CallResult.MESSAGE_GONE)
        if not view.guild and view.channel:  # the next press shows it
            if known is not None and known.token == board.token:
                self.notes.add_change(known, token="", token_until=None)
        elif fate in (CallResult.MESSAGE_GONE, CallResult.TOO_OLD):  # it can be there, but not as the same message
            return await self.post_again(board, fate)
        elif fate is CallResult.THREAD_CLOSED:
            await self._leave(board, view, SurfaceState.CLOSED)
        elif fate is not CallResult.CHANNEL_GONE and await self.referee.leaving.is_member(view.guild):
            await self._leave(board, view, SurfaceState.STUCK)
        elif await self.on_lost(board, view) is CallResult.LATER:
            return Attempt(CallResult.LATER, RETRY)
        else:
            await self._leave(board, view, SurfaceState.LOST)
        return attempt

    async def _leave(self, board: Surface, view: MatchView, state: SurfaceState) -> None:
        """It counts as up to date, for it cannot be shown any more: everybody's console says so."""
        await self.notes.put(replace(board, state=state, shown=view.version, token="", token_until=None))
        if state is SurfaceState.STUCK:
            self.displays[board.match].record_forbidden()
        if state is not board.state:
            await self.edit_consoles(board.match)

    async def edit_consoles(self, id: str, banner: tuple[int, str] | None = None, user: UserId = 0) -> None:
        """What consoles say beside the match has changed: show all once more, or those of one player, with a banner for
        this version."""
        for one in await self.notes.surfaces(id):
            if one.kind is not SurfaceKind.BOARD and one.message and one.state in KEPT and user in (0, one.user):
                self.writers.of(one).doubt(banner)
        self.wake(id)

    # --- a new place -------------------------------------------------------------------------------------

    async def move(self, board: Surface, view: MatchView) -> str:
        """Post the board at the bottom, for a user who waits for it, and return the link to it."""
        await self.writers.of(board).attempt(partial(self.post_again, board))
        return await self.link(view)

    async def post_again(self, board: Surface, failure: CallResult | None = None) -> Attempt:
        """Post it as a new message at the bottom, to which the old message leads, without buttons; if it was deleted,
        consoles lead to the new one."""
        display, view = self.displays[board.match], await self.referee.views.view(board.match)
        into, display.into_thread = display.into_thread and failure is None and not view.over, False
        channel = board.channel
        if into:
            name = " – ".join(seat.name for seat in view.seats)[:LONGEST_NAME]
            slow = view.setup.clock >= SLOW
            channel = await self.delivery.start_thread(board.channel, board.message, name, slow=slow)
        nonce = f"b{view.id}{board.message % 10**12}"
        fate, posted = CallResult.FORBIDDEN, 0
        if channel:
            message = render_board(view, await self.picture(view) if view.over else None)
            fate, posted = await self.delivery.post(channel, message, nonce)
        if fate is CallResult.DONE:
            await self.adopt(replace(board, token="", token_until=None), view, posted, channel)
            if failure is CallResult.MESSAGE_GONE:
                moved = say("board-gone", link=link_to(view.guild, channel, posted))
                await self.edit_consoles(view.id, (view.version, moved))
            else:
                self.leave_pointer(board, view, posted, channel)
        elif not into:  # else it stays in the channel
            return await self._mend(view, Attempt(fate, RETRY), board)
        self.wake(view.id)
        return Attempt(CallResult.DONE)

    async def is_due_in_thread(self, live: Live, surfaces: Sequence[Surface]) -> bool:
        """Whether a match has just begun and its board is the challenge's own message still, in a server that wants it
        in a thread. It follows from what is stored, however the match began and whatever was ended since."""
        stored, board = live.stored, board_among(surfaces)
        if board is None or not (stored.live and stored.guild) or stored.setup.place == "board":
            return False  # with keys on it, the board is that message
        if self.referee.clock.now() - stored.started > BEGINNING:
            return False
        if not (await self.referee.deciding.load_settings(stored.guild)).threads:
            return False
        return await self._is_challenge(stored.id, board.message)

    async def adopt(self, board: Surface, view: MatchView, posted: Snowflake, channel: Snowflake) -> None:
        """From now on this message is the board."""
        now = self.referee.clock.now()
        moved = replace(board, channel=channel, message=posted, shown=view.version, posted=now, state=SurfaceState.LIVE)
        await self.notes.put(moved)
        self.displays[view.id].record_shown()

    def leave_pointer(self, old: Surface, view: MatchView, posted: Snowflake, channel: Snowflake = 0) -> None:
        """The message that was the board says where it went."""
        token = old.token if view.at_table or channel not in (0, old.channel) else ""
        there, pointer = replace(old, match="", token=token), moved_message(view, channel or old.channel, posted)

        edit, clock = self.delivery.edit, self.referee.clock
        self.writers.of(there).want(lambda: edit(there, pointer, clock.now(), counted=bool(view.guild)))
