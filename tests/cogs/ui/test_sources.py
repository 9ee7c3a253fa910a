"""What the sources have of scores, suits and drawn games: told as a difference, dressed otherwise, replayed."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.series import Series
from bot.engine.text.wording import abbreviate_series, read_words
from bot.engine.variants import find_game
from bot.interactions.shared.rules_card import render_rules
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.guild_settings import GuildSettings
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.screens.result_card import make_sketch
from bot.ui.text.terms import describe_terms
from cogs.match.boards import more
from cogs.records.sheets import sheet
from tests.cogs.ui.reading import read, said
from tests.cogs.ui.views import Played, begin

MARGIN: dict[str, Any] = {"cards": 4, "margin": True}


def ahead_by_one(**more: Any) -> Played:
    """Ana takes the 4, Ben the 3."""
    return begin(options=MARGIN, **more).deal((4, 3, 2, 1)).play(3, 1).play(2, 4)


def test_scores_are_told_as_a_difference_where_that_was_agreed() -> None:
    view = ahead_by_one().view()
    told = said(render_board(view))
    assert "**Ana +1**" in told
    assert "Ben −1" in told
    assert "scores as a difference" in told
    assert "You −1 · Ana +1" in said(render_console(ahead_by_one().view(1)))
    assert "Ana ±0" in said(render_board(begin(options=MARGIN).deal((4, 3, 2, 1)).view()))
    plain = begin(options={"cards": 4}).deal((4, 3, 2, 1)).play(3, 1).play(2, 4)
    assert "**Ana 4**" in said(render_board(plain.view()))


def test_margin_rule_changes_no_points() -> None:
    """The result, the sheet and the record have the points; beside them stands the difference."""
    over = ahead_by_one().play(4, 3)
    assert over.match.over
    told = said(render_board(over.view()))
    assert "Ana wins 6–4" in told
    behind = said(more(over.view()))
    assert "1st **Ana** 6 (+2)" in behind
    assert "2nd **Ben** 4 (−2)" in behind
    assert "Total: Ana 6, Ben 4" in said(sheet(over.view()))


def test_a_series_that_adds_up_tells_both_as_differences() -> None:
    played = begin(options=MARGIN, series={"mode": "deals", "deals": 2}).deal((4, 3, 2, 1)).play(3, 1).play(4, 3)
    played = played.play(1, 4).deal((4, 3, 2, 1)).play(1, 3)
    told = said(render_board(played.view()))
    assert "Ana −4, earlier deals +5" in told
    assert "Ben +4, earlier deals −5" in told


def test_margin_rule_is_typed_and_stated() -> None:
    setup = make_setup(Wish(game="classic", words="scores as a difference, prizes in hearts"), 2, GuildSettings(1))
    assert setup.options == {"ties": "discard", "margin": True, "suits": "hearts"}
    rules = find_game("classic").rules(2, setup.options)
    assert "scores as a difference · prizes in hearts" in describe_terms(setup, rules, Series())
    assert read_words(find_game("classic"), "prizes in clubs") == {"suits": "clubs"}
    card = said(render_rules("classic.margin=true"))
    assert "Scores are shown as a difference: +7 means 7 more. Nothing else changes." in card


@pytest.mark.parametrize(
    ("suits", "prize", "ana", "ben"),
    [("diamonds", "♦", "♠", "♥"), ("spades", "♠", "♥", "♣"), ("hearts", "♥", "♠", "♣"), ("clubs", "♣", "♠", "♥")],
)
def test_other_suits_from_game_to_game(suits: str, prize: str, ana: str, ben: str) -> None:
    """They are agreed with the game, and dress everything: prizes, bids, sheet and the picture of the result."""
    played = begin(options={"cards": 3, "suits": suits}).deal((3, 2, 1)).play(3, 2)
    told = said(render_board(played.view()))
    assert f"{ana}3 beats {ben}2. **Ana takes {prize}3**" in told
    assert f"Prize {prize}2" in told
    over = played.play(2, 3)
    assert f"{prize}3" in read(sheet(over.view()))
    found = make_sketch(over.view())
    assert found is not None
    assert f"Prize: {prize}3 {prize}2 {prize}A" in found.alt


def second_deal(**more: Any) -> Played:
    """The first deal is over, and one round of the second one: Ana bids 3 against 2 for the 3, as in the first."""
    series = {"mode": "deals", "deals": 2}
    played = begin(options={"cards": 3, **more}, series=series).deal((3, 2, 1)).play(3, 2).play(2, 3)
    return played.deal((3, 2, 1)).play(3, 2)


def test_suits_turn_from_game_to_game_of_a_series() -> None:
    """Board and console have the suits of their own deal; agreed suits stay."""
    played = second_deal()
    told = said(render_board(played.view()))
    assert "♥3 beats ♣2. **Ana takes ♠3**" in told
    assert "Prize ♠2" in told
    own = said(render_console(played.view(0)))
    assert "♥3 beats ♣2" in own
    assert "Prize ♠2" in own
    kept = said(render_board(second_deal(suits="hearts").view()))
    assert "♠3 beats ♣2. **Ana takes ♥3**" in kept


def test_first_board_of_a_deal_has_the_last_round_in_the_suits_of_the_deal_before() -> None:
    series = {"mode": "deals", "deals": 2}
    played = begin(options={"cards": 3}, series=series).deal((3, 2, 1)).play(3, 2).play(2, 3).deal((3, 2, 1))
    told = said(render_board(played.view()))
    assert "♠2 beats" not in told
    assert "♥3 beats ♠2. **Ben takes ♦2**" in told
    assert "Prize ♠3" in told


def test_an_older_deal_keeps_its_suits_in_the_sheet_and_in_the_picture() -> None:
    over = second_deal().play(2, 3)
    assert over.match.over
    view = over.view()
    assert "1. ♦3: Ana 3, Ben 2" in said(sheet(view, deal=1))
    assert "1. ♠3: Ana 3, Ben 2" in said(sheet(view, deal=2))
    found = make_sketch(view)
    assert found is not None
    assert "Best round for the winner: round 1 of deal 1. Ana bid ♠3 against ♥2 and took ♦3." in said(more(view))
    assert "Prize: ♦3 ♦2 ♦A ♠3 ♠2 ♠A" in found.alt


def test_a_record_of_either_is_refereed_and_says_so_in_its_options_alone() -> None:
    record = {
        "schema": 1,
        "game": "classic",
        "options": {"cards": 2, "margin": True, "suits": "spades"},
        "seats": 2,
        "deals": [{"stock": [2, 1], "decisions": [[2, 1], [1, 2]]}],
    }
    plain = {**record, "options": {"cards": 2}}
    told, other = (replay(read_record(one)).match for one in (record, plain))
    assert told.results == other.results


def test_a_drawn_single_game_is_replayed_by_agreement() -> None:
    series = Series("first-to", 1)
    assert abbreviate_series(series) == "one deal, a draw is replayed"
    drawn = begin(options={"cards": 3}, series=series.data()).deal((1, 3, 2)).play(3, 2).play(1, 3)
    assert not drawn.match.over, "3–3: nobody has won"
    again = drawn.deal((3, 2, 1)).play(3, 2).play(2, 3)
    assert again.match.over
    assert "Ana wins 1–0" in said(render_board(again.view()))
    assert "a draw is replayed" in said(render_board(drawn.deal((3, 2, 1)).view()))
    assert "Ana wins" in said(
        render_board(begin(options={"cards": 3}, series=series.data()).deal((3, 2, 1)).play(3, 2).play(2, 3).view())
    )
