"""Odds in words: the position, points, the chance to win, and what each pair of bids is worth."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from bot.pictures.render import render_png
from bot.solver.coach.advice import Inquiry, Odds
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.ui.message import Picture, Text
from cogs.learning.odds import odds
from cogs.learning.odds import picture as draw_picture
from tests.cogs.ui.test_review import plain


@pytest.mark.parametrize(
    ("value", "told"), [(2.31, "+2.3"), (-0.449, "−0.4"), (0.04, "0"), (-1e-17, "0"), (11.0, "+11.0")]
)
def test_odds_repeat_the_position_and_state_the_mix(value: float, told: str) -> None:
    found = Odds(value, ((13, 0.61), (9, 0.386), (5, 0.004)))
    message = odds(found, Inquiry(Position((5, 9, 13), (1, 2, 3), (1, 2, 12), 12)))
    assert plain(message).splitlines() == [
        "Your 5 9 K against A 2 3, Q turned up, A 2 to come.",
        f"Worth {told} to you. Best mix: K (61 %), 9 (39 %), 5 (< 1 %).",
    ]


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ((0.9951, 0.0049), "K (> 99 %), 9 (< 1 %)"),
        ((0.995, 0.005), "K (> 99 %), 9 (1 %)"),
        ((0.994, 0.006), "K (99 %), 9 (1 %)"),
        ((0.9995,), "K (100 %)"),
    ],
)
def test_no_card_of_several_is_bid_always_or_never(shares: tuple[float, ...], told: str) -> None:
    found = Odds(1, tuple(zip((13, 9), shares, strict=False)))
    message = odds(found, Inquiry(Position((9, 13), (1, 2), (1, 12), 12)))
    assert plain(message).endswith(f"Best mix: {told}.")


@pytest.mark.parametrize(("chance", "told"), [(0.62, "62 %"), (0.001, "< 1 %"), (0.999, "> 99 %"), (1.0, "100 %")])
@pytest.mark.parametrize("exact", [True, False])
def test_odds_tell_the_chance_to_win(chance: float, told: str, *, exact: bool) -> None:
    found = Odds(0.5, ((13, 1.0),), chance, ((9, 0.75), (13, 0.25)), exact)
    last = plain(odds(found, Inquiry(Position((9, 13), (1, 2), (1, 12), 12)))).splitlines()[-1]
    assert last == (
        f"With nobody ahead you win {told} of the time, a draw as half. Best mix to win: 9 (75 %), K (25 %)."
        if exact
        else f"With nobody ahead you win about {told} of the time. Best mix to win, nearly: 9 (75 %), K (25 %)."
    )


def test_odds_of_the_last_card_and_of_large_ones() -> None:
    assert plain(
        odds(Odds(13, ((13, 1.0),)), Inquiry(Position((13,), (1,), (13,), 13, ties="carry")))
    ).splitlines() == [
        "Your K against A, K turned up, nothing to come. Ties are carried.",
        "Worth +13.0 to you. Best mix: K (100 %).",
    ]
    told = plain(odds(Odds(0, ((1, 1.0),)), Inquiry(Position((1, 13), (2, 25), (3, 4), 3))))
    assert told.startswith("Your 1 13 against 2 25, 3 turned up, 4 to come.")


def test_odds_of_other_games() -> None:
    def where(here: Position | Duel | Endgame) -> str:
        return plain(odds(Odds(0, ((here.mine[0], 1.0),)), Inquiry(here))).splitlines()[0]

    mice = Position((1, 15), (2, 3), (-5, 4), -5, ties="carry")
    assert where(mice) == "Your 1 15 against 2 3, −5 turned up, 4 to come. Ties are carried."
    assert where(Position((1, 2), (2, 3), (1, 4), 1, swap=True)).endswith(" 4 to come. A tie exchanges the hands.")
    bid = Endgame((2, 9, 14), (3, 9, 12), 15, (4, 13, 13, 15))
    assert where(bid) == "Bid: your 2 9 A against 3 9 Q, A turned up, any of 4 K K A to come."
    assert where(Endgame((1,), (13,), 4, (), True)) == "Psych: your A against K, 4 turned up, nothing to come."
    assert where(Duel((4, 16), (5, 13), ())) == "Pico: your 4 16 against 5 13."


def test_a_position_with_all_that_can_be_said_of_it() -> None:
    found = Odds(0.5, ((13, 1.0),), 0.5, ((9, 1.0),))

    def told(here: Position, lead: int = 0) -> list[str]:
        return plain(odds(found, Inquiry(here, lead))).splitlines()

    known = told(Position((9, 13), (1, 2), (12, 1), 12, ties="carry", pot=11, ordered=True), 4)
    assert known[0] == "Your 9 K against A 2, Q turned up on a pot of 11, then A in this order. Ties are carried."
    assert known[2].startswith("Ahead by 4 you win 50 % of the time")
    split = told(Position((9, 13), (1, 2), (1, 12), 12, ties="split"), -1)
    assert split[0].endswith("A to come. Ties are split.")
    assert split[2].startswith("Behind by 1 you win 50 % of the time")


def test_payoffs_as_a_picture_and_as_text() -> None:
    here = Position((1, 12), (2, 3), (1, 12), 12)
    found = Odds(0.5, ((13, 1.0),), 0.5, ((12, 1.0),), payoffs=((-12.0, 0.04), (11.0, 13.26)))
    message = odds(found, Inquiry(here, payoffs="points"), b"png")
    assert plain(message).splitlines()[3:] == [
        "What each pair of bids is worth to you in points, yours down, theirs across:",
        "```",
        "      2     3",
        "A −12.0     0",
        "Q +11.0 +13.3",
        "```",
    ]
    pictures = [node for node in message.body if isinstance(node, Picture)]
    assert [one.alt for one in pictures] == [
        "Payoffs of 2 by 2 cards: yours down, theirs across. A: −12.0, 0. Q: +11.0, +13.3."
    ]
    assert [file.data for file in message.attachments] == [b"png"]
    chances = odds(replace(found, payoffs=((0.0, 0.5), (0.625, 1.0))), Inquiry(here, payoffs="win"))
    assert "A  0  50\nQ 62 100" in plain(chances)


def test_large_payoffs_are_a_picture_alone() -> None:
    hand = tuple(range(1, 8))
    found = Odds(0, ((1, 1.0),), 0.5, ((1, 1.0),), payoffs=(tuple(map(float, hand)),) * 7)
    asked = Inquiry(Position(hand, hand, hand, 7), payoffs="points")
    message = odds(found, asked, b"png")
    assert "```" not in plain(message)
    picture = next(node for node in message.body if isinstance(node, Picture))
    assert picture.alt == "Payoffs of 7 by 7 cards, from +1.0 to +7.0: blue is good for you, orange for the other side."
    assert next(iter(odds(found, asked).body[-1:])) == Text(picture.alt)


@pytest.mark.parametrize(
    ("here", "names"),
    [
        (Position((1, 12), (2, 3), (1, 12), 12), ["2", "3", "A", "Q"]),
        (Endgame((2, 14), (3, 12), 15, (4, 10)), ["3", "Q", "2", "A"]),
    ],
)
def test_payoffs_are_drawn_with_the_names_of_the_cards(here: Position | Endgame, names: list[str]) -> None:
    found = Odds(0.5, ((13, 1.0),), 0.5, ((12, 1.0),), payoffs=((-12.0, 0.04), (11.0, 13.26)))
    svg = draw_picture(found, Inquiry(here, payoffs="points"))
    texts = [element.text for element in ET.fromstring(svg).iter() if (element.text or "").strip()]
    assert texts == ["yours down, theirs across"] * 2 + [*names[:2], names[2], "-12.0", "0", names[3], "+11.0", "+13.3"]
    assert render_png(svg).startswith(b"\x89PNG")
