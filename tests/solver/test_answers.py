"""The compiled best answer of the bench finds what the plain one finds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.solver.near import to_win
from bot.solver.position import Position
from bot.solver.response import guaranteed
from bot.solver.solve import answer, solve, whole_game
from tests.bench import answers


@pytest.mark.parametrize("plays", [(0, 0, 0), (2, 2, 2), (2, 2, 1), (2, 1, 1)])
def test_the_plain_way_agrees(plays: tuple[int, ...]) -> None:
    """Three cards have few optimal mixes to choose from, and where there are several they lose alike."""
    points, win = solve(whole_game(3)), solve(whole_game(3, objective="win"))

    def play(at: Position) -> tuple[float, ...]:
        how = plays[len(at.mine) - 1]
        found = answer(win if how == answers.WIN else points, at if how == answers.WIN else plain(at))
        assert found is not None
        if how != answers.NEAR:
            return found.mix
        return to_win(at, found).mix

    def plain(at: Position) -> Position:
        return replace(at, objective="points", lead=0)

    lost = -guaranteed(whole_game(3, objective="win"), play)
    assert answers.exploited(points, win, plays) == pytest.approx(lost, abs=1e-9)


def test_to_win_nothing_is_lost_and_for_points_much() -> None:
    points, win = solve(whole_game(4)), solve(whole_game(4, objective="win"))
    assert answers.exploited(points, win, [answers.WIN] * 4) < 1e-12
    assert 0.2 < answers.exploited(points, win, [answers.POINTS] * 4) < 0.3
