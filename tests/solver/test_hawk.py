"""Hawk exploits habits, and against any strategy it loses at most its stated budget."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.engine.choices import Bid
from bot.engine.rules import Rules
from bot.engine.state import State
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.exact.goal import FOR_POINTS, TO_WIN, Goal
from bot.solver.exact.position import Position
from bot.solver.exact.scope import find_auction_position
from bot.solver.exact.solve import start_whole_game
from bot.solver.kernels.matrix_game import Solution, solve_matrix
from bot.solver.players.habits import Habits, ShownBid
from bot.solver.players.hawk import ALLOWED, Account, PastRound, choose_hawk_bid, find_mix, find_safe_mix, list_rounds
from bot.solver.players.levels import find_level
from bot.solver.players.sage import answer_by_basis, get_library
from tests.solver.test_sage import ask, begin

ROUNDING = 1e-9


def classic(cards: int) -> Rules:
    return find_offer("classic")[0].rules(2, {"cards": cards})


def closest(here: Position) -> int:
    up = here.up or 0
    return min(here.theirs, key=lambda card: abs(card - up))


def known(here: Position) -> Solution:
    return answer_by_basis(here, "win" if here.aim.win else "points")


@pytest.mark.parametrize("objective", ["points", "win"])
def test_best_reply_to_hawk_wins_at_most_the_stated_budget(objective: str) -> None:
    """The best reply to Hawk, with full knowledge of its history, in every game of three cards."""
    rules, start = classic(3), start_whole_game(3, objective=objective)

    def least(here: Position, before: tuple[PastRound, ...]) -> float:
        if not here.mine:
            return float(np.sign(here.lead))
        return sum(turned(here.turned(up), before) for up in here.prizes) / len(here.prizes)

    def turned(here: Position, before: tuple[PastRound, ...]) -> float:
        assert here.up is not None
        share = (here.up - 1) / 2
        mix = find_mix(rules, (*before, PastRound(here, share, here.theirs, None)), Habits((1, 2, 3)))
        assert mix is not None
        found: list[float] = []
        for theirs in here.theirs:
            total = 0.0
            for mine, chance in zip(here.mine, mix, strict=True):
                if chance:
                    after = (*before, PastRound(here, share, here.theirs, (mine, theirs), theirs))
                    gain = 0 if here.aim.win else here.up * ((mine > theirs) - (mine < theirs))
                    total += chance * (gain + least(here.after(mine, theirs), after))
            found.append(total)
        return min(found)

    lost = -least(start, ())
    assert -ROUNDING < lost < ALLOWED[objective] + ROUNDING
    assert lost > ALLOWED[objective] / 10  # it does lean


@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize("seed", range(6))
def test_player_who_switches_from_a_habit_wins_at_most_the_stated_budget(seed: int, objective: str) -> None:
    """A player shows a habit and gives points away, then plays the best reply to Hawk's mix."""
    dice, goal = random.Random(seed), TO_WIN if objective == "win" else FOR_POINTS
    rules, state = begin("classic", tuple(dice.sample(range(1, 7), 6)), cards=6)
    get_library().learn(start_whole_game(6, objective=objective))
    brought, switch = 0.0, dice.randint(1, 4)
    while not state.over:
        rounds = tuple(list_rounds(rules, observe(state, 0), goal))
        here, mix = rounds[-1].position, find_mix(rules, rounds, Habits((1, 2, 3, 4, 5, 6)))
        assert here is not None
        assert mix is not None
        found = known(here)
        brings = list(np.array(mix) @ np.array(found.matrix))
        matching = closest(here)
        best = here.theirs[int(np.argmin(brings))]
        theirs = matching if state.number < switch else best
        brought += brings[here.theirs.index(theirs)] - found.value
        assert brought >= -ALLOWED[objective] - ROUNDING
        mine = dice.choices(here.mine, mix)[0]
        state, _ = rules.resolve(state, {0: Bid((mine,)), 1: Bid((theirs,))})


def test_hawk_wins_more_than_sage_against_a_habit() -> None:
    """The mean over all possible draws, against a player who bids one above the prize."""
    sly, dice, gained = find_level("sly"), random.Random(3), np.zeros(2)
    assert sly is not None
    for _ in range(8):
        rules, state = begin("classic", tuple(dice.sample(range(1, 6), 5)), cards=5)
        while not state.over:
            rounds = tuple(list_rounds(rules, observe(state, 0), FOR_POINTS))
            here, mix = rounds[-1].position, find_mix(rules, rounds, Habits((1, 2, 3, 4, 5)))
            assert here is not None
            assert mix is not None
            found, bid = known(here), sly.mind(ask(rules, state, 1, "x"))
            assert isinstance(bid, Bid)
            column = here.theirs.index(int(bid.cards[0]))
            gained += [
                sum(share * (row[column] - found.value) for share, row in zip(each, found.matrix, strict=True))
                for each in (found.mix, mix)
            ]
            mine = dice.choices(here.mine, mix)[0]
            state, _ = rules.resolve(state, {0: Bid((mine,)), 1: bid})
    assert gained[1] > gained[0] + 4


def games() -> st.SearchStrategy[list[list[float]]]:
    def of(size: tuple[int, int]) -> st.SearchStrategy[list[list[float]]]:
        row = st.lists(st.integers(-9, 9).map(float), min_size=size[1], max_size=size[1])
        return st.lists(row, min_size=size[0], max_size=size[0])

    return st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(of)


