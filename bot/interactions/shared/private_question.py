"""Private questions and menus about a match: how they are shown, and how they end with the match."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from bot.errors import RefereeError
from bot.interactions.context import InteractionContext
from bot.interactions.shared.console_pages import is_on_console, show_page
from bot.interactions.shared.pressed_console import with_press_token
from bot.messages.display import Offer
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.model.views import MatchView
from bot.ui.message import Message
from bot.ui.screens.keys import draw_row

OVER = ("match-over", "match-stopped")
"""Refusals of a match that is over."""


async def send_question(context: InteractionContext, view: MatchView, question: Message) -> None:
    """Ask in a message of its own."""
    posted = await context.answer.send(question, known=True)
    if posted is None:
        return
    asked = with_press_token(context, _private_message(context, view.id, context.origin.channel, posted))
    kind = asked.kind if context.answer.sends else SurfaceKind.CONSOLE_BESIDE
    _keep_question(context, view, replace(asked, kind=kind), question)


async def update_question(context: InteractionContext, view: MatchView, question: Message) -> None:
    """Ask in the place of the pressed message."""
    if await is_on_console(context, view.id):
        await show_page(context, view, question)
        return
    await context.answer.update(question)
    _keep_question(context, view, pressed_message(context, view.id), question)


def _keep_question(context: InteractionContext, view: MatchView, asked: Surface, question: Message) -> None:
    """Have the question closed when its match ends, or the draw that it shows is decided elsewhere."""
    if view.draw is not None and question.body == draw_row(view):
        offer = Offer(view.id, asked, view.prompt, question.content)
    else:
        offer = Offer(view.id, asked, is_question=True)
    context.services.publisher.notices.track(offer)


def keep_private_answer(context: InteractionContext, view: MatchView, said: str) -> None:
    """Add to the message that this press has just made a private answer what becomes of the open draw."""
    if view.draw is not None:
        answer = pressed_message(context, view.id)
        context.services.publisher.notices.track(Offer(view.id, answer, view.prompt, said, is_own=True))


@contextmanager
def pressed_question(context: InteractionContext, id: str) -> Generator[None]:
    """Deal with a press on a private question: nobody else closes it. After a refusal it still asks."""
    publisher = context.services.publisher
    publisher.forget_offer(id, context.message.id)
    try:
        yield
    except RefereeError as refusal:
        if refusal.id not in OVER:
            publisher.notices.track(Offer(id, pressed_message(context, id), is_question=True))
        raise


def pressed_message(context: InteractionContext, id: str) -> Surface:
    """Return the pressed private message, with the token of this press."""
    message = context.message
    return with_press_token(context, _private_message(context, id, message.channel, message.id, message.ephemeral))


def _private_message(
    context: InteractionContext, id: str, channel: int, message: int, is_ephemeral: bool = True
) -> Surface:
    kind = SurfaceKind.CONSOLE_EPHEMERAL if is_ephemeral else SurfaceKind.CONSOLE_DM
    return Surface(id, kind, context.user, channel, message, 0, context.created_at)
