"""Hints in practice: before a bid, and about the bid that was revealed last."""

from __future__ import annotations

from functools import partial

from bot.engine.cards import Card
from bot.errors import RefereeError
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.error_handler import describe_refusal
from bot.interactions.shared.board_button import match_over_error
from bot.interactions.shared.pressed_console import answer_above_console, update_console
from bot.referee.model.views import MatchView
from bot.solver.coach.hint import Hint
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Message, join_lines
from bot.ui.text.catalogue.numbers import percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.sentences import say
from cogs.learning.odds import chance, mix, points

LITTLE = {True: 0.005, False: 0.05}
"""Less than this is not mentioned: chance to win, or points."""
DEAR = {True: 0.02, False: 0.3}
"""A hint warns of a cost from here on."""


def hint_message(view: MatchView, found: Hint) -> Message:
    """Return the message with the best mix and one piece of advice."""
    told = _HintText(view, found)
    title = say(_title("hint-title", found), n=found.round + 1, mix=mix(found.mix, told.card))
    worth = say("hint-win", chance=chance(found.value)) if found.is_to_win else ""
    return Message(
        join_lines(title, worth or say("hint-points", value=points(found.value, LITTLE[False])), told.advice())
    )


def past_message(view: MatchView, found: Hint) -> Message:
    """Return the message about a bid, and what each other card would have been worth."""
    assert found.bids is not None
    told = _HintText(view, found)
    card, other = map(told.card, found.bids)
    data = {"n": found.round + 1, "card": card, "other": other, "mix": mix(found.mix, told.card)}
    title = say(_title("past-title", found), **data)
    came = found.of(found.bids[0]).came
    assert came is not None
    became = say(
        "past-win" if found.is_to_win else "past-points", before=told.worth(found.value), after=told.worth(came)
    )
    each = [
        say(
            "past-bid" if card.card == found.bids[0] else "past-card", card=told.card(card.card), value=told.worth(came)
        )
        for card in found.hand
        if (came := card.came) is not None
    ]
    cards = say("past-cards", other=other, list=", ".join(each))
    return Message(join_lines(title, became, cards, told.verdict()))


def _title(id: str, found: Hint) -> str:
    """Return the name of a title: the mix, the mix of an estimate, or none where no bid changes anything."""
    return f"{id}-alike" if found.alike else id if found.exact else f"{id}-near"


class _HintText:
    """A hint in the words of one match."""

    def __init__(self, view: MatchView, found: Hint) -> None:
        self.found = found
        self._faces = Faces(view.rules)

    def card(self, one: Card) -> str:
        return self._faces.label(one)

    def worth(self, value: float) -> str:
        return chance(value) if self.found.is_to_win else points(value, LITTLE[False])

    def cost(self, given: float) -> str:
        if self.found.is_to_win:
            return say("cost-chance", share=percent_of(given, 0.01))
        return say("cost-points", points=f"{given:.1f}")

    def advice(self) -> str:
        """Return the sentence of a hint: the only card, one that is never right, the dearest, or which do as well."""
        found = self.found
        if found.alike:
            return ""
        if len(found.right) == 1:
            return say("hint-only", card=self.card(found.right[0]))
        never = [card for card in found.hand if card.instead is not None and card.cost >= DEAR[found.is_to_win]]
        if never:
            worst = max(never, key=lambda card: card.cost)
            assert worst.instead is not None
            return say("hint-never", card=self.card(worst.card), other=self.card(worst.instead))
        worst = max(found.hand, key=lambda card: card.cost)
        if worst.cost >= DEAR[found.is_to_win]:
            return say("hint-costs", card=self.card(worst.card), cost=self.cost(worst.cost))
        if len(found.mix) > 1:
            return say("hint-chance")
        if len(found.right) == len(found.hand):
            return say("hint-all")
        return say("hint-some", list=", ".join(map(self.card, found.right)))

    def verdict(self) -> str:
        """Return the sentence about a round that was played."""
        found = self.found
        assert found.bids is not None
        own = found.of(found.bids[0])
        card = self.card(own.card)
        if found.alike:
            return say("past-alike")
        if own.share:
            return say("past-right", card=card)
        if own.instead is not None and own.card not in found.right:
            return say("past-never", card=card, other=self.card(own.instead))
        if own.cost < LITTLE[found.is_to_win]:
            return say("past-free", card=card)
        return say("past-cost", card=card, cost=self.cost(own.cost), other=self.card(found.mix[0][0]))


@component(learning_ids.HINT, on=MessageKind.OWN)
async def send_hint(context: InteractionContext) -> None:
    """Send a hint in a message of its own. It is counted before it is shown. The console of a finished match becomes
    the result; if the match ends while the coach thinks, the result stays where it is."""
    id, prompt, what = learning_ids.read_hint(context.id_parts)
    if (view := await context.referee.views.view(id, context.user)).over:
        await update_console(context, view)
        return
    context.answer.will_send()
    message = await _advise(context, id, prompt, what)
    if (view := await context.referee.views.view(id, context.user)).over:
        raise match_over_error(view)
    await context.answer.by_a_call()
    await answer_above_console(context, id, partial(_send, context, message))


async def _advise(context: InteractionContext, id: str, prompt: int, what: str) -> Message:
    """Return the hint, or the sentence that refuses it."""
    referee, coach = context.referee, context.services.coach
    try:
        if what != "hint":
            spot = await referee.hints.after_bid(id, context.user)
            found = await coach.hint(referee.finder, context.user, spot)
            return past_message(await referee.views.view(id, context.user), found)
        spot = await referee.hints.before_bid(id, context.user, prompt)
        found = await coach.hint(referee.finder, context.user, spot)
        await referee.hints.count_hint(id, spot)
        return hint_message(await referee.views.view(id, context.user), found)
    except RefereeError as refusal:
        return Message(describe_refusal(refusal, asked_at=context.created_at))


async def _send(context: InteractionContext, message: Message) -> None:
    await context.answer.send(message)
