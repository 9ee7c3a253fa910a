"""Registration of handlers for the buttons of a board, of its result, and of *More*."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from bot.errors import RefereeError
from bot.interactions.component import Component, MessageKind, check_prompt, check_result, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.console_pages import answer_privately, end_page, is_on_console, is_outdated
from bot.interactions.shared.pressed_console import update_console
from bot.interactions.shared.private_question import OVER, pressed_question, send_question
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.refusals import describe_error, match_over_error

BoardHandler = Callable[[InteractionContext, MatchView], Awaitable[Message]]
"""makes the answer to a button; the view is that of the user who pressed"""

PressHandler = Callable[[InteractionContext, MatchView], Awaitable[None]]
"""answers a press on a button"""


def board_component(what: str) -> Callable[[BoardHandler], Component]:
    """Register what makes the answer to this button of a board or console. Only the user who pressed sees it."""

    def register(handler: BoardHandler) -> Component:
        async def handle_press(context: InteractionContext) -> None:
            id, _ = match_ids.read_button(context.id_parts)
            if not await is_on_console(context, id):
                context.answer.will_send()
            view = await _read_match(context, what)
            make, send = partial(handler, context, view), partial(_send, context, view)
            if view.seat is not None:
                await answer_privately(context, view, make, send)
            else:
                await send(await make())

        return component(match_ids.board_button(what), on=MessageKind.ANY)(handle_press)

    return register


def public_board_component(what: str) -> Callable[[PressHandler], Component]:
    """Register a handler for this button of a board, which posts something for everybody."""

    def register(handler: PressHandler) -> Component:
        async def handle_press(context: InteractionContext) -> None:
            context.answer.will_send(private=False)
            await handler(context, await _read_match(context, what))

        return component(match_ids.board_button(what), on=MessageKind.ANY)(handle_press)

    return register


async def _send(context: InteractionContext, view: MatchView, answer: Message) -> None:
    """Send an answer. Buttons below plain text end with the match."""
    if answer.body and not answer.is_v2 and not view.over:
        await send_question(context, view, answer)
    else:
        await context.answer.send(answer)


async def _read_match(context: InteractionContext, what: str) -> MatchView:
    """Read the match, and stop it if the board shows more of it than the store knows."""
    id, _ = match_ids.read_button(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    check_daily_spoiler(context, view)
    await check_board(context, view, what)
    return view


def check_daily_spoiler(context: InteractionContext, view: MatchView) -> None:
    """Refuse to show another user's daily deal on the day on which players may still play it."""
    if view.seat is None:
        context.referee.daily.check_shown(view.day)


async def check_board(context: InteractionContext, view: MatchView, what: str) -> None:
    """Stop a match whose board shows more of it than the store knows."""
    if what in match_ids.RESULT_BUTTONS and not view.over:
        await check_result(context, view.id)
    if (shown := match_ids.read_board_prompt(context.id_parts)) is not None:
        await check_prompt(context, view.id, shown)


def more_component(what: str) -> Callable[[PressHandler], Component]:
    """Register a handler for this button of *More*. Only players of a live match may press it: once the match is over,
    a press shows its result in the place of the buttons."""

    def register(handler: PressHandler) -> Component:
        async def handle_press(context: InteractionContext) -> None:
            id, _ = match_ids.read_button(context.id_parts)
            if await is_on_console(context, id):
                await _press_on_console(context, id, handler)
            else:
                await _press_beside(context, id, handler)

        return component(match_ids.more_button(what), on=MessageKind.QUESTION)(handle_press)

    return register


async def _press_on_console(context: InteractionContext, id: str, handler: PressHandler) -> None:
    """Handle a press in the place of a console, which says why something was refused."""
    view = await context.referee.views.view(id, context.user)
    if is_outdated(context, view):
        await update_console(context, view)
        return
    try:
        await handler(context, view)
    except RefereeError as refusal:
        await end_page(context, id, describe_error(refusal, view))


async def _press_beside(context: InteractionContext, id: str, handler: PressHandler) -> None:
    """Handle a press on a private message beside the board."""
    view = await context.referee.views.view(id, context.user)
    try:
        with pressed_question(context, id):  # what takes the place of the buttons stays
            if view.over:
                raise match_over_error(view)
            if view.seat is None:
                raise RefereeError("not-in-match", m=id)
            await handler(context, view)
    except RefereeError as refusal:
        if refusal.id not in OVER:
            raise
        over = match_over_error(await context.referee.views.view(id, context.user))
        await context.answer.update(Message(describe_error(over)))
