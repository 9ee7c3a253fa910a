"""A coach beside whoever practises: a hint before the bid, and what it was afterwards."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.component import On, press
from bot.interactions.context import Asked
from bot.interactions.shared.consoles import keep_console_last, show_again
from bot.ui.custom_ids import learning_ids
from cogs.learning import hint_card


@press(learning_ids.HINT, on=On.OWN)
async def hint_pressed(asked: Asked) -> None:
    """For this person alone, in a message of its own; a hint is counted before it is told. A console whose match is
    over becomes the result."""
    id, prompt, what = learning_ids.read_hint(asked.parts)
    if what == "hint" and (view := await asked.referee.views.of(id, asked.user)).over:
        await show_again(asked, view)
        return
    asked.answer.will_send()
    referee, coach = asked.referee, asked.services.coach
    if what == "hint":
        spot = await referee.hints.before(id, asked.user, prompt)
        found = await coach.hint(referee.store, asked.user, spot)
        await referee.hints.used(id, spot)
    else:
        spot = await referee.hints.after(id, asked.user)
        found = await coach.hint(referee.store, asked.user, spot)
    view = await referee.views.of(id, asked.user)
    await asked.answer.by_a_call()
    await asked.answer.send(hint_card.before(view, found) if what == "hint" else hint_card.after(view, found))
    await keep_console_last(asked, id)


async def setup(bot: GopsClient) -> None:
    bot.answer(hint_pressed)
