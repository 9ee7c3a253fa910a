"""What decided between equal scores: the result says it, and the deal's winner is marked."""

from __future__ import annotations

from typing import Any

from bot.ui.screens.board import render_board
from bot.ui.screens.result_details import render_details
from bot.ui.story.outcome import describe_outcome
from bot.ui.text.names import make_names
from tests.cogs.ui.reading import plain, read, said
from tests.cogs.ui.views import Played, begin

ACES_AND_KING = [["AS"], ["AH"], ["KD"], []]
"""Both Aces tie against the King and nobody can bid again, so the deal ends with one card each for three players."""


def welsh(series: dict[str, Any] | None = None) -> Played:
    return begin("welsh", 4, series=series or {"mode": "single"}).deal(hands=ACES_AND_KING)


def test_welsh_warfare_says_that_the_sum_of_ranks_decided() -> None:
    view = welsh().view()
    assert view.outcome is not None
    assert view.outcome.winner == 2
    assert plain(describe_outcome(view, make_names(view))) == "Cem wins by the higher sum of ranks (4 players)"
    text = read(render_board(view))
    assert "### Cem wins by the higher sum of ranks (4 players)" in text
    assert "1\\. Cem 1 (ranks add up to 13)\n2\\. Ana 1 (ranks add up to 1)" in text


def test_every_deal_marks_the_winner_by_the_sum_of_ranks() -> None:
    view = welsh({"mode": "first-to", "wins": 2}).deal(hands=ACES_AND_KING).view()
    assert view.outcome is not None
    assert view.outcome.winner == 2
    text = said(render_details(view, ()))
    for deal in (1, 2):
        assert (
            f"Deal {deal}: Ana 1 (ranks add up to 1), Ben 1 (ranks add up to 1), **Cem 1 (ranks add up to 13)**" in text
        )


def test_a_plain_win_in_welsh_warfare_tells_no_ranks() -> None:
    view = begin("welsh", 4, series={"mode": "single"}).deal(hands=[["KS"], ["2H"], [], []]).view()
    text = read(render_board(view))
    assert "### Ana wins (4 players)" in text
    assert "ranks" not in text


LEVEL_BY_POINTS = {"mode": "best-of", "games": 3, "level": "points"}


def level() -> Played:
    """Ana and Ben win a deal each and share the third; Ana has more points."""
    played = begin(options={"cards": 3, "ties": "discard"}, series=LEVEL_BY_POINTS)
    for ana, ben in ((3, 2), (2, 3), (3, 3)):
        prizes = (3, 2, 1) if ana > ben else (2, 3, 1)
        played = played.deal(prizes).play(ana, ben).finish()
    return played


def test_a_best_of_that_is_level_says_that_points_decided() -> None:
    view = level().view()
    assert view.outcome is not None
    assert view.outcome.winner == 0
    assert [seat.wins for seat in view.seats] == [1, 1]
    assert "### Ana wins 1–1, 4–3 on points (best of 3, level by points)" in read(render_board(view))
    assert "### You lose 1–1, 3–4 on points (best of 3, level by points)" in read(render_board(level().view(1)))
    told = plain(describe_outcome(view, make_names(view)))
    assert told == "Ana beats Ben 1–1, 4–3 on points (best of 3, level by points)"
