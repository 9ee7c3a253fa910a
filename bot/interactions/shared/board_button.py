"""The buttons of a board, of its result, and of *More*: each feature handles its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.errors import Refused
from bot.interactions import rollback_guard
from bot.interactions.component import On, Press, press
from bot.interactions.context import Asked
from bot.interactions.shared.consoles import keep_console_last
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.screens.result import cause
from bot.ui.story.outcome import phrase_within
from bot.ui.text.names import names_of

BoardHandler = Callable[[Asked, MatchView], Awaitable[None]]
"""gets the match as the person who pressed sees it"""


def board_press(what: str, *, private: bool = True) -> Callable[[BoardHandler], Press]:
    """Handle this button of a board. `private`: the answer is for the person who pressed."""

    def register(handler: BoardHandler) -> Press:
        async def pressed(asked: Asked) -> None:
            view = await _begin(asked, what, private)
            beside = private and view.private and view.seat is not None
            if beside:  # the console follows the answer, by the token that a call makes known
                await asked.answer.by_a_call()
            await handler(asked, view)
            if beside:
                await keep_console_last(asked, view.id)

        return press(match_ids.board_button(what), on=On.ANY)(pressed)

    return register


async def _begin(asked: Asked, what: str, private: bool) -> MatchView:
    """Read the match, and stop it if the board shows more of it than the store knows."""
    id, _ = match_ids.read_button(asked.parts)
    view = await asked.referee.views.of(id, asked.user)
    asked.answer.will_send(private=private)
    check_spoils_nothing(asked, view)
    await check_board(asked, view, what)
    return view


def check_spoils_nothing(asked: Asked, view: MatchView) -> None:
    """Refuse to show somebody else's daily deal while others may still play it."""
    if view.seat is None:
        asked.referee.daily.check_shown(view.day)


async def check_board(asked: Asked, view: MatchView, what: str) -> None:
    """Stop a match whose board shows more of it than the store knows."""
    if what in match_ids.AFTERWARDS and not view.over:
        await rollback_guard.check_over(asked, view.id)
    if (shown := match_ids.read_shown(asked.parts)) is not None:
        await rollback_guard.check_prompt(asked, view.id, shown)


def more_press(what: str) -> Callable[[BoardHandler], Press]:
    """Handle this button of *More*, for players of a match that is live."""

    def register(handler: BoardHandler) -> Press:
        async def pressed(asked: Asked) -> None:
            id, _ = match_ids.read_button(asked.parts)
            view = await asked.referee.views.of(id, asked.user)
            if view.seat is None:
                raise Refused("not-in-match", m=id)
            if view.over:
                raise over(view)
            await handler(asked, view)

        return press(match_ids.more_button(what), on=On.QUESTION)(pressed)

    return register


def over(view: MatchView) -> Refused:
    """Return the refusal of a press that came after the end."""
    if view.outcome is not None and not view.outcome.termination.counts:
        return Refused("match-stopped", m=view.id, reason=cause(view))
    return Refused("match-over", m=view.id, result=phrase_within(view, names_of(view)))
