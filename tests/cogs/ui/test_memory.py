"""Bids shown once: seen at their reveal, then face down until the deal ends, everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.text.wording import read_words
from bot.engine.variants import find_game
from bot.engine.view import observe
from bot.interactions.shared.rules_card import render_rules
from bot.solver.coach.advice import can_review
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from cogs.match.boards import cards_card
from cogs.records.sheets import sheet
from tests.cogs.ui.reading import read, said
from tests.cogs.ui.views import Played, begin

MEMORY = {"cards": 5, "info": "memory"}


def two_rounds(**first: int) -> Played:
    """Ana and Ben bid for 5 and 4; Ana takes both."""
    bids = {"ana": 4, "ben": 2} | first
    return begin(options=MEMORY).deal((5, 4, 3, 2, 1)).play(bids["ana"], bids["ben"]).play(5, 3)


@pytest.mark.parametrize("form", ["s", "g"])
def test_only_the_last_reveal_is_told(form: Any) -> None:
    view = two_rounds().view()
    for text in (read(render_board(view)), read(sheet(view, form=form)), read(cards_card(view))):
        assert "♠4" not in text
        assert "Ana 4" not in text
    assert "♠5 beats ♥3" in read(render_board(view))
    assert "bids shown once" in read(render_board(view))
    first = begin(options=MEMORY).deal((5, 4, 3, 2, 1)).play(4, 2)
    assert "♠4 beats ♥2" in read(render_board(first.view())), "and that one was told in its time"


def test_nobody_can_tell_what_was_bid_before() -> None:
    """The public and the other seat see the same whatever Ana bid two rounds ago."""
    one, other = two_rounds(ana=4), two_rounds(ana=3)
    for seat in (None, 1):
        views = [played.view(seat) for played in (one, other)]
        assert read(render_board(views[0])) == read(render_board(views[1]))
        assert read(sheet(views[0])) == read(sheet(views[1]))
        assert read(cards_card(views[0])) == read(cards_card(views[1]))
        if seat is not None:
            assert said(render_console(views[0])) == said(render_console(views[1]))
        states = [played.match.state for played in (one, other)]
        assert states[0] is not None
        assert states[1] is not None
        assert observe(states[0], seat) == observe(states[1], seat)


def test_ones_own_bids_are_ones_own() -> None:
    view = two_rounds().view(0)
    assert view.seen.spent[0] == (4, 5)
    assert view.seen.spent[1] is None
    assert view.seen.hands == ((1, 2, 3), None)
    assert view.seen.to_come == (1, 2), "prizes lie face up, so what is to come is known"


def test_all_of_it_opens_when_the_deal_ends() -> None:
    over = two_rounds().play(3, 1).finish()
    assert over.match.over
    text = read(sheet(over.view(), form="s"))
    assert "1. ♦5: Ana 4, Ben 2" in text
    assert "2. ♦4: Ana 5, Ben 3" in text


def test_memory_rule_is_typed_stated_and_replayed() -> None:
    game = find_game("classic")
    assert read_words(game, "bids shown once") == read_words(game, "memory") == {"info": "memory"}
    assert "Remember them" in read(render_rules("classic", game.rules(2, MEMORY)))
    assert not can_review(game.rules(2, MEMORY))
    record = {
        "schema": 1,
        "game": "classic",
        "options": {"cards": 2, "info": "memory"},
        "seats": 2,
        "deals": [{"stock": [2, 1], "decisions": [[0, 1], [1, 2]]}],
    }
    assert replay(read_record(record)).match.over
