"""Positions and whole games: compared with exact fractions and reference figures, and their general properties."""

import json
import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.solver.exact.induction import Workers
from bot.solver.exact.position import Position, PositionError
from bot.solver.exact.solve import SolvedGame, answer_position, solve_position, start_whole_game
from bot.solver.kernels.matrix_game import Solution
from bot.solver.tables.library import Library
from tests.conftest import ROOT
from tests.solver import slow
from tests.solver.response import exploitability, guaranteed, of_source

REFERENCE = ROOT / "tests" / "reference" / "gops-values.json"


def answered(source: SolvedGame, position: Position) -> Solution:
    found = answer_position(source, position)
    assert found is not None
    return found


def value(position: Position) -> float:
    found = solve_position(position).value(position)
    assert found is not None
    return found


def hands(most: int, ranks: int = 7) -> st.SearchStrategy[Position]:
    def cards(count: int) -> st.SearchStrategy[tuple[int, ...]]:
        sets = st.sets(st.integers(1, ranks), min_size=count, max_size=count)
        return sets.map(lambda chosen: tuple(sorted(chosen)))

    return st.integers(1, most).flatmap(lambda count: st.builds(Position, cards(count), cards(count), cards(count)))


def with_rules(positions: st.SearchStrategy[Position]) -> st.SearchStrategy[Position]:
    def change(position: Position, rules: dict[str, Any]) -> Position:
        if rules["ties"] != "carry":
            rules = {**rules, "pot": 0}
        if rules["objective"] != "win":
            rules = {**rules, "lead": 0}
        return replace(position, **rules)

    return st.builds(
        change,
        positions,
        st.fixed_dictionaries(
            {
                "ties": st.sampled_from(("discard", "carry")),
                "objective": st.sampled_from(("points", "win")),
                "pot": st.integers(0, 9),
                "lead": st.integers(-9, 9),
                "swap": st.booleans(),
            }
        ),
    )


@settings(max_examples=60)
@given(with_rules(hands(3)))
def test_position_values_equal_those_of_exact_fractions(position: Position) -> None:
    expected = slow.value(
        position.mine,
        position.theirs,
        position.prizes,
        position.ties,
        position.pot,
        position.aim.win,
        position.lead,
        position.swap,
    )
    assert value(position) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize("pot", [-4, 0, 3])
def test_negative_prizes_go_to_the_lower_card(objective: str, pot: int) -> None:
    """Vultures: the sign of a pot may change. Exact fractions agree, and swapped seats flip the sign."""
    lead = 2 * (objective == "win")
    for up in (None, -5, 3):
        rules: dict[str, Any] = {"ties": "carry", "pot": pot, "objective": objective, "lead": lead}
        here = Position((1, 3, 6), (1, 4, 6), (-5, -2, 3), **rules)
        told = slow.value(here.mine, here.theirs, here.prizes, "carry", pot, objective == "win", lead, False)
        if up is not None:
            game = slow.matrix(here.mine, here.theirs, here.prizes, up, "carry", pot, objective == "win", lead)
            found = answered(solve_position(here.turned(up)), here.turned(up))
            assert found.value == pytest.approx(float(slow.game_value(game)), abs=1e-11)
            assert np.array(found.matrix) == pytest.approx(np.array(game, dtype=float), abs=1e-11)
            continue
        assert value(here) == pytest.approx(float(told), abs=1e-11)
        assert value(replace(here, mine=here.theirs, theirs=here.mine, lead=-lead)) == pytest.approx(-float(told))


@pytest.mark.parametrize(("ties", "swap", "cards"), [("discard", False, 4), ("carry", False, 3), ("discard", True, 3)])
def test_chance_to_win_is_exact_and_never_falls_with_the_lead(ties: str, swap: bool, cards: int) -> None:
    """After the first bids of a game: the slow path agrees, swapped seats flip the sign, and a lead never hurts."""
    start = replace(start_whole_game(cards, ties, "win"), swap=swap)
    for mine, theirs, up in ((1, cards, 2), (2, 1, cards), (2, 2, 1)):
        after = replace(start.turned(up).after(mine, theirs), lead=0)
        found: list[float] = []
        most = sum(after.prizes) + after.pot + 1
        for lead in range(-most, most + 1):
            here = replace(after, lead=lead)
            found.append(value(here))
            other = replace(here, mine=here.theirs, theirs=here.mine, lead=-lead)
            assert value(other) == pytest.approx(-found[-1], abs=1e-12)
            told = slow.value(here.mine, here.theirs, here.prizes, ties, here.pot, True, lead, swap)
            assert found[-1] == pytest.approx(float(told), abs=1e-12)
        assert found == sorted(found)
        assert (found[0], found[-1]) == (-1, 1)


