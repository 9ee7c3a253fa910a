"""The one sentence of a result that celebrates: what was remarkable about this win, if anything was."""

from __future__ import annotations

from typing import NamedTuple

from bot.engine.cards import Points, Seat, format_points
from bot.engine.match import Termination
from bot.referee.model.views import MatchView
from bot.ui.text.catalogue.numbers import percent
from bot.ui.text.names import Names
from bot.ui.text.sentences import say

LONG_ODDS = 0.35
"""a chance beforehand that makes a win worth a word"""
FAR_BEHIND = 0.15
"""so much of what was scored in all"""


class Cheer(NamedTuple):
    text: str = ""
    tells_chance: bool = False
    """whether it says what the winner was given beforehand"""


def choose_cheer(view: MatchView, names: Names, you: Seat | None = None) -> Cheer:
    """Of a match that was played out and won: the first of these that is true."""
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
        return Cheer()  # what points say of one deal that is scored as it is played
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
    """How far the winner was behind the leader at worst, and after which round."""
    worst: tuple[Points, int] = (0, 0)
    for number, played in enumerate(view.seen.rounds, 1):
        behind = max(played.scores) - played.scores[winner]
        if behind > worst[0]:
            worst = (behind, number)
    return worst


def _was_decided_last(view: MatchView, winner: Seat) -> bool:
    """Whether the last round decided: before it the winner was not ahead."""
    rounds = view.seen.rounds
    if len(rounds) < 2:
        return False
    before = rounds[-2].scores
    return before[winner] < max(before) or before.count(max(before)) > 1
