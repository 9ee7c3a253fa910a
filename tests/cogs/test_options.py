"""The picker of more rules reaches every rule of every game, and nothing that would be refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from bot.engine import variants
from bot.engine.auction.auction import Auction
from bot.engine.match import new_match
from bot.engine.options import CardList, Number, OneOf, Option, Options, Switch
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.text.presets import list_offers
from bot.engine.text.wording import abbreviate_option, describe_option
from bot.engine.variants import GAMES, find_game
from bot.errors import RefereeError
from bot.interactions.shared import challenge_options
from bot.interactions.shared.challenge_options import MAX_ROW, MAX_ROWS, list_rule_rows
from bot.interactions.shared.setup_card import describe_rules
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.guild_settings import GuildSettings
from bot.ui.screens.board import render_board
from bot.ui.screens.challenge import render_lobby as draw_lobby
from bot.ui.screens.refusals import describe_error as told_of
from bot.ui.text.sentences import capitalize
from tests.cogs.ui.reading import plain, read
from tests.cogs.ui.views import Played, lobby
from tests.toy_game import GAME as TOY

GUILD = GuildSettings(1)


def rows(typed: str, game: str = "classic", seats: int | None = None, **wish: Any) -> list[str]:
    return list_rule_rows(Wish(game=game, **wish), seats, GUILD, typed)


def every_value(option: Option) -> list[Any]:
    """Every value that is not as usual."""
    if isinstance(option, CardList):
        return [[3, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]]
    if isinstance(option, OneOf):
        return [value for value in option.values if value != option.default]
    if isinstance(option, Number):
        return [number for number in range(option.low, option.high + 1) if number != option.default]
    return [not option.default]


RULES = [(game, option) for game in GAMES for option in game.options]


@pytest.mark.parametrize(("game", "option"), RULES, ids=[f"{game.key}-{option.key}" for game, option in RULES])
def test_every_rule_can_be_completed(game: Game, option: Option) -> None:
    """By typing its name and value; without typing anything at least one row is about it."""
    for value in every_value(option):
        words = describe_option(option, value)
        if (option.key, value) == ("order", "custom"):
            assert words not in rows("order", game.key)  # the cards must be listed
        elif option.key == "row_size" and value > 13:
            assert words not in rows(f"row size {value}", game.key)
            assert f"25 cards, {words}" in rows(f"25 cards, row size {value}", game.key)
        elif (option.key, value) == ("remainder", "short-last"):
            assert words not in rows(
                abbreviate_option(option, value), game.key
            )  # with one card a bid nothing is left over
            assert f"2 cards a bid, {words}" in rows(f"2 cards a bid, {words}", game.key)
        else:
            assert words in rows(abbreviate_option(option, value)[:60], game.key), words
    shown = rows("2 cards a bid, " if option.key == "remainder" else "", game.key)
    assert any(describe_option(option, value) in ", ".join(shown) for value in every_value(option)) or isinstance(
        option, CardList
    )


@pytest.mark.parametrize("offer", list_offers(), ids=lambda offer: offer.key)
@pytest.mark.parametrize("typed", ["", "card", "e", "1", "order", "blind bids, ", "win-only, ", "2 cards a bid, row"])
def test_every_row_is_allowed_and_fits(offer: Any, typed: str) -> None:
    try:
        shown = rows(typed, offer.key)
    except Exception:  # what stands before the comma is not of this game
        assert "," in typed
        return
    assert len(shown) == len(set(shown)) <= MAX_ROWS
    for row in shown:
        assert 1 <= len(row) <= MAX_ROW
        seats = offer.seats or find_game(offer.game).seats[0]
        made = make_setup(Wish(game=offer.key, words=row), seats, GUILD)
        assert made != make_setup(Wish(game=offer.key), seats, GUILD) or "ties" in row or "equal cards" in row


def test_rows_state_rules_in_words() -> None:
    assert rows("")[:5] == [
        "prizes from low to high",
        "prizes from high to low",
        "prize order shown",
        "prizes in the order A 2 3 4 5 6 7 8 9 10 J Q K",
        "blind bids",
    ]
    assert rows("blind bids, win") == ["blind bids, win-only", "blind bids, fewest points win", "blind bids, early win"]
    assert rows("MIS") == ["fewest points win"]
    assert rows("row size 4") == ["4 prizes on view"]
    assert rows("order 9 3", "quick") == []
    assert rows("order 7 3", "quick") == ["prizes in the order 7 3 A 2 4 5 6"]
    assert "prizes in the order A 2 3" in rows("order", cards=3)
    assert rows("", "psych") == []


@pytest.mark.parametrize(("game", "option"), RULES, ids=[f"{game.key}-{option.key}" for game, option in RULES])
def test_rule_typed_in_full_stands_first(game: Game, option: Option) -> None:
    """Enter takes the first row, which must be what was typed: 2 cards, not 2 cards a bid."""
    for value in every_value(option):
        words = describe_option(option, value)
        shown = rows(words, game.key)
        assert words not in shown[1:], (words, shown)


def test_rules_that_exclude_each_other_are_not_offered_together() -> None:
    assert not any("prizes on view" in row or "open prizes" in row for row in rows("blind bids, "))
    assert "split" not in " ".join(rows("win-only, "))
    assert "win-only" not in rows("", ties="split")
    assert "early win" in rows("")
    assert "early win" not in rows("", series=Series("best-of", 3).data())
    assert "blind bids" not in rows("blind bids, ")


def test_a_long_line_is_shortened_and_means_the_same() -> None:
    long = "blind bids, 2 cards a bid, a short last bid, fewest points win, early win, win-only, "
    row = next(row for row in rows(long) if "unique-carry" in row)
    assert row.startswith("blind, bid cards 2, remainder short-last")
    wish = Wish(words=f"{long}equal cards don't count (all tied: the prize stays in the pot)")
    assert make_setup(Wish(words=row), 2, GUILD) == make_setup(wish, 2, GUILD)


def test_rules_of_the_usual_game_of_a_server_are_offered() -> None:
    guild = replace(GUILD, game="welsh")
    assert "winning cards go out of play" in list_rule_rows(Wish(), None, guild, "")


# --- the game picker -------------------------------------------------------------------------------------------


def test_games_are_found_by_name_and_rule() -> None:
    def found(typed: str) -> list[str]:
        return [offer.key for offer in challenge_options.find_games(typed)]

    assert found("") == [offer.key for offer in list_offers()]
    assert found("three") == ["three-handed", "open-row", "parlett", "throps"]
    assert found("open prizes") == ["open-draft", "open-row"]
    assert found("equal FOUR") == ["four-handed"]
    assert found("chess") == []
    assert found("bid")[0] == "bid"
    assert found(" PICO ") == ["pico", "pico1"]
    assert found("open")[:2] == ["open-draft", "open-row"]
    assert found("blind b")[0] == "blind"
    assert found("pri")[0] == "open-row", "its name, Prize market, begins with it"
    for offer in list_offers():
        row = challenge_options.game_row(offer)
        assert len(row) <= 100
        assert offer.title in row
        assert challenge_options.find_game(row) == challenge_options.find_game(offer.name) == offer.key


# --- what excludes each other, as it is told -------------------------------------------------------------------


@dataclass(frozen=True)
class Odd(Auction):
    """What no registered game is, so that its refusals can be seen."""

    circular: ClassVar[bool] = True


FIELDS = {"clinch": "ends_early"}
"""options that a field of the auction calls otherwise"""


def odd(key: str, **parameters: Any) -> Game:
    def build(game: Game, seats: int, options: Options) -> Rules:
        kind = Odd if parameters.get("circle") else Auction
        given = {name: value for name, value in parameters.items() if name != "circle"}
        suit = (1, 2, 3)
        chosen = {FIELDS.get(name, name): value for name, value in options.items()}
        return kind(game, seats, options, hand=suit, **{"prizes": suit, **given, **chosen})

    options = (
        Switch("swap", "Switch", default=False),
        Switch("clinch", "Early", default=False),
        Number("expose", "Open", 0, 9, 0),
        Number("pickers", "Pickers", 0, 9, 1),
    )
    return replace(TOY, key=key, name=key.title(), seats=(2, 4), options=options, build=build)


ODD = [
    odd("again", ties="rebid"),
    odd("circle", circle=True),
    odd("below", prizes=(-1, 2, 3)),
    odd("market", row=True, cancel=True),
]


@pytest.fixture
def odd_games() -> Iterator[None]:
    variants.GAMES.extend(ODD)
    yield
    for game in ODD:
        variants.GAMES.remove(game)


SOPS_TIES = (
    "Ties must be one of: ties: the prize stays in the pot, ties: nobody gets the prize, ties: the prize is split."
)
AGAIN = "Open prizes cannot go with bidding again: equal bids get no pick."

EXCLUDED: list[tuple[str, int, dict[str, Any], str]] = [
    ("again", 3, {}, "Bidding again after a tie needs exactly 2 players here: with more, hands would become unequal."),
    ("open-draft", 2, {"ties": "split"}, "With open prizes ties cannot be split: prizes are picked whole."),
    ("psych", 2, {"words": "open prizes"}, AGAIN),
    ("bid", 2, {"words": "a row of prizes"}, AGAIN),
    ("parlett", 3, {"words": "open row"}, AGAIN),
    ("sops", 2, {"words": "open prizes"}, "Open prizes cannot go with swapping cards."),
    ("blind", 2, {"words": "open prizes"}, "Open prizes cannot be blind: they lie face up before you bid."),
    ("below", 4, {"words": "swap"}, "Swapping cards is for 2 players."),
    ("sops", 2, {"words": "win-only"}, "Swapping cards would show what win-only hides."),
    ("sops", 2, {"words": "ties rebid"}, "Swapping cards cannot go with bidding again."),
    ("circle", 3, {}, "Circle is for 2 players only."),
    ("psych", 2, {"words": "2 cards a bid"}, "Psych takes one card a bid."),
    (
        "blind", 2, {"words": "prizes from low to high"},
        "A public prize order makes blind bids pointless. Choose one of the two.",
    ),
    *(
        (game, find_game(game).seats[0], {"words": "early win"},
         f"{find_game(game).name} has no early win: points can still change.")
        for game in ("parlett", "throps", "pico", "welsh")
    ),
    ("open-row", 2, {"words": "win-only"}, "Win-only cannot go with open prizes: it would show the bids."),
    ("pico", 2, {"words": "win-only"}, "Win-only cannot go with Pico: it would show the bids."),
    ("welsh", 4, {"words": "win-only"}, "Win-only cannot go with Welsh Warfare: it would show the bids."),
    ("psych", 2, {"words": "win-only"}, "Win-only cannot go with bidding again: it would show the bids."),
    ("win-only", 2, {"ties": "split"}, "Win-only cannot go with split ties: it would show the bids."),
    ("vultures", 2, {"words": "open prizes"}, "Prizes below zero cannot go with open prizes."),
    ("vultures", 2, {"words": "early win"}, "Prizes below zero rule out an early win."),
    ("below", 2, {"words": "clinch"}, "Prizes below zero rule out an early win."),
    ("classic", 2, {"words": "26 cards"}, "A hand has 2 to 25 cards."),
    ("classic", 2, {"words": "4 cards a bid"}, "A bid takes 1 to 3 cards and no more than the hand has."),
    ("two-cards", 2, {"cards": 2, "words": "3 cards a bid"},
     "A bid takes 1 to 3 cards and no more than the hand has."),
    ("open-row", 2, {"words": "row size 14"}, "The open row shows 1 to 13 prizes."),
    ("market", 2, {"words": "expose 2, pickers 2"}, "With an open row exactly one player picks each round."),
    ("classic", 2, {"words": "order custom"},
     'A custom order needs the prizes listed, for example "prizes in the order K Q J 10 9 8 7 6 5 4 3 2 A".'),
    ("classic", 2, {"cards": 3, "words": "prizes shuffled, order 1 2 3"},
     "Prizes can be listed only for a custom order."),
    ("classic", 2, {"cards": 3, "words": "order 1 2"}, "The order must name each of 1 to 3 once."),
    ("classic", 2, {"cards": 3, "words": "order 1 2 2"}, "The order must name each of 1 to 3 once."),
    ("throps", 3, {"words": "blind bids"}, 'Throps does not have the rule "blind". It works in: Classic GOPS.'),
    ("pico", 2, {"cards": 7}, 'Pico does not have the rule "cards". It works in: Classic GOPS, SOPS.'),
    ("vultures", 3, {"ties": "carry"}, 'Vultures does not have the rule "ties". It works in: Classic GOPS, SOPS.'),
    ("classic", 2, {"words": "52 tricks a deal"},
     'Classic GOPS does not have the rule "tricks". It works in: Welsh Warfare.'),
    ("throps", 3, {"words": "flying"}, 'Throps does not have the rule "flying".'),
    ("sops", 2, {"ties": "unique-carry"}, SOPS_TIES),
    ("classic", 2, {"words": "blind maybe"}, "Blind must be yes or no."),
    ("classic", 2, {"words": "row size many"}, "Row size must be a whole number from 1 to 25."),
    (
        "classic", 2, {"words": "early win", "series": {"mode": "best-of", "games": 3}},
        "No early win in this series: all points of a deal count.",
    ),
]  # fmt: skip


@pytest.mark.usefixtures("odd_games")
@pytest.mark.parametrize(("game", "seats", "asked", "sentence"), EXCLUDED)
def test_rules_that_exclude_each_other_are_refused_with_both_names(
    game: str, seats: int, asked: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(RefereeError) as refused:
        make_setup(Wish(game=game, **asked), seats, GUILD)
    assert plain(told_of(refused.value)) == sentence


def test_every_row_of_the_table_is_there() -> None:
    """All of ui.md's "Rules that exclude each other", by id."""
    from bot.engine.counted import forms
    from bot.engine.refusals import SENTENCES
    from tests.cogs.ui.test_sentences import EXCLUSIONS

    told = [sentence for _, _, _, sentence in EXCLUDED]
    for id in EXCLUSIONS.split():
        ways = [re.sub(r"\\{\w+\\}", ".+", re.escape(form)) for form in forms(SENTENCES[id])]
        assert any(re.fullmatch(way, sentence) for way in ways for sentence in told), id


