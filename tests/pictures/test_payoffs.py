"""The picture of payoffs: text that can be read on a phone, on a colour that shows who is better off."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from bot.pictures.lettering import SMALLEST
from bot.pictures.palette import LANE
from bot.pictures.payoffs import MINE, THEIRS, blend, choose_ink, contrast, draw_payoffs

RANKS = ["A", *map(str, range(2, 11)), "J", "Q", "K"]


def drawn(cards: int, *, is_chance: bool) -> ET.Element:
    most = max(1, cards * cards - 1)
    matrix = [[(row * cards + column) / most for column in range(cards)] for row in range(cards)]
    points = [[80 * number - 40 for number in row] for row in matrix]
    names = RANKS[-cards:]
    return ET.fromstring(draw_payoffs(names, names, matrix if is_chance else points, is_chance=is_chance))


@pytest.mark.parametrize("cards", [1, 2, 8, 13])
@pytest.mark.parametrize("is_chance", [False, True])
def test_texts_of_payoffs_are_large_and_inside(cards: int, is_chance: bool) -> None:
    picture = drawn(cards, is_chance=is_chance)
    assert picture.attrib["width"] == "1200"
    sizes = [float(one.attrib["font-size"]) for one in picture.iter() if "font-size" in one.attrib]
    assert min(sizes) >= SMALLEST
    rects = [one.attrib for one in picture.iter() if one.tag.endswith("rect") and "x" in one.attrib]
    cells = [one for one in rects if one["rx"] == "8"]
    assert len(cells) == cards * cards
    assert all(44 <= float(one["x"]) <= 1156 - float(one["width"]) for one in cells)


def test_many_columns_have_whole_points() -> None:
    texts = [one.text or "" for one in drawn(13, is_chance=False).iter()]
    assert "−40" in texts
    assert not any(re.fullmatch(r"[+−]\d+\.\d", text) for text in texts)
    assert "−40.0" in [one.text for one in drawn(4, is_chance=False).iter()]


@pytest.mark.parametrize("colour", [MINE, THEIRS])
def test_numbers_can_be_read_on_every_strength_of_a_colour(colour: str) -> None:
    fills = [blend(LANE, colour, step / 50) for step in range(51)]
    assert min(contrast(choose_ink(fill), fill) for fill in fills) > 3.8


def test_colours_mix_from_the_first_to_the_second() -> None:
    assert [blend("#000000", "#ffffff", share) for share in (0, 0.5, 1, 2)] == [
        "#000000",
        "#808080",
        "#ffffff",
        "#ffffff",
    ]
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
