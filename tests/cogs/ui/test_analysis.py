"""Analysis in words: the position, points, the chance to win, and what each pair of bids is worth."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from bot.pictures.render import render_png
from bot.solver.coach.advice import Analysis, Inquiry, PrizePlan
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import Position
from bot.ui.message import Picture, Text
from cogs.learning.analysis import picture as draw_picture
from cogs.learning.analysis import render_analysis, render_first_bids
from tests.cogs.ui.test_review import plain

BEST = "Best plan for the biggest lead:"
FIRST = (
    "Best plan for the biggest lead, by the prize that is turned up. Where a line has several cards, choose at random:"
    " the percentage says how often to bid each."
)
WORDS = "-# Textbooks call such a random choice a *mixed strategy*."


@pytest.mark.parametrize(
    ("value", "told"), [(2.31, "+2.3"), (-0.449, "−0.4"), (0.04, "0"), (-1e-17, "0"), (11.0, "+11.0")]
)
def test_analysis_repeats_the_position_and_states_the_mix(value: float, told: str) -> None:
    found = Analysis(value, ((13, 0.61), (9, 0.386), (5, 0.004)))
    message = render_analysis(found, Inquiry(Position((5, 9, 13), (1, 2, 3), (1, 2, 12), 12)))
    assert plain(message).splitlines() == [
        "Your 5 9 K against A 2 3, prize Q, prizes left: A 2.",
        f"Expected lead from here on: {told} points. {BEST} a random choice of K (61% of the time), 9 (39%), 5 (<1%).",
        WORDS,
    ]


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ((0.9951, 0.0049), "a random choice of K (>99% of the time), 9 (<1%)"),
        ((0.995, 0.005), "a random choice of K (>99% of the time), 9 (1%)"),
        ((0.994, 0.006), "a random choice of K (99% of the time), 9 (1%)"),
        ((0.9995,), "always K"),
    ],
)
def test_no_card_of_several_is_bid_always_or_never(shares: tuple[float, ...], told: str) -> None:
    found = Analysis(1, tuple(zip((13, 9), shares, strict=False)))
    message = render_analysis(found, Inquiry(Position((9, 13), (1, 2), (1, 12), 12)))
    last = f"{BEST} {told}."
    assert plain(message).endswith(last if len(shares) == 1 else f"{last}\n{WORDS}")


@pytest.mark.parametrize(("chance", "told"), [(0.62, "62%"), (0.001, "<1%"), (0.999, ">99%"), (1.0, "100%")])
@pytest.mark.parametrize("exact", [True, False])
def test_analysis_tells_the_chance_to_win(chance: float, told: str, *, exact: bool) -> None:
    found = Analysis(0.5, ((13, 1.0),), chance, ((9, 0.75), (13, 0.25)), exact)
    last, words = plain(render_analysis(found, Inquiry(Position((9, 13), (1, 2), (1, 12), 12)))).splitlines()[-2:]
    assert words == WORDS
    plan = "a random choice of 9 (75% of the time), K (25%)"
    assert last == (
        f"With equal scores your win chance is {told} (a draw counts half). Best plan to win: {plan}."
        if exact
        else f"With equal scores your win chance is about {told}. Best plan to win, estimated: {plan}."
    )


def test_analysis_of_the_last_card_and_of_large_ones() -> None:
    assert plain(
        render_analysis(Analysis(13, ((13, 1.0),)), Inquiry(Position((13,), (1,), (13,), 13, ties="carry")))
    ).splitlines() == [
        "Your K against A, prize K, no prizes left. A tied prize stays in the pot.",
        "Expected lead from here on: +13.0 points. Best plan for the biggest lead: always K.",
    ]
    told = plain(render_analysis(Analysis(0, ((1, 1.0),)), Inquiry(Position((1, 13), (2, 25), (3, 4), 3))))
    assert told.startswith("Your 1 13 against 2 25, prize 3, prizes left: 4.")


def test_first_bids_are_one_table() -> None:
    many = ((13, 0.5), (1, 0.2), (2, 0.15), (3, 0.1), (9, 0.05))
    plans = (PrizePlan(1, 0.0, ((1, 1.0),)), PrizePlan(12, 0.0, many), PrizePlan(13, 0.0, ()))
    hand = (1, 2, 3)
    assert plain(render_first_bids(plans, Position(hand, hand, (1, 12, 13), ties="carry"))).splitlines() == [
        "Your A 2 3 against A 2 3, prizes left: A Q K. A tied prize stays in the pot.",
        FIRST,
        "A: always the Ace",
        "Q: K (50% of the time), the Ace (20%), 2 (15%), others (15%)",
        "K: any card",
    ]
    uneven = render_first_bids((PrizePlan(4, 1.26, ((3, 1.0),)),), Position((3,), (2,), (4,)))
    assert plain(uneven).splitlines()[-1] == "4 (+1.3 points): always 3"


def test_analysis_of_other_games() -> None:
    def where(here: Position | Duel | Endgame) -> str:
        return plain(render_analysis(Analysis(0, ((here.mine[0], 1.0),)), Inquiry(here))).splitlines()[0]

    mice = Position((1, 15), (2, 3), (-5, 4), -5, ties="carry")
    assert where(mice) == "Your 1 15 against 2 3, prize −5, prizes left: 4. A tied prize stays in the pot."
    swapped = where(Position((1, 2), (2, 3), (1, 4), 1, swap=True))
    assert swapped.endswith(" prizes left: 4. After a tie both players swap their cards.")
    bid = Endgame((2, 9, 14), (3, 9, 12), 15, (4, 13, 13, 15))
    assert where(bid) == "Bid: your 2 9 A against 3 9 Q, prize A, prizes left: any of 4 K K A."
    assert where(Endgame((1,), (13,), 4, (), True)) == "Psych: your A against K, prize 4, no prizes left."
    assert where(Duel((4, 16), (5, 13), ())) == "Pico: your 4 16 against 5 13."


def test_a_position_with_all_that_can_be_said_of_it() -> None:
    found = Analysis(0.5, ((13, 1.0),), 0.5, ((9, 1.0),))

    def told(here: Position, lead: int = 0) -> list[str]:
        return plain(render_analysis(found, Inquiry(here, lead))).splitlines()

    known = told(Position((9, 13), (1, 2), (12, 1), 12, ties="carry", pot=11, ordered=True), 4)
    where = "Your 9 K against A 2, prize Q + pot 11, prizes left, in this order: A."
    assert known[0] == f"{where} A tied prize stays in the pot."
    assert known[2].startswith("With a lead of 4 points your win chance is 50%")
    split = told(Position((9, 13), (1, 2), (1, 12), 12, ties="split"), -1)
    assert split[0].endswith("prizes left: A. A tied prize is split.")
    assert split[2].startswith("If you are 1 point behind, your win chance is 50%")


def test_payoffs_as_a_picture_and_as_text() -> None:
    here = Position((1, 12), (2, 3), (1, 12), 12)
    found = Analysis(0.5, ((13, 1.0),), 0.5, ((12, 1.0),), payoffs=((-12.0, 0.04), (11.0, 13.26)))
    message = render_analysis(found, Inquiry(here, payoffs="points"), b"png")
    assert plain(message).splitlines()[3:] == [
        (
            "Each number: your expected lead from here on, in points, if you bid the card on the left and your opponent"
            " bids the card at the top."
        ),
        "```",
        "      2     3",
        "A −12.0     0",
        "Q +11.0 +13.3",
        "```",
    ]
    pictures = [node for node in message.body if isinstance(node, Picture)]
    assert [one.alt for one in pictures] == [
        "Table of 2 by 2 cards: your cards on the left, your opponent's at the top. A: −12.0, 0. Q: +11.0, +13.3."
    ]
    assert [file.data for file in message.attachments] == [b"png"]
    chances = render_analysis(replace(found, payoffs=((0.0, 0.5), (0.625, 1.0))), Inquiry(here, payoffs="win"))
    assert "A  0  50\nQ 62 100" in plain(chances)


def test_large_payoffs_are_a_picture_alone() -> None:
    hand = tuple(range(1, 8))
    found = Analysis(0, ((1, 1.0),), 0.5, ((1, 1.0),), payoffs=(tuple(map(float, hand)),) * 7)
    asked = Inquiry(Position(hand, hand, hand, 7), payoffs="points")
    message = render_analysis(found, asked, b"png")
    assert "```" not in plain(message)
    picture = next(node for node in message.body if isinstance(node, Picture))
    assert picture.alt == (
        "Table of 7 by 7 cards: your cards on the left, your opponent's at the top. The numbers go from +1.0 to +7.0:"
        " blue is good for you, yellow for your opponent."
    )
    assert next(iter(render_analysis(found, asked).body[-1:])) == Text(picture.alt)


@pytest.mark.parametrize(
    ("here", "names"),
    [
        (Position((1, 12), (2, 3), (1, 12), 12), ["2", "3", "A", "Q"]),
        (Endgame((2, 14), (3, 12), 15, (4, 10)), ["3", "Q", "2", "A"]),
    ],
)
def test_payoffs_are_drawn_with_the_names_of_the_cards(here: Position | Endgame, names: list[str]) -> None:
    found = Analysis(0.5, ((13, 1.0),), 0.5, ((12, 1.0),), payoffs=((-12.0, 0.04), (11.0, 13.26)))
    svg = draw_picture(found, Inquiry(here, payoffs="points"))
    texts = [element.text for element in ET.fromstring(svg).iter() if (element.text or "").strip()]
    head, foot = (
        "Left: your card · top: your opponent's",
        ["Your expected lead from here on · blue is good for you", "GOPS"],
    )
    assert texts == [head, *foot, *names[:2], names[2], "−12.0", "0", names[3], "+11.0", "+13.3"]
    assert render_png(svg).startswith(b"\x89PNG")