@settings(max_examples=150, deadline=None)
@given(games(), st.sampled_from([0.0, 0.1, 1.0, 40.0]), st.integers(0, 10**6))
@example(game=[[-7.0, 0, 0, 0, -9], [-7, 0, 0, -8, 0]], budget=0.0, seed=0)  # perfect play is one of many safe mixes
def test_safe_mix_keeps_its_budget_and_has_the_largest_gain(game: list[list[float]], budget: float, seed: int) -> None:
    found, dice = solve_matrix(game), random.Random(seed)
    expected = np.array([dice.random() for _ in game[0]])
    expected /= expected.sum()
    mix, table = np.array(find_safe_mix(found, expected, budget)), np.array(game)
    assert mix.min() >= 0
    assert mix.sum() == pytest.approx(1)
    assert (mix @ table).min() >= found.value - budget - ROUNDING
    gain = table @ expected
    assert mix @ gain >= np.array(found.mix) @ gain - ROUNDING
    if budget == 40:
        assert mix @ gain == pytest.approx(gain.max())
    for row in range(len(game)):  # from perfect play as far towards any card as is safe
        card, sure = np.eye(len(game))[row], np.array(found.mix)
        low, high = 0.0, 1.0
        for _ in range(40):
            part = (low + high) / 2
            safe = ((part * card + (1 - part) * sure) @ table).min() >= found.value - budget
            low, high = (part, high) if safe else (low, part)
        assert mix @ gain >= (low * card + (1 - low) * sure) @ gain - 1e-7


def test_budget_grows_only_by_what_the_other_side_gives_up() -> None:
    found = solve_matrix([[1.0, -1.0], [-1.0, 1.0]])
    account = Account(0.1, 0.5).settle(found, (0.8, 0.2), 0)
    assert account.budget == pytest.approx(0.7)
    assert account.settle(found, (0.8, 0.2), 1).budget == pytest.approx(0.1)
    assert Account(0.1, 0.5).settle(found, (0.5, 0.5), 1).budget == pytest.approx(0.1)


def test_habit_is_believed_more_after_a_predicted_bid() -> None:
    found = solve_matrix([[1.0, -1.0], [-1.0, 1.0]])
    assert Account(0.1, 0.5).update_belief(found, (0.9, 0.1), 0).habit > 0.5
    assert Account(0.1, 0.5).update_belief(found, (0.9, 0.1), 1).habit < 0.5


@pytest.mark.parametrize("key", ["classic", "carry", "misere", "known-order", "vultures"])
@pytest.mark.parametrize("goal", [FOR_POINTS, Goal(ahead=(3, 1))])
def test_list_rounds_finds_every_position_that_was_played(key: str, goal: Goal) -> None:
    """Every position of the deal follows from the last observation, for either seat."""
    dice = random.Random(key)
    size: dict[str, Any] = {} if key == "vultures" else {"cards": 6}
    rules, state = begin(key, **size)
    seen: dict[int, list[Position | None]] = {0: [], 1: []}
    states: list[State] = []
    while not state.over:
        states.append(state)
        for seat, past in seen.items():
            past.append(find_auction_position(rules, observe(state, seat), goal))
            if past[-1] is not None:
                assert [each.position for each in list_rounds(rules, observe(state, seat), goal)] == past
        bids: list[Any] = [dice.choice(state.hands[seat]) for seat in (0, 1)]
        if bids[0] in state.hands[1] and dice.random() < 0.4:
            bids[1] = bids[0]
        state, _ = rules.resolve(state, {seat: Bid((bid,)) for seat, bid in enumerate(bids)})


@pytest.mark.parametrize(
    ("key", "says"), [("classic", "lean"), ("vultures", "reader"), ("pico", "win"), ("sops", "win"), ("welsh", "sly")]
)
def test_hawk_states_its_basis_and_makes_a_legal_choice(key: str, says: str) -> None:
    hawk = find_level("hawk")
    assert hawk is not None
    assert hawk.basis is not None
    size: dict[str, Any] = {"cards": 5} if key in ("classic", "sops") else {}
    rules, state = begin(key, **size)
    assert hawk.basis(rules, observe(state, 0), TO_WIN) == says
    choice = hawk.mind(ask(rules, state, 0, "x"))
    rules.check_choice(state, 0, choice)
    assert hawk.mind(ask(rules, state, 0, "x")) == choice


def test_habit_of_earlier_matches_is_used_from_the_first_bid() -> None:
    """A player always bid the prize's rank: Hawk predicts the bid for the 4, and exploits it within its budget."""
    rules, state = begin("classic", (4, 1, 2, 3, 5), cards=5)
    keys, seen = (1, 2, 3, 4, 5), observe(state, 0)
    shown = tuple(ShownBid(keys, (prize - 1) / 4, prize) for prize in (2, 4, 3, 5, 1, 4, 2, 3))
    here = find_auction_position(rules, seen, TO_WIN)
    assert here is not None
    found = known(here)
    rounds = tuple(list_rounds(rules, seen, TO_WIN))

    def against_the_habit(*bids: ShownBid) -> float:
        habits = Habits(keys)
        for bid in bids:
            habits.watch(bid)
        mix = find_mix(rules, rounds, habits)
        assert mix is not None
        game = np.array(found.matrix)
        assert (np.array(mix) @ game).min() >= found.value - ALLOWED["win"] - ROUNDING
        return float(np.array(mix) @ game[:, 3])

    assert against_the_habit(*shown) > against_the_habit() + 0.01
    question = ask(rules, state, 0, "x")
    assert choose_hawk_bid(rules, seen, (), question.chance, shown=shown) is not None
