"""Worked example of a game: two or three rounds that the engine plays and describes."""

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
"""deals that are tried"""
GOOD_ENOUGH = 9.0
"""score of a deal that ends the search"""
POINT_BONUS = 4.0
"""score of a round that shows the point of its game"""
ROUNDS = 3
MAX_CHARACTERS = 520
"""of a longer example only the first round is shown"""

SPECIAL_EVENTS = (Tied, BidsCancelled, SubRoundStarted, HandsSwitched, CardsReturned, CardsCaptured)


@lru_cache(maxsize=256)
def play_example(rules: Rules) -> str:
    """Return the first rounds of a deal, one line each, cached by rules.

    It is the best of many random deals: a simple first round, then a round with a tie or another special event.
    """
    best: tuple[float, str] = (-1000, "")
    for seed in range(MAX_DEALS):
        rounds = _select_rounds(_play_rounds(rules, Random(seed)))
        lines = [_describe_round(rules, number, played) for number, played in enumerate(rounds, 1)]
        if len("\n".join(lines)) > MAX_CHARACTERS:
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
    score_texts = [say("deal-score", name=name, score=format_points(points)) for name, points in scores]
    events = played.events
    if rules.hides_bids:  # the story for spectators
        events = tuple(event for event in redact(events, None) if not isinstance(event, BidsRevealed))
    story = Teller(rules, names).story(events)
    return say("example-round", n=number, story=story, scores=", ".join(score_texts))


def _select_rounds(rounds: list[Round]) -> list[Round]:
    """Return two rounds, or three if the third one takes the pot that the second one left."""
    takes_pot = len(rounds) > 2 and rounds[1].outcome == "hold" and rounds[2].outcome == "award"
    return rounds if takes_pot else rounds[:2]


def _score_rounds(rounds: Sequence[Round]) -> float:
    """Score an example: best are a simple first round and a second one of another kind with few special events."""
    if not rounds:
        return -100
    first, *rest = rounds[:2]
    kinds = [
        sum(any(isinstance(event, kind) for event in played.events) for kind in SPECIAL_EVENTS) for played in rounds
    ]
    score = 2.0 if first.outcome == "award" and not first.again else 0.0
    if rest:
        score += 2.0 * (rest[0].outcome != first.outcome or bool(rest[0].again)) + min(kinds[1], 2)
        score -= max(0, len(rest[0].again) - 1)
        score += 1.5 * (len(rounds) > 2) - 1.5 * (rest[0].outcome == "hold")
    return score


def _play_rounds(rules: Rules, dice: Random) -> list[Round]:
    """Play the first rounds of a random deal."""
    pack = list(rules.pack())
    dice.shuffle(pack)
    state = rules.start(rules.deal(tuple(pack)))
    for _ in range(40):
        if state.over or len(state.rounds) >= ROUNDS:
            break
        prompts = rules.prompts(state)
        place, is_alike = dice.random(), dice.random() < 0.4  # equal bids, so that ties occur
        choices = {prompt.seat: _make_choice(rules, prompt, place if is_alike else dice.random()) for prompt in prompts}
        state, _ = rules.resolve(state, choices)
    return list(state.rounds[:ROUNDS])


def _make_choice(rules: Rules, prompt: Prompt, place: float) -> Choice:
    """Return a bid of the cards from this place on (0 weakest, 1 strongest), or the first of the prizes to pick."""
    if prompt.kind is Kind.PICK:
        return Pick(prompt.options[0])
    size = min(prompt.size, len(prompt.options))
    first = int(place * (len(prompt.options) - size + 1))
    return rules.bid(*prompt.options[first : first + size])
