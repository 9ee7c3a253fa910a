"""What rankings ask: of everybody the few columns that decide who stands where, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.referee.model.model import Snowflake
from bot.referee.model.people import Before, Contender, Height
from data.sql.codec import micros, time
from data.sql.statement import Query, Read, every, single

GONE = 'SELECT "user" FROM members WHERE guild = ? AND here = 0'
RANKED = f"""guild = ? AND pool = ? AND "user" > 0 AND played > 0 AND "user" NOT IN ({GONE})"""
VOID = "SELECT id FROM matches WHERE guild = ? AND void = 1"


def ranking(guild: Snowflake, pool: str, season: bool) -> Read[Sequence[Contender]]:
    table = "season_ratings" if season else "ratings"
    return every(
        Query(
            f"""SELECT "user", mu, sigma, played, last FROM {table}
            WHERE {RANKED} ORDER BY "user" """,
            (guild, pool, guild),
            _ranked,
        )
    )


def _ranked(user: int, mu: float, sigma: float, played: int, last: int | None) -> Contender:
    return Contender(user, mu, sigma, played, None if last is None else time(last))


WEEK = 7 * 24 * 3600 * 1_000_000
"""in microseconds"""
NEARLY = 1e-9
"""what two ways to work out the same number may differ by, and much more than that"""


def above(guild: Snowflake, pool: str, height: Height) -> Read[tuple[int, int, int]]:
    """How many there are, how many of them are surely above, and how many are not surely below. Counted where they lie:
    making values of everybody's rows and sorting them took far longer."""
    (higher, high), (lower, low) = _above(height, NEARLY), _above(height, -NEARLY)
    return single(
        Query(
            f"""SELECT count(*), count(CASE WHEN {higher} THEN 1 END), count(CASE WHEN {lower} THEN 1 END)
            FROM ratings WHERE {RANKED}""",
            (*high, *low, guild, pool, guild),
            _counted,
        )
    )


def close(guild: Snowflake, pool: str, height: Height) -> Read[Sequence[Contender]]:
    """Those who are neither."""
    (higher, high), (lower, low) = _above(height, NEARLY), _above(height, -NEARLY)
    return every(
        Query(
            f"""SELECT "user", mu, sigma, played, last FROM ratings
            WHERE {RANKED} AND {lower} AND NOT {higher} ORDER BY "user" """,
            (guild, pool, guild, *low, *high),
            _ranked,
        )
    )


def _above(height: Height, by: float) -> tuple[str, tuple[Any, ...]]:
    """mu - 3 sigma is higher by so much, without a root: sigma grows by whole weeks, and never beyond the widest."""
    least, now = height.surely + by, micros(height.at)
    weeks = "CASE WHEN last < ? THEN (? - last) / ? ELSE 0 END"
    sql = f"""(mu > ? OR mu > ? AND (mu - ?) * (mu - ?)
        > 9.0 * (sigma * sigma + CAST(? AS DOUBLE PRECISION) * ({weeks})))"""
    return sql, (least + 3 * height.widest, least, least, least, height.weekly, now, now, WEEK)


def _counted(size: int, surely: int, perhaps: int) -> tuple[int, int, int]:
    return size, surely, perhaps


def rated_since(guild: Snowflake, pool: str, since: datetime) -> Read[Sequence[Before]]:
    """Of each person the first match that counted, and how many there were; those taken out of the ratings left out.
    Counted here: told to group, SQLite goes through everybody's whole history."""
    entries = Query(
        f"""SELECT h."user", h.mu_before, h.sigma_before, h.season_mu, h.season_sigma FROM rating_history h
        WHERE h.guild = ? AND h.pool = ? AND h.at >= ? AND h.match_id NOT IN ({VOID})
        ORDER BY h.at, h.match_id, h.seat, h."user" """,
        (guild, pool, micros(since), guild),
        _entry,
    )
    return Read((entries,), _first_of_each)


def _entry(*row: Any) -> tuple[Any, ...]:
    return row


def _first_of_each(entries: list[tuple[Any, ...]]) -> Sequence[Before]:
    first: dict[int, tuple[Any, ...]] = {}
    for row in entries:
        first.setdefault(row[0], row)
    counts = Counter(row[0] for row in entries)
    return [Before._make((*first[user], counts[user])) for user in sorted(first)]
