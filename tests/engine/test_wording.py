"""Options in words: all options of a game can be typed, and are read back unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.options import CardList, Number, OneOf, Option
from bot.engine.refusals import BadSetup
from bot.engine.rules import Game, Rules
from bot.engine.text.presets import PRESETS
from bot.engine.text.wording import (
    NO,
    YES,
    abbreviate_option,
    describe_option,
    describe_options,
    list_rules,
    read_words,
    refuse_elsewhere,
    rules_in_force,
)
from bot.engine.variants import GAMES, find_game

WITH_OPTIONS = [game for game in GAMES if game.options]
CLASSIC = find_game("classic")


@st.composite
def taken(draw: st.DrawFn) -> Rules:
    """Any combination that some game takes, with any number of seats."""
    game = draw(st.sampled_from(WITH_OPTIONS))
    seats = draw(st.integers(*game.seats))
    options: dict[str, Any] = {}
    for option in game.options:
        if not isinstance(option, CardList) and draw(st.booleans()):
            options[option.key] = draw(values(option))
    orders = [option for option in game.options if isinstance(option, CardList)]
    try:
        rules = game.rules(seats, options)
        for option in orders:
            if option.implies and options.get(option.implies[0]) == option.implies[1]:
                options[option.key] = draw(st.permutations(game.rules(seats, {**options, "order": "random"}).pack()))
                rules = game.rules(seats, options)
    except BadSetup:
        return game.rules(seats)
    return rules


def values(option: Option) -> st.SearchStrategy[Any]:
    if isinstance(option, OneOf):
        return st.sampled_from(list(option.values))
    if isinstance(option, Number):
        return st.integers(option.low, option.high)
    return st.booleans()


@settings(max_examples=300, deadline=None)
@given(rules=taken())
def test_full_wording_of_options_can_be_typed(rules: Rules) -> None:
    typed = ", ".join(words for _, words in rules_in_force(rules))
    assert rules.game.rules(rules.seats, read_words(rules.game, typed)).options == rules.options
    assert rules.game.rules(rules.seats, read_words(rules.game, typed.upper())).options == rules.options


@settings(max_examples=200, deadline=None)
@given(rules=taken())
def test_short_wording_of_options_can_be_typed(rules: Rules) -> None:
    declared = {option.key: option for option in rules.game.options}
    typed = ", ".join(abbreviate_option(declared[key], rules.options[key]) for key, _ in rules_in_force(rules))
    assert rules.game.rules(rules.seats, read_words(rules.game, typed)).options == rules.options


@pytest.mark.parametrize("game", WITH_OPTIONS, ids=lambda game: game.key)
def test_wording_of_every_option_is_unambiguous(game: Game) -> None:
    said: list[str] = []
    for option in game.options:
        options = [True, False] if not isinstance(option, OneOf | Number | CardList) else []
        options += list(option.values) if isinstance(option, OneOf) else []
        options += [option.low, option.high] if isinstance(option, Number) else []
        for value in options:
            said += {describe_option(option, value), abbreviate_option(option, value)}
            assert read_words(game, describe_option(option, value))[option.key] == value
    assert not any("," in words or len(words) > 62 for words in said)
    assert len(said) == len(set(said))


@pytest.mark.parametrize(
    ("typed", "options"),
    [
        ("", {}),
        (" , ", {}),
        ("blind bids, win-only", {"blind": True, "info": "win-only"}),
        ("Win Only ,  BLIND", {"blind": True, "info": "win-only"}),
        ("row size 4", {"open": "row", "row_size": 4}),
        ("row_size=4", {"open": "row", "row_size": 4}),
        ("row size 4, one prize at a time", {"open": "none", "row_size": 4}),
        ("order A 5 3", {"order": "custom", "prizes": [1, 5, 3]}),
        ("prizes in the order k 2", {"order": "custom", "prizes": [13, 2]}),
        ("order descending", {"order": "descending"}),
        ("two-cards, a short last bid", {"bid_cards": 2, "remainder": "short-last"}),
        ("quick, Misère", {"cards": 7, "aim": "least"}),
        ("no blind bids, clinch yes", {"blind": False, "clinch": True}),
        ("ties split", {"ties": "split"}),
        ("carry", {"ties": "carry"}),
        ("52 tricks a deal", {"tricks": 52}),
    ],
)
def test_typed_options_are_read(typed: str, options: dict[str, Any]) -> None:
    assert read_words(CLASSIC, typed) == options


@pytest.mark.parametrize(("word", "value"), [*((one, True) for one in YES), *((one, False) for one in NO)])
@pytest.mark.parametrize("name", ["blind", "Blind bids", "blind:", "blind ="])
def test_switch_accepts_every_on_or_off_word(name: str, word: str, value: bool) -> None:
    assert read_words(CLASSIC, f"{name} {word}") == {"blind": value}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("flying", f'Classic GOPS has no rule "flying". It has: {list_rules(CLASSIC)}'),
        ("row size x", "row_size must be a whole number from 1 to 25."),
        ("order A x", "prizes must be a list of cards."),
        ("order", "order must be one of random, ascending, descending, custom, random-public."),
        ("cards 26", "A hand has 2 to 25 cards."),
        ("-3 cards", "A hand has 2 to 25 cards."),
        ("ties coin", "ties must be one of discard, carry, split, unique-carry, unique-discard."),
        ("blind maybe", "blind must be true or false."),
        ("tricks 52", 'Classic GOPS does not have the rule "tricks". It works in: Welsh Warfare.'),
    ],
)
def test_wrong_words_are_refused_with_a_sentence(typed: str, sentence: str) -> None:
    with pytest.raises(BadSetup) as refused:
        typed_for(CLASSIC, typed)
    assert str(refused.value) == sentence


def typed_for(game: Game, typed: str) -> Rules:
    read = read_words(game, typed)
    refuse_elsewhere(game, read)
    return game.rules(game.seats[0], read)


def test_game_without_options_refuses_options() -> None:
    for typed, id in (
        ("flying", "option-elsewhere"),
        ("blind", "option-of-others"),
        ("row size 3", "option-of-others"),
    ):
        with pytest.raises(BadSetup) as refused:
            typed_for(find_game("throps"), typed)
        assert (refused.value.id, refused.value.data["x"]) == (id, typed.removesuffix(" 3"))


def test_game_gives_its_own_reason_for_a_rule_of_another_game() -> None:
    with pytest.raises(BadSetup, match="Win-only cannot go with Pico"):
        typed_for(find_game("pico"), "win-only")


def test_every_preset_can_be_typed() -> None:
    for preset in PRESETS:
        if preset.options:
            assert read_words(find_game(preset.game), preset.key) == preset.options
            if "," not in preset.name:
                assert read_words(find_game(preset.game), preset.name) == preset.options


def test_only_changed_options_are_described() -> None:
    told_of = describe_options(CLASSIC, {"cards": 13, "blind": True, "ties": "carry"})
    assert told_of == [("ties", "ties: the prize stays in the pot"), ("blind", "blind bids")]
    listed = {"cards": 3, "order": "custom", "prizes": [3, 1, 2]}
    assert describe_options(CLASSIC, listed) == [("cards", "3 cards"), ("prizes", "prizes in the order 3 A 2")]


@pytest.mark.parametrize("game", WITH_OPTIONS, ids=lambda game: game.key)
def test_every_rule_that_a_refusal_lists_can_be_typed(game: Game) -> None:
    """Alone, or with one other rule of the list: a short last bid needs several cards a bid."""
    with pytest.raises(BadSetup) as refused:
        read_words(game, "flying")
    listed = str(refused.value.data["list"]).split(", ")
    assert {key for words in listed for key in read_words(game, words)} == {option.key for option in game.options}
    for words in listed:
        typed = [words, *(f"{words}, {other}" for other in listed)]
        assert any(has_match(game, seats, one) for seats in game.seats for one in typed), words


def has_match(game: Game, seats: int, typed: str) -> bool:
    """Return True if these words make rules by which a match can be dealt."""
    try:
        rules = game.rules(seats, read_words(game, typed))
        return bool(rules.deal(rules.pack()).hands)
    except BadSetup:
        return False


@pytest.mark.parametrize("more", ["", "cards 5", "25 cards", "open draft, ties carry"])
def test_order_in_the_refusal_of_an_order_without_prizes_can_be_typed(more: str) -> None:
    rules = CLASSIC.rules(2, read_words(CLASSIC, f"prizes in a listed order, {more}"))
    with pytest.raises(BadSetup) as refused:
        rules.deal(())
    _, example, _ = str(refused.value).split('"')
    assert example.startswith("prizes in the order ")
    assert has_match(CLASSIC, 2, f"{example}, {more}")


@pytest.mark.parametrize("typed", ["Ace said after the reveal", "aces spoken"])
def test_ace_that_is_spoken_after_the_reveal_is_refused_with_the_reason(typed: str) -> None:
    """RULING T1: the source has it spoken on turning the card."""
    with pytest.raises(BadSetup) as refused:
        read_words(find_game("parlett"), typed)
    assert refused.value.id == "ace-spoken"
    assert "the slowest player could look first" in str(refused.value)
    with pytest.raises(BadSetup) as unknown:
        read_words(CLASSIC, typed)
    assert unknown.value.id == "unknown-option"
