"""Tips where they help, where these games come from, and what our words mean."""

from __future__ import annotations

import re
from itertools import permutations
from math import comb

import pytest

from bot.engine.match import Termination
from bot.engine.text.presets import list_offers
from bot.engine.variants import GAMES, find_game
from bot.interactions.shared.rules_card import MAX_TEXT, find_topic, render_rules
from bot.ui.custom_ids import learning_ids
from cogs.learning.rules import about_card, theory_card, tips_card, which_card, words_card
from cogs.match.boards import more
from tests.cogs.ui.reading import keys, said
from tests.cogs.ui.views import begin


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_tip_stands_behind_the_rules(game: object) -> None:
    key = getattr(game, "key", "")
    topic = find_topic(key)
    card = render_rules(key)
    assert keys(card)[-1] == "[Practice match] [Tips] [About] [Show everyone]"
    assert card.characters <= MAX_TEXT
    assert f"Tip: {topic.rules.tips[0]}" in said(card)
    told = said(tips_card(topic))
    assert all(f"* {tip}" in told for tip in topic.rules.tips)


OWN_RANK, ONE_ABOVE, HIGH, CHEAP = (
    "bid the card of the same rank as the prize",
    "bids the prize's rank every time",
    "If none of them beats a card of yours",
    "by one rank",
)
"""tips of Classic as it is"""


@pytest.mark.parametrize(
    ("preset", "tips", "untrue"),
    [
        ("classic", (OWN_RANK, ONE_ABOVE, HIGH, CHEAP), ("fewest points win", "bid at random: then no plan")),
        ("quick", ("Your Ace is not worthless", "Count: late"), ("bid a King",)),
        (
            "carry",
            (
                "Now and then bid a King",
                "choose one at random",
                ONE_ABOVE,
                HIGH,
                CHEAP,
                "Count the pot with the prize: bid for",
            ),
            (OWN_RANK,),
        ),
        ("known-order", (OWN_RANK, ONE_ABOVE, HIGH, CHEAP), ()),
        ("misere", ("If fewest points win", "your lowest card for"), (OWN_RANK, ONE_ABOVE, HIGH, CHEAP)),
        ("blind", ("bid at random: then no plan",), (OWN_RANK, ONE_ABOVE, HIGH, CHEAP)),
        ("win-only", (OWN_RANK, ONE_ABOVE, CHEAP, "You see only who won"), (HIGH,)),
        ("two-cards", ("A sum that wins by 1",), (OWN_RANK, ONE_ABOVE, HIGH, CHEAP)),
        ("three-handed", ("Equal cards don't count", "Count the pot", HIGH), (OWN_RANK, ONE_ABOVE)),
        ("open-draft", ("only picks first",), (OWN_RANK, ONE_ABOVE, HIGH, CHEAP)),
        ("open-row", ("Think ahead: the prizes that you leave",), (OWN_RANK, ONE_ABOVE, HIGH, CHEAP)),
    ],
)
def test_tips_are_true_for_what_is_played(preset: str, tips: tuple[str, ...], untrue: tuple[str, ...]) -> None:
    told = said(tips_card(find_topic(preset)))
    assert all(tip in told for tip in tips)
    assert not any(tip in told for tip in untrue)


@pytest.mark.parametrize("aim", ["most", "least"])
def test_the_tip_against_who_bids_at_random_is_the_best_there_is(aim: str) -> None:
    """Of all ways to give one's five cards to the five prizes, by the sum over every order of the other's cards."""
    cards, sign = range(1, 6), 1 if aim == "most" else -1

    def margin(mine: tuple[int, ...], theirs: tuple[int, ...]) -> int:
        return sum(
            sign * prize * ((own > other) - (own < other))
            for prize, own, other in zip(cards, mine, theirs, strict=True)
        )

    orders = list(permutations(cards))
    best = max(orders, key=lambda mine: sum(margin(mine, theirs) for theirs in orders))
    assert best == ((1, 2, 3, 4, 5) if aim == "most" else (5, 4, 3, 2, 1))
    tip = "same rank as the prize" if aim == "most" else "your highest card for the lowest"
    assert any(tip in one for one in find_game("classic").rules(2, {"aim": aim}).tips)


