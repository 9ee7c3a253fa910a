"""Pieces of the picture of a result: names that fit, lines split where the lead changes, and columns of cards."""

from __future__ import annotations

import re

import pytest

from bot.pictures.card_shapes import draw_cap
from bot.pictures.card_table import NARROWEST, draw_prizes, place_columns
from bot.pictures.duel import break_name, split_line
from bot.pictures.lettering import SMALLEST, draw_narrow, fit_text, measure_text
from bot.pictures.ranking import draw_ranking
from bot.pictures.scoreboard import WIDTH, PictureCard, PictureRound, PictureSeat, Scoreboard


def test_a_text_shrinks_first_and_is_cut_only_in_the_smallest_size() -> None:
    assert fit_text("Ana", 300, 60) == ("Ana", 60)
    shown, size = fit_text("Wolkenstein", 240, 60)
    assert shown == "Wolkenstein"
    assert SMALLEST <= size < 60
    shown, size = fit_text("W" * 32, 240, 60)
    assert size == SMALLEST
    assert shown.endswith("W…")
    assert measure_text(shown, size) <= 240


def test_a_long_name_has_two_lines() -> None:
    assert break_name("Ana", 260)[0] == ["Ana"]
    lines, size = break_name("Wolfram Meyerdierks", 260)
    assert lines == ["Wolfram", "Meyerdierks"]
    assert size >= SMALLEST
    assert all(measure_text(line, size) <= 260 for line in lines)


def test_a_wide_rank_becomes_narrower_and_keeps_its_height() -> None:
    assert "scale" not in draw_narrow("10", 0, 0, 36, 60, "#fff")
    assert "scale(0.8" in draw_narrow("10", 0, 0, 36, 31, "#fff")


def test_a_line_is_split_where_the_lead_changes() -> None:
    line = [(0.0, 5.0), (10.0, 15.0), (20.0, 5.0), (30.0, 5.0)]
    assert [*split_line(line, 10.0, is_above=True)] == [[(0, 5), (5, 10)], [(15, 10), (20, 5), (30, 5)]]
    assert [*split_line(line, 10.0, is_above=False)] == [[(5, 10), (10, 15), (15, 10)]]
    assert [*split_line([(0.0, 5.0), (9.0, 5.0)], 5.0, is_above=True)] == []


def rounds(count: int, bids: int = 1) -> list[PictureRound]:
    card = PictureCard("K", "S")
    return [PictureRound((card,), (None,), ((card,) * bids, (card,) * bids), frozenset())] * count


@pytest.mark.parametrize(("count", "bids"), [(2, 1), (13, 1), (25, 1), (8, 3), (13, 2)])
def test_columns_stay_inside_and_cards_are_wide_enough_to_be_read(count: int, bids: int) -> None:
    columns = place_columns(rounds(count, bids), 100, 1160, centred=True)
    assert columns is not None
    assert 100 <= columns.lefts[0] <= columns.right <= 1160.1
    assert columns.bid >= NARROWEST - 4
    assert all(wide >= bids * columns.bid for wide in columns.widths)


def test_a_joker_is_drawn_on_the_card_of_its_pair() -> None:
    """The pair had a column of double width, in which the cards of the players left half the room empty."""
    joker = PictureCard("Jk", kind="joker")
    pair = PictureRound((joker, PictureCard("10", "D")), (0, 0), ((PictureCard("3", "S"),),) * 3, frozenset({0}))
    played = [*rounds(12), pair]
    columns = place_columns(played, 100, 1160)
    assert columns is not None
    assert len({round(width, 6) for width in columns.widths}) == 1
    drawn = "".join(draw_prizes(pair, 0, 0, columns.prize, columns.prize * 1.5))
    assert drawn.count(draw_cap()) == 1
    assert drawn.count(">10<") == 1


def test_there_are_no_columns_where_cards_would_be_too_narrow() -> None:
    assert place_columns(rounds(39), 100, 1160) is None
    assert place_columns([], 100, 1160) is None


@pytest.mark.parametrize("count", [1, 3, 5, 6, 7, 13])
def test_picture_of_a_short_match_of_three_fills_its_width(count: int) -> None:
    card = PictureCard("K", "S")
    played = PictureRound((card,), (0,), ((card,),) * 3, frozenset({0}))
    seats = tuple(PictureSeat(seat, name, "1", seat == 0) for seat, name in enumerate(("Ana", "Ben", "Cleo")))
    scores = (tuple(map(float, range(count + 1))), *((0.0,) * (count + 1),) * 2)
    svg = draw_ranking(Scoreboard(seats, (played,) * count, scores, "Classic"), "Ana wins")
    curve = re.findall(r'd="M([^"]+)" fill="none" stroke="#\w+" stroke-width="\d" stroke-linejoin', svg)[0]
    assert float(curve.rpartition("L")[2].split()[0]) > WIDTH * 2 / 3
