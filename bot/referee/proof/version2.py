"""Version 2 of the proof, every byte as docs/fairness.md fixes it: after the nonce the referee chooses nothing."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, cast

from bot.engine.cards import Card, Seat
from bot.engine.record.record import RecordError
from bot.engine.refusals import Unreadable
from bot.referee.proof.canonical import Twice, Uncanonical, canonical, is_same

VERSION = 2
NONCE_BYTES = 32
SALT_BYTES = 16

MOST_SEALS = 16
"""so many seals of one seat at one prompt: the first, and fifteen changes"""

DIGITS = 16
"""of the opening and of a record's seal stand on a screen"""

NO_MESSAGE = "0"
"""the message of a match that was posted for nobody: every other seat is the house's"""

COVERED = ("schema", "game", "options", "seats", "series", "deals", "ending", "left")
"""what a record's seal covers beside its proof"""

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
    """What is shown before anybody accepts: 64 hex digits that bind the match and the nonce."""
    return hashlib.sha256(f"gops open 2|{match}|{nonce.hex()}".encode()).hexdigest()


def shuffle_deal(nonce: bytes, opened: str, message: str, deal: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The pack of one deal, shuffled by the nonce, the opening, the message that shows it, and its number alone."""
    return shuffle(nonce, f"gops deal 2|{opened}|{message}|{deal}", pack)


def shuffle(nonce: bytes, label: str, pack: Sequence[Card]) -> tuple[Card, ...]:
    """A pack, shuffled by nothing but the nonce and what it is for."""
    numbers = _random_numbers(nonce, label)
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):  # Fisher-Yates, from the end
        other = _random_below(last + 1, numbers)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def _random_numbers(nonce: bytes, label: str) -> Iterator[int]:
    """32-bit numbers, big-endian, eight from each HMAC-SHA256(nonce, "label|counter")."""
    counter = 0
    while True:
        block = hmac.digest(nonce, f"{label}|{counter}".encode(), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _random_below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 to bound - 1, every one equally likely: what would favour some is thrown away."""
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
    """What everybody agreed to, as the bytes that are kept and hashed; all of it is known when the match begins."""
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
    """The hash of an agreement, from which every salt and every chance of the house comes."""
    return hashlib.sha256(agreement).hexdigest()


def salt(nonce: bytes, agreed: str, place: RoundPlace, seat: Seat, n: int) -> bytes:
    """The salt of this seat's seal number `n` (from 0) at this prompt; nobody chooses it."""
    deal, round, sub = place
    label = f"gops salt 2|{agreed}|{deal}|{round}|{sub}|{seat}|{n}"
    return hmac.digest(nonce, label.encode(), "sha256")[:SALT_BYTES]


def seal_digest(salt: bytes, match: str, place: RoundPlace, seat: Seat, choice: Any) -> bytes:
    """SHA-256 over the salt and the canonical JSON of what was sealed, and where."""
    return hashlib.sha256(salt + canonical([match, *place, seat, choice])).digest()


def house_key(nonce: bytes, agreed: str, place: RoundPlace, seat: Seat) -> bytes:
    """From which a house seat draws at one prompt, and at no other."""
    deal, round, sub = place
    return hmac.digest(nonce, f"gops house 2|{agreed}|{deal}|{round}|{sub}|{seat}".encode(), "sha256")


def record_seal(record: Mapping[str, Any]) -> str:
    """The hash of everything in a record that the proof covers. Raises `Uncanonical`."""
    if isinstance(record, Twice) or isinstance(record["fairness"], Twice):
        raise Uncanonical("a key that stands twice")
    covered = {key: record[key] for key in COVERED if key in record}
    fairness: Mapping[str, Any] = record["fairness"]
    covered["fairness"] = {key: value for key, value in fairness.items() if key != "record"}
    return hashlib.sha256(canonical(covered)).hexdigest()


def group_digits(digits: str) -> str:
    """Hex digits for people: 9c1f 2e7a 05b3 d846."""
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))
