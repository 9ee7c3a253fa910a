"""What rankings ask: of everybody the few columns that decide who stands where, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.referee.ports.model import Snowflake
from bot.referee.ports.people import Before, Contender
from data.sql.codec import micros, time
from data.sql.statement import Query, Read, every

GONE = 'SELECT "user" FROM members WHERE guild = ? AND here = 0'
VOID = "SELECT id FROM matches WHERE guild = ? AND void = 1"


def ranking(guild: Snowflake, pool: str, season: bool) -> Read[Sequence[Contender]]:
    table = "season_ratings" if season else "ratings"
    return every(
        Query(
            f"""SELECT "user", mu, sigma, played, last FROM {table}
            WHERE guild = ? AND pool = ? AND "user" > 0 AND played > 0 AND "user" NOT IN ({GONE}) ORDER BY "user" """,
            (guild, pool, guild),
            _ranked,
        )
    )


def _ranked(user: int, mu: float, sigma: float, played: int, last: int | None) -> Contender:
    return Contender(user, mu, sigma, played, None if last is None else time(last))


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
