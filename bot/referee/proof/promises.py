"""The proof of one stored match."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from bot.engine.cards import Card, Seat
from bot.referee.model.model import HOUSE, Seal, Seated, Setup, Snowflake, StoredMatch
from bot.referee.proof import version2 as v2
from bot.referee.proof.version2 import RoundPlace

ANYBODY = "anybody"
"""The player of a daily deal in its agreement, which names nobody."""

_DAILY = re.compile(r"D([0-9]{4})([0-9]{2})([0-9]{2})-[1-9][0-9]{0,19}\Z", re.ASCII)

opening = lru_cache(maxsize=4096)(v2.opening)


def agreement(
    id: str, nonce: bytes, setup: Setup, seats: Sequence[Seated], levels: Sequence[str], message: int
) -> bytes:
    """Return the agreement of a match that begins; `levels` are those of the house seats, in order."""
    house = iter(levels)
    players = [f"house:{next(house)}" if seated.user == HOUSE else str(seated.user) for seated in seats]
    opened = v2.opening(id, nonce)
    return v2.agreement(
        id, setup.game, setup.options, setup.series, setup.clock, setup.rated, players, opened, str(message)
    )


def name_of(stored: StoredMatch) -> str:
    """Return the name of a match in its proof: its code, or the day and server of a daily deal."""
    return _name(stored.agreement) or stored.id


@lru_cache(maxsize=4096)
def _name(agreement: bytes) -> str:
    return str(json.loads(agreement).get("match", "")) if agreement else ""


def opening_of(stored: StoredMatch) -> str:
    """Return the opening of a match, which was shown before it was accepted."""
    return opening(name_of(stored), stored.nonce)


def day_of(stored: StoredMatch) -> date | None:
    """Return the day of the daily deal of this match; None for any other match."""
    return read_day(name_of(stored))


def is_nonce_withheld(stored: StoredMatch, now: datetime) -> bool:
    """Return True if the match is over, but others may still play the same deal."""
    day = day_of(stored)
    return day is not None and now.date() <= day


def message_of(stored: StoredMatch) -> str:
    """Return the message that shows the opening; "" if the agreement was erased."""
    return str(json.loads(stored.agreement).get("message", ""))


def shuffle_pack(stored: StoredMatch, number: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    """Return the pack of one deal, shuffled by the nonce."""
    return v2.shuffle_deal(stored.nonce, opening_of(stored), message_of(stored), number, pack)


def salt_of(stored: StoredMatch, place: RoundPlace, seat: Seat, n: int) -> bytes:
    """Return the salt of a seal, which follows from the nonce."""
    return v2.salt(stored.nonce, v2.agreement_hash(stored.agreement), place, seat, n)


def seal(stored: StoredMatch, salt: bytes, place: RoundPlace, seat: Seat, choice: Any) -> bytes:
    """Return the digest of a choice under a salt."""
    return v2.seal_digest(salt, name_of(stored), place, seat, choice)


def is_seal_intact(stored: StoredMatch, place: RoundPlace, one: Seal) -> bool:
    """Return True if the stored choice and salt still match the seal."""
    if one.salt != salt_of(stored, place, one.seat, one.n):
        return False
    try:
        return seal(stored, one.salt, place, one.seat, one.choice) == one.digest
    except ValueError:
        return False  # nothing that can be sealed


def house_key(stored: StoredMatch, place: RoundPlace, seat: Seat) -> bytes:
    """Return the seed of a house seat's draws at one prompt."""
    return v2.house_key(stored.nonce, v2.agreement_hash(stored.agreement), place, seat)


# --- daily deals -------------------------------------------------------------------------------------------


def daily_name(day: date, guild: Snowflake) -> str:
    """Return the name of a daily deal in its agreement. Match codes have no dash."""
    return f"D{day:%Y%m%d}-{guild}"


@lru_cache(maxsize=4096)
def read_day(match: str) -> date | None:
    """Return the day of the daily deal with this name; None for any other match."""
    found = _DAILY.match(match)
    if found is None:
        return None
    try:
        return date(*map(int, found.groups()))
    except ValueError:
        return None


def daily_agreement(day: date, guild: Snowflake, nonce: bytes, setup: Setup, level: str) -> bytes:
    """Return the agreement that all tries of one server on one day share."""
    id = daily_name(day, guild)
    players = [ANYBODY, f"house:{level}"]
    opened = v2.opening(id, nonce)
    return v2.agreement(id, setup.game, setup.options, setup.series, 0, False, players, opened, v2.NO_MESSAGE)
