"""Hints in practice: before a bid, and about the bid that was revealed last."""

from __future__ import annotations

from functools import partial

from bot.engine.cards import Card
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext
from bot.interactions.shared.console_pages import answer_privately
from bot.referee.model.views import MatchView
from bot.solver.coach.advice import NOTHING, find_grade
from bot.solver.coach.hint import CardAdvice, Hint
from bot.ui.custom_ids import learning_ids
from bot.ui.message import Message, join_lines
from bot.ui.text.catalogue.numbers import percent_of
from bot.ui.text.faces import Faces
from bot.ui.text.names import join_words, make_names
from bot.ui.text.sentences import capitalize, say
from bot.ui.text.style import find_style
from cogs.learning.analysis import chance, points, shorten_mix

LITTLE = 0.05
"""A lead of fewer points is written as 0."""
TOLD = {True: 0.01, False: 0.05}
"""The least cost that a sentence gives as a number."""
DEAR = {True: 0.02, False: 0.3}
"""A hint warns of a cost from here on."""


def hint_message(view: MatchView, found: Hint) -> Message:
    """Return the message with the best plan, what it is worth, and one piece of advice."""
    told = _HintText(view, found)
    title = say("hint-title", round=view.rules.round_word, n=found.round + 1)
    id, value = ("hint-win", chance(found.value)) if found.is_to_win else ("hint-points", told.worth(found.value))
    worth = say(id, chance=value, value=value)
    if found.alike:
        return Message(join_lines(title, told.plan(), worth))
    if len(found.right) == 1:
        return Message(join_lines(title, f"{told.plan()} {told.advice()}", worth))
    textbook = say("hint-words") if len(found.mix) > 1 else ""
    return Message(join_lines(title, told.plan(), f"{worth} {told.advice()}", textbook))


def past_message(view: MatchView, found: Hint) -> Message:
    """Return the message about a bid, and what each other card would have been worth."""
    assert found.bids is not None
    told = _HintText(view, found)
    card, other = told.card(found.bids[0]), told.their_card(found.bids[1])
    title = say("past-title", Round=told.round_word, n=found.round + 1, card=card, name=told.opponent, other=other)
    before, after = told.change
    became = say("past-win" if found.is_to_win else "past-points", before=before, after=after)
    each = [
        say("past-each", card=told.card(card.card), value=told.worth(came))
        for card in found.hand
        if (came := card.came) is not None
    ]
    cards = say("past-cards" if found.is_to_win else "past-cards-points", other=other, list=" · ".join(each))
    plan = "" if found.alike else told.plan()
    textbook = say("review-words") if len(found.mix) > 1 and not found.alike else ""
    return Message(join_lines(f"{title} {told.verdict()}", became, plan, cards, textbook))


