"""A series is typed freely: read, completed, refused in words, and carried by the buttons of a set-up card."""

from __future__ import annotations

import pytest

from bot.engine.series import SINGLE, Series
from bot.engine.text.wording import abbreviate_series, read_series_text
from bot.engine.variants import find_game
from bot.errors import RefereeError
from bot.interactions.shared.challenge_options import ChallengeOptions, find_series, list_series_rows
from bot.interactions.shared.setup_card import render_setup
from bot.interactions.shared.setup_repair import make_selection
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.guild_settings import GuildSettings
from bot.ui.screens.refusals import describe_error
from bot.ui.text.offers import SERIES, read_series_key, series_key
from bot.ui.text.terms import series_words
from tests.cogs.ui.reading import read

GUILD = GuildSettings(1)
TYPED = {
    "5 deals": Series("deals", 5),
    "5 Deals, points added up": Series("deals", 5),
    "to 150 points": Series("target", 150),
    "150 points": Series("target", 150),
    "To 150": Series("target", 150),
    "best of 7": Series("best-of", 7),
    "Best of 7, level by points": Series("best-of", 7, "points"),
    "best of 7 games": Series("best-of", 7),
    "first to 3": Series("first-to", 3),
    "first to win 3 deals": Series("first-to", 3),
    "One deal, a draw is replayed": Series("first-to", 1),
    "draws are replayed": Series("first-to", 1),
    "first to win a deal": Series("first-to", 1),
    "first to 1": Series("first-to", 1),
    "one deal": SINGLE,
    "single": SINGLE,
}


@pytest.mark.parametrize("typed", TYPED)
def test_typed_series_is_read(typed: str) -> None:
    assert read_series_text(typed) == TYPED[typed]
    assert find_series(typed) == TYPED[typed].data()


@pytest.mark.parametrize("series", [*TYPED.values(), *(one for _, one in SERIES.values())], ids=str)
def test_series_in_words_can_be_typed_again(series: Series) -> None:
    assert read_series_text(abbreviate_series(series)) == series
    assert read_series_text(str(series)) == series
    assert read_series_key(series_key(series)) == series


def test_keys_of_usual_series_are_unchanged() -> None:
    assert [series_key(series) for _, series in SERIES.values()] == list(SERIES)


@pytest.mark.parametrize("key", ["", "two", "best", "best-x", "best-4", "deals-0", "deals-99", "best-3-goals", "one-2"])
def test_invalid_key_names_no_series(key: str) -> None:
    assert read_series_key(key) is None


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("forever", "is not a series"),
        ("best of 4", "odd"),
        ("40 deals", "a whole number from 1 to 25"),
    ],
)
def test_invalid_series_is_refused_with_the_reason(typed: str, says: str) -> None:
    with pytest.raises(RefereeError) as refused:
        ChallengeOptions(series=typed).read_wish()
    assert says in describe_error(refused.value)
    assert ChallengeOptions(series=typed).read_nearest_wish().series is None


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("5", ["5 deals", "best of 5", "best of 5, level by points", "to 5 points", "first to win 5 deals"]),
        ("1", ["1 deal", "to 1 point", "to 100 points"]),
        ("150", ["to 150 points"]),
        ("best of 7", ["best of 7", "best of 7, level by points"]),
        ("xyz", []),
        ("4 d", ["4 deals", "first to win 4 deals"]),
    ],
)
def test_typed_series_is_completed(typed: str, rows: list[str]) -> None:
    assert list_series_rows(typed) == rows


def test_empty_text_offers_the_usual_series() -> None:
    assert list_series_rows("") == [
        "one deal",
        "one deal, a draw is replayed",
        "best of 3",
        "best of 5",
        "3 deals",
        "to 100 points",
        "first to win 2 deals",
    ]


def test_a_card_keeps_what_no_menu_lists() -> None:
    wish = Wish(game="classic", series=Series("best-of", 7, "points").data())
    choice = make_selection(wish, [5], None, GUILD)
    assert choice.series == wish.series
    assert "Best of 7, level by points" in read(render_setup(choice, ["Ben"]))
    assert make_setup(choice, 2, GUILD).series == {"mode": "best-of", "games": 7, "level": "points"}


def test_the_terms_tell_how_a_level_one_is_decided() -> None:
    rules = find_game("classic").rules(2)
    assert series_words(Series("best-of", 7, "points"), rules) == "best of 7, level by points"
    assert series_words(Series("best-of", 7), rules) == "best of 7"
