"""The positions and pots in the table of a whole game are known without opening the table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.exact.goal import FOR_POINTS, TO_WIN
from bot.solver.exact.position import Position
from bot.solver.exact.solve import build_matrix, solve_position, start_whole_game
from bot.solver.exact.written_position import read_written_position
from bot.solver.players.basis import NEAR, POINTS, READER, ROUGH, can_solve, find_basis, is_points_known, is_reachable

FOUR = 4
ALL = range(1, 14)


def but(*gone: int) -> tuple[int, ...]:
    return tuple(card for card in ALL if card not in gone)


def played(start: Position) -> Iterator[Position]:
    """Every position with its prize up to which the bids and turns of a game lead."""
    for up in start.prizes:
        here = start.turned(up)
        yield here
        for bids in itertools.product(here.mine, here.theirs):
            yield from played(here.after(*bids)) if len(here.mine) > 1 else ()


@cache
def every(cards: int) -> tuple[Position, ...]:
    """Every two hands, prizes and pot of that many ranks, whether a game leads there or not."""
    return tuple(_every(cards))


def _every(cards: int) -> Iterator[Position]:
    whole = range(1, cards + 1)
    for count in whole:
        hands = list(itertools.combinations(whole, count))
        for mine, theirs, prizes in itertools.product(hands, repeat=3):
            for up, pot in itertools.product(prizes, range(sum(whole) + 2)):
                yield Position(mine, theirs, prizes, up, "carry", pot)


def test_position_is_reachable_if_bids_and_prizes_lead_to_it() -> None:
    """With equal hands any pot is allowed: after a tie the position is worth nothing, and any other result ends the
    pot.
    """
    reached = set(played(start_whole_game(FOUR, "carry")))
    assert {here for here in every(FOUR) if here.mine != here.theirs and is_reachable(here, FOUR)} == {
        here for here in reached if here.mine != here.theirs
    }
    assert all(is_reachable(here, FOUR) for here in every(FOUR) if here.mine == here.theirs)


def test_every_reachable_position_has_a_known_matrix() -> None:
    known = solve_position(start_whole_game(FOUR, "carry"))
    for here in every(FOUR):
        assert not is_reachable(here, FOUR) or build_matrix(known.value, here) is not None, here


def test_reachability_depends_only_on_the_order_of_the_hands() -> None:
    here = Position(but(2, 9), but(2, 4), but(3, 7), 13, "carry", 7)
    moved = replace(here, mine=tuple(card + 12 for card in here.mine), theirs=tuple(card + 12 for card in here.theirs))
    assert is_reachable(here, 13)
    assert is_reachable(moved, 13)
    assert not is_reachable(replace(here, mine=(*here.mine[:-1], 14)), 13), "fourteen ranks"
    assert not is_reachable(replace(here, prizes=(*here.prizes[:-1], 14), up=1), 13)


def line(ties: str, mine: tuple[int, ...], theirs: tuple[int, ...], prizes: tuple[int, ...], **more: Any) -> Any:
    found = {"mine": mine, "theirs": theirs, "prizes": prizes, "up": prizes[0], "options": {"ties": ties}, **more}
    return {key: list(each) if isinstance(each, tuple) else each for key, each in found.items()}


@pytest.mark.parametrize(
    ("hands", "gone", "pot", "says"),
    [
        ((but(), but()), (), 0, POINTS),
        ((but(5), but(5)), (9,), 9, POINTS),
        ((but(5), but(8)), (9,), 0, POINTS),
        ((but(5), but(8)), (9,), 9, ROUGH),
        ((but(5), but(8)), (9,), 200, ROUGH),
        ((but(2, 9), but(2, 4)), (3, 7), 0, POINTS),
        ((but(2, 9), but(2, 4)), (3, 7), 3, POINTS),
        ((but(2, 9), but(2, 4)), (3, 7), 7, POINTS),
        ((but(2, 9), but(2, 4)), (3, 7), 10, ROUGH),
        ((but(2, 9), but(2, 4)), (3, 7), 5, ROUGH),
        ((but(2, 9), but(3, 4)), (3, 7), 7, ROUGH),
        ((but(1, 2, 3), but(4, 5, 6)), (1, 2, 3), 200, POINTS),  # ten cards are solved with any pot
    ],
)
def test_unreachable_pot_is_not_called_exact(
    hands: tuple[tuple[int, ...], tuple[int, ...]], gone: tuple[int, ...], pot: int, says: str
) -> None:
    """`gops house --positions` takes any pot. The table has those that ties leave; the others would take minutes."""
    asked = read_written_position(line("carry", *hands, but(*gone), pot=pot, objective="points"))
    assert find_basis(asked.rules, asked.seen, asked.goal) == says
    here = Position(*hands, but(*gone), but(*gone)[0], "carry", pot)
    assert is_points_known(here) == (says == POINTS)
    assert can_solve(here) == (says == POINTS or len(here.mine) <= 11), "the games of eleven are counted first"


@pytest.mark.parametrize(("ties", "objective", "says"), [("discard", "points", POINTS), ("discard", "win", NEAR)])
def test_thirteen_cards_left_of_fourteen_do_not_use_the_table_of_thirteen(ties: str, objective: str, says: str) -> None:
    """The shipped table has no hands of 1 to 13 against 2 to 14."""
    lines = [
        line(ties, tuple(ALL), theirs, tuple(ALL), objective=objective, options={"ties": ties, "cards": 14})
        for theirs in (tuple(ALL), tuple(range(2, 15)))
    ]
    stands = [read_written_position(each) for each in lines]
    assert [find_basis(each.rules, each.seen, each.goal) for each in stands] == [says, READER]


@pytest.mark.parametrize("ties", ["carry", "split"])
def test_first_bid_of_thirteen_carried_cards_has_an_exact_basis_for_points(ties: str) -> None:
    game, offer = find_offer("carry")
    rules = game.rules(2, {**offer.options, "ties": ties})
    state = rules.start(rules.deal(tuple(ALL)))
    assert [find_basis(rules, observe(state, 0), each) for each in (FOR_POINTS, TO_WIN)] == [POINTS, NEAR]
