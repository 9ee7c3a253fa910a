"""Roles by rating: what is owed, worked out where ratings and given roles lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.referee.model.model import Snowflake
from bot.referee.model.people import Band, OwedRoles, RoleOf
from data.sql.reads_ranking import GONE
from data.sql.statement import Query, Read


def owed_roles(
    guild: Snowflake,
    pool: str,
    bands: Sequence[Band],
    season: bool,
    without: Sequence[Snowflake],
    limit: int,
) -> Read[OwedRoles]:
    """A role goes by the number that somebody's last result gave: time away takes no role."""
    table = "season_ratings" if season else "ratings"
    wanted, levels = _wanted(bands)
    left_out = f"NOT IN ({', '.join('?' * len(without))})" if without else "IS NOT NULL"
    give = Query(
        f"""SELECT o."user", o.role FROM (
            SELECT r."user", {wanted} AS role FROM {table} r
            WHERE r.guild = ? AND r.pool = ? AND r."user" > 0 AND r.played > 0 AND r."user" NOT IN ({GONE})
        ) o LEFT JOIN given_roles g ON g.guild = ? AND g."user" = o."user" AND g.role = o.role AND g.given = 1
        WHERE o.role <> 0 AND g.role IS NULL AND o.role {left_out} ORDER BY o."user" LIMIT ?""",
        (*levels, guild, pool, guild, guild, *without, limit),
        RoleOf,
    )
    take = Query(
        f"""SELECT g."user", g.role FROM given_roles g LEFT JOIN {table} r
            ON r.guild = g.guild AND r.pool = ? AND r."user" = g."user" AND r.played > 0
        WHERE g.guild = ? AND (r."user" IS NULL OR {wanted} <> g.role OR g."user" IN ({GONE}))
            AND g.role {left_out} ORDER BY g."user", g.role LIMIT ?""",
        (pool, guild, *levels, guild, *without, limit),
        RoleOf,
    )
    return Read((give, take), OwedRoles)


def _wanted(bands: Sequence[Band]) -> tuple[str, tuple[Any, ...]]:
    """The role that goes with a rating, 0 for none; the highest band comes first."""
    if not bands:
        return "CAST(0 AS BIGINT)", ()
    whens = "WHEN 1000 + 20 * (r.mu - 3 * r.sigma) >= ? THEN CAST(? AS BIGINT) " * len(bands)
    levels = [value for band in sorted(bands, reverse=True) for value in (band.least - 0.5, band.role)]
    return f"CASE {whens}ELSE 0 END", tuple(levels)
