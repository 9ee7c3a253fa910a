"""The rating curve: points inside the axes, round numbers beside them, and a valid picture."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest

from bot.pictures import rating_curve
from bot.pictures.render import render_png

START = datetime(2026, 11, 22, tzinfo=UTC)


def points(*levels: int) -> list[rating_curve.LevelAt]:
    return [(START + timedelta(days=number), level) for number, level in enumerate(levels)]


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (1000, 1000, [1000, 1010]),
        (987, 1034, [980, 1000, 1020, 1040]),
        (-140, 1643, [-500, 0, 500, 1000, 1500, 2000]),
    ],
)
def test_scale_of_the_curve_has_round_numbers(low: int, high: int, ticks: list[int]) -> None:
    assert rating_curve.list_ticks(low, high) == ticks


@pytest.mark.parametrize("levels", [(1000,) * 10, tuple(range(900, 1400, 3)), (1000, 1500, 700, 1643)])
def test_every_point_of_the_curve_is_inside_its_axes(levels: tuple[int, ...]) -> None:
    drawn = rating_curve.draw_curve(points(*levels))
    ElementTree.fromstring(drawn)
    line = re.search(rf'<path d="M([^"HV]+)" fill="none" stroke="{rating_curve.CURVE}"', drawn)
    assert line is not None
    places = [tuple(map(float, one.split())) for one in line[1].split("L")]
    assert len(places) == len(levels)
    assert all(rating_curve.LEFT <= x <= rating_curve.WIDTH - rating_curve.RIGHT + 0.1 for x, _ in places)
    assert all(rating_curve.TOP - 0.1 <= y <= rating_curve.HEIGHT - rating_curve.BOTTOM + 0.1 for _, y in places)
    assert ">2026-11-22<" in drawn


def test_curve_can_be_rendered_as_png() -> None:
    assert render_png(rating_curve.draw_curve(points(*range(1000, 1200, 20)))).startswith(b"\x89PNG")
