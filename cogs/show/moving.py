"""A board gets a new place: posted anew, or shown elsewhere. What it was before becomes a pointer without buttons."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.referee.ports.model import Surface, SurfaceState
from bot.referee.query.views import MatchView
from cogs.show import lost
from cogs.show.consoles import RETRY
from cogs.show.draw import board_message, moved_message
from cogs.show.shows import Shows
from cogs.ui.message import Message
from cogs.wire.reach import Fate

TRIES = 5
"""of the pointer, which nobody else would draw"""


async def post_anew(publisher: Shows, board: Surface, view: MatchView, *, gone: bool = False) -> float | None:
    """The board as a new message at the bottom; seconds to wait if that must be tried again. `gone`: somebody deleted
    the old one, so there is nothing to point from, and consoles tell of it."""
    nonce = f"b{view.id}{board.message % 10**12}"
    fate, posted = await publisher.reach.post(board.channel, board_message(view), nonce)
    if fate is Fate.LATER:
        return RETRY
    if fate is not Fate.DONE:
        return await lost.keep_without(publisher, board, view, fate)
    await adopt(publisher, board, view, posted)
    if not gone:
        await leave_pointer(publisher, board, view, posted)
    else:
        publisher.news.posted_again(view.id, (seat.user for seat in view.seats if seat.user))
        await lost.draw_consoles(publisher, view)  # they lead to it
    return None


async def adopt(publisher: Shows, board: Surface, view: MatchView, posted: int, channel: int = 0) -> None:
    """From now on this message is the board."""
    now = publisher.referee.clock.now()
    moved = replace(
        board,
        channel=channel or board.channel,
        message=posted,
        shown=view.version,
        posted=now,
        token="",
        token_until=None,
        state=SurfaceState.LIVE,
    )
    await publisher.marks.put(moved)
    publisher.drew_board(view, free=False)


async def leave_pointer(publisher: Shows, old: Surface, view: MatchView, posted: int) -> None:
    """The message that was the board says where it went."""

    async def draw() -> Message:
        return moved_message(view, old.channel, posted)

    for _ in range(TRIES):
        fate = await publisher.reach.edit(replace(old, match="", token=""), draw, publisher.referee.clock.now())
        if fate is not Fate.LATER:
            break
        await asyncio.sleep(publisher.reach.rest(old))
    publisher.lanes.forget(old.message)
