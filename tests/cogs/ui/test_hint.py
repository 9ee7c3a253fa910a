"""A coach in words: before the bid and after it, in chances and in points, and where its buttons stand."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.engine.rules import Rules
from bot.engine.variants import GAMES
from bot.solver.coach.hint import CardAdvice, Hint, can_teach, find_spot_before_bid
from bot.ui.screens.console import render_console
from bot.ui.screens.result import render_result
from cogs.learning.hints import hint_message, past_message
from cogs.match.boards import more
from tests.cogs.ui.test_practice import practising
from tests.cogs.ui.test_review import plain, played
from tests.cogs.ui.views import example
from tests.conftest import ROOT

VIEW = practising(example())
TEXTBOOK = "-# Textbooks call such a random choice a *mixed strategy*. What a bid gives away is its *regret*."


def hint(*hand: CardAdvice, **more: Any) -> Hint:
    mix = tuple((one.card, one.share) for one in sorted(hand, key=lambda one: -one.share) if one.share)
    usual: dict[str, Any] = {"deal": 0, "round": 4, "is_to_win": True, "exact": True, "value": 0.62}
    return Hint(**{**usual, "mix": mix, "hand": hand, **more})


NINE, SEVEN = CardAdvice(9, 0.0, 0.07, 7, 0.55), CardAdvice(7, 0.75, 0.0, None, 0.7)
KING, ACE = CardAdvice(13, 0.0, 0.2, None, 0.41), CardAdvice(1, 0.25, 0.0, None, 0.01)
NAMES, AGAINST = {1: "A", 13: "K"}, "win chance against a perfect opponent."
FREE, CLOSE = CardAdvice(2, 0.0, 0.0, 7, 0.5), CardAdvice(8, 0.0, 0.01, None, 0.5)


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ((ACE, SEVEN, NINE, KING), "♠9 is never best here: over the rest of the match, ♠7 does as well or better."),
        ((ACE, SEVEN, KING), "Worst card: ♠K (−20% win chance)."),
        ((ACE, SEVEN), "The cards of the plan are equally good against a perfect opponent, but choose at random:"),
    ],
)
def test_hint_gives_the_plan_the_chance_and_one_advice(hand: tuple[CardAdvice, ...], said: str) -> None:
    told = plain(hint_message(VIEW, hint(*hand))).splitlines()
    assert told[:2] == ["Hint for round 5", "Best plan: a random choice of ♠7 (75% of the time), ♠A (25%)."]
    assert told[2].startswith(f"Your win chance: 62% (a draw counts half). {said}")
    assert told[3:] == ["-# Textbooks call such a random choice a *mixed strategy*."]


@pytest.mark.parametrize(
    ("hand", "plan", "said"),
    [
        ((SEVEN, NINE), "Best card: ♠7. Every other card lowers your win chance by at least 7%.", ""),
        (
            (SEVEN, replace(NINE, cost=0.006)),
            "Best card: ♠7. Every other card is worse against a perfect opponent.",
            "",
        ),
        ((FREE, SEVEN), "Best card: ♠7.", " Every card is equally good against a perfect opponent."),
        ((FREE, SEVEN, CLOSE), "Best card: ♠7.", " ♠2 and ♠7 are equally good against a perfect opponent."),
    ],
)
def test_hint_names_one_best_card_and_says_what_others_cost(hand: tuple[CardAdvice, ...], plan: str, said: str) -> None:
    told = plain(hint_message(VIEW, hint(*hand))).splitlines()
    assert told[1:] == [plan, f"Your win chance: 62% (a draw counts half).{said}"]


def test_hint_lists_three_cards_of_a_plan_and_the_share_of_the_others() -> None:
    shares = ((13, 0.6), (1, 0.11), (9, 0.07), (2, 0.06), (3, 0.06), (4, 0.1))
    found = hint(*(CardAdvice(card, share, 0.0, None, 0.5) for card, share in sorted(shares)))
    told = plain(hint_message(VIEW, replace(found, mix=shares))).splitlines()
    assert told[1] == "Best plan: a random choice of ♠K (60% of the time), ♠A (11%), ♠9 (7%), others (22%)."


def test_estimate_is_never_called_perfect() -> None:
    for hand in ((ACE, SEVEN), (FREE, SEVEN), (FREE, SEVEN, CLOSE), (SEVEN, replace(NINE, cost=0.006))):
        found = hint(*hand, exact=False, bids=(hand[0].card, 8))
        for message in (hint_message(VIEW, found), past_message(VIEW, found)):
            assert "perfect" not in plain(message)
            assert "estimated" in plain(message)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (7, "Your ♠7 was a good choice."),
        (1, "Your ♠A was good, but unlucky."),
        (9, f"Your ♠9: mistake, it gives away 7% {AGAINST} Against every bid, ♠7 was at least as good."),
        (13, f"Your ♠K: blunder, it gives away 20% {AGAINST}"),
    ],
)
def test_the_sentence_of_a_round_that_was_played(card: int, said: str) -> None:
    message = past_message(VIEW, hint(ACE, SEVEN, NINE, KING, bids=(card, 8)))
    came = {1: "1%", 7: "70%", 9: "55%", 13: "41%"}[card]
    assert plain(message).splitlines() == [
        f"Round 5: you bid ♠{NAMES.get(card, card)}, Sage bid ♥8. {said}",
        f"Both bids together: your win chance 62% → {came}.",
        "Best plan: a random choice of ♠7 (75% of the time), ♠A (25%).",
        "Your win chance with each of your cards against ♥8: ♠A → 1% · ♠7 → 70% · ♠9 → 55% · ♠K → 41%",
        TEXTBOOK,
    ]


def test_no_mix_is_best_where_no_bid_changes_anything() -> None:
    found = hint(FREE, SEVEN, value=0.0, alike=True)
    assert plain(hint_message(VIEW, found)).splitlines() == [
        "Hint for round 5",
        "Any card is fine: no card changes anything.",
        "Your win chance: 0% (a draw counts half).",
    ]
    told = plain(past_message(VIEW, replace(found, bids=(2, 8)))).splitlines()
    assert told[0] == "Round 5: you bid ♠2, Sage bid ♥8. Any card was fine: no card changed anything."
    assert "Best" not in "".join(told)


def test_a_dominated_card_that_gives_up_nothing_is_not_called_wrong() -> None:
    free = replace(FREE, came=0.7)
    told = plain(past_message(VIEW, hint(free, SEVEN, CLOSE, bids=(2, 8)))).splitlines()
    assert told[0].endswith("Your ♠2 was good too: it gives nothing away against a perfect opponent.")
    assert "random choice" not in "".join(told), "the best plan is one card"


def test_hint_and_explanation_agree_on_a_card_that_is_a_little_worse() -> None:
    """Against the bid that came two cards can have the same value, and one of them is still worse in general."""
    found = hint(replace(SEVEN, share=1.0, came=0.5), replace(CLOSE, cost=0.003))
    told = plain(hint_message(VIEW, found))
    assert "Best card: ♠7. Every other card is worse against a perfect opponent." in told
    told = plain(past_message(VIEW, replace(found, bids=(8, 1))))
    assert "Your ♠8: good, but unlucky, it gives away <1% win chance against a perfect opponent." in told
    assert "with each of your cards against ♥A: ♠7 → 50% · ♠8 → 50%" in told


def test_explanation_tells_what_a_card_gives_away_from_what_the_other_card_takes() -> None:
    """A fall of the win chance that is no larger than what the bid gives away is no bad luck."""
    close = replace(CLOSE, cost=0.02, came=0.6)
    told = plain(past_message(VIEW, hint(SEVEN, close, bids=(8, 1))))
    assert "Your ♠8: good, it gives away 2% win chance against a perfect opponent." in told
    assert "Both bids together: your win chance 62% → 60%." in told
    told = plain(past_message(VIEW, hint(replace(SEVEN, came=0.619), close, bids=(7, 1))))
    assert "Your ♠7 was a good choice." in told, "62% → 62%"


def test_points_where_points_are_played_for() -> None:
    hand = (replace(ACE, came=-3.0), replace(KING, cost=1.25, came=2.0), replace(SEVEN, came=0.0))
    found = hint(*hand, is_to_win=False, exact=False, value=-1.0, bids=(13, 8))
    assert plain(past_message(VIEW, found)).splitlines() == [
        "Round 5: you bid ♠K, Sage bid ♥8. Your ♠K: mistake, it gives away 1.2 points, estimated.",
        "Both bids together: your expected lead from here on −1.0 → +2.0 points.",
        "Best plan, estimated: a random choice of ♠7 (75% of the time), ♠A (25%).",
        "Your expected lead with each of your cards against ♥8: ♠A → −3.0 · ♠K → +2.0 · ♠7 → 0",
        TEXTBOOK,
    ]
    assert "Expected lead from here on: −1.0 points." in plain(hint_message(VIEW, found))
    free = hint(SEVEN, replace(KING, cost=0.0, came=0.7), bids=(13, 8))
    assert "gives nothing away against a perfect opponent." in plain(past_message(VIEW, free))
    little = replace(found, exact=True, hand=(hand[0], replace(hand[1], cost=0.03), hand[2]))
    assert "Your ♠K: good, it gives away <0.1 points against a perfect opponent." in plain(past_message(VIEW, little))


def buttons(**changed: Any) -> dict[str, bool]:
    view = replace(VIEW, **changed)
    return {button.label: button.enabled for button in render_console(view).buttons if ":hi:" in button.id}


def test_the_coach_stands_under_the_keys_of_practice() -> None:
    assert buttons() == {}
    assert buttons(coached=True, can_hint=True) == {"Hint": True, "Explain last round": True}
    first = replace(VIEW.seen, rounds=())
    assert buttons(coached=True, can_hint=True, seen=first) == {"Hint": True, "Explain last round": False}
    assert render_console(replace(VIEW, coached=True), two_step=True).is_sendable


def test_hint_that_works_later_is_disabled_and_the_console_tells_why() -> None:
    assert buttons(coached=True) == {"Hint": False, "Explain last round": True}
    reason = "-# *Hint* and *Explain last round* work when fewer cards are left."
    assert reason in plain(render_console(replace(VIEW, coached=True))).splitlines()
    for view in (VIEW, replace(VIEW, coached=True, can_hint=True)):
        assert reason not in plain(render_console(view))


def test_hints_are_counted_in_the_result() -> None:
    over = replace(played(12), users=(101, 0)).view(0)
    for shown in (more, partial(render_result, shared=True)):
        assert "Ana asked for 1 hint." in plain(shown(replace(over, hints=1)))
        assert "Ana asked for 3 hints." in plain(shown(replace(over, hints=3)))
        assert "hint" not in plain(shown(over))


def first_hint(rules: Rules) -> int:
    """How many cards are held when the first hint is given in a deal."""
    state = rules.start(rules.deal(rules.pack()))
    while find_spot_before_bid(rules, state, 0, rules.game.series, ()) is None:
        state, _ = rules.resolve(state, {prompt.seat: prompt.lowest() for prompt in rules.prompts(state)})
    return len(state.hands[0])


def test_guide_for_players_says_where_hints_are() -> None:
    """Where all cards have one it names the game, else how many cards are left."""
    guide = (ROOT / "docs/players.md").read_text("utf-8")
    [line] = re.findall(r"^\* \*\*Hints\.\*\* In practice for two, .*?(?=^\*)", guide, re.M | re.S)
    told = " ".join(line.split())
    whole, rest = told.split(" from the first card, ")
    taught = [game.rules(2) for game in GAMES if game.seats[0] == 2 and can_teach(game.rules(2))]
    assert taught
    for rules in taught:
        cards, name = first_hint(rules), rules.game.name
        if cards == len(rules.keys(rules.start(rules.deal(rules.pack())), 0)):
            assert name in whole
        else:
            assert re.search(rf"{name}\b[^,]* when you hold {cards}\b", rest), name
    for game in GAMES:
        if game not in [rules.game for rules in taught]:
            assert game.name not in told
