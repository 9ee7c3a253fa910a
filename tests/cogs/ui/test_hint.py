"""A coach in words: before the bid and after it, in chances and in points, and where its buttons stand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.solver.coach.hint import CardAdvice, Hint
from bot.ui.screens.console import render_console
from bot.ui.screens.result import render_result
from cogs.learning.hints import hint_message, past_message
from tests.cogs.ui.test_practice import practising
from tests.cogs.ui.test_review import plain, played
from tests.cogs.ui.views import example

VIEW = practising(example())


def hint(*hand: CardAdvice, **more: Any) -> Hint:
    mix = tuple((one.card, one.share) for one in sorted(hand, key=lambda one: -one.share) if one.share)
    usual: dict[str, Any] = {"deal": 0, "round": 4, "is_to_win": True, "exact": True, "value": 0.62}
    return Hint(**{**usual, "mix": mix, "hand": hand, **more})


NINE, SEVEN = CardAdvice(9, 0.0, 0.07, 7, 0.55), CardAdvice(7, 0.75, 0.0, None, 0.7)
KING, ACE = CardAdvice(13, 0.0, 0.2, None, 0.41), CardAdvice(1, 0.25, 0.0, None, 0.01)
FREE, CLOSE = CardAdvice(2, 0.0, 0.0, 7, 0.5), CardAdvice(8, 0.0, 0.01, None, 0.5)


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ((SEVEN, NINE), "Only the 7 is right here."),
        ((ACE, SEVEN, NINE, KING), "9 is never right here: 7 does at least as well, whatever is bid."),
        ((ACE, SEVEN, KING), "Dearest is K: it gives up 20 % of the chance to win."),
        ((ACE, SEVEN), "Every card of the mix does equally well against best play. Let chance choose:"),
        ((FREE, SEVEN), "No card gives anything up against best play."),
        ((FREE, SEVEN, CLOSE), "These cards give up nothing against best play: 2, 7."),
    ],
)
def test_the_sentence_of_a_hint(hand: tuple[CardAdvice, ...], said: str) -> None:
    told = plain(hint_message(VIEW, hint(*hand))).splitlines()
    assert told[0].startswith("Round 5, best mix: 7 (75 %)")
    assert told[1] == "With best play on both sides you win 62 % of the time, a draw as half."
    assert told[2].startswith(said)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (7, "Your 7 belongs to the best mix."),
        (9, "A 9 was never right here: the 7 does at least as well, whatever is bid."),
        (13, "Against best play the K gave up 20 % of the chance to win; 7 gives up nothing."),
    ],
)
def test_the_sentence_of_a_round_that_was_played(card: int, said: str) -> None:
    message = past_message(VIEW, hint(ACE, SEVEN, NINE, KING, bids=(card, 8)))
    told = plain(message).splitlines()
    assert told[0] == f"Round 5: you bid {'K' if card == 13 else card} against 8. Best mix: 7 (75 %), A (25 %)."
    came = {7: "70 %", 9: "55 %", 13: "41 %"}[card]
    assert told[1] == f"Before the bids you would win 62 % of the time, after them {came}."
    assert told[2] == "Against 8 your cards would have come to: A (1 %), 7 (70 %), 9 (55 %), K (41 %)."
    assert told[3] == said
    assert f"**{'K' if card == 13 else card} ({came})**" in message.content.replace("\u00a0", " ")


def test_no_mix_is_best_where_no_bid_changes_anything() -> None:
    found = hint(FREE, SEVEN, value=0.0, alike=True)
    assert plain(hint_message(VIEW, found)).splitlines() == [
        "Round 5: any card is fine, no bid changes anything.",
        "With best play on both sides you win 0 % of the time, a draw as half.",
    ]
    told = plain(past_message(VIEW, replace(found, bids=(2, 8)))).splitlines()
    assert told[0] == "Round 5: you bid 2 against 8."
    assert told[3] == "Any card was fine: no bid changed anything."


def test_a_dominated_card_that_gives_up_nothing_is_not_called_wrong() -> None:
    told = plain(past_message(VIEW, hint(FREE, SEVEN, CLOSE, bids=(2, 8)))).splitlines()
    assert told[3] == "The 2 is not in this mix, but gave up nothing against best play."


def test_points_where_points_are_played_for() -> None:
    hand = (replace(ACE, came=-3.0), replace(KING, cost=1.25, came=2.0), replace(SEVEN, came=0.0))
    found = hint(*hand, is_to_win=False, exact=False, value=-1.0, bids=(13, 8))
    told = plain(past_message(VIEW, found)).splitlines()
    assert told[0].endswith("Best mix, nearly: 7 (75 %), A (25 %).")
    assert told[1] == "Before the bids −1.0 points were to be expected from there on, after them +2.0."
    assert told[2].endswith("A (−3.0), K (+2.0), 7 (0).")
    assert told[3] == "Against best play the K gave up 1.2 points; 7 gives up nothing."
    assert "this is worth −1.0 points" in plain(hint_message(VIEW, found))
    free = hint(SEVEN, replace(KING, cost=0.0), bids=(13, 8))
    assert "gave up nothing against best play." in plain(past_message(VIEW, free))


def buttons(**changed: Any) -> dict[str, bool]:
    view = replace(VIEW, **changed)
    return {button.label: button.enabled for button in render_console(view).buttons if ":hi:" in button.id}


def test_the_coach_stands_under_the_keys_of_practice() -> None:
    assert buttons() == {}
    assert buttons(coached=True, can_hint=True) == {"Hint": True, "What was that?": True}
    first = replace(VIEW.seen, rounds=())
    assert buttons(coached=True, can_hint=True, seen=first) == {"Hint": True, "What was that?": False}
    assert render_console(replace(VIEW, coached=True), two_step=True).is_sendable


def test_hint_is_disabled_where_the_coach_knows_no_exact_play() -> None:
    assert buttons(coached=True) == {"Hint": False, "What was that?": True}


def test_hints_are_counted_in_the_result() -> None:
    over = replace(played(12), users=(101, 0)).view(0)
    told = plain(render_result(replace(over, hints=1)))
    assert "Ana asked for 1 hint." in told
    assert "Ana asked for 3 hints." in plain(render_result(replace(over, hints=3)))
    assert "hint" not in plain(render_result(over))
