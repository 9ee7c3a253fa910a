"""The icon of the bot and the fan of cards of the home card."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from bot.pictures.card_backs import FAN, draw_fan, draw_icon
from bot.pictures.render import render_png
from tests.page.pictures import draw_icons


def test_icon_in_the_documents_and_on_the_page_is_the_drawn_one() -> None:
    """`make pictures` writes both."""
    for path, drawn in draw_icons().items():
        assert path.read_bytes() == drawn, path


def test_icon_is_drawn_without_text() -> None:
    assert ElementTree.fromstring(draw_icon()).get("width") == "512"
    assert "<text" not in draw_icon()


def test_fan_shows_each_rank_once_and_the_sealed_card_on_top() -> None:
    ranks = re.findall(r">(\w+)</text>", draw_fan())
    assert sorted(ranks) == sorted(named[0] for named in FAN if named is not None)
    assert draw_fan().rindex("</text>") < draw_fan().rindex("<circle"), "nothing covers the seal"
    assert len(render_png(draw_fan())) < 250_000