def test_who_loses_at_misere_reads_a_tip_for_misere() -> None:
    played = begin(options={"cards": 2, "aim": "least"}).deal((1, 2)).play(1, 2)
    outcome = played.view().outcome
    assert outcome is not None
    loser = 1 - (outcome.winner or 0)
    seen = {said(more(played.view(loser, id=f"K7Q{n}"))).split("Tip: ")[1] for n in range(2, 10)}
    assert len(seen) > 1
    assert not any(untrue in tip for tip in seen for untrue in (OWN_RANK, ONE_ABOVE, HIGH, CHEAP))


def test_who_lost_reads_a_tip_and_nobody_else() -> None:
    played = begin(options={"cards": 2}).deal((1, 2)).play(1, 2)
    assert played.match.over
    view = played.view()
    assert view.outcome is not None
    loser = 1 - (view.outcome.winner or 0)
    told = said(more(played.view(loser)))
    assert sum(tip in told for tip in view.rules.tips) == 1
    other = said(more(played.view(loser, id="K7Q3")))
    assert sum(tip in other for tip in view.rules.tips) == 1
    assert told.split("Tip: ")[1] != other.split("Tip: ")[1], "another one from match to match"
    assert "Tip:" not in said(more(played.view(1 - loser)))
    assert "Tip:" not in said(more(view))


def test_no_tip_after_a_draw_or_a_resignation() -> None:
    drawn = begin(options={"cards": 3}).deal((1, 3, 2)).play(3, 2).play(1, 3)
    assert "Tip:" not in said(more(drawn.view(0)))
    left = begin().deal(tuple(range(13, 0, -1))).play(1, 2).leave(0, Termination.RESIGNED)
    assert "Tip:" not in said(more(left.view(0)))


def test_about_and_glossary_lead_to_each_other_and_back() -> None:
    about, words = about_card("psych"), words_card("psych")
    assert keys(about) == ["[◀ Rules] [Glossary] [Theory] [Which rules?]"]
    assert keys(words) == ["[◀ Rules] [About]"]
    assert [learning_ids.read_rules(button.id.split(":")[2:]) for button in about.buttons] == [
        ("psych", "card"),
        ("psych", "words"),
        ("psych", "theory"),
        ("psych", "which"),
    ]
    for message in (about, words):
        assert message.is_sendable
        assert len(said(message).splitlines()) > 5
    assert all(game.name.removesuffix(" GOPS") in said(about) for game in GAMES if game.key not in ("classic",))


def test_theory_counts_the_positions_and_names_all_papers() -> None:
    """A prize of the j that are left is up, and each hand and the prizes can be any j cards."""
    told = said(theory_card("classic"))
    for cards in (3, 4):
        ways = [j * comb(cards, j) ** 3 for j in range(cards, 1, -1)]
        assert f"{cards} cards" in told
        assert " + ".join(map(str, ways)) in told
    names = ("Dror", "Epstein", "Gale", "Luce and Raiffa", "Nakai", "Owen", "Ross, Goofspiel", "Williams")
    assert all(f"* {name}" in told for name in names)
    assert all(use in told for use in ("duopsony", "architects", "generals"))
    assert theory_card("classic").is_sendable


def test_rules_are_proposed_that_can_be_chosen() -> None:
    told = said(which_card("classic"))
    named = {*re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", told)} - {"Best of 5", "Series"}
    assert named == {"Carried ties", "Quick GOPS", "Known order", "Fixed order", "Blind bids"}
    assert named <= {offer.name for offer in list_offers()}, "as the menu of games names them"
    assert keys(which_card("sops")) == ["[◀ Rules] [About]"]


def test_counts_of_deals_and_games_are_true() -> None:
    """Kerr's count: the order of the prizes, and of each hand."""
    orders = sum(1 for _ in permutations(range(7)))
    assert orders == 5040
    for n in range(8, 14):
        orders *= n
    told = said(about_card("classic"))
    assert f"With 13 cards the prizes can come in {orders:,} orders (13!)" in told
    assert f"a number of {len(str(orders**3))} digits" in told