class _HintText:
    """A hint in the words of one match."""

    def __init__(self, view: MatchView, found: Hint) -> None:
        self.found = found
        self.round_word = capitalize(view.rules.round_word)
        self._seat = view.seat or 0
        self._faces = Faces(view.rules, find_style(view.cards), deal=found.deal + 1).without_pictures
        self.opponent = make_names(view).short[1 - self._seat]

    def card(self, one: Card) -> str:
        return self._faces.bid_card(self._seat, one)

    def their_card(self, one: Card) -> str:
        return self._faces.bid_card(1 - self._seat, one)

    def worth(self, value: float) -> str:
        return chance(value) if self.found.is_to_win else points(value, LITTLE)

    def cost(self, given: float) -> str:
        if self.found.is_to_win:
            return say("cost-chance", share=percent_of(given, 0.01))
        return say("cost-points", points="<0.1" if given < LITTLE else f"{given:.1f}")

    def about(self, id: str) -> str:
        """Return the sentence of an exact answer, or of an estimate."""
        return id if self.found.exact else f"{id}-near"

    def plan(self) -> str:
        """Return the best card, or the likeliest cards of the best plan; it says if they are an estimate."""
        found = self.found
        if found.alike:
            return say("hint-alike")
        if len(found.mix) == 1:
            return say(self.about("hint-best"), card=self.card(found.mix[0][0]))
        return say(self.about("hint-plan"), mix=shorten_mix(found.mix, self.card))

    def advice(self) -> str:
        """Return the sentence of a hint: what others cost, a card that is never best, the worst, or equal cards."""
        found = self.found
        if len(found.right) == 1:
            least = min((card.cost for card in found.hand if card.card not in found.right), default=0.0)
            if least >= TOLD[found.is_to_win]:
                return self.others_cost(least)
            return say(self.about("hint-worse"))
        never = [card for card in found.hand if card.instead is not None and card.cost >= DEAR[found.is_to_win]]
        if never:
            worst = max(never, key=lambda card: card.cost)
            assert worst.instead is not None
            return say("hint-never", card=self.card(worst.card), other=self.card(worst.instead))
        worst = max(found.hand, key=lambda card: card.cost)
        if worst.cost >= DEAR[found.is_to_win]:
            return say("hint-costs", card=self.card(worst.card), cost=self.cost(worst.cost))
        if len(found.mix) > 1:
            return say(self.about("hint-chance"))
        if len(found.right) == len(found.hand):
            return say(self.about("hint-all"))
        return say(self.about("hint-some"), list=join_words([self.card(card) for card in found.right]))

    def others_cost(self, least: float) -> str:
        """Return what the cards besides the best one cost at least."""
        if self.found.is_to_win:
            return say("hint-only-win", cost=percent_of(least, 0.01))
        return say("hint-only", cost=self.cost(least))

    def verdict(self) -> str:
        """Return the sentence about a round that was played."""
        found, own = self.found, self.own
        card = self.card(own.card)
        if found.alike:
            return say("past-alike")
        if (own.share or own.card in found.right) and self.is_unlucky:
            return say("past-unlucky", card=card, grade=say("grade-unlucky"))
        if own.share:
            return say("past-right", card=card)
        if own.card in found.right:
            return say(self.about("past-free"), card=card)
        told = say(self.about("past-cost"), card=card, grade=self.grade(), cost=self.cost(own.cost))
        return told if own.instead is None else f"{told} {say('past-never', other=self.card(own.instead))}"

    def grade(self) -> str:
        """Return the word for the bid, as a review calls it."""
        grade = say(f"grade-{find_grade(self.own.cost, self.found.is_to_win)}")
        return say("grade-unlucky") if grade == say("grade-best") and self.is_unlucky else grade

    @property
    def own(self) -> CardAdvice:
        """The card that was bid."""
        assert self.found.bids is not None
        return self.found.of(self.found.bids[0])

    @property
    def change(self) -> tuple[str, str]:
        """What the position is worth before the bids and after them."""
        return self.worth(self.found.value), self.worth(self._came)

    @property
    def is_unlucky(self) -> bool:
        """Whether the other card took more than this bid gave away. A small fall counts too, because it is shown."""
        before, after = self.change
        taken = self.found.value - self._came - self.own.cost
        return before != after and taken > NOTHING[self.found.is_to_win]

    @property
    def _came(self) -> float:
        came = self.own.came
        assert came is not None
        return came


@component(learning_ids.HINT, on=MessageKind.OWN)
async def show_hint(context: InteractionContext) -> None:
    """Show a hint in the place of the console. It is counted before it is shown."""
    id, prompt, what = learning_ids.read_hint(context.id_parts)
    view = await context.referee.views.view(id, context.user)
    await answer_privately(context, view, partial(_advise, context, id, prompt, what))


async def _advise(context: InteractionContext, id: str, prompt: int, what: str) -> Message:
    """Return the hint, and count it. Raise RefereeError if there is none to give."""
    referee, coach = context.referee, context.services.coach
    if what != "hint":
        spot = await referee.hints.after_bid(id, context.user)
        found = await coach.hint(referee.finder, context.user, spot)
        return past_message(await referee.views.view(id, context.user), found)
    spot = await referee.hints.before_bid(id, context.user, prompt)
    found = await coach.hint(referee.finder, context.user, spot)
    await referee.hints.count_hint(id, spot)
    return hint_message(await referee.views.view(id, context.user), found)
