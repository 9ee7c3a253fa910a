"""The board of a match as the answer to a press: shown again with the token of the press, or posted again."""

from __future__ import annotations

from dataclasses import replace

import discord

from bot.interactions.context import InteractionContext
from bot.messages.render import board_message, newest
from bot.referee.model.surfaces import Surface, SurfaceState
from bot.referee.model.views import MatchView
from bot.rest.delivery import token_expiry
from bot.rest.old_message_limit import TOO_OLD
from bot.ui.message import Message
from bot.ui.text.sentences import say


async def show_board(context: InteractionContext, board: Surface, view: MatchView) -> bool:
    """Answer with the newest board. Return True if this press's token reaches it from now on."""
    publisher, shown = context.services.publisher, view

    async def render() -> Message:
        nonlocal shown
        live = await context.referee.live(view.id)
        shown = await newest(context.referee, await context.referee.views.view_live(live))
        return board_message(shown)

    publisher.record_board_press(view.id)
    try:
        arrived = await context.answer.update(render, of=view.id, shared=True)
    except discord.HTTPException as error:
        if error.code not in TOO_OLD:
            raise
        await repost_board(context, board, shown)  # Discord refuses edits of a message of that age
        return True
    # The picture of a result comes by an edit, for which the board must count as behind.
    pictured = shown.over and publisher.boards.painter.on
    version = shown.version - pictured
    await publisher.boards.record_press(with_token(context, board), shown, version, arrived=arrived)
    if arrived and not pictured:
        publisher.record_board_shown(shown)
    return arrived or context.answer.deferred


async def repost_board(context: InteractionContext, board: Surface, view: MatchView) -> int | None:
    """Answer with the board as a new message; the old one links to it. Return its id, or None if it is not public."""
    publisher = context.services.publisher
    public = await context.referee.views.view(view.id)
    posted = await context.answer.send(board_message(public), private=False)
    if context.answer.hidden:
        await context.answer.take_back(Message(say("apps-off")).as_v2())
        return None
    if posted is None:
        return None
    await publisher.boards.adopt(board, public, posted, context.origin.channel, with_token(context, board))
    publisher.boards.leave_pointer(board, public, posted)
    return posted


def with_token(context: InteractionContext, board: Surface) -> Surface:
    """Return the board with the token of this press, which has answered by the board."""
    return replace(
        board,
        token=context.token.text,
        token_until=token_expiry(context.created_at),
        token_app=context.token.app,
        beside=context.answer.sent_beside,
        state=SurfaceState.LIVE,
    )
