"""Sage plays both seats, and the review of that match finds nothing to blame, whatever the match is played for."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

import pytest

from bot.engine.choices import Choice
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.coach.advice import Review, list_leads, list_moves
from bot.solver.coach.coach import judge_move
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question, find_level
from cogs.learning.review import review
from tests.cogs.ui import reading
from tests.cogs.ui.views import Played, begin
from tests.engine.matches import advance

EXACT = 1e-9
"""a chance to win as exact as a solve is"""


def choose_by_sage(played: Played, seat: int, key: str) -> Choice:
    """Return what Sage bids in this seat now."""
    sage, match = find_level("sage"), played.match
    assert sage is not None
    assert match.state is not None
    past = tuple(observe(deal, seat) for deal in match.finished)
    seen = observe(match.state, seat)
    return sage.mind(Question(match.rules, match.series, seen, past, Chance(f"{key} {seat} {seen.number}".encode())))


def play_sage(key: str, options: Mapping[str, Any], series: Mapping[str, Any] | None, seed: int) -> Played:
    """Return a match between two Sages, played to its end."""
    game, offer = find_offer(key)
    played, dice = begin(game.key, 2, {**offer.options, **options}, series), random.Random(seed)
    while not played.match.over:
        pack = list(played.match.rules.pack())
        dice.shuffle(pack)
        rules = played.match.rules
        before = played.match.previous_deal()
        again = rules.redeal(before) if before is not None else None
        played = Played(advance(played.match.begin(again or rules.deal(tuple(pack)))[0]))
        while played.match.state is not None and not played.match.over:
            key = f"{seed} {played.match.deal_number}"
            choices = {seat: choose_by_sage(played, seat, key) for seat in played.match.awaited}
            played = Played(advance(played.match.resolve(choices)[0]))
    return played


def review_match(played: Played) -> Review:
    """Return the review of a match that is over."""
    match = played.match
    deals = [(state.deal, state.rounds) for state in match.deals]
    return Review(tuple(judge_move(move) for move in list_moves(match.rules, deals, match.series)))


@pytest.mark.parametrize(
    ("game", "options", "series", "matches"),
    [
        ("classic", {"cards": 7}, None, 6),
        ("classic", {"cards": 6, "ties": "carry"}, None, 6),
        ("misere", {"cards": 6}, None, 6),
        ("sops", {"cards": 5}, None, 6),
        ("known-order", {"cards": 9}, None, 6),
        ("bid", {}, None, 1),
        ("pico", {}, None, 2),
        ("classic", {"cards": 5}, {"mode": "deals", "deals": 3}, 6),
        ("classic", {"cards": 5}, {"mode": "target", "points": 20}, 6),
        ("classic", {"cards": 5}, {"mode": "first-to", "wins": 2}, 6),
        ("classic", {"cards": 10}, None, 1),
    ],
    ids=str,
)
def test_no_bid_of_sage_against_itself_is_blamed(
    game: str, options: dict[str, Any], series: dict[str, Any] | None, matches: int
) -> None:
    for seed in range(matches):
        played = play_sage(game, options, series, seed)
        found, view = review_match(played), played.view(0)
        pages = [reading.plain("\n".join(review(view, found, page).texts)) for page in range(len(found.rounds))]
        for page, judged in zip(pages, found.rounds, strict=True):
            assert re.findall(r" bid \S+: \W*(\w+)", page) == ["good", "good"]
            assert re.search(r"[Nn]o bid cost anything\.", page)
            assert max(judged.given_chance(0), judged.given_chance(1)) < EXACT


def test_a_lost_deal_blames_no_bid() -> None:
    """After 11 of 21 nothing is to be won: the 6 for the 2 wastes points, and no chance to win."""
    played = begin("classic", 2, {"cards": 6}).deal((6, 5, 2, 3, 4, 1)).play_all((1, 2), (2, 3), (6, 1)).finish()
    found = review_match(played)
    page = reading.plain("\n".join(review(played.view(0), found, 2).texts))
    assert found.rounds[2].costs[0] > 0.5
    assert "**Round 3 · prize ♦2**\nAna bid ♠6: good." in page
    assert "No card could change the result here." in page
    assert "est plan" not in reading.plain("\n".join(review(played.view(0), found, 2, numbers=True).texts))


def test_leads_of_each_deal_begin_at_0_where_won_deals_count() -> None:
    played, stock = begin("classic", 2, {"cards": 4}, {"mode": "first-to", "wins": 2}), (4, 3, 2, 1)
    found = review_match(played.deal(stock).play_all((3, 2), (4, 3)).finish().deal(stock).finish())
    firsts = [judged for judged in found.rounds if not judged.round]
    assert [(judged.deal, judged.lead) for judged in firsts] == [(0, 0), (1, 0)]


@pytest.mark.parametrize("seed", range(3))
def test_lead_to_be_expected_is_that_at_the_end_of_the_match_in_both_deals_of_pico(seed: int) -> None:
    """The second deal exchanges the hands: what the first one is worth to a seat is lost again in the second."""
    found = review_match(play_sage("pico", {}, None, seed))
    _, hope = list_leads(found.rounds)
    second = next(at for at, judged in enumerate(found.rounds) if judged.deal == 1)
    last = found.rounds[second - 1]
    assert abs(found.rounds[0].value) > 0.5, "the hands of this deal are unequal"
    assert hope[0] == pytest.approx(0)
    assert hope[second] == pytest.approx(last.lead + last.after - found.rounds[0].value)
    assert hope[second - 1] - hope[second] == pytest.approx(last.value - last.after)
