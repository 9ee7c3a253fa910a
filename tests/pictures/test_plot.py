"""Charts of a match can be read on a phone."""

import re
from datetime import UTC, datetime

import pytest

from bot.pictures import plot, rating_curve
from bot.pictures.lettering import SMALLEST
from bot.pictures.plot import Chart, ChartLine, draw_chart

LONG = "Ana and a player with a very long name, round after round after round, and after that"


def chart(title: str = "Review: round 5") -> Chart:
    lines = (
        ChartLine("lead before the round", (0, 2, -5), 0, dashed=True),
        ChartLine("expected final lead", (0, 1, 9), 1),
    )
    return Chart(title, "#K7Q2", lines, ("1", "2"), 1, "▲ Ana ahead", "▼ Ben ahead")


@pytest.mark.parametrize(
    ("svg", "width"),
    [
        (draw_chart(chart()), plot.WIDTH),
        (draw_chart(chart(LONG)), plot.WIDTH),
        (rating_curve.draw_curve([(datetime(2026, 1, 1, tzinfo=UTC), 1000)]), rating_curve.WIDTH),
    ],
    ids=["chart", "long title", "rating"],
)
def test_text_of_a_chart_is_as_large_as_in_other_pictures(svg: str, width: int) -> None:
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
    assert sizes
    assert min(sizes) * 1200 / width >= SMALLEST


def test_title_that_is_too_long_is_cut() -> None:
    drawn = draw_chart(chart(LONG))
    assert LONG[:20] in drawn
    assert LONG not in drawn
