"""What misled people who read the rules: cards of rules in force, worked examples, and rules that were offered."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.engine.auction.auction import Auction
from bot.engine.series import Series
from bot.engine.text.presets import list_offers
from bot.engine.variants import GAMES, find_game
from bot.errors import RefereeError
from bot.interactions.shared.challenge_options import list_rule_rows
from bot.interactions.shared.rules_card import find_topic, list_notes, list_rule_topics, render_rules
from bot.interactions.shared.worked_example import play_example
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.guild_settings import GuildSettings
from bot.ui.screens.board import render_board
from bot.ui.screens.refusals import describe_error
from bot.ui.text.sentences import say
from bot.ui.text.terms import describe_rules_in_force
from tests.cogs.ui.reading import plain, read, said
from tests.cogs.ui.views import begin

GUILD = GuildSettings(1)


def in_play(options: dict[str, Any] | None = None, seats: int = 2, series: Series | None = None) -> str:
    """The rules card behind a board of Classic."""
    game = find_game("classic")
    return read(render_rules("classic", game.rules(seats, options or {}), series))


# --- 5: the card is the rules in force ------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "ties"), [(2, "nobody gets the prize."), (3, "the prize stays in the pot")])
def test_a_board_tells_the_one_tie_rule_that_holds(seats: int, ties: str) -> None:
    line = next(line for line in in_play(seats=seats).splitlines() if line.startswith("**Ties**"))
    assert ties in line
    assert "Split" not in line
    assert "tied seats share" not in line


def test_two_cards_a_bid_are_told_once() -> None:
    text = in_play({"bid_cards": 2})
    assert "everybody chooses 2 cards in secret, and the highest sum takes the prize" in text
    assert "one card" not in text
    assert "highest card" not in text
    assert "Cards that are left over are never used." in text
    short = in_play({"bid_cards": 2, "remainder": "short-last"})
    assert "never used" not in short
    assert "Cards left over are bid together in one more round." in short


def test_blind_bids_come_first() -> None:
    text = in_play({"blind": True})
    assert "Everybody chooses one card in secret, then a prize is turned up" in text
    assert "The top card of the prize pile is turned up, each player" not in text
    assert "Each player chooses one card in secret, then the top card of the prize pile is turned up" in text
    both = in_play({"blind": True, "info": "win-only"})
    assert "then the top card of the prize pile is turned up, and only the winner is shown" in both


@pytest.mark.parametrize("key", [offer.key for offer in list_offers()])
def test_last_step_of_a_round_is_joined_by_and(key: str) -> None:
    """A prize is turned up, everybody chooses one card in secret, and the highest card takes the prize."""
    sentences = re.split(r"(?<=[.:;])\s", read(render_rules(key)))
    assert not [one for one in sentences if re.search(r"\bchooses? .*, (the|all|both) [^,]*$", one)]
    assert not [one for one in sentences if one.count(", and ") > 1]


def test_cards_are_those_that_are_held() -> None:
    assert "A (1) to 7, and the prizes are the same" in in_play({"cards": 7})
    assert "A (1) to J (11)" in in_play({"cards": 11})
    assert "the same cards, 1 to 15" in in_play({"cards": 15})
    for cards in (7, 11, 15):
        assert "K (13)" not in in_play({"cards": cards})


def test_open_prizes_and_hidden_bids_contradict_nothing() -> None:
    draft = in_play({"open": "draft"})
    assert "The top card of the prize pile is turned" not in draft
    assert "highest card wins the prize" not in draft
    assert "stays in the pot" not in draft
    assert "Prizes that nobody picks stay" in in_play({"open": "draft", "ties": "carry"})
    row = in_play({"open": "row", "row_size": 4})
    assert "4 prizes lie open in a row" in row
    assert "three" not in row.lower().replace("three or", "")
    assert "all cards are revealed" not in in_play({"info": "win-only"})


def test_every_word_that_an_option_changes_is_there() -> None:
    """Else a changed guide would leave a contradiction behind."""
    for game in GAMES:
        for topic in list_rule_topics(game):
            guide = topic.game.guide
            whole = " ".join((guide.line, guide.round, guide.ties, guide.winning))
            whole += " ".join(str(note.text) for note in list_notes(topic))
            for note in list_notes(topic):
                for words, instead in note.swaps:
                    assert words in whole, (topic.key, note)
                    whole = whole.replace(words, str(instead))  # the next note may be about those


def test_the_series_in_force_is_told() -> None:
    parlett, throps, welsh = (find_game(key) for key in ("parlett", "throps", "welsh"))
    assert "The points of 3 deals are added up." in read(render_rules("parlett"))
    single = read(render_rules("parlett", parlett.rules(3), Series()))
    assert "added up" not in single
    assert "One deal is played." in single
    assert "until a player has 150 points" in read(render_rules("throps", throps.rules(3), Series("target", 150)))
    assert "The first player to win 2 deals wins the match." in read(render_rules("welsh"))
    assert "wins most of 3 deals" in read(render_rules("welsh", welsh.rules(4), Series("deals", 3)))
    assert "best of 7 deals" in in_play(series=Series("best-of", 7, "points"))
    assert "the points of all deals decide" in in_play(series=Series("best-of", 7, "points"))


# --- 6: examples show what a game is about ---------------------------------------------------------------------


def example(key: str) -> str:
    return play_example(find_topic(key).rules)


def test_examples_do_not_miss_the_point() -> None:
    assert re.search(r"Prize −\d", example("vultures"))
    assert "more than double" in example("pico")
    assert re.search(r"(Ana|Ben) [A23], (Ana|Ben) [JQK]|(Ana|Ben) [JQK], (Ana|Ben) [A23]", example("psych"))
    assert re.search(r"\bA\b", re.sub(r"Score:.*", "", example("bid")))
    assert re.search(r"A♠|♠A|\bA\b.*K|K.*\bA\b", example("welsh"))
    assert "same rank" in example("throps")
    assert "The bids are in, and" in example("blind")
    assert list(re.findall(r"(?:Ana|Ben|Cem) (\d+)", example("parlett").splitlines()[-1])) != ["0"] * 3


def test_all_pairs_of_four_bids_are_told() -> None:
    told = example("four-handed")
    assert " tie." not in told
    assert "No bid counts." in told


def test_a_row_says_what_lies_there() -> None:
    told = example("open-row")
    assert "On view: " in told
    assert not re.search(r"Prize \w+\. .* Nobody gets \w+", told)


# --- 14, 20: what is offered, and two words for one thing ------------------------------------------------------


def test_a_short_last_bid_takes_several_cards_a_bid() -> None:
    assert not any("short last" in row for row in list_rule_rows(Wish(game="classic"), 2, GUILD, ""))
    assert any("short last" in row for row in list_rule_rows(Wish(game="classic"), 2, GUILD, "2 cards a bid, "))
    with pytest.raises(RefereeError) as refused:
        make_setup(Wish(game="classic", words="a short last bid"), 2, GUILD)
    assert refused.value.id == "short-last-single"
    make_setup(Wish(game="classic", words="2 cards a bid, a short last bid"), 2, GUILD)


def test_a_record_with_it_is_still_read() -> None:
    assert isinstance(find_game("classic").rules(2, {"remainder": "short-last"}), Auction)


def test_one_rule_has_one_wording() -> None:
    for ties in ("unique-carry", "unique-discard"):
        rules = find_game("classic").rules(3, {"ties": ties})
        told = describe_rules_in_force(rules, Series())
        assert told == (rules.game.options[1].words[ties],)  # type: ignore[union-attr]


def test_a_value_is_refused_in_words() -> None:
    with pytest.raises(RefereeError) as refused:
        make_setup(Wish(game="classic", options={"order": "sideways"}), 2, GUILD)
    text = describe_error(refused.value)
    assert "random-public" not in text
    assert "prize order shown" in text


def test_the_rules_picker_lists_an_order_once() -> None:
    titles = [topic.title for topic in list_rule_topics(find_game("classic"))]
    assert len(set(titles)) == len(titles)


def test_many_prizes_are_counted_and_not_named() -> None:
    played = begin(seats=8, options={"open": "draft", "ties": "unique-carry", "cards": 5})
    stock = tuple(rank for rank in range(1, 6) for _ in range(8))
    played = played.deal(stock)
    for bid in (1, 2, 3):
        played = played.play(*[bid] * 8)
    text = said(render_board(played.view()))
    assert "No card counts. 24 prizes stay on view." in text


def test_a_deadlock_is_told_once() -> None:
    played = begin("welsh", 4).deal(hands=[["KS"], ["KH"], ["KD"], ["KC"]])
    assert said(render_board(played.view())).count("no card left") == 1
    assert say("leave-trick", names="Ana and Ben", n=2) == "Ana and Ben have no card left to bid again."


def test_nobody_has_to_catch_up_after_the_last_round() -> None:
    played = begin(options={"cards": 3, "clinch": True}).deal((1, 2, 3)).play(1, 2).play(2, 1, on=False)
    played = played.play(3, 3, on=False) if not played.match.over else played
    assert played.match.over
    assert "catch up" not in read(render_board(played.view()))


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (Wish(game="classic", cards=7, words="blind bids, 5 cards"), '"cards:7" and "5 cards" do not go together.'),
        (Wish(game="classic", ties="carry", words="ties split"), '"ties:carry" and "ties split" do not go together.'),
    ],
)
def test_option_that_contradicts_the_rules_in_words_is_refused(wish: Wish, sentence: str) -> None:
    with pytest.raises(RefereeError) as refused:
        make_setup(wish, 2, GUILD)
    assert plain(describe_error(refused.value)).replace("\\", "").startswith(sentence)
    make_setup(Wish(game="classic", cards=7, words="7 cards"), 2, replace(GUILD, options="5 cards"))
