"""The coach's evaluation of one bid: the mix, the loss of each card, and its result against the bid that was made."""

from __future__ import annotations

import numpy as np
import pytest

from bot.engine.choices import Bid
from bot.engine.series import SINGLE, Series
from bot.engine.state import Deal, State
from bot.engine.variants import find_game
from bot.solver.coach.coach import drop_dominated, explain_bid
from bot.solver.coach.hint import Hint, can_teach, find_spot_after_round, find_spot_before_bid
from bot.solver.kernels.matrix_game import solve_matrix


def played(bids: list[tuple[int, int]], prizes: tuple[int, ...]) -> State:
    cards = len(prizes)
    rules = find_game("classic").rules(2, {"cards": cards})
    hand = tuple(range(1, cards + 1))
    state = rules.start(Deal(prizes, (hand, hand)))
    for one, other in bids:
        state, _ = rules.resolve(state, {0: Bid((one,)), 1: Bid((other,))})
    return state


def asked(state: State, seat: int = 0, *, past: bool = False, series: Series = SINGLE) -> Hint:
    rules = find_game("classic").rules(2, {"cards": len(state.deal.stock)})
    spot = (find_spot_after_round if past else find_spot_before_bid)(rules, state, seat, series, ())
    assert spot is not None
    return explain_bid(spot)


def test_hint_is_the_mix_with_the_best_chance_to_win() -> None:
    """Four cards, prize 2 first: 3 (69%), A (19%), 2 (12%) to win, where points would be 53, 34 and 14."""
    found = asked(played([], (2, 1, 3, 4)))
    assert found.is_to_win
    assert found.exact
    assert found.value == pytest.approx(0.5)
    assert [(card, round(share, 2)) for card, share in found.mix] == [(3, 0.69), (1, 0.19), (2, 0.12)]
    assert found.of(3).cost == pytest.approx(0, abs=1e-9)
    assert found.of(4).cost > 0.01
    assert all(one.came is None for one in found.hand)


def test_past_round_gives_one_seat_what_the_other_loses() -> None:
    """The highest of three prizes, 3 against 2: one seat gained what the other lost."""
    state = played([(3, 2)], (3, 1, 2))
    mine, theirs = asked(state, 0, past=True), asked(state, 1, past=True)
    assert (mine.bids, theirs.bids) == ((3, 2), (2, 3))
    assert mine.round == theirs.round == 0
    won, lost = mine.of(3).came, theirs.of(2).came
    assert won is not None
    assert lost is not None
    assert won + lost == pytest.approx(1)
    assert mine.value + theirs.value == pytest.approx(1)
    assert won > mine.value


def test_card_that_is_never_best_names_a_better_card() -> None:
    """2 3 against 1 2, behind by 2, for the 3 with an Ace to come: the 3 wins, and the 2 loses where it ties."""
    found = asked(played([(1, 3)], (2, 3, 1)))
    assert [card for card, _ in found.mix] == [3]
    assert found.of(2).instead == 3
    assert found.of(3).instead is None


def test_hint_gives_points_in_a_series_that_adds_points() -> None:
    """In a series that adds up points, and is not at its last deal."""
    found = asked(played([], (2, 1, 3, 4)), series=Series("deals", 3))
    assert not found.is_to_win
    assert found.value == pytest.approx(0, abs=1e-9)
    assert [round(share, 4) for _, share in found.mix] == [0.5269, 0.3371, 0.1360]


def test_hint_names_the_cards_of_the_match_when_fewest_points_win() -> None:
    rules = find_game("classic").rules(2, {"cards": 3, "aim": "least"})
    state = rules.start(Deal((3, 1, 2), ((1, 2, 3), (1, 2, 3))))
    spot = find_spot_before_bid(rules, state, 0, SINGLE, ())
    assert spot is not None
    assert [one.card for one in explain_bid(spot).hand] == [1, 2, 3]


def test_no_hint_for_blind_bids_or_an_unplayed_round() -> None:
    blind = find_game("classic").rules(2, {"cards": 4, "blind": True})
    assert not can_teach(blind)
    assert find_spot_before_bid(blind, blind.start(Deal((1, 2, 3, 4), ((1, 2, 3, 4),) * 2)), 0, SINGLE, ()) is None
    rules = find_game("classic").rules(2, {"cards": 3})
    state = played([], (3, 1, 2))
    assert find_spot_after_round(rules, state, 0, SINGLE, ()) is None


@pytest.mark.parametrize("seed", range(40))
def test_shown_mix_is_optimal_without_dominated_cards(seed: int) -> None:
    """Games with few different entries: most of them have several optimal mixes."""
    matrix = np.random.default_rng(seed).integers(-1, 2, (4, 5))
    found = drop_dominated(solve_matrix(matrix.tolist()))
    for own, mix, value in ((matrix, found.mix, found.value), (-matrix.T, found.their_mix, -found.value)):
        shares = np.array(mix)
        assert shares.sum() == pytest.approx(1)
        assert (shares @ own).min() == pytest.approx(value)
        above = own[None] - own[:, None]
        dominated = ((above >= 0).all(axis=2) & (above > 0).any(axis=2)).any(axis=-1)
        assert not shares[dominated].any()
