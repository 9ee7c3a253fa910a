"""The sentence of a result that says what was remarkable about the win."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from bot.engine.cards import Points, Seat, format_points
from bot.engine.choices import Bid, Choices
from bot.engine.match import Termination
from bot.engine.refusals import RuleError
from bot.engine.state import Deal, State
from bot.referee.model.views import MatchView
from bot.ui.text.catalogue.numbers import percent
from bot.ui.text.names import Names
from bot.ui.text.sentences import say

LONG_ODDS = 0.35
"""Chance before the match below which a win is remarkable."""
FAR_BEHIND = 0.15
"""Share of all points that makes a win remarkable."""


class Cheer(NamedTuple):
    text: str = ""
    tells_chance: bool = False
    """True if it names the winner's chance before the match."""


def choose_cheer(view: MatchView, names: Names, you: Seat | None = None) -> Cheer:
    """Return the first remark that is true of a match that was played out and won."""
    outcome = view.outcome
    if outcome is None or outcome.winner is None or outcome.termination is not Termination.COMPLETED:
        return Cheer()
    winner = outcome.winner
    suffix, data = ("-you" if winner == you else ""), {"name": names[winner]}
    if len(view.chances) == 2 and len(view.seats) == 2 and view.chances[winner] < LONG_ODDS:
        share = percent(round(100 * view.chances[winner]))
        return Cheer(say(f"cheer-odds{suffix}", share=share, **data), tells_chance=True)
    sale = view.rules.sale
    if view.series.mode != "single" or sale is None or not sale.additive or view.rules.least_wins:
        return Cheer()  # points compare only within one deal that adds up its scores
    scores = view.seen.scores
    if scores[winner] > 0 and not any(scores[seat] for seat in range(len(scores)) if seat != winner):
        return Cheer(say(f"cheer-sweep{suffix}", **data))
    behind, number = _find_worst_deficit(view, winner)
    if behind > FAR_BEHIND * float(sum(abs(points) for points in scores)):
        return Cheer(say(f"cheer-back{suffix}", n=behind, points=format_points(behind), r=number, **data))
    margin = scores[winner] - max(points for seat, points in enumerate(scores) if seat != winner)
    if margin == 1:
        return Cheer(say("cheer-close"))
    return Cheer(say("cheer-last")) if _was_decided_last(view, winner) else Cheer()


def _find_worst_deficit(view: MatchView, winner: Seat) -> tuple[Points, int]:
    """Return the largest deficit of the winner, and the round after which it stood."""
    worst: tuple[Points, int] = (0, 0)
    for number, played in enumerate(view.seen.rounds, 1):
        behind = max(played.scores) - played.scores[winner]
        if behind > worst[0]:
            worst = (behind, number)
    return worst


def _was_decided_last(view: MatchView, winner: Seat) -> bool:
    """Return True if the winner was not ahead before the last round."""
    rounds = view.seen.rounds
    if len(rounds) < 2:
        return False
    before = rounds[-2].scores
    return (before[winner] < max(before) or before.count(max(before)) > 1) and _was_open_at_last_choice(view)


def _was_open_at_last_choice(view: MatchView) -> bool:
    """Return True if no seat could make sure of the win when the last bids were chosen.

    Return False too if the rounds do not tell, as with several cards a bid or with open prizes.
    """
    sale, rules, rounds = view.rules.sale, view.rules, view.seen.rounds
    stock = tuple(prize for played in rounds for prize in played.prizes)
    if sale is None or not sale.hand or sale.open or len(stock) < len(sale.prizes):
        return False
    state, last = rules.start(Deal(stock, (sale.hand,) * rules.seats)), None
    try:
        for bids in (bids for played in rounds for bids in (*played.again, played.bids)):
            if not all(prompt.is_forced for prompt in rules.prompts(state)):
                last = state
            choices = {seat: bid for seat, bid in enumerate(bids) if bid is not None}
            state, _ = rules.resolve(state, choices)
    except RuleError:  # the bids of a seat are not those of the hand that it was dealt
        return False
    if last is None or any(prompt.size > 1 for prompt in rules.prompts(last)):
        return False
    return not _can_make_sure(last)


def _can_make_sure(state: State) -> bool:
    """Return True if one seat can win whatever the others bid in this round; forced bids follow."""
    prompts = state.rules.prompts(state)
    bids = [[Bid((card,)) for card in prompt.options] for prompt in prompts]
    seats = [prompt.seat for prompt in prompts]
    winners = {choices: _find_winner(state, dict(zip(seats, choices, strict=True))) for choices in product(*bids)}
    return any(
        all(winner == seat for choices, winner in winners.items() if choices[at] == bid)
        for at, seat in enumerate(seats)
        for bid in bids[at]
    )


def _find_winner(state: State, choices: Choices) -> Seat | None:
    """Return who wins the deal by these bids and the lowest ones after them; None if nobody does."""
    state, _ = state.rules.resolve(state, choices)
    while not state.over:
        state, _ = state.rules.resolve(state, {prompt.seat: prompt.lowest() for prompt in state.rules.prompts(state)})
    return state.rules.winner(state)
