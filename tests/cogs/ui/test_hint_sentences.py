"""What the sentence of a hint says is true of the position, worked out in fractions without the solver."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.solver.coach.advice import NOTHING
from bot.solver.coach.coach import explain_bid
from bot.solver.coach.hint import HintSpot
from bot.solver.exact.position import Position
from bot.solver.players.basis import POINTS, WIN
from cogs.learning.hints import hint_message, past_message
from tests.cogs.ui.test_practice import practising
from tests.cogs.ui.test_review import plain
from tests.cogs.ui.views import example as example_view
from tests.solver import slow

VIEW = practising(example_view())
HIGHEST = 10
"""cards are shown by their numbers up to here; an ace is 1"""


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any position of two to four cards, also one that play would not reach, with a lead that may decide it."""
    size = draw(st.integers(2, 4))
    cards = st.lists(st.integers(1, HIGHEST), min_size=size, max_size=size, unique=True).map(
        lambda all: tuple(sorted(all))
    )
    mine, theirs, prizes = draw(cards), draw(cards), draw(cards)
    ties = draw(st.sampled_from(("discard", "carry")))
    objective = draw(st.sampled_from(("win", "win", "points")))
    lead = draw(st.integers(-sum(prizes) - 1, sum(prizes) + 1)) if objective == "win" else 0
    pot = draw(st.integers(0, HIGHEST)) if ties == "carry" else 0
    return Position(mine, theirs, prizes, draw(st.sampled_from(prizes)), ties, pot, objective, lead)


def spot_of(here: Position) -> HintSpot:
    faces = tuple((card, card) for card in here.mine), tuple((card, card) for card in here.theirs)
    return HintSpot(here, WIN if here.objective == "win" else POINTS, faces, 0, 4)


def payoffs_of(here: Position) -> slow.Matrix:
    """Return what every pair of bids is worth: chances to win, or points."""
    assert here.up is not None
    win = here.objective == "win"
    matrix = slow.matrix(here.mine, here.theirs, here.prizes, here.up, here.ties, here.pot, win, here.lead)
    return [[entry / 2 if win else entry for entry in row] for row in matrix]


def cards_in(text: str) -> list[int]:
    return [1 if card == "A" else int(card) for card in re.findall(r"\bA\b|\d+", text)]


@settings(max_examples=300)
@given(positions())
@example(Position((1, 2), (1, 2), (1, 2), 2, objective="win", lead=9))
@example(Position((1, 2, 3, 4), (1, 2, 3, 4), (1, 2, 3, 4), 3, objective="win", lead=-8))
def test_a_hint_says_only_what_is_so(here: Position) -> None:
    matrix = payoffs_of(here)
    costs = dict(zip(here.mine, slow.most_given_up(matrix), strict=True))
    right = [card for card, cost in costs.items() if cost <= NOTHING[here.objective == "win"]]
    told = plain(hint_message(VIEW, explain_bid(spot_of(here)))).replace("\u00a0", " ")
    plan, worth = told.splitlines()[1:3]
    sentence = re.split(r"counts half\)\. |from here on: [^ ]+ points\. ", worth)[-1]
    assert ("no card changes anything" in told) == (len({entry for row in matrix for entry in row}) == 1)
    if "no card changes anything" in told:
        assert "Best" not in told
        return
    assert ("Every other card" in plan) == (len(right) == 1)
    if "Every other card" in plan:
        assert cards_in(plan.split(".")[0]) == right
        if found := re.search(r"at least ([<\d.]+)(%?)", plan):
            least = min(cost for card, cost in costs.items() if card not in right)
            assert float(least) * (100 if found[2] else 1) == pytest.approx(
                float(found[1]), abs=0.51 if found[2] else 0.051
            )
    elif "is never best" in told:
        worse, better = cards_in(sentence)
        assert costs[worse] > 0
        rows = (matrix[here.mine.index(card)] for card in (better, worse))
        assert all(one >= other for one, other in zip(*rows, strict=True))
    elif "Worst card" in told:
        assert costs[cards_in(sentence)[0]] == max(costs.values()) > 0
    elif "Every card is equally good" in told:
        assert right == list(here.mine)
    elif "choose at random" in told:
        assert len(re.findall("%", plan)) > 1, "a plan to choose from"
    else:
        assert "equally good against a perfect opponent" in told
        assert cards_in(sentence) == right


@settings(max_examples=150)
@given(positions(), st.data())
def test_a_round_that_was_played_is_told_only_what_is_so(here: Position, data: st.DataObject) -> None:
    matrix = payoffs_of(here)
    costs = dict(zip(here.mine, slow.most_given_up(matrix), strict=True))
    bids = data.draw(st.sampled_from(here.mine)), data.draw(st.sampled_from(here.theirs))
    found = explain_bid(replace(spot_of(here), bids=bids))
    told = plain(past_message(VIEW, found)).replace("\u00a0", " ")
    verdict, cost = told.splitlines()[0].partition(". ")[2], costs[bids[0]]
    came = found.of(bids[0]).came
    assert came is not None
    assert "unlucky" not in verdict or came < found.value
    nothing = NOTHING[here.objective == "win"]
    alike = len({entry for row in matrix for entry in row}) == 1
    assert ("no card changed anything" in verdict) == alike
    assert ("Best plan" in told or "Best card" in told) != alike
    if "good choice" in verdict:
        assert cost == 0
    elif "gives nothing away" in verdict or verdict.endswith("was good, but unlucky."):
        assert cost <= nothing
    elif not alike:
        assert "it gives away" in verdict
        assert cost > 0
    if "at least as good" in verdict:
        better = cards_in(verdict.rpartition("Against every bid, ")[2])[0]
        pairs = zip(*(matrix[here.mine.index(card)] for card in (better, bids[0])), strict=True)
        assert all(one >= other for one, other in pairs)
