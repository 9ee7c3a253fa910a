"""Tips where they help, where these games come from, and what our words mean."""

from __future__ import annotations

from itertools import permutations

import pytest

from bot.engine.match import Termination
from bot.engine.variants import GAMES, find
from bot.interactions.shared.rules_card import MOST, rules_card, topic_of
from bot.ui.custom_ids import learning_ids
from bot.ui.screens.board import board
from bot.ui.screens.console import console
from cogs.learning.about_card import about_card, tips_card, words_card
from tests.cogs.ui.reading import keys, read, said
from tests.cogs.ui.views import begin


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_tip_stands_behind_the_rules(game: object) -> None:
    key = getattr(game, "key", "")
    topic = topic_of(key)
    card = rules_card(key)
    assert keys(card)[-1] == "[Practise this] [Tips] [About] [Show everyone]"
    assert card.characters <= MOST
    assert f"Tip: {topic.rules.tips[0]}" in said(card)
    told = said(tips_card(topic))
    assert all(f"* {tip}" in told for tip in topic.rules.tips)


@pytest.mark.parametrize(("preset", "tip"), [("misere", "Where fewest points win"), ("blind", "bid at random")])
def test_a_tip_for_an_option_is_told_with_it_alone(preset: str, tip: str) -> None:
    assert tip in said(tips_card(topic_of(preset)))
    assert tip not in said(tips_card(topic_of("classic")))


def test_who_lost_reads_a_tip_and_nobody_else() -> None:
    played = begin(options={"cards": 2}).deal((1, 2)).play(1, 2)
    assert played.match.over
    view = played.view()
    assert view.outcome is not None
    loser = 1 - (view.outcome.winner or 0)
    told = said(console(played.view(loser)))
    assert sum(tip in told for tip in find("classic").tips) == 1
    other = said(console(played.view(loser, id="K7Q3")))
    assert sum(tip in other for tip in find("classic").tips) == 1
    assert told.split("Tip: ")[1] != other.split("Tip: ")[1], "another one from match to match"
    assert "Tip:" not in said(console(played.view(1 - loser)))
    assert "Tip:" not in read(board(view))


def test_no_tip_after_a_draw_or_a_resignation() -> None:
    drawn = begin(options={"cards": 3}).deal((1, 3, 2)).play(3, 2).play(1, 3)
    assert "Tip:" not in said(console(drawn.view(0)))
    left = begin().deal(tuple(range(13, 0, -1))).play(1, 2).leave(0, Termination.RESIGNED)
    assert "Tip:" not in said(console(left.view(0)))


def test_about_and_glossary_lead_to_each_other_and_back() -> None:
    about, words = about_card("psych"), words_card("psych")
    assert keys(about) == ["[◀ Rules] [Glossary]"]
    assert keys(words) == ["[◀ Rules] [About]"]
    assert [learning_ids.read_rules(button.id.split(":")[2:]) for button in about.buttons] == [
        ("psych", "card"),
        ("psych", "words"),
    ]
    for message in (about, words):
        assert message.fits
        assert len(said(message).splitlines()) > 5
    assert all(game.name.removesuffix(" GOPS") in said(about) for game in GAMES if game.key not in ("classic",))


def test_how_many_deals_and_games_there_are() -> None:
    """Kerr's count: the order of the prizes, and of each hand."""
    orders = sum(1 for _ in permutations(range(7)))
    assert orders == 5040
    for n in range(8, 14):
        orders *= n
    told = said(about_card("classic"))
    assert f"With 13 cards the prizes can come in {orders:,} orders (13!)" in told
    assert f"a number of {len(str(orders**3))} digits" in told
