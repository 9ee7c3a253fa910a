"""The rules on one screen: of every game, every preset and every rule that can be changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from bot.engine import variants
from bot.engine.refusals import RuleError
from bot.engine.rules import Rules
from bot.engine.text.presets import find_offer, list_offers
from bot.engine.variants import GAMES, find_game
from bot.interactions.shared.rules_card import (
    MAX_TEXT,
    find_topic,
    list_parts,
    list_rule_topics,
    make_topic,
    practice_options,
    render_rules,
)
from bot.interactions.shared.worked_example import NAMES, play_example
from bot.referee.lobby.setups import Wish, make_setup, usual_seats
from bot.referee.model.guild_settings import GuildSettings
from bot.ui.message import Menu, MenuOption
from tests import toy_game
from tests.cogs.ui.reading import keys, read
from tests.test_complete import options_without_rules

KEYS = [offer.key for offer in list_offers()] + [topic.key for game in GAMES for topic in list_rule_topics(game)]


@pytest.mark.parametrize("key", KEYS)
def test_one_screen_in_five_parts(key: str) -> None:
    message = render_rules(key)
    assert message.characters <= MAX_TEXT
    assert message.components <= 11
    assert message.is_sendable
    assert [line.split("**")[1] for line in read(message).splitlines() if line.startswith("**")] == [
        "In one line",
        "A round",
        "Ties",
        "Winning",
        "Example",
    ]
    assert keys(message)[-1] == "[Practice match] [Tips] [About] [Show everyone]"
    assert not re.search(r"[{}]|None|\. \.|  ", message.texts[1])
    public = render_rules(key, public=True)
    assert not public.rows
    assert read(public).splitlines()[0] == read(message).splitlines()[0]
    assert all(len(item.id) <= 100 for item in message.pressables)


@pytest.mark.parametrize("key", KEYS)
def test_the_example_is_what_the_engine_plays(key: str) -> None:
    """At least one whole round of these rules, with everybody's score after it."""
    rules = find_topic(key).rules
    lines = play_example(rules).splitlines()
    assert 1 <= len(lines) <= 3
    for number, line in enumerate(lines, 1):
        assert line.startswith(f"{number}. ")
        scores = line.rpartition("Score: ")[2].split(", ")
        assert [score.split(" ")[0] for score in scores] == list(NAMES[: rules.seats])
    assert play_example.__wrapped__(rules) == play_example(rules)  # the same each time


def example(key: str) -> str:
    return play_example(find_topic(key).rules)


def test_examples_show_what_is_special() -> None:
    assert re.search(r"2\. .*stays for the next round.*\n3\. .* takes \S+ \S+ ", example("carry"))
    assert "is split" in example("split")
    assert "swap their cards" in example("sops")
    assert "bid again" in example("psych")
    assert "picks" in example("open-draft")
    assert "is out of play" in example("attrition")
    assert "captures" in example("welsh")
    assert re.search(r"\d \+ \d", example("two-cards"))
    hidden = [line.partition(" Score: ")[0] for line in example("win-only").splitlines()]
    assert not any(re.search(r"(Ana|Ben) [A2-9JQK]", line) for line in hidden)  # nobody hears the bids


def test_several_prizes_won_at_once_are_a_list() -> None:
    """In the example of carried ties two prizes go to one seat."""
    told = play_example(find_topic("carry").rules)
    assert re.search(r"takes \w+ and \w+ \(\+\d+\)", told), told


def test_every_option_is_stated() -> None:
    for game in GAMES:
        assert options_without_rules(game) == [], game.key


@pytest.fixture
def registered() -> Iterator[None]:
    variants.GAMES.append(toy_game.GAME)
    yield
    variants.GAMES.remove(toy_game.GAME)


@pytest.mark.usefixtures("registered")
def test_a_new_game_explains_itself() -> None:
    told = read(render_rules("toy.kind=true"))
    assert "**Ties** It is shared." in told
    assert "**Ties** Nobody gets it." in read(render_rules("toy"))
    assert "1. Prize " in told


def told(key: str, title: str) -> str:
    return next(part for part in list_parts(find_topic(key)) if part.startswith(f"**{title}**"))


def test_options_change_the_part_that_they_are_about() -> None:
    assert "nobody gets the prize" not in told("carry", "Ties")
    assert told("three-handed", "Ties").startswith("**Ties** Equal cards don't count")
    assert "Each player chooses one card in secret, then the top card of the prize pile is turned up" in told(
        "blind", "A round"
    )
    assert "Everybody holds the same cards, A (1) to 7, and the prizes are the same cards." in told("quick", "A round")
    assert "Fewest points after the last round wins" in told("misere", "Winning")
    assert "Most points" not in told("misere", "Winning")
    assert "Their order: K Q J 10 9 8 7 6 5 4 3 2 A." in told("classic.prizes=listed", "A round")
    assert "first edition are 2 to 10, 13 and 16" in told("pico1", "Winning")
    assert read(render_rules("classic.clinch=true")).splitlines()[0] == "### Classic GOPS: early win"


