"""The steps of a plan, carried out one by one; when, and which beside each other, is for the publisher to say."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from bot.errors import RefereeError
from bot.messages.boards import RETRY, Boards
from bot.messages.consoles import Consoles
from bot.messages.dms import Dms
from bot.messages.marks import Marks
from bot.messages.notices import Notices
from bot.messages.offers import answered, closed_offer, draw_now
from bot.messages.render import lobby_message
from bot.messages.show import TICK, Offer, Show
from bot.messages.steps import Close, Edit, Leave, Owe, Post, Step, Stop, Tell
from bot.referee.model.changes import Conflict, DropSurface, SurfaceShown
from bot.referee.model.model import Lobby, Surface, SurfaceKind, SurfaceState, UserId
from bot.referee.referee import Referee
from bot.referee.repository.live import Live
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.message import Message
from bot.ui.screens import pings


class Executor:
    """Does what a step says, and notes what came of it."""

    def __init__(
        self,
        referee: Referee,
        reach: Delivery,
        marks: Marks,
        dms: Dms,
        boards: Boards,
        consoles: Consoles,
        notices: Notices,
    ) -> None:
        self.referee = referee
        self.reach = reach
        self.marks = marks
        self.dms = dms
        self.boards = boards
        self.consoles = consoles
        self.notices = notices

    # --- at once -----------------------------------------------------------------------------------------

    def reserve(self, show: Show, surface: Surface) -> bool:
        """Whether its turn comes at once."""
        wait = self.reach.reserve_edit(surface, self.referee.clock.now())
        show.turns[surface.id] = asyncio.get_running_loop().time() + wait
        if wait > TICK and surface.kind is SurfaceKind.BOARD:
            show.limited = True
        return not wait

    def leave(self, show: Show, surface: Surface, state: SurfaceState, version: int) -> None:
        if surface.kind is SurfaceKind.BOARD:
            show.ticks_at = 0.0
            self.marks.mark(SurfaceShown(surface.id, surface.message, version))
        elif state is surface.state:
            self.marks.shown(surface, version)
        else:
            self.marks.changed(surface, state=state, shown=version)

    def drop(self, show: Show, console: Surface) -> None:
        """It will never be there."""
        show.outdated.pop(console.id, None)
        self.marks.mark(DropSurface(console.id))

    # --- what takes a call, or a write -------------------------------------------------------------------

    async def console(self, console: Surface, paid: bool) -> None:
        view = await self.referee.views.view(console.match, console.user)
        if console.message:
            await self.consoles.edit(console, view, paid)
        else:
            await self.consoles.send(console, view)

    async def open_dms(self, live: Live | Lobby) -> Mapping[UserId, bool]:
        """Whom a match whose place is gone may write to."""
        if isinstance(live, Lobby):
            return {}
        referee = self.referee
        guild = await referee.deciding.load_settings(live.stored.guild)
        users = [one.user for one in live.stored.seats if one.user]
        return {user: self.dms.open(await referee.people.load_player(user), guild) for user in users}

    async def act(self, show: Show, live: Live | Lobby, step: Step) -> None:
        """One step that takes a call, or a write."""
        if isinstance(step, Close):
            await self._close_offer(show, step.offer)
        elif isinstance(live, Lobby):
            if isinstance(step, Edit):
                await self._edit_lobby(show, step.surface, live, step.paid)
        else:
            await self._on_match(show, live, step)

    async def _on_match(self, show: Show, live: Live, step: Step) -> None:
        match step:
            case Edit(board, paid) if board.kind is SurfaceKind.BOARD:
                view = await self.boards.edit(show, board, live, paid)
                if view is not None and view.over:
                    await self.notices.tell_end(view, board.posted)
            case Edit(console):
                view = await self.referee.views.view_live(live, console.user)
                if console.id not in show.reserved:  # a press may show it by now
                    await self.consoles.edit(console, view)
            case Post(board):
                await self.boards.post_anew(board, await self.referee.views.view_live(live), paid=True)
            case Leave(board, state):
                await self.boards.leave(show, board, live.stored.version, state)
            case Owe(_, user):
                await self.consoles.owe(show.id, user)
            case Stop():
                with suppress(RefereeError):  # it is over already
                    await self.referee.matches.abort(show.id, "channel")
            case Tell(board):
                show.told = await self.notices.tell_stopped(await self.referee.views.view_live(live))
                if not show.told:
                    show.rests[board.id] = asyncio.get_running_loop().time() + RETRY
            case _:
                raise AssertionError(step)

    async def _edit_lobby(self, show: Show, surface: Surface, lobby: Lobby, paid: bool) -> None:
        show.turns.pop(surface.id, None)

        async def render() -> Message:
            nonlocal lobby
            lobby = await self.referee.lobbies.get(show.id)
            return await lobby_message(self.referee, lobby)

        fate = await self.reach.edit(surface, render, self.referee.clock.now(), paid)
        if fate is CallResult.LATER:
            return
        with suppress(Conflict):  # it has become a board meanwhile, whose versions are those of the match
            if fate in (CallResult.MESSAGE_GONE, CallResult.CHANNEL_GONE):
                await self.referee.surfaces.drop(surface.id)
                await self.referee.lobbies.end_deleted(lobby.id)  # nobody sees any more what they would accept
            else:
                await self.marks.put(replace(surface, shown=lobby.version))

    async def _close_offer(self, show: Show, offer: Offer) -> None:
        user = offer.surface.user
        if offer.is_reminder:
            await self.consoles.remove(offer.surface.channel, offer.surface.message)
            show.offers = tuple(one for one in show.offers if one is not offer)
            return

        async def render() -> Message:
            if offer.is_pause:
                view = await self.referee.views.view(show.id)
                return pings.render_pause_end(view, await self.boards.link(view))
            if offer.prompt is not None:
                return draw_now(await self.referee.views.view(show.id), offer)
            lobby = await self.referee.lobbies.get(show.id)
            return await closed_offer(self.referee, lobby, offer.match, user, answered(lobby, user))

        if await self.reach.edit(offer.surface, render, self.referee.clock.now()) is not CallResult.LATER:
            show.offers = tuple(one for one in show.offers if one is not offer)