@pytest.mark.parametrize("rules", [{"ties": "carry"}, {"ties": "carry", "swap": True}, {"swap": True}, {}])
def test_chance_to_win_is_the_mean_of_the_games_after_it(rules: dict[str, Any]) -> None:
    """Every value is the mean of the games for each next prize; their entries are the values one card later."""
    here = replace(start_whole_game(6, objective="win"), **rules)
    solved, dice = solve_position(here), random.Random(2)
    for _ in range(40):
        here = replace(start_whole_game(6, objective="win"), **rules)
        for _ in range(dice.randint(0, 4)):
            up, mine = dice.choice(here.prizes), dice.choice(here.mine)
            here = here.turned(up).after(mine, mine if mine in here.theirs and dice.random() < 0.5 else here.theirs[0])
        means = [answered(solved, here.turned(up)).value for up in here.prizes]
        assert solved.value(here) == pytest.approx(sum(means) / len(means), abs=1e-11)
        assert max(map(abs, means)) <= 1 + 1e-12


@pytest.mark.parametrize(
    ("ties", "objective", "cards"), [("discard", "points", 4), ("carry", "points", 4), ("split", "win", 3)]
)
def test_first_moves_of_whole_games_equal_those_of_exact_fractions(ties: str, objective: str, cards: int) -> None:
    start = start_whole_game(cards, ties, objective)
    solved = solve_position(start)
    for up in start.prizes:
        matrix = slow.matrix(start.mine, start.theirs, start.prizes, up, ties, 0, objective == "win")
        found = answered(solved, start.turned(up))
        assert np.array(found.matrix) == pytest.approx(np.array(matrix, dtype=float), abs=1e-12)
        assert found.value == pytest.approx(float(slow.game_value(matrix)), abs=1e-12)


def test_first_moves_equal_the_reference_figures() -> None:
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    checked = 0
    parts = [
        (reference, "discard", "points"),
        (reference["win_objective"], "discard", "win"),
        (reference["carryover"], "carry", "points"),
    ]
    for part, ties, objective in parts:
        for cards, moves in part["first_move"].items():
            start = start_whole_game(int(cards), ties, objective)
            solved = solve_position(start)
            for up, expected in moves.items():
                agrees(answered(solved, start.turned(int(up))), expected)
                checked += 1
        for expected in part["midgame"]:
            prizes = tuple(expected["prizes"])
            position = Position(
                tuple(expected["hand_a"]),
                tuple(expected["hand_b"]),
                prizes,
                ties=ties,
                pot=expected.get("pot", 0),
                objective=objective,
                lead=expected.get("diff", 0),
            )
            if len(prizes) > 8:
                continue
            up = expected["upturned"]
            solved = solve_position(position)
            assert solved.value(position) == pytest.approx(expected["value_before_reveal"], abs=1e-9)
            if up in prizes:
                agrees(answered(solved, position.turned(up)), expected)
                agrees(answered(solve_position(position.turned(up)), position.turned(up)), expected)
            checked += 1
    assert checked > 60


def agrees(found: Solution, expected: dict[str, Any]) -> None:
    """Values and matrices to 1e-9; a mix by what it can be exploited for, because it need not be the only one."""
    assert found.value == pytest.approx(expected.get("value_given_upturned", expected.get("value")), abs=1e-9)
    if "matrix" in expected:
        assert np.array(found.matrix) == pytest.approx(np.array(expected["matrix"]), abs=1e-9)
    assert (np.array(found.mix) @ np.array(found.matrix)).min() >= found.value - 1e-9
    assert found.gap <= 1e-9


