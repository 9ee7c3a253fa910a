"""The game record: one JSON document that contains everything a replay needs (docs/record.md has the contract)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from bot.engine.cards import Card, Seat
from bot.engine.choices import Bid, Choice
from bot.engine.match import BY_WORD, Match, Termination, new_match
from bot.engine.refusals import RuleError, Unreadable, printable
from bot.engine.rules import Rules
from bot.engine.series import read_series
from bot.engine.state import Cards, Deal
from bot.engine.variants import find_game

SCHEMA = 1


class RecordError(Exception):
    """A record was refused: where, and why."""

    def __init__(self, place: str, refusal: RuleError) -> None:
        super().__init__(place)
        self.place = place
        self.refusal = refusal

    def __str__(self) -> str:
        sentence = str(self.refusal).removesuffix(".")
        return f"{self.place}: {sentence}" if self.place else sentence


@dataclass(frozen=True, slots=True)
class Decision:
    """Who chose what; `forced` when the referee chose for them. The choice is read against the rules."""

    seat: Seat
    value: object
    forced: bool = False

    def data(self) -> list[object]:
        return [self.seat, self.value, "forced"] if self.forced else [self.seat, self.value]


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal: its starting zones, which of them were written out, and the decisions in order."""

    deal: Deal
    given: frozenset[str]
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The early end of a match, or a seat that left."""

    kind: Termination
    seat: Seat | None
    deal: int
    after: int

    def data(self) -> dict[str, object]:
        data: dict[str, object] = {"kind": self.kind.word}
        if self.seat is not None:
            data["seat"] = self.seat
        return {**data, "deal": self.deal, "after": self.after}


@dataclass(frozen=True, slots=True)
class Record:
    """A whole match as data."""

    start: Match
    """game, options, seats and series, before the first deal"""
    deals: tuple[DealRecord, ...]
    ending: Ending | None = None
    left: tuple[Ending, ...] = ()
    """Seats that left a match of three or more while the others continued (RULING C5)."""
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """other keys, such as fairness, players and times: kept unchanged"""

    def data(self) -> dict[str, Any]:
        """Return the record as JSON."""
        rules = self.start.rules
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "game": rules.game.key,
            "options": options_data(rules),
            "seats": rules.seats,
            "deals": [_deal_data(deal) for deal in self.deals],
            "series": self.start.series.data(),
        }
        if self.ending is not None:
            data["ending"] = self.ending.data()
        if self.left:
            data["left"] = [ending.data() for ending in self.left]
        return {**data, **self.extra}


EXTRA = ("fairness", "players", "times")


def options_data(rules: Rules) -> dict[str, Any]:
    """Return the options that differ from the game's defaults, as JSON."""
    defaults = {option.key: option.default for option in rules.game.options}
    return {
        key: list(cast("Cards", value)) if isinstance(value, tuple) else value
        for key, value in rules.options.items()
        if value != defaults[key]
    }


def choice_data(choice: Choice) -> object:
    """Return a choice as the record writes it."""
    if isinstance(choice, Bid):
        return choice.cards[0] if len(choice.cards) == 1 else list(choice.cards)
    return {"pick": choice.prize}


def _deal_data(record: DealRecord) -> dict[str, Any]:
    deal = record.deal
    data: dict[str, Any] = {}
    if deal.stock:
        data["stock"] = list(deal.stock)
    data["hands"] = [list(hand) for hand in deal.hands]
    data["out"] = list(deal.out)
    if deal.partial:
        data["partial"] = True
    data["decisions"] = [decision.data() for decision in record.decisions]
    return data


# --- reading -----------------------------------------------------------------------------------------------


def read_record(data: object) -> Record:
    """Read a record from parsed JSON. Raise `RecordError` with the place that is wrong."""
    record = _require_object(data, "the record")
    schema = record.get("schema", SCHEMA)
    if not _is_int(schema) or schema < 1:
        raise _shape_error("schema", "it must be a whole number")
    if schema > SCHEMA:
        raise _shape_error("schema", f"that record has schema {shorten_value(schema)}; I read up to {SCHEMA}")
    for key in ("game", "seats", "deals"):
        if key not in record:
            raise _shape_error(key, "it is missing")
    start = _read_start(record)
    deals = _require_list(record["deals"], "deals")
    read = tuple(_read_deal(deal, start.rules, f"deal {number}") for number, deal in enumerate(deals))
    ending = record.get("ending")
    left = _require_list(record.get("left", []), "left")
    return Record(
        start,
        read,
        None if ending is None else _read_ending(ending, start.rules, "ending"),
        tuple(_read_ending(item, start.rules, f"left {place}") for place, item in enumerate(left)),
        {key: record[key] for key in EXTRA if key in record},
    )


