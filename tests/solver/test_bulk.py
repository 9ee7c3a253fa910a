"""Very many positions of one solved game: to the last bit what each alone is answered with."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.solver.exact.position import Position
from bot.solver.exact.solve import build_matrix, solve_position, start_whole_game
from bot.solver.kernels.matrix_game import solve_matrix
from bot.solver.players import bulk
from bot.solver.players.bulk import BulkLookup

CARDS = 5


def asked(start: Position, dice: random.Random) -> Position:
    """Any position with its prize up, also such as the game never leads to."""
    count = dice.randint(1, CARDS)
    mine, theirs, prizes = (tuple(sorted(dice.sample(start.prizes, count))) for _ in range(3))
    gone = [prize for prize in start.prizes if prize not in prizes]
    lead = dice.randint(-sum(gone), sum(gone)) if start.aim.win else 0
    pot = dice.choice([0, sum(gone[:1])]) if start.aim.carry else 0
    return replace(start, mine=mine, theirs=theirs, prizes=prizes, up=dice.choice(prizes), lead=lead, pot=pot)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("objective", ["points", "win"])
@pytest.mark.parametrize("ties", ["discard", "carry"])
def test_bulk_mixes_equal_the_mixes_of_single_positions(
    monkeypatch: pytest.MonkeyPatch, ties: str, objective: str, swap: bool
) -> None:
    """Also in pieces of a few; and what the solve does not reach is told apart."""
    monkeypatch.setattr(bulk, "PIECE", 7)
    start = replace(start_whole_game(CARDS, ties, objective), swap=swap)
    solved, dice = solve_position(start), random.Random(f"{ties} {objective} {swap}")
    positions = [asked(start, dice) for _ in range(120)]
    games = [build_matrix(solved.value, at) for at in positions]
    many = BulkLookup(solved)
    assert many.find_reached(positions) == [game is not None for game in games]
    known = [(at, game) for at, game in zip(positions, games, strict=True) if game is not None]
    assert len(known) > 60
    assert many.find_mixes([at for at, _ in known]) == [solve_matrix(game).mix for _, game in known]


def test_positions_of_a_larger_game_are_not_reached() -> None:
    many = BulkLookup(solve_position(start_whole_game(3)))
    assert many.find_reached([start_whole_game(4).turned(4), start_whole_game(3).turned(2)]) == [False, True]
