"""The board of a match as the answer to a press: shown again with the token of the press, or posted again."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.shared.pressed_console import make_console
from bot.messages.render import moved_message
from bot.referee.model.surfaces import Surface, SurfaceKind, SurfaceState, board_among, token_expiry
from bot.referee.model.views import MatchView
from bot.rest.call_result import CallResult, call_result
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.text.sentences import say


async def find_pressed_board(context: InteractionContext, id: str) -> tuple[Surface, Surface | None]:
    """Return the board of this key's match, and the board before it if a newer one was pressed. A newer board was
    posted by an answer that this process does not know, because it is still on its way or because of a crash."""
    notes, pressed = context.services.publisher.notes, context.message
    board = board_among(await notes.surfaces(id))
    if board is None:
        await context.referee.live(id)  # raises if there is no such match
        raise stale_button()
    if pressed.id <= board.message:
        return board, None
    newer = replace(board, message=pressed.id, channel=pressed.channel, posted=pressed.posted_at, shown=0, token="")
    await notes.put(newer)
    return newer, board


async def show_way(context: InteractionContext, board: Surface) -> None:
    """Answer with the way to the board: it was moved, and a crash kept the pressed message from saying so."""
    view = await context.referee.views.view(board.match)
    await context.answer.update(moved_message(view, board.channel, board.message))


async def show_board(
    context: InteractionContext, board: Surface, view: MatchView, aside: str = "", before: Surface | None = None
) -> None:
    """Answer with the newest board. `aside` is what this user alone reads; the board `before` leads to this one."""
    publisher = context.services.publisher
    if await _update(context, board, view) and aside:
        publisher.asides.tell(make_console(context, view.id, SurfaceKind.CONSOLE_BESIDE, 0), aside)
    if before is not None and not view.over:
        publisher.boards.leave_pointer(before, view, board.message)


async def _update(context: InteractionContext, board: Surface, view: MatchView) -> bool:
    """Show the newest board. Return True if this press's token reaches it from now on."""
    publisher, shown = context.services.publisher, view

    async def render() -> Message:
        nonlocal shown
        shown = await context.referee.views.newest(await context.referee.views.view(view.id))
        return render_board(shown)

    publisher.displays[view.id].record_press()
    try:
        arrived = await context.answer.update(render, of=view.id, shared=True)
    except discord.HTTPException as error:
        if call_result(error) is not CallResult.TOO_OLD:
            raise
        await repost_board(context, board, shown)  # Discord refuses edits of a message of that age
        return True
    # The picture of a result comes by an edit, for which the board must count as behind.
    pictured = shown.over and publisher.boards.painter.on
    version = shown.version - pictured
    # If no answer arrived, the token may be invalid. The publisher then edits by the token before it.
    is_answered = arrived or context.answer.deferred
    is_token_good = is_answered or not board.has_live_token(context.referee.clock.now())
    pressed = with_token(context, board) if is_token_good else board
    await publisher.boards.record_press(pressed, shown, version, arrived=arrived)
    if arrived and not pictured:
        publisher.displays[view.id].record_shown()
    return is_answered


async def repost_board(context: InteractionContext, board: Surface | None, view: MatchView) -> None:
    """Answer with the board as a new message; the old one links to it."""
    publisher, channel = context.services.publisher, context.origin.channel
    public = await context.referee.views.view(view.id)
    posted = await context.answer.send(render_board(public), private=False)
    if context.answer.hidden:
        await context.answer.take_back(Message(say("apps-off")).as_v2())
    elif posted is not None:
        old = board or Surface(view.id, SurfaceKind.BOARD, 0, channel, 0, 0, context.created_at)
        reached = with_token(context, old) if view.at_table else replace(old, token="", token_until=None)
        await publisher.boards.adopt(reached, public, posted, channel)
        if board is not None:
            publisher.boards.leave_pointer(board, public, posted)


def with_token(context: InteractionContext, board: Surface) -> Surface:
    """Return the board with the token of this press, which has answered by the board."""
    if context.answer.is_astray:
        return replace(board, state=SurfaceState.LIVE)
    return replace(
        board,
        token=context.token.text,
        token_until=token_expiry(context.created_at),
        token_app=context.token.app,
        beside=context.answer.further > 0,
        state=SurfaceState.LIVE,
    )
