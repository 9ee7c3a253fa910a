"""A worked example of any game: a round or two, played and told by the engine itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from bot.engine.cards import format_points
from bot.engine.choices import Choice, Kind, Pick, Prompt
from bot.engine.events import (
    BidsCancelled,
    BidsRevealed,
    CardsCaptured,
    CardsReturned,
    HandsSwitched,
    SubRoundStarted,
    Tied,
)
from bot.engine.record.transcript import Teller
from bot.engine.rules import Rules
from bot.engine.state import Round
from bot.engine.view import redact
from bot.ui.text.sentences import say

NAMES = ("Ana", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal")
MAX_DEALS = 80
"""so many deals are looked at"""
GOOD_ENOUGH = 9.0
"""no better one is looked for"""
POINT_BONUS = 4.0
"""for a round that shows what its game is about"""
ROUNDS = 3
LONGEST = 520
"""characters; of longer examples only the first round is told"""

WORTH_SEEING = (Tied, BidsCancelled, SubRoundStarted, HandsSwitched, CardsReturned, CardsCaptured)


@lru_cache(maxsize=256)
def play_example(rules: Rules) -> str:
    """The first rounds of a deal, one line each. Worked out once for the same rules.

    Of many deals the one that shows most: first a round that goes smoothly, then one that does not.
    """
    best: tuple[float, str] = (-1000, "")
    for seed in range(MAX_DEALS):
        rounds = _select_rounds(_play_rounds(rules, Random(seed)))
        lines = [_describe_round(rules, number, played) for number, played in enumerate(rounds, 1)]
        if len("\n".join(lines)) > LONGEST:
            rounds, lines = rounds[:1], lines[:1]
        text = "\n".join(lines)
        score = _score_rounds(rounds) + POINT_BONUS * any(map(rules.game.point, rounds)) - len(text) / 1000
        if lines and score > best[0]:
            best = (score, text)
        if best[0] >= GOOD_ENOUGH:
            break
    return best[1]


def _describe_round(rules: Rules, number: int, played: Round) -> str:
    names = NAMES[: rules.seats]
    scores = zip(names, played.scores, strict=True)
    told = [say("deal-score", name=name, score=format_points(points)) for name, points in scores]
    events = played.events
    if rules.hides_bids:  # as everybody would hear it
        events = tuple(event for event in redact(events, None) if not isinstance(event, BidsRevealed))
    story = Teller(rules, names).story(events)
    return say("example-round", n=number, story=story, scores=", ".join(told))


def _select_rounds(rounds: list[Round]) -> list[Round]:
    """Two rounds; a third one where it takes what the second left in the pot."""
    carried = len(rounds) > 2 and rounds[1].outcome == "hold" and rounds[2].outcome == "award"
    return rounds if carried else rounds[:2]


def _score_rounds(rounds: Sequence[Round]) -> float:
    """A smooth first round and a second one of another kind; what can happen in this game, but not too much."""
    if not rounds:
        return -100
    first, *rest = rounds[:2]
    kinds = [sum(any(isinstance(event, kind) for event in one.events) for kind in WORTH_SEEING) for one in rounds]
    score = 2.0 if first.outcome == "award" and not first.again else 0.0
    if rest:
        score += 2.0 * (rest[0].outcome != first.outcome or bool(rest[0].again)) + min(kinds[1], 2)
        score -= max(0, len(rest[0].again) - 1)
        score += 1.5 * (len(rounds) > 2) - 1.5 * (rest[0].outcome == "hold")
    return score


def _play_rounds(rules: Rules, dice: Random) -> list[Round]:
    """The first rounds of a deal, at random."""
    pack = list(rules.pack())
    dice.shuffle(pack)
    state = rules.start(rules.deal(tuple(pack)))
    for _ in range(40):
        if state.over or len(state.rounds) >= ROUNDS:
            break
        prompts = rules.prompts(state)
        place, alike = dice.random(), dice.random() < 0.4  # so that ties are seen
        choices = {one.seat: _make_choice(rules, one, place if alike else dice.random()) for one in prompts}
        state, _ = rules.resolve(state, choices)
    return list(state.rounds[:ROUNDS])


def _make_choice(rules: Rules, prompt: Prompt, place: float) -> Choice:
    """The cards from this place on, 0 the weakest and 1 the strongest; of open prizes the best."""
    if prompt.kind is Kind.PICK:
        return Pick(prompt.options[0])
    size = min(prompt.size, len(prompt.options))
    first = int(place * (len(prompt.options) - size + 1))
    return rules.bid(*prompt.options[first : first + size])
