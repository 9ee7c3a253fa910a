"""What misled people in play: each line was read in a match before it was mended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.engine.refusals import Illegal
from bot.errors import RefereeError
from bot.referee.match.draws import NextOffer
from bot.referee.model.model import DrawOffer
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.pings import draw_offer
from bot.ui.screens.refusals import describe_error
from bot.ui.story.outcome import describe_outcome
from bot.ui.text.names import make_names
from bot.ui.text.terms import describe_terms
from cogs.match.boards import cards_card, more
from cogs.match.confirm import draw_question
from cogs.records.sheets import sheet
from tests.cogs.ui.reading import read, said
from tests.cogs.ui.views import Played, begin


def parlett(**more: Any) -> Played:
    """Ana won ♦5, Ben 9 and 9 more, Cem 4: she is in the middle."""
    played = begin("parlett", 3, **more).deal((5, 9, 8, 4, 10, 1))
    return played.play("K", 2, 3).play(2, "K", 4).play(3, "Q", 5).play(4, 5, "K")


def test_parlett_says_what_was_won_and_why_it_counts() -> None:
    view = parlett().view()
    assert view.seen.scores == (0, 17, 4)
    text = read(render_board(view))
    assert "Ana 0 (total 5 is in the middle)\n" in text
    assert "**Ben 17 (the highest total)**\n" in text
    assert "Cem 4 (the lowest total)\n" in text
    assert "counts 0 (total 5 is in the middle)" in read(cards_card(view))
    told = "This deal: Ana 0 (total 5 is in the middle), Ben 17 (the highest total), Cem 4 (the lowest total)"
    assert told in read(sheet(view))
    assert "You 0 (total 5 is in the middle)" in said(render_console(parlett().view(0)))


REFUSALS = ("stale-console", "stale-console-old", "already-revealed", "card-spent", "no-draft", "draw-gone")


@pytest.mark.parametrize(("game", "word", "other"), [("pico", "round", "trick"), ("classic", "round", "trick")])
def test_every_text_of_a_match_calls_a_round_the_same(game: str, word: str, other: str) -> None:
    begun = begin(game)
    played = begun.deal(hands=[[10, 6], [4, 9]]) if game == "pico" else begun.deal((7, 5, 6))
    view = played.view(0, draw=DrawOffer(0, frozenset({0})))
    refusals = [describe_error(RefereeError(id, r=2, now=3, card="8"), view) for id in REFUSALS]
    stopped = describe_outcome(played.stop(Termination.ABORTED).view(), make_names(view))
    asked = draw_question(replace(view, draw=None), NextOffer("round"))
    refused = describe_error(RefereeError("draw-soon-round", r=4, round=view.rules.round_word))
    for text in (draw_offer(view).content, asked.content, refused, stopped, *refusals):
        assert word in text.lower(), text
        assert other not in text.lower(), text


def test_card_that_is_set_aside_waits_for_the_end_of_a_trick_only_where_there_are_tricks() -> None:
    hands = [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["5D", "3D"], ["4C", "5C"]]
    welsh = begin("welsh", 4).deal(hands=hands).play(13, 13, 3, 4)
    gops_for_three = begin("parlett", 3).deal((5, 9, 8)).play(13, 13, 13)
    for played, word in ((welsh, "trick"), (gops_for_three, "round")):
        state = played.match.state
        assert state is not None
        with pytest.raises(Illegal) as caught:
            state.rules.check_choice(state, 0, state.rules.read_choice(state, 0, 13))
        assert describe_error(caught.value).endswith(f"is set aside until this {word} ends.")
        assert caught.value.data["round"] == word


def test_parlett_before_anything_is_won_and_level() -> None:
    first = begin("parlett", 3).deal((5, 9, 8))
    assert "Ana 0 · " in read(render_board(first.view()))
    level = begin("parlett", 3).deal((5, 9, 8)).play(13, 2, 3)
    assert "**Ana 5 (the highest total)**\n" in read(render_board(level.view()))
    assert "Ben 0 (no cards, total 0, the same as another player's)\n" in read(render_board(level.view()))


def test_parlett_tells_a_pile_that_is_worth_nothing_from_no_pile() -> None:
    """A jack is worth the lowest other card of its pile: nothing as long as there is none."""
    jack = begin("parlett", 3).deal((11, 9, 8)).play(13, 2, 3)
    told = said(render_console(jack.view(0)))
    assert "You 0 (total 0, the same for all) · Ben 0 (no cards, total 0, the same for all)" in told


def test_the_result_of_parlett_gives_the_reason() -> None:
    played = parlett(series={"mode": "single"})
    text = read(render_board(played.finish().view()))
    assert "in the middle" in text or "level" in text
    assert "the highest total" in text


def test_deals_that_are_won_are_not_points_added_up() -> None:
    played = begin("welsh", 4, series={"mode": "deals", "deals": 3})
    view = played.deal().view()
    told = describe_terms(view.setup, view.rules, view.series)
    assert "3 deals, most won" in told
    assert "points added up" not in told
    over = read(render_board(played.deal().stop(Termination.AGREED).view()))
    assert "points added up" not in over
    assert "2 deals" in describe_terms(
        begin("pico").deal(hands=[[4, 5], [6, 7]]).view().setup, view.rules.game.rules(4), begin("pico").match.series
    )


@pytest.mark.parametrize("attrition", [False, True])
def test_a_captured_card_is_one_of_another_player(attrition: bool) -> None:
    hands = [["9S", "KS", "2S"], ["8H", "KH", "2H"], ["AD", "3D"], ["4C", "5C"]]
    played = begin("welsh", 4, {"attrition": attrition}).deal(hands=hands).play(13, 13, 1, 4)
    score = 4 if attrition else 5
    assert f"**Cem captures 3 cards** (now holds {score}: {score} points)" in said(render_board(played.view()))
    assert "Cem captures 3\n" in read(sheet(played.view()))
    assert f"**Cem {score}**" in said(render_board(played.view()))


def test_equal_sums_are_a_tie_and_no_order() -> None:
    played = begin(options={"bid_cards": 2, "open": "draft"}).deal((1, 2, 3, 4)).play([4, 5], [3, 6])
    told = said(render_board(played.view()))
    assert "No card counts" in told
    assert "then" not in told.split("\n")[1]


def test_who_has_left_does_not_lead() -> None:
    played = begin(seats=3, options={"cards": 5}).deal((5, 4, 3, 2, 1)).play(5, 2, 1).play(2, 1, 3)
    before = read(render_board(played.view()))
    assert "**Ana 5** · Ben 0 · Cem 4" in before
    left = played.leave(0)
    text = read(render_board(left.view()))
    assert "Ana 5 · left, lowest cards are played" in text
    assert "**Cem 4**" in text


def test_a_third_miss_is_told_on_board_and_result() -> None:
    played = begin(seats=3, options={"cards": 4}).deal((4, 3, 2, 1)).play(4, 2, 1).leave(2, Termination.TIMED_OUT)
    assert "Cem 0 · missed three bids in a row, lowest cards are played" in read(render_board(played.view()))
    assert "Cem 3 · missed three bids in a row" in read(render_board(played.finish().view()))


def test_a_console_of_two_cards_says_how() -> None:
    two = begin(options={"bid_cards": 2}).deal((1, 2, 3))
    told = said(render_console(two.view(0)))
    assert "Choose 2 cards, then press Seal. They stay sealed (hidden) until all bid." in told
    assert "Pick a card" not in told
    one = begin().deal((1, 2, 3))
    assert "Choose a card, then press Seal." in said(render_console(one.view(0), two_step=True))
    assert "Pick a card." in said(render_console(one.view(0)))


def test_what_the_last_tie_carries_goes_to_nobody_and_joins_no_pot() -> None:
    played = begin(options={"cards": 2, "ties": "carry"}).deal((1, 2)).play(1, 1, on=False).play(2, 2, on=False)
    text = read(more(played.view()))
    assert played.match.over
    told = read(sheet(played.view()))
    assert "Stays in the pot, Nobody" not in told
    assert "2. ♦2: Ana 2, Ben 2. Nobody gets it" in told
    end = said(render_console(played.view(0)))
    assert "stays in the pot" not in end.split("Round 2")[-1]
    assert "Points that nobody won: 3" in text


def test_what_vultures_leave_goes_to_nobody() -> None:
    played = begin("vultures", 3).deal((-5,)).play(6, 6, 6, on=False)
    assert played.match.over
    text = read(more(played.view()))
    assert "Points that nobody won: −5" in text
    assert "discarded" not in text


def test_several_go_to_nobody() -> None:
    played = begin(options={"open": "draft", "ties": "unique-discard", "cards": 4}).deal((3, 4, 1, 2)).play(4, 4)
    assert "No card counts. Nobody gets the 3 and 4." in said(render_board(played.view()))


def test_the_highest_bid_says_whose_it_is() -> None:
    played = begin(options={"open": "row"}).deal((9, 5, 2, 1)).play(9, 3)
    assert "Ana is highest with 9." in said(render_board(played.view()))
    assert "You are highest with 9." in said(render_console(played.view(0)))
