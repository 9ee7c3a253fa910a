"""Strict reading of a version 2 proof."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard, cast

from bot.engine.cards import Seat
from bot.referee.proof import version2 as v2
from bot.referee.proof.promises import ANYBODY, read_day
from bot.referee.proof.version2 import Uncanonical, canonical, is_same

SealPlace: TypeAlias = tuple[int, int, int, int]
"""deal, round, sub-round and seat, all counted from 0"""

KEYS = {"version", "nonce", "opening", "agreement", "seals", "record"}
AGREED = {
    "v", "match", "game", "options", "series", "seats", "clock", "rated", "players", "opening", "message",
}  # fmt: skip
"""the keys of an agreement"""

_HEX = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)
_NUMBER = re.compile(r"[1-9][0-9]{0,19}\Z", re.ASCII)
_HOUSE = re.compile(r"house:[a-z]{1,20}\Z", re.ASCII)
_MATCH = re.compile(r"[0-9A-Z]{1,13}\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Proof:
    """The claims of a record; none of them is trusted yet."""

    nonce: bytes
    """empty where it is withheld: of a daily deal, until its day is over"""
    opening: str
    agreement: Mapping[str, Any]
    """empty where it was erased"""
    agreed: str
    """the agreement's hash"""
    seals: Mapping[SealPlace, tuple[int, str]]
    """number and digest, by place"""
    lapses: Mapping[SealPlace, str]
    record: str

    @property
    def erased(self) -> bool:
        return not self.agreement

    @property
    def withheld(self) -> bool:
        return not self.nonce

    @property
    def house(self) -> dict[Seat, str]:
        """The seats of the house, and the level of each."""
        players: list[str] = self.agreement.get("players", [])
        return {
            seat: player.removeprefix("house:") for seat, player in enumerate(players) if player.startswith("house:")
        }


def read_proof(fairness: Mapping[str, Any]) -> Proof:
    """Read a proof. Raise ValueError if it is not in the form of version 2."""
    keys = set(fairness) - {"lapses"}
    withheld = "nonce" not in keys and _is_daily(fairness.get("agreement"))
    if keys != (KEYS - {"nonce"} if withheld else KEYS):
        odd = sorted(keys ^ KEYS)[0]
        raise ValueError(f"{_quote(odd)} is {'missing' if odd in KEYS else 'nothing that belongs there'}")
    for key in sorted(keys & {"nonce", "opening", "record"}):
        if not _is_hex(fairness[key]):
            raise ValueError(f"{key} is not 64 hex digits")
    given: object = fairness["agreement"]
    if not isinstance(given, dict):
        raise ValueError("the agreement is no object")
    agreement = cast("dict[str, Any]", given)
    if set(agreement) == {"hash"}:
        if not _is_hex(agreement["hash"]):
            raise ValueError("the agreement's hash is not 64 hex digits")
        agreed, agreement = str(agreement["hash"]), {}
    else:
        _check_agreement(agreement)
        agreed = v2.agreement_hash(canonical(agreement))
    return Proof(
        b"" if withheld else bytes.fromhex(fairness["nonce"]),
        fairness["opening"],
        agreement,
        agreed,
        _read_seals(fairness["seals"]),
        _read_lapses(fairness["lapses"]) if "lapses" in fairness else {},
        fairness["record"],
    )


def _check_agreement(agreement: Mapping[str, Any]) -> None:
    if set(agreement) != AGREED:
        odd = sorted(set(agreement) ^ AGREED)[0]
        wrong = "missing" if odd in AGREED else "nothing that belongs there"
        raise ValueError(f"{_quote(odd)} of the agreement is {wrong}")
    try:
        canonical(agreement)
    except Uncanonical as error:
        raise ValueError(f"the agreement holds {error}") from error
    if not is_same(agreement["v"], v2.VERSION):
        raise ValueError("the agreement is of another version")
    match, message, clock = agreement["match"], agreement["message"], agreement["clock"]
    daily = _is_daily(agreement)
    if not isinstance(match, str) or not (daily or _MATCH.match(match)):
        raise ValueError("the agreement names no match")
    if not _is_hex(agreement["opening"]):
        raise ValueError("the agreement has no opening")
    if not isinstance(message, str) or not (message == v2.NO_MESSAGE or _NUMBER.match(message)):
        raise ValueError("the agreement names no message")
    if not _is_count(clock) or not isinstance(agreement["rated"], bool):
        raise ValueError("clock or rated of the agreement is not what it should be")
    given: object = agreement["players"]
    if not isinstance(given, list):
        raise ValueError("the agreement has no list of players")
    players = cast("list[object]", given)
    people = [player for player in players if not (isinstance(player, str) and player.startswith("house:"))]
    for player in players:
        person = isinstance(player, str) and (player == ANYBODY if daily else _NUMBER.match(player))
        house = isinstance(player, str) and _HOUSE.match(player)
        if not (person or house):
            raise ValueError("the agreement names a player who is neither a user id nor a level of the house")
    if len(set(map(str, people))) < len(people):
        raise ValueError("the agreement gives one person two seats")
    if daily and message != v2.NO_MESSAGE:
        raise ValueError("the agreement of a day names a message")
    if message == v2.NO_MESSAGE and len(people) > 1:
        raise ValueError("the agreement names no message, though it is not only the house's seats that are against one")


def _is_daily(agreement: object) -> bool:
    """Return True for an agreement of a day and a server."""
    if not isinstance(agreement, dict):
        return False
    match: object = cast("dict[str, object]", agreement).get("match")
    return isinstance(match, str) and read_day(match) is not None


def _read_seals(given: object) -> dict[SealPlace, tuple[int, str]]:
    if not isinstance(given, list):
        raise ValueError("the seals are no list")
    found: dict[SealPlace, tuple[int, str]] = {}
    last: SealPlace | None = None
    for number, one in enumerate(cast("list[object]", given), 1):
        if not isinstance(one, list) or len(cast("list[object]", one)) != 6:
            raise ValueError(f"seal {number} is not [deal, round, sub, seat, n, digest]")
        *numbers, digest = cast("list[object]", one)
        if not all(map(_is_count, numbers)) or not _is_hex(digest):
            raise ValueError(f"seal {number} is not [deal, round, sub, seat, n, digest]")
        deal, round, sub, seat, n = cast("list[int]", numbers)
        place = (deal, round, sub, seat)
        if n >= v2.MOST_SEALS:
            raise ValueError(
                f"seal {number} would be the seat's {n + 1}th of that prompt, and there are {v2.MOST_SEALS}"
            )
        if last is not None and place <= last:
            raise ValueError(f"seal {number} does not stand in the order of places, or is there twice")
        last = place
        found[place] = (n, str(digest))
    return found


def _read_lapses(given: object) -> dict[SealPlace, str]:
    if not isinstance(given, list) or not given:
        raise ValueError("the lapses are no list of any")
    found: dict[SealPlace, str] = {}
    for one in cast("list[object]", given):
        parts = cast("list[object]", one) if isinstance(one, list) else []
        if len(parts) != 5 or not all(map(_is_count, parts[:4])) or parts[4] != "sly":
            raise ValueError("a lapse is not [deal, round, sub, seat, level]")
        deal, round, sub, seat = cast("list[int]", parts[:4])
        if (deal, round, sub, seat) in found:
            raise ValueError("a lapse is there twice")
        found[deal, round, sub, seat] = str(parts[4])
    return found


def _is_hex(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(_HEX.match(value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _quote(key: str) -> str:
    return "".join(letter if " " <= letter <= "~" else "?" for letter in key[:40]) or "an empty key"
