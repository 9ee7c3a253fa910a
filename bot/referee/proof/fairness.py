"""Version 1 of the proof, which matches keep that began under it. Every byte is fixed in docs/fairness.md.

The way of shuffling is that of version 2 as well.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from typing import Any

from bot.engine.cards import Card

NONCE_BYTES = 32
SALT_BYTES = 16


def nonce_seal(nonce: bytes) -> str:
    """What is shown before anybody accepts: 64 hex digits."""
    return hashlib.sha256(nonce).hexdigest()


def shuffled(nonce: bytes, match: str, deal: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    """The pack of one deal, shuffled by nothing but the nonce, the match and the deal's number (from 0)."""
    return shuffled_by(nonce, f"gops deal 1|{match}|{deal}", pack)


def shuffled_by(nonce: bytes, label: str, pack: Sequence[Card]) -> tuple[Card, ...]:
    """A pack, shuffled by nothing but the nonce and what it is for."""
    numbers = _numbers(nonce, label)
    cards = list(pack)
    for last in range(len(cards) - 1, 0, -1):  # Fisher-Yates, from the end
        other = _below(last + 1, numbers)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def _numbers(nonce: bytes, label: str) -> Iterator[int]:
    """32-bit numbers, big-endian, eight from each HMAC-SHA256(nonce, "label|counter")."""
    counter = 0
    while True:
        block = hmac.digest(nonce, f"{label}|{counter}".encode(), "sha256")
        for start in range(0, len(block), 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A number from 0 to bound - 1, every one equally likely: what would favour some is thrown away."""
    limit = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < limit) % bound


def house_key(nonce: bytes, match: str, deal: int, round: int, sub: int, seat: int) -> bytes:
    """From which a house seat draws at one prompt, and at no other: HMAC-SHA256(nonce, "gops house 1|...")."""
    return hmac.digest(nonce, f"gops house 1|{match}|{deal}|{round}|{sub}|{seat}".encode(), "sha256")


def seal_digest(salt: bytes, match: str, deal: int, round: int, sub: int, seat: int, choice: Any) -> bytes:
    """SHA-256 over the salt and the canonical JSON of what was sealed. Deal, round and sub-round count from 0."""
    sealed = json.dumps([match, deal, round, sub, seat, choice], separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(salt + sealed.encode()).digest()


def joint_digest(digests: Sequence[bytes]) -> str:
    """One digest over several seals in seat order, for tables of more than four seats."""
    return hashlib.sha256(b"".join(digests)).hexdigest()