@pytest.mark.parametrize("cards", range(2, 9))
def test_every_layer_of_a_whole_game_is_complete_certified_and_bounded(cards: int) -> None:
    """Every layer of N = 2 to 8 has all its values, all are certified, and none exceeds its bound."""
    start = start_whole_game(cards)
    solved = solve_position(start)
    assert solved.gap <= 1e-12
    for layer, turns, moves in zip(solved.layers, solved.shape.turns, solved.shape.ladder.layers, strict=True):
        k = moves.cards
        words = sum(
            math.factorial(2 * k - both) // math.factorial(both) // math.factorial(k - both) ** 2
            for both in range(max(0, 2 * k - cards), k + 1)
        )
        assert layer.values.reshape(len(moves.words), -1).shape == ((words + 1) // 2, math.comb(cards, k))
        most = [sum(p for at, p in enumerate(start.prizes) if int(left) >> at & 1) for left in turns.sets]
        assert np.all(np.abs(layer.values.reshape(-1, len(turns.sets))) <= np.array(most) + 1e-12)
    assert solved.value(start) == 0.0
    for up in start.prizes:
        assert answered(solved, start.turned(up)).value == pytest.approx(0, abs=1e-12)


def test_solve_with_threads_gives_the_same_values() -> None:
    start = start_whole_game(7, "carry")
    alone, together = solve_position(start), solve_position(start, Workers(3))
    assert all(np.array_equal(a.values, b.values) for a, b in zip(alone.layers, together.layers, strict=True))


@settings(max_examples=50)
@given(with_rules(hands(4)))
def test_value_changes_sign_when_seats_are_swapped(position: Position) -> None:
    other = replace(position, mine=position.theirs, theirs=position.mine, lead=-position.lead)
    assert value(other) == pytest.approx(-value(position), abs=1e-12)


@settings(max_examples=50)
@given(with_rules(hands(4)), st.integers(1, 3), st.integers(0, 5))
def test_value_depends_only_on_the_order_of_the_cards(position: Position, stretch: int, shift: int) -> None:
    def moved(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(card * stretch + shift if card * stretch + shift <= 25 else card for card in cards)

    if 7 * stretch + shift > 25:
        return
    other = replace(position, mine=moved(position.mine), theirs=moved(position.theirs))
    assert value(other) == value(position)


@settings(max_examples=50)
@given(with_rules(hands(4)), st.integers(0, 3))
def test_higher_card_never_lowers_the_value(position: Position, which: int) -> None:
    if position.swap:
        return  # what I hold may become theirs
    card = position.mine[which % len(position.mine)]
    if card + 1 in position.mine:
        return
    better = tuple(sorted({*position.mine} - {card} | {card + 1}))
    assert value(replace(position, mine=better)) >= value(position) - 1e-12


@settings(max_examples=50)
@given(with_rules(hands(4)))
def test_value_is_at_most_the_points_left(position: Position) -> None:
    most = 1 if position.aim.win else sum(position.prizes) + position.pot
    assert abs(value(position)) <= most + 1e-12


@settings(max_examples=30)
@given(with_rules(hands(4)), st.data())
def test_one_solve_answers_every_later_position(position: Position, data: st.DataObject) -> None:
    """A solve with the prize up has every later position, and agrees with a separate solve of that position."""
    at = position.turned(data.draw(st.sampled_from(position.prizes)))
    solved = solve_position(at)
    while at.mine:
        found = answered(solved, at)
        assert found.value == pytest.approx(answered(solve_position(at), at).value, abs=1e-12)
        at = at.after(data.draw(st.sampled_from(at.mine)), data.draw(st.sampled_from(at.theirs)))
        if at.mine:
            at = at.turned(data.draw(st.sampled_from(at.prizes)))


def test_discarded_and_split_ties_have_the_same_values() -> None:
    """A shared prize moves both scores alike: the difference is the same, and so is who wins."""
    for objective in ("points", "win"):
        discard, split = (solve_position(start_whole_game(5, ties, objective)) for ties in ("discard", "split"))
        for mine, theirs in zip(discard.layers, split.layers, strict=True):
            assert np.array_equal(mine.values, theirs.values)


@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize(("ties", "pot"), [("discard", 0), ("carry", 0), ("carry", 2)])
def test_public_order_values_equal_those_of_exact_fractions(ties: str, pot: int, objective: str) -> None:
    """If both know the order 3 1 2 4, the tree is small: exact fractions for this order only."""
    win = objective == "win"

    def slow_value(mine: slow.Cards, theirs: slow.Cards, prizes: slow.Cards, pot: int, lead: int) -> Any:
        if not mine:
            return slow.sign(lead) if win else 0
        rows: slow.Matrix = []
        for a in mine:
            row: list[Any] = []
            for b in theirs:
                gain = slow.sign(a - b) * (prizes[0] + pot)
                held = prizes[0] + pot if a == b and ties == "carry" else 0
                hands = slow.without(mine, a), slow.without(theirs, b)
                row.append(slow_value(*hands, prizes[1:], held, lead + gain) + (0 if win else gain))
            rows.append(row)
        return slow.game_value(rows)

    rules: Any = {"ordered": True, "ties": ties, "pot": pot, "objective": objective}
    start = Position((1, 3, 4, 6), (2, 3, 4, 6), (3, 1, 2, 4), **rules)
    expected = slow_value(start.mine, start.theirs, start.prizes, pot, 0)
    assert value(start) == pytest.approx(float(expected), abs=1e-12)
    solved = solve_position(start)
    assert solved.value(replace(start, mine=(1, 3), theirs=(2, 3), prizes=(2, 4), pot=0, lead=4 * win)) is not None
    assert solved.value(replace(start, mine=(1, 3), theirs=(2, 3), prizes=(4, 2), pot=0, lead=4 * win)) is None


@pytest.mark.parametrize(
    ("cards", "ties", "objective"), [(5, "discard", "points"), (4, "carry", "points"), (4, "discard", "win")]
)
def test_equilibrium_cannot_be_exploited(cards: int, ties: str, objective: str) -> None:
    start = start_whole_game(cards, ties, objective)
    assert exploitability(start, of_source(solve_position(start)), 0.0) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("most", [{"ties": "carry", "pot": 250}, {"objective": "win", "lead": -1000}])
def test_largest_allowed_pot_and_lead_are_solved(most: dict[str, Any]) -> None:
    """A tie makes the pot wider still, and so does a lost prize the lead."""
    start = Position((1, 3), (2, 3), (1, 2), 1, **most)
    found = answer_position(solve_position(start), start)
    assert found is not None
    assert found.value == pytest.approx(-1 if start.aim.win else -249.015873)
    assert max(max(map(abs, row)) for row in found.matrix) <= (1 if start.aim.win else 253)


def test_matching_the_prize_is_the_best_answer_to_a_random_player() -> None:
    """Ross: against a random player, matching the prize's rank gains as much as the best reply."""

    def random(position: Position) -> list[float]:
        return [1 / len(position.mine)] * len(position.mine)

    start = start_whole_game(5)
    # The matched bid wins against every lower one: for prize p, (p - 1) lower and (N - p) higher of N cards.
    matching = sum(p * ((p - 1) - (5 - p)) for p in range(1, 6)) / 5
    assert -guaranteed(start, random) == pytest.approx(matching, abs=1e-12)
    assert exploitability(start, random, 0.0) == pytest.approx(4.0, abs=1e-12)


def test_guaranteed_value_stops_at_known_values() -> None:
    start = start_whole_game(4)
    solved = solve_position(start)
    asked: list[int] = []

    def strategy(position: Position) -> tuple[float, ...]:
        asked.append(len(position.mine))
        return answered(solved, position).mix

    assert guaranteed(start, strategy, lambda p: solved.value(p) if len(p.mine) == 3 else None) == pytest.approx(0)
    assert set(asked) == {4}


SIDE_BY_SIDE = [Position((1, 2, 4), (1, 3, 4), (low, low + 1, 25), 25) for low in range(1, 25, 2)]
"""None of them is answered by the solve of another one."""


def test_library_keeps_the_solves_of_all_parallel_matches() -> None:
    library = Library()
    for position in SIDE_BY_SIDE:
        assert not library.knows(position)
        library.judge(position)
    assert all(library.knows(position) for position in SIDE_BY_SIDE)


def test_full_library_keeps_the_most_recently_used_solves(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library()
    first, second, third, fourth = SIDE_BY_SIDE[:4]
    room = sum(library.learn(position).bytes for position in (first, second))
    library.judge(first)
    monkeypatch.setattr("bot.solver.tables.library.ROOM", room)
    library.judge(third)
    assert [library.knows(position) for position in (first, second, third)] == [True, False, True]
    monkeypatch.setattr("bot.solver.tables.library.ROOM", 0)
    library.judge(fourth)
    assert [library.knows(position) for position in (first, third, fourth)] == [False, False, True]


def test_first_bid_of_thirteen_cards_comes_from_the_shipped_table() -> None:
    start = start_whole_game(13)
    library = Library()
    verdict = library.judge(start.turned(13))
    expected = [0.0100, 0, 0.0370, 0, 0.0655, 0, 0.0875, 0, 0.1262, 0.0129, 0, 0, 0.6610]
    assert verdict.answer.mix == pytest.approx(expected, abs=2e-4)
    assert not verdict.exact
    assert library.knows(start.turned(1).after(2, 3).turned(7))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"mine": (1, 2)}, "as many cards each, not 2, 3 and 3"),
        ({"mine": (1, 2, 2)}, "mine has a card twice"),
        ({"theirs": (0, 1, 2)}, "theirs are whole numbers from 1 to 25"),
        ({"up": 9}, "the upturned prize 9 is not among the prizes"),
        ({"ties": "rebid"}, "ties are one of discard, split, carry"),
        ({"pot": 2}, "a pot goes with ties that carry"),
        ({"lead": 2}, "a lead goes with the objective win"),
        ({"objective": "fun"}, "the objective is one of points, win"),
    ],
)
def test_impossible_positions_are_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        replace(Position((1, 2, 3), (1, 2, 3), (1, 2, 3)), **change)
