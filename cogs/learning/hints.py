"""A coach beside whoever practises: a hint before the bid, and what it was afterwards."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.pressed_console import keep_console_last, update_console
from bot.ui.custom_ids import learning_ids
from cogs.learning.hint_card import hint_message, past_message


@component(learning_ids.HINT, on=MessageKind.OWN)
async def send_hint(context: InteractionContext) -> None:
    """For this person alone, in a message of its own; a hint is counted before it is told. A console whose match is
    over becomes the result."""
    id, prompt, what = learning_ids.read_hint(context.id_parts)
    if what == "hint" and (view := await context.referee.views.view(id, context.user)).over:
        await update_console(context, view)
        return
    context.answer.will_send()
    referee, coach = context.referee, context.services.coach
    if what == "hint":
        spot = await referee.hints.before_bid(id, context.user, prompt)
        found = await coach.hint(referee.finder, context.user, spot)
        await referee.hints.count_hint(id, spot)
    else:
        spot = await referee.hints.after_bid(id, context.user)
        found = await coach.hint(referee.finder, context.user, spot)
    view = await referee.views.view(id, context.user)
    await context.answer.by_a_call()
    await context.answer.send(hint_message(view, found) if what == "hint" else past_message(view, found))
    await keep_console_last(context, id)


async def setup(bot: GopsClient) -> None:
    bot.add_components(send_hint)
