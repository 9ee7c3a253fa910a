"""The home card: a fan of cards, and one coloured button for what its reader most likely wants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.referee.model.views import MatchView
from bot.ui.message import BLUE, GREY, Message, Picture, Text
from cogs.welcome.home import FAN, Visitor, home_card
from tests.cogs.ui.views import example

WAITING = replace(example(), names=("Ana", "Sly (house)"), users=(101, 0), clock=0).view(0, channel=0)


def card(visitor: Visitor, *, here: bool = True, png: bytes = b"") -> Message:
    return home_card(visitor, here=here, version="1", png=png)


@pytest.mark.parametrize(
    ("is_new", "waiting", "order"),
    [
        (True, None, ["How it works", "Play the house"]),
        (False, None, ["Play the house", "How it works"]),
        (False, WAITING, ["Continue", "Play the house", "How it works"]),
        (True, WAITING, ["Continue", "How it works", "Play the house"]),
    ],
    ids=["new", "known", "known, waiting", "new, waiting"],
)
def test_the_first_button_alone_has_a_colour(is_new: bool, waiting: MatchView | None, order: list[str]) -> None:
    buttons = card(Visitor(is_new, waiting)).buttons
    assert [one.label for one in buttons] == [*order, "Find a match", "Daily deal", "Rules"]
    assert [one.style for one in buttons] == [BLUE, *[GREY] * (len(buttons) - 1)]
    outside = [one.label for one in card(Visitor(is_new, waiting), here=False).buttons]
    assert outside == [*order, "Rules"], "the daily deal and the search belong to a server"


def test_the_fan_stands_below_the_title_and_can_be_left_out() -> None:
    shown = card(Visitor(), png=b"a picture")
    assert shown.body[1] == Picture(FAN, "A fan of seven cards. The one in the middle is sealed.")
    assert [(one.name, one.data) for one in shown.attachments] == [(FAN, b"a picture")]
    assert shown.without_spare_files() == card(Visitor())


@pytest.mark.parametrize("here", [True, False], ids=["server", "messages"])
def test_house_is_explained_once_above_its_button(here: bool) -> None:
    texts = [node.text for node in card(Visitor(is_new=True), here=here).body if isinstance(node, Text)]
    assert texts[1].endswith("The house: computer players.")
    assert "\n".join(texts).count("The house") == 1