# --- the rules in force are named ------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "option"), RULES, ids=[f"{game.key}-{option.key}" for game, option in RULES])
def test_board_and_challenge_name_every_rule(game: Game, option: Option) -> None:
    value = every_value(option)[0]
    options: dict[str, Any] = {option.key: value}
    if isinstance(option, Number | CardList) and option.implies:
        options[option.implies[0]] = option.implies[1]
    if (option.key, value) == ("order", "custom"):
        options["prizes"] = every_value(CardList("prizes", ""))[0]
    rules = game.rules(game.seats[0], options)
    invited = read(draw_lobby(lobby(game=game.key, seats=game.seats[0], rules=rules))).splitlines()[1]
    words = describe_option(option, value)
    assert words in invited or capitalize(words) in invited
    shown = small_print(game, options)
    if option.key == "ties":
        words = {"discard": "ties: nobody gets the prize", "carry": "ties: the prize stays in the pot"}.get(
            value, words
        )
    assert (words if not isinstance(option, CardList) else "prizes in a listed order") in shown.casefold()


@pytest.mark.parametrize("key", [game.key for game in GAMES])
@pytest.mark.parametrize(
    ("series", "words"),
    [
        (Series("best-of", 3), "best of 3"),
        (Series("best-of", 5), "best of 5"),
        (Series("deals", 3), "3 deals"),
        (Series("target", 100), "to 100 points"),
        (Series("first-to", 2), "first to win 2"),
        (Series(), "one deal"),
    ],
)
def test_board_and_challenge_name_the_series(key: str, series: Series, words: str) -> None:
    game = find_game(key)
    told_of_it = series != Series() or game.series != Series()
    setup = make_setup(Wish(game=key, series=series.data()), game.seats[0], GUILD)
    rules = game.rules(game.seats[0])
    invited = read(draw_lobby(lobby(game=key, seats=game.seats[0], setup=setup, rules=rules, series=series)))
    assert (words in invited or capitalize(words) in invited) is told_of_it
    assert (words in small_print(game, {}, series).casefold()) is told_of_it


def small_print(game: Game, options: dict[str, Any], series: Series | None = None) -> str:
    """The board of a match that has just begun."""
    match = new_match(game, game.seats[0], options, series)
    begun = match.begin(match.rules.deal(match.rules.pack()))[0]
    return "\n".join(read(render_board(Played(begun).view(None))).splitlines())


def test_a_value_that_no_option_has_is_named_as_typed() -> None:
    assert describe_rules(find_game("classic"), "ties rebid, blind") == ["ties rebid", "blind bids"]
