"""Rules that exclude each other: every row of rules.md 5.3 is refused, with its sentence (RULINGS in the code)."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import pytest

from bot.engine import refusals
from bot.engine.auction.auction import Auction
from bot.engine.counted import forms
from bot.engine.match import new_match
from bot.engine.record.record import RecordError, read_record
from bot.engine.refusals import SENTENCES, BadSetup, RuleError
from bot.engine.rules import Rules
from bot.engine.series import read_series
from bot.engine.variants import GAMES, find_game

# --- how each of them comes about ------------------------------------------------------------------------------


def chosen(game: str, seats: int, **options: Any) -> Callable[[], object]:
    """Return a function that builds rules from chosen options."""
    return lambda: find_game(game).rules(seats, options)


def built(game: str, seats: int | None = None, **parameters: Any) -> Callable[[], object]:
    """What a new game could be built of, beyond what anybody can choose today."""

    def build() -> Rules:
        rules = find_game(game).rules(find_game(game).seats[0])
        return replace(rules, seats=seats or rules.seats, **parameters)

    return build


@dataclass(frozen=True)
class Returned(Auction):
    """Ties that give their bids back may be bid again by more than two."""

    returned: ClassVar[bool] = True


OPEN = {"expose": 2, "pickers": 2, "cancel": True}
DRAFT, ROW = {"open": "draft"}, {"open": "row"}

CASES: list[tuple[str, Callable[[], object]]] = [
    ("rebid-seats", built("psych", 3)),
    ("rebid-seats", built("bid", 4)),
    ("rebid-seats", built("classic", 3, ties="rebid")),
    ("open-split", chosen("classic", 2, ties="split", **DRAFT)),
    ("open-split", chosen("classic", 3, ties="split", **ROW)),
    ("open-rebid", built("classic", ties="rebid", **OPEN)),
    ("open-swap", built("classic", swap=True, **OPEN)),
    ("open-blind", chosen("classic", 2, blind=True, **DRAFT)),
    ("open-blind", chosen("classic", 2, blind=True, **ROW)),
    ("swap-seats", built("sops", 3)),
    ("swap-win-only", built("sops", hides_bids=True)),
    ("swap-win-only", chosen("sops", 2, info="win-only")),
    ("swap-rebid", built("sops", ties="rebid")),
    ("swap-rebid", chosen("sops", 2, ties="rebid")),
    ("compare-seats", built("psych", 3, ties="carry")),
    ("compare-cards", built("psych", per_bid=2)),
    *(("order-blind", chosen("classic", 2, blind=True, order=order)) for order in ("ascending", "descending")),
    ("order-blind", chosen("classic", 2, blind=True, order="custom", cards=2, prizes=[1, 2])),
    ("order-blind", chosen("classic", 2, blind=True, order="random-public")),
    *(("clinch", chosen(key, find_game(key).seats[0], clinch=True)) for key in ("parlett", "throps", "pico", "welsh")),
    *(("clinch", built(key, ends_early=True)) for key in ("parlett", "throps")),
    *(
        ("clinch-series", lambda data=data: new_match(find_game("classic"), 2, {"clinch": True}, read_series(data)))
        for data in ({"mode": "best-of", "games": 3}, {"mode": "deals", "deals": 2}, {"mode": "target", "points": 9})
    ),
    ("win-only-open", chosen("classic", 2, info="win-only", **DRAFT)),
    ("win-only-open", chosen("classic", 2, info="win-only", **ROW)),
    ("win-only-pico", chosen("pico", 2, info="win-only")),
    ("win-only-welsh", chosen("welsh", 4, info="win-only")),
    *(("win-only-rebid", chosen(key, find_game(key).seats[0], info="win-only")) for key in ("psych", "bid", "parlett")),
    ("win-only-rebid", built("bid", hides_bids=True)),
    ("win-only-split", chosen("classic", 2, info="win-only", ties="split")),
    ("negative-open", built("vultures", **OPEN)),
    ("negative-open", chosen("vultures", 2, open="draft")),
    ("negative-open", chosen("vultures", 2, open="row")),
    ("margin-seats", chosen("classic", 3, margin=True)),
    ("margin-seats", chosen("classic", 2, margin=True, **DRAFT)),
    ("suits-few", chosen("classic", 4, suits="hearts")),
    ("suits-few", chosen("classic", 2, suits="hearts", cards=14)),
    ("suits-few", chosen("classic", 2, suits="hearts", **ROW)),
    ("negative-clinch", built("vultures", ends_early=True)),
    ("negative-clinch", chosen("vultures", 2, clinch=True)),
    *(("cards-range", chosen(key, 2, cards=cards)) for key in ("classic", "sops") for cards in (-1, 0, 1, 26, 10**9)),
    *(("bid-cards-range", chosen("classic", 2, bid_cards=k)) for k in (-1, 0, 4)),
    ("bid-cards-range", chosen("classic", 2, bid_cards=3, cards=2)),
    *(("row-size", chosen("classic", 2, row_size=size, **ROW)) for size in (-1, 0, 14, 26)),
    ("row-size", chosen("classic", 2, row_size=4, cards=3, **ROW)),
    ("row-winners", built("classic", row=True, **OPEN)),
    *(("open-winners", built("classic", **{**OPEN, "pickers": pickers})) for pickers in (-1, 0, 3)),
    ("order-needed", lambda: find_game("classic").rules(2, {"order": "custom"}).deal(())),
    ("order-wrong", chosen("classic", 2, cards=3, order="custom", prizes=[1, 2])),
    ("order-wrong", chosen("classic", 2, cards=3, order="custom", prizes=[1, 2, 2])),
    ("order-listed", chosen("classic", 2, cards=3, prizes=[1, 2, 3])),
    ("series-unknown", lambda: read_series({"mode": "best"})),
    ("series-odd", lambda: read_series({"mode": "best-of", "games": 4})),
]


def excluding() -> list[str]:
    """The ids of the block that 5.3 fills, as its comment marks it."""
    source = inspect.getsource(refusals)
    block = source.split("# rules that exclude each other", 1)[1].split("\n    # ", 1)[0]
    ids = re.findall(r'^    "([a-z-]+)":', block, re.MULTILINE)
    assert set(ids) <= SENTENCES.keys()
    return ids


@pytest.mark.parametrize(("id", "make"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_excluded_combination_is_refused_with_its_sentence(id: str, make: Callable[[], object]) -> None:
    with pytest.raises(BadSetup) as refused:
        make()
    assert refused.value.id == id
    said = str(refused.value)
    assert any(said.startswith(form.split("{", 1)[0]) for form in forms(SENTENCES[id]))
    assert said.endswith(".")
    assert "{" not in said


@pytest.mark.parametrize("id", excluding())
def test_every_exclusion_has_a_case(id: str) -> None:
    assert id in {case for case, _ in CASES}, f"nothing is refused with {id}"


def test_exclusions_are_found_in_the_source() -> None:
    assert len(excluding()) > 25


# --- seats -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_seats_out_of_range_are_refused(game: Any) -> None:
    fewest, most = game.seats
    for seats in range(fewest, most + 1):
        assert game.rules(seats).seats == seats
    for seats in (-1, 0, 1, fewest - 1, most + 1, 10**9):
        with pytest.raises(BadSetup) as refused:
            game.rules(seats)
        assert refused.value.id == ("fixed-seats" if fewest == most else "wrong-seats")
        assert str(fewest) in str(refused.value)


# --- what is allowed all the same ------------------------------------------------------------------------------


def test_three_seats_may_bid_again_if_bids_are_returned() -> None:
    rules = find_game("parlett").rules(3)
    assert isinstance(rules, Auction)
    assert rules.ties == "rebid"
    assert rules.returned
    hand = (1, 2, 3)
    assert Returned(find_game("classic"), 3, {}, hand=hand, prizes=hand, ties="rebid").seats == 3


def test_first_to_wins_counts_no_points() -> None:
    match = new_match(find_game("classic"), 2, {"clinch": True}, read_series({"mode": "first-to", "wins": 2}))
    assert match.rules.ends_early


# --- through a record ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_excluded_option_is_named_in_the_refusal(game: Any) -> None:
    """The option is not offered by the game, and a record with it gets the reason."""
    offered = {option.key: getattr(option, "values", ()) for option in game.options}
    for option, value, id in game.excludes:
        assert value not in offered.get(option, ())
        record = {"game": game.key, "seats": game.seats[0], "options": {option: value}, "deals": []}
        with pytest.raises(RecordError, match=rf"^options: {option}: ") as refused:
            read_record(record)
        assert isinstance(refused.value.refusal, RuleError)
        assert refused.value.refusal.id == id
