"""Version 2 of the proof, as docs/fairness.md fixes every byte: after the nonce the referee chooses nothing."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from bot.engine.cards import Card, Seat
from bot.engine.record.record import RecordError
from bot.engine.refusals import Unreadable

# --- canonical JSON: every value has one form, so that a hash binds it -----------------------------------------

LIMIT = 2**53
"""Whole numbers stay below it, either side of zero: every JSON reader knows those exactly."""


class Uncanonical(ValueError):
    """A value that the proof cannot cover; the text says which."""


class Odd:
    """A parsed number that is not a plain whole number: 1.0, 1e2, -0, NaN, too large."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text[:20]


class Twice(dict[str, Any]):
    """A parsed object with a repeated key."""


def canonical(value: object) -> bytes:
    """Return the canonical JSON of a value: no blanks, ASCII, sorted keys."""
    _check(value, 0)
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


def is_same(one: object, other: object) -> bool:
    """Return True if two values have the same canonical form; true is not 1."""
    try:
        return canonical(one) == canonical(other)
    except Uncanonical:
        return False


def _check(value: object, depth: int) -> None:
    if depth > 20:
        raise Uncanonical("something nested too deeply")
    if isinstance(value, str):
        if not all(" " <= letter <= "~" for letter in value):
            raise Uncanonical("a character that is not printable ASCII")
    elif isinstance(value, Twice):
        raise Uncanonical("a key that stands twice")
    elif isinstance(value, Mapping):
        for key, one in cast("Mapping[object, object]", value).items():
            if not isinstance(key, str):
                raise Uncanonical("a key that is no text")
            _check(key, depth)
            _check(one, depth + 1)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[object]", value):
            _check(one, depth + 1)
    elif isinstance(value, int):  # true and false are ints, and fine
        if not -LIMIT < value < LIMIT:
            raise Uncanonical("a number of more than 53 bits")
    elif value is not None:
        raise Uncanonical("a number that is not a plain whole one")


def parse(text: str) -> object:
    """Parse JSON, keeping values that the proof cannot cover, so that they are refused only where they matter.

    Raise ValueError for invalid JSON.
    """
    return json.loads(text, parse_float=Odd, parse_constant=Odd, parse_int=_read_whole, object_pairs_hook=_read_object)


def _read_whole(text: str) -> int | Odd:
    return Odd(text) if text == "-0" or len(text) > 20 else int(text)


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Twice(found)


# --- the proof -------------------------------------------------------------------------------------------------

VERSION = 2
NONCE_BYTES = 32
SALT_BYTES = 16

MOST_SEALS = 16
"""Seals of one seat at one prompt: the first, and fifteen changes."""

DIGITS = 16
"""Digits of the opening and of a record's seal that a screen shows."""

NO_MESSAGE = "0"
"""Message of a match without a challenge: all other seats are the house's."""

COVERED = ("schema", "game", "options", "seats", "series", "deals", "ending", "left")
"""Parts of a record that its seal covers, besides the proof."""

RoundPlace: TypeAlias = tuple[int, int, int]
"""deal, round and sub-round, all counted from 0"""


def refuse_version_1(record: Mapping[str, Any]) -> None:
    """Raise `RecordError` for a record of version 1 of the proof, which no released bot wrote."""
    proof: object = record.get("fairness")
    if not isinstance(proof, Mapping):
        return
    version: object = cast("Mapping[str, Any]", proof).get("version", 1 if "nonce_seal" in proof else None)
    if is_same(version, 1):
        raise RecordError("fairness", Unreadable("deal-shape", what="version 1 of the proof is not supported"))


def opening(match: str, nonce: bytes) -> str:
    """Return the opening: 64 hex digits that bind match and nonce, shown before the challenge is accepted."""
    return hashlib.sha256(f"gops open 2|{match}|{nonce.hex()}".encode()).hexdigest()


def shuffle_deal(nonce: bytes, opened: str, message: str, deal: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return the pack of one deal, shuffled by nonce, opening, message and deal number."""
    return shuffle(nonce, f"gops deal 2|{opened}|{message}|{deal}", pack)


def shuffle(nonce: bytes, label: str, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return a pack shuffled by the nonce and a label."""
    numbers = _random_numbers(nonce, label)
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):  # Fisher-Yates, from the end
        other = _random_below(last + 1, numbers)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def _random_numbers(nonce: bytes, label: str) -> Iterator[int]:
    """Yield 32-bit numbers, big-endian, eight from each HMAC-SHA256(nonce, "label|counter")."""
    counter = 0
    while True:
        block = hmac.digest(nonce, f"{label}|{counter}".encode(), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _random_below(bound: int, numbers: Iterator[int]) -> int:
    """Return an unbiased number from 0 to bound - 1."""
    limit = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < limit) % bound


def agreement(
    match: str,
    game: str,
    options: Mapping[str, Any],
    series: Mapping[str, Any],
    clock: int,
    rated: bool,
    players: Sequence[str],
    opened: str,
    message: str,
) -> bytes:
    """Return the agreement in canonical form. All of it is known when the match begins."""
    return canonical(
        {
            "v": VERSION,
            "match": match,
            "game": game,
            "options": options,
            "series": series,
            "seats": len(players),
            "clock": clock,
            "rated": rated,
            "players": list(players),
            "opening": opened,
            "message": message,
        }
    )


def agreement_hash(agreement: bytes) -> str:
    """Return the hash of an agreement, from which all salts and house draws derive."""
    return hashlib.sha256(agreement).hexdigest()


def salt(nonce: bytes, agreed: str, place: RoundPlace, seat: Seat, n: int) -> bytes:
    """Return the salt of this seat's seal number `n` (from 0) at this prompt."""
    deal, round, sub = place
    label = f"gops salt 2|{agreed}|{deal}|{round}|{sub}|{seat}|{n}"
    return hmac.digest(nonce, label.encode(), "sha256")[:SALT_BYTES]


def seal_digest(salt: bytes, match: str, place: RoundPlace, seat: Seat, choice: Any) -> bytes:
    """Return SHA-256 over the salt and the canonical JSON of place and choice."""
    return hashlib.sha256(salt + canonical([match, *place, seat, choice])).digest()


def house_key(nonce: bytes, agreed: str, place: RoundPlace, seat: Seat) -> bytes:
    """Return the seed of a house seat's draws at one prompt."""
    deal, round, sub = place
    return hmac.digest(nonce, f"gops house 2|{agreed}|{deal}|{round}|{sub}|{seat}".encode(), "sha256")


def record_seal(record: Mapping[str, Any]) -> str:
    """Return the hash of all covered parts of a record. Raise `Uncanonical`."""
    if isinstance(record, Twice) or isinstance(record["fairness"], Twice):
        raise Uncanonical("a key that stands twice")
    covered = {key: record[key] for key in COVERED if key in record}
    fairness: Mapping[str, Any] = record["fairness"]
    covered["fairness"] = {key: value for key, value in fairness.items() if key != "record"}
    return hashlib.sha256(canonical(covered)).hexdigest()


def group_digits(digits: str) -> str:
    """Format hex digits for people: 9c1f 2e7a 05b3 d846."""
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
