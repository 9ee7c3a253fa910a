"""Registration of handlers for the buttons of a board, of its result, and of *More*."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from bot.errors import RefereeError
from bot.interactions import rollback_guard
from bot.interactions.component import Component, MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.pressed_console import answer_above_console
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import Message
from bot.ui.screens.refusals import describe_error
from bot.ui.screens.result import cause_phrase
from bot.ui.story.outcome import describe_outcome_within
from bot.ui.text.names import make_names

BoardHandler = Callable[[InteractionContext, MatchView], Awaitable[None]]
"""handler of a button; the view is that of the user who pressed"""


def board_component(what: str, *, private: bool = True) -> Callable[[BoardHandler], Component]:
    """Register a handler for this button of a board. `private`: only the user who pressed sees the answer."""

    def register(handler: BoardHandler) -> Component:
        async def handle_press(context: InteractionContext) -> None:
            view = await _read_match(context, what, private)
            if private and view.seat is not None:
                await answer_above_console(context, view.id, partial(handler, context, view))
            else:
                await handler(context, view)

        return component(match_ids.board_button(what), on=MessageKind.ANY)(handle_press)

    return register


async def _read_match(context: InteractionContext, what: str, private: bool) -> MatchView:
    """Read the match, and stop it if the board shows more of it than the store knows."""
    id, _ = match_ids.read_button(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    context.answer.will_send(private=private)
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
        await rollback_guard.check_result(context, view.id)
    if (shown := match_ids.read_board_prompt(context.id_parts)) is not None:
        await rollback_guard.check_prompt(context, view.id, shown)


def more_component(what: str) -> Callable[[BoardHandler], Component]:
    """Register a handler for this button of *More*. Only players of a live match may press it: once the match is over,
    a press shows its result in the place of the buttons."""

    def register(handler: BoardHandler) -> Component:
        async def handle_press(context: InteractionContext) -> None:
            id, _ = match_ids.read_button(context.id_parts)
            view = await context.referee.views.view(id, context.user)
            try:
                if view.over:
                    raise match_over_error(view)
                if view.seat is None:
                    raise RefereeError("not-in-match", m=id)
                await handler(context, view)
            except RefereeError as refusal:
                if refusal.id not in ("match-over", "match-stopped"):
                    raise
                over = match_over_error(await context.referee.views.view(id, context.user))
                await context.answer.update(Message(describe_error(over)))

        return component(match_ids.more_button(what), on=MessageKind.QUESTION)(handle_press)

    return register


def match_over_error(view: MatchView) -> RefereeError:
    """Return the refusal of a press that came after the end of the match."""
    if view.outcome is not None and not view.outcome.termination.counts:
        return RefereeError("match-stopped", m=view.id, reason=cause_phrase(view))
    result = describe_outcome_within(view, make_names(view))
    return RefereeError("match-over", m=view.id, result=result, can_repeat=view.can_repeat)
