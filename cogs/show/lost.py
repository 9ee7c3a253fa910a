"""A board that cannot be kept where it was: forbidden, in a closed thread, or gone with its channel or server.

Where the place is gone for good, the match goes on by DM; it is stopped, and does not count, where somebody has no DM.
"""

from __future__ import annotations

from dataclasses import replace

from bot.referee.ports.changes import PutSurface
from bot.referee.ports.model import Surface, SurfaceKind, SurfaceState
from bot.referee.query.views import MatchView
from cogs.show.consoles import RETRY, TROUBLES
from cogs.show.shows import Shows
from cogs.ui.screens import pings
from cogs.wire.reach import Fate


async def keep_without(publisher: Shows, board: Surface, view: MatchView, fate: Fate) -> float | None:
    """The board is noted as out of reach, and everybody's console says so; seconds to wait if that must be tried again.

    What must be done first comes first: after a crash the board is found behind, and all of it is done again.
    """
    state = _state(publisher, view, fate)
    if state is SurfaceState.LOST:
        reached = view.over or await _by_dm(publisher, view)
        if reached is None:
            return RETRY
        if not reached:
            view = await publisher.referee.matches.abort(view.id, "channel")
        if view.over and not await _told(publisher, view):
            return RETRY
    noted = replace(board, state=state, shown=view.version, token="", token_until=None)
    await publisher.marks.put(noted)
    if state is SurfaceState.STUCK:
        publisher.stuck(view.id)
    if state != board.state:
        await draw_consoles(publisher, view)
    publisher.news.shown(view.id)
    return None


async def found_again(publisher: Shows, board: Surface, view: MatchView) -> None:
    """Edits are allowed once more: nothing is said of the board any more."""
    await publisher.marks.put(replace(board, state=SurfaceState.LIVE, shown=view.version))
    await draw_consoles(publisher, view)


async def draw_consoles(publisher: Shows, view: MatchView) -> None:
    """What they say of the board has changed: every console counts as behind."""
    for one in await publisher.marks.surfaces(view.id):
        if one.kind is not SurfaceKind.BOARD and one.message and one.state is SurfaceState.LIVE:
            publisher.marks.mark(PutSurface(replace(one, shown=0)))
    publisher.wake(view.id)


def _state(publisher: Shows, view: MatchView, fate: Fate) -> SurfaceState:
    """One of the troubles that consoles can tell of."""
    if fate is Fate.THREAD_CLOSED:
        return SurfaceState.CLOSED
    gone = fate is Fate.CHANNEL_GONE or not publisher.reach.in_server(view.guild)
    return SurfaceState.LOST if gone else SurfaceState.STUCK


async def _by_dm(publisher: Shows, view: MatchView) -> bool | None:
    """Whether everybody who still plays has, or has just got, a console by DM; None while that is not known."""
    playing = [seat.user for seat in view.seats if seat.user and not seat.left]
    reached = [await publisher.consoles.has_dm(view.id, user) for user in playing]
    if False in reached:
        return False
    return None if None in reached else True


async def _told(publisher: Shows, view: MatchView) -> bool:
    """The end, by DM, for whoever can be reached; False if that must be tried again. Told twice, it is there once."""
    if view.why != "channel":
        return True
    fates: list[Fate] = []
    for seat in view.seats:
        if seat.user and not seat.left:
            player = await publisher.referee.store.player(seat.user)
            fate, _, _ = await publisher.consoles.send_dm(player, pings.stopped(view), f"x{view.id}{seat.seat}")
            fates.append(fate)
    return Fate.LATER not in fates


async def place_gone(publisher: Shows, guild: int, channel: int = 0) -> None:
    """A channel, or a whole server, is gone: every board that was there is looked at anew, and so found missing."""
    await _look_again(publisher, guild, channel, states=(SurfaceState.LIVE, *TROUBLES))


async def place_open(publisher: Shows, guild: int, channel: int) -> None:
    """A thread is open: boards that were closed with it may come back."""
    await _look_again(publisher, guild, channel, states=(SurfaceState.CLOSED,))


async def _look_again(publisher: Shows, guild: int, channel: int, states: tuple[SurfaceState, ...]) -> None:
    for id in await publisher.referee.store.live_in(guild, channel):
        for one in await publisher.marks.surfaces(id):
            if one.kind is SurfaceKind.BOARD and one.state in states and one.state is not SurfaceState.LOST:
                fresh = replace(one, state=SurfaceState.LIVE, shown=0, token="", token_until=None)
                await publisher.marks.put(fresh)
                publisher.look_again(id)
