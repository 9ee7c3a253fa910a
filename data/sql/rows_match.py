"""What the rows of a match say: columns, and the values that are made of them."""

from __future__ import annotations

from typing import Any

from bot.referee.model.model import Seal, Seated, StoredDeal, StoredDecision
from data.sql.codec import numbers, parse, parse_changes, parse_draw, parse_or_none, time, time_or_none
from data.sql.statement import Query
from data.sql.time_away import MATCH_AWAY, MATCH_DEADLINE, MATCH_VERSION

CHANGING = f"""channel, {MATCH_VERSION}, prompt, opened, {MATCH_DEADLINE}, live, leavers, ending, draw, {MATCH_AWAY},
    ended, termination, winner, placings, totals, changes, unrated, void, reason, paused"""


def changing(
    channel: int,
    version: int,
    prompt: int,
    opened: int,
    deadline: int | None,
    live: int,
    leavers: str,
    ending: str | None,
    draw: str | None,
    away: int,
    *rest: Any,
) -> dict[str, Any]:
    """What these columns say."""
    ended, termination, winner, placings, totals, changes, unrated, void, reason, paused = rest
    return {
        "channel": channel,
        "version": version,
        "prompt": prompt,
        "opened": time(opened),
        "deadline": time_or_none(deadline),
        "live": bool(live),
        "left": tuple(parse(leavers)),
        "ending": parse_or_none(ending),
        "draw": parse_draw(draw),
        "away": away,
        "ended": time_or_none(ended),
        "termination": termination,
        "winner": winner,
        "placings": None if placings is None else numbers(placings),
        "totals": tuple(parse(totals)),
        "changes": parse_changes(changes),
        "unrated": unrated,
        "void": bool(void),
        "reason": reason,
        "paused": time_or_none(paused),
    }


def seats(which: str, params: tuple[Any, ...]) -> Query[tuple[str, Seated]]:
    """Who sits there, with the id of the match. `which`: the rest of the question, after its table."""

    def value(id: str, user: int, name: str, misses: int, draw_from: int, seen: int | None) -> tuple[str, Seated]:
        return id, Seated(user, name, misses, draw_from, time_or_none(seen))

    columns = 'seats.match_id, "user", name, misses, draw_from, seen'
    return Query(f"SELECT {columns} FROM seats {which}", params, value)


def deals(which: str, params: tuple[Any, ...]) -> Query[tuple[str, StoredDeal]]:
    """Without what was decided in them."""

    def value(id: str, number: int, zones: str) -> tuple[str, StoredDeal]:
        return id, StoredDeal(number, parse(zones))

    return Query(f"SELECT match_id, number, zones FROM deals {which}", params, value)


def decisions(which: str, params: tuple[Any, ...]) -> Query[tuple[tuple[str, int], StoredDecision]]:
    """With the match and the number of the deal."""
    columns = "match_id, deal, seat, choice, forced, round, sub, salt, at, n, digest"
    return Query(f"SELECT {columns} FROM decisions {which}", params, _decision)


def seals(which: str, params: tuple[Any, ...]) -> Query[tuple[str, Seal]]:
    return Query(f"SELECT match_id, seat, choice, salt, digest, at, forced, n FROM seals {which}", params, _seal)


def _decision(
    id: str,
    deal: int,
    seat: int,
    choice: str,
    forced: int,
    turn: int,
    sub: int,
    salt: bytes,
    at: int,
    n: int,
    digest: bytes,
) -> tuple[tuple[str, int], StoredDecision]:
    return (id, deal), StoredDecision(seat, parse(choice), bool(forced), turn, sub, salt, time(at), n, digest)


def _seal(
    id: str, seat: int, choice: str, salt: bytes, digest: bytes, at: int, forced: int, n: int
) -> tuple[str, Seal]:
    return id, Seal(seat, parse(choice), salt, digest, time(at), bool(forced), n)