def test_menus_reach_every_game_preset_and_rule() -> None:
    message = render_rules("carry")
    menus = [item for item in message.pressables if isinstance(item, Menu)]
    games = [option for menu in menus if ":game" in menu.id for option in menu.options]
    assert [option.value for option in games] == [offer.key for offer in list_offers()]
    assert [option.label for option in games if option.chosen] == ["Carried ties"]
    rules = [option.value for menu in menus if ":rule" in menu.id for option in menu.options]
    game = find_game("classic")
    assert {value.partition("=")[0] for value in rules} == {f"classic.{option.key}" for option in game.options}
    assert all(len(menu.options) <= 25 for menu in menus)
    for value in rules:
        render_rules(value)


def rule_row(key: str, rule: str) -> MenuOption:
    """The row of a rule in the menus of a card."""
    menus = [item for item in render_rules(key).pressables if isinstance(item, Menu) and ":rule" in item.id]
    return next(row for menu in menus for row in menu.options if row.value.startswith(f"classic.{rule}"))


@pytest.mark.parametrize("key", ["blind", "classic.blind=true"])
def test_another_rule_keeps_those_chosen_before(key: str) -> None:
    row = rule_row(key, "bid_cards=2")
    assert row.description == ""
    title = read(render_rules(row.value)).splitlines()[0]
    assert title == "### Classic GOPS: blind bids, 2 cards a bid"
    third = rule_row(row.value, "clinch=true")
    title = read(render_rules(third.value)).splitlines()[0]
    assert title == "### Classic GOPS: blind bids, 2 cards a bid, early win"
    assert practice_options(third.value) == ("classic", {"blind": True, "bid_cards": 2, "clinch": True})


def test_a_rule_says_beforehand_what_it_drops_and_why() -> None:
    row = rule_row("classic.bid_cards=2.blind=true", "order=ascending")
    assert row.description.startswith("Without blind bids: A public prize order makes blind bids pointless.")
    assert read(render_rules(row.value)).splitlines()[0] == ("### Classic GOPS: prizes from low to high, 2 cards a bid")
    replaced = rule_row("classic.ties=carry.blind=true", "ties=split")
    assert replaced.description == "Instead of ties: the prize stays in the pot."


@pytest.mark.parametrize("key", ["blind", "misere", "open-row", "classic.remainder=short-last", "psych", "win-only"])
def test_every_row_of_a_chosen_rule_leads_to_a_card_that_buttons_can_carry(key: str) -> None:
    for number in range(3):
        menus = [item for item in render_rules(key).pressables if isinstance(item, Menu) and ":rule" in item.id]
        rows = [row for menu in menus for row in menu.options]
        for row in rows:
            assert all(len(button.id) <= 100 for button in render_rules(row.value).buttons if button.id)
            assert len(row.description) <= 100
        if rows:
            key = rows[(7 * number + 3) % len(rows)].value


def test_the_rules_in_force_at_a_table() -> None:
    rules = find_game("classic").rules(4, {"cards": 9, "blind": True})
    card = render_rules("classic", rules)
    lines = read(card).splitlines()
    ties = "equal cards don't count (all tied: the prize stays in the pot)"
    assert lines[0] == f"### Classic GOPS: 9 cards, {ties}, blind bids"
    assert "A (1) to 9, and the prizes are the same" in read(card)
    assert "Dee" in read(card)
    assert make_topic(find_game("classic").rules(2)).title == ""
    plain = read(render_rules("classic", find_game("classic").rules(2)))
    assert "**Ties** When the highest cards are equal, nobody gets the prize.\n" in plain


def test_what_is_practised_is_what_the_card_says() -> None:
    guild = GuildSettings(1)
    for key in KEYS:
        game, options = practice_options(key)
        wish = Wish(game=game, options=options)
        setup = make_setup(wish, usual_seats(wish, guild), guild)
        played: Rules = find_game(setup.game).rules(setup.seats, setup.options)
        assert played == find_topic(key).rules, key


@pytest.mark.parametrize("key", ["chess", "classic.", "classic.clinch=maybe", "psych.cards=7", ""])
def test_keys_that_are_no_more(key: str) -> None:
    with pytest.raises(RuleError):
        render_rules(key)


def test_presets_are_found() -> None:
    assert {find_offer(key)[1].key for key in KEYS if "." not in key} == {offer.key for offer in list_offers()}
