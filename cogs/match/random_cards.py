"""A random card behind *More* of a console: it bids, or changes the bid, and only this console names it."""

from __future__ import annotations

from secrets import SystemRandom

from bot.engine.choices import Kind
from bot.engine.state import Cards
from bot.errors import RefereeError
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.pressed_console import update_console
from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.screens.keys import Keys, make_keys
from bot.ui.story.lines import make_faces
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from cogs.match import bids

DICE = SystemRandom()
"""The entropy of the system. The match's nonce is published later and must not give away a bid."""


@component(match_ids.RANDOM)
async def bid_at_random(context: InteractionContext) -> None:
    """Bid a random card. Where a bid takes two steps, only choose it."""
    id, prompt = match_ids.read_random(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    if view.seat is None:
        raise RefereeError("not-in-match", m=id)
    player = await context.referee.people.load_player(context.user)
    faces = make_faces(view)
    keys = make_keys(view, faces, player.two_step)
    if prompt != view.prompt or keys.kind is not Kind.COMMIT:
        await bids.seal(context, id, prompt, None)  # is refused, with the reason
        return
    cards, done = await _choose(context, view, keys, faces)
    if keys.stepwise:
        await update_console(context, view, done, match_ids.make_mask(cards, keys.cards))
    elif cards == keys.sealed_keys:
        await update_console(context, view, done)
    else:
        await bids.seal(context, id, prompt, cards[0], done)


async def _choose(context: InteractionContext, view: MatchView, keys: Keys, faces: Faces) -> tuple[Cards, str]:
    """Choose the cards of a bid and name them: by the best plan where practice is solved exactly, else uniformly."""
    where = {"r": view.round, "round": view.rules.round_word}
    spot = await context.referee.hints.solved(view.id, context.user, view.prompt)
    if spot is not None:
        try:
            found = await context.services.coach.hint(context.referee.finder, context.user, spot)
        except RefereeError as refusal:
            if refusal.id == "coach-busy":
                raise
        else:
            cards, shares = zip(*found.mix, strict=True)
            (card,) = DICE.choices(cards, shares)
            return (card,), say("random-best", card=faces.label(card), **where)
    chosen = tuple(DICE.sample(keys.live, keys.size))
    card = faces.label(chosen[0]) if len(chosen) == 1 else faces.bid_sum(chosen)
    return chosen, say("random-chosen", card=card, **where)
