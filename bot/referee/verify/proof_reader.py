"""Strict reading of a version 2 proof."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

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
    _require(keys == (KEYS - {"nonce"} if withheld else KEYS), _name_odd(keys, KEYS))
    for key in sorted(keys & {"nonce", "opening", "record"}):
        _require(_is_hex(fairness[key]), f"{key} is not 64 hex digits")
    given: object = fairness["agreement"]
    _require(isinstance(given, dict), "the agreement is no object")
    agreement = cast("dict[str, Any]", given)
    if set(agreement) == {"hash"}:
        _require(_is_hex(agreement["hash"]), "the agreement's hash is not 64 hex digits")
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


def _require(holds: object, otherwise: str) -> None:
    """Raise ValueError with this text unless it holds."""
    if not holds:
        raise ValueError(otherwise)


def _name_odd(found: Set[str], known: Set[str], of: str = "") -> str:
    """Say which key is missing, or does not belong there."""
    odd = min(found ^ known, default="")
    return f"{_quote(odd)}{of} is {'missing' if odd in known else 'nothing that belongs there'}"


def _check_agreement(agreement: Mapping[str, Any]) -> None:
    _require(set(agreement) == AGREED, _name_odd(set(agreement), AGREED, " of the agreement"))
    try:
        canonical(agreement)
    except Uncanonical as error:
        raise ValueError(f"the agreement holds {error}") from error
    _require(is_same(agreement["v"], v2.VERSION), "the agreement is of another version")
    match, message = agreement["match"], agreement["message"]
    daily, alone = _is_daily(agreement), message == v2.NO_MESSAGE
    _require(daily or _fits(_MATCH, match), "the agreement names no match")
    _require(_is_hex(agreement["opening"]), "the agreement has no opening")
    _require(alone or _fits(_NUMBER, message), "the agreement names no message")
    timed = _is_count(agreement["clock"]) and isinstance(agreement["rated"], bool)
    _require(timed, "clock or rated of the agreement is not what it should be")
    given: object = agreement["players"]
    _require(isinstance(given, list), "the agreement has no list of players")
    players = cast("list[object]", given)
    people = [player for player in players if not (isinstance(player, str) and player.startswith("house:"))]
    for player in players:
        known = (player == ANYBODY if daily else _fits(_NUMBER, player)) or _fits(_HOUSE, player)
        _require(known, "the agreement names a player who is neither a user id nor a level of the house")
    _require(len(set(map(str, people))) == len(people), "the agreement gives one person two seats")
    _require(alone or not daily, "the agreement of a day names a message")
    against = "the agreement names no message, though it is not only the house's seats that are against one"
    _require(not alone or len(people) <= 1, against)


def _is_daily(agreement: object) -> bool:
    """Return True for an agreement of a day and a server."""
    if not isinstance(agreement, dict):
        return False
    match: object = cast("dict[str, object]", agreement).get("match")
    return isinstance(match, str) and read_day(match) is not None


def _read_seals(given: object) -> dict[SealPlace, tuple[int, str]]:
    _require(isinstance(given, list), "the seals are no list")
    found: dict[SealPlace, tuple[int, str]] = {}
    last: SealPlace | None = None
    for number, one in enumerate(cast("list[object]", given), 1):
        *numbers, digest = cast("list[object]", one) if isinstance(one, list) and one else [None]
        is_whole = len(numbers) == 5 and all(map(_is_count, numbers)) and _is_hex(digest)
        _require(is_whole, f"seal {number} is not [deal, round, sub, seat, n, digest]")
        deal, round, sub, seat, n = cast("list[int]", numbers)
        place, most = (deal, round, sub, seat), v2.MOST_SEALS
        _require(n < most, f"seal {number} would be the seat's {n + 1}th of that prompt, and there are {most}")
        in_order = last is None or place > last
        _require(in_order, f"seal {number} does not stand in the order of places, or is there twice")
        last = place
        found[place] = (n, str(digest))
    return found


def _read_lapses(given: object) -> dict[SealPlace, str]:
    _require(isinstance(given, list) and given != [], "the lapses are no list of any")
    found: dict[SealPlace, str] = {}
    for one in cast("list[object]", given):
        parts = cast("list[object]", one) if isinstance(one, list) else []
        is_whole = len(parts) == 5 and all(map(_is_count, parts[:4])) and parts[4] == "sly"
        _require(is_whole, "a lapse is not [deal, round, sub, seat, level]")
        deal, round, sub, seat = cast("list[int]", parts[:4])
        _require((deal, round, sub, seat) not in found, "a lapse is there twice")
        found[deal, round, sub, seat] = str(parts[4])
    return found


def _fits(form: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and bool(form.match(value))


def _is_hex(value: object) -> bool:
    return _fits(_HEX, value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _quote(key: str) -> str:
    return "".join(letter if " " <= letter <= "~" else "?" for letter in key[:40]) or "an empty key"