def _read_start(record: Mapping[str, Any]) -> Match:
    key, seats = record["game"], record["seats"]
    if not isinstance(key, str):
        raise _shape_error("game", "it must be a name in quotes")
    if not _is_int(seats):
        raise _shape_error("seats", "it must be a whole number")
    options = _require_object(record.get("options", {}), "options")
    place = "game"
    try:
        game = find_game(key)
        place = "series"
        series = read_series(record["series"]) if record.get("series") is not None else None
        place = "options"
        return new_match(game, seats, options, series)
    except RuleError as refusal:
        option = refusal.data.get("option")
        place = "seats" if refusal.id in ("wrong-seats", "fixed-seats") else place
        place = f"{place}: {option}" if place == "options" and option else place
        raise RecordError(place, refusal) from refusal


def _read_deal(data: object, rules: Rules, place: str) -> DealRecord:
    deal = _require_object(data, place)
    zones = {"stock": (), "hands": (), "out": ()}
    given = frozenset(key for key in zones if deal.get(key) is not None)
    stock = _read_cards(deal.get("stock") or [], rules, f"{place}: stock")
    hands = tuple(
        _read_cards(hand, rules, f"{place}: hand of seat {seat}")
        for seat, hand in enumerate(_require_list(deal.get("hands") or [], f"{place}: hands"))
    )
    out = _read_cards(deal.get("out") or [], rules, f"{place}: out")
    partial = deal.get("partial", False)
    if not isinstance(partial, bool):
        raise _shape_error(f"{place}: partial", "it must be true or false")
    if "decisions" not in deal:
        raise _shape_error(f"{place}: decisions", "they are missing")
    decisions = _require_list(deal["decisions"], f"{place}: decisions")
    return DealRecord(
        Deal(stock, hands, out, partial),
        given,
        tuple(_read_decision(item, f"{place}, decision {number}") for number, item in enumerate(decisions)),
    )


def _read_decision(data: object, place: str) -> Decision:
    parts = _require_list(data, place)
    if len(parts) not in (2, 3):
        raise _shape_error(place, "it must be [seat, card]")
    if not _is_int(parts[0]):
        raise _shape_error(place, "the seat must be a whole number")
    if len(parts) == 3 and parts[2] != "forced":
        raise _shape_error(place, 'the third part can only be "forced"')
    return Decision(parts[0], parts[1], len(parts) == 3)


def _read_ending(data: object, rules: Rules, place: str) -> Ending:
    ending = _require_object(data, place)
    kind, seat = ending.get("kind"), ending.get("seat")
    if not isinstance(kind, str) or kind not in BY_WORD or BY_WORD[kind] is Termination.COMPLETED:
        words = ", ".join(word for word in BY_WORD if word != Termination.COMPLETED.word)
        raise _shape_error(place, f"{shorten_value(kind)} is no kind of ending; there are {words}")
    leaves = BY_WORD[kind] in (Termination.RESIGNED, Termination.TIMED_OUT)
    if seat is not None and (not _is_int(seat) or not 0 <= seat < rules.seats):
        raise _shape_error(place, f"the seat must be one of 0 to {rules.seats - 1}")
    if leaves and seat is None:
        raise _shape_error(place, "it must name the seat")
    numbers = [ending.get("deal", 0), ending.get("after", 0)]
    if not all(_is_int(number) and number >= 0 for number in numbers):
        raise _shape_error(place, "deal and after must be whole numbers")
    return Ending(BY_WORD[kind], seat, numbers[0], numbers[1])


def _read_cards(data: object, rules: Rules, place: str) -> Cards:
    cards: list[Card] = []
    for value in _require_list(data, place):
        card = rules.read_card(value)
        if card is None:
            raise _shape_error(place, f"{shorten_value(value)} is not a card of this game")
        cards.append(card)
    return tuple(cards)


def shorten_value(value: object) -> str:
    """Return a value shortened for a one-line message."""
    text = str(printable(value)) if isinstance(value, int) else repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _require_object(value: object, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _shape_error(place, "it must be an object in braces")
    return cast("Mapping[str, Any]", value)


def _require_list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise _shape_error(place, "it must be a list in brackets")
    return cast("list[Any]", value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shape_error(place: str, what: str) -> RecordError:
    return RecordError(place, Unreadable("deal-shape", what=what))
