"""Ratings, their history, rankings, and roles by rating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.guild_settings import Band
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Before, Contender, Height, OwedRoles, Rating, RatingEntry, RoleOf
from data.sql.codec import Columns, to_micros
from data.sql.statement import Query, Read, Statement, all_rows, first_row, one_row, read_row, upsert

ENTRY = Columns(RatingEntry, match="match_id")
RATING = Columns(Rating)
CONTENDER = Columns(Contender)
FROM_TABLE = """SELECT r.guild, r.pool, r."user", coalesce(m.name, ''), r.mu, r.sigma, r.played, r.won, r.drawn, r.lost,
        r.last, coalesce(m.here, 1)
    FROM {} r LEFT JOIN members m ON m.guild = r.guild AND m."user" = r."user" """

RATINGS, SEASON_RATINGS = FROM_TABLE.format("ratings"), FROM_TABLE.format("season_ratings")

OF_PERSON = 'WHERE r.guild = ? AND r.pool = ? AND r."user" = ?'

VOID = "SELECT id FROM matches WHERE guild = ? AND void = 1"
OF_POOL = 'WHERE r.guild = ? AND r.pool = ? ORDER BY r."user"'


def rating(guild: Snowflake, pool: str, user: UserId) -> Read[Rating | None]:
    return first_row(f"{RATINGS} {OF_PERSON}", (guild, pool, user), RATING.read)


def ratings(guild: Snowflake, pool: str) -> Read[Sequence[Rating]]:
    """Read all ratings in a pool, unordered, including people who left."""
    return all_rows(f"{RATINGS} {OF_POOL}", (guild, pool), RATING.read)


def season_rating(guild: Snowflake, pool: str, user: UserId) -> Read[Rating | None]:
    """Read the rating in the current season."""
    return first_row(f"{SEASON_RATINGS} {OF_PERSON}", (guild, pool, user), RATING.read)


def season_ratings(guild: Snowflake, pool: str) -> Read[Sequence[Rating]]:
    return all_rows(f"{SEASON_RATINGS} {OF_POOL}", (guild, pool), RATING.read)


def ratings_of(guild: Snowflake, pool: str, users: Sequence[UserId], *, season: bool = False) -> Read[Sequence[Rating]]:
    """Read the ratings of a few people, by person."""
    if not users:
        return Read((), lambda: ())
    table, marks = SEASON_RATINGS if season else RATINGS, ", ".join("?" * len(users))
    where = f'WHERE r.guild = ? AND r.pool = ? AND r."user" IN ({marks}) ORDER BY r."user"'
    return all_rows(f"{table} {where}", (guild, pool, *users), RATING.read)


def season_pools(guild: Snowflake) -> Read[Sequence[str]]:
    """Read the pools with a counted match in the current season."""
    return all_rows("SELECT DISTINCT pool FROM season_ratings WHERE guild = ? ORDER BY pool", (guild,), str)


def pools(guild: Snowflake, user: UserId = 0) -> Read[Sequence[str]]:
    """Read the pools in which a person, or anyone, has a rating."""
    where, params = ('guild = ? AND "user" = ?', (guild, user)) if user else ("guild = ?", (guild,))
    return all_rows(f"SELECT DISTINCT pool FROM ratings WHERE {where} ORDER BY pool", params, str)


def every_pool() -> Read[Sequence[tuple[Snowflake, str]]]:
    """Read every pool of every server. This scans the whole history; use it for rare tasks only."""
    return all_rows("SELECT DISTINCT guild, pool FROM rating_history ORDER BY guild, pool", (), read_row)


def rating_history(guild: Snowflake, pool: str, user: UserId) -> Read[Sequence[RatingEntry]]:
    """Read the entries of a user (0 for everybody), oldest first, without matches taken out of the ratings."""
    where, params = ('AND "user" = ?', (user,)) if user else ("", ())
    return all_rows(
        f"""SELECT {ENTRY} FROM rating_history
        WHERE guild = ? AND pool = ? {where} AND match_id NOT IN ({VOID}) ORDER BY at, match_id, seat, "user" """,
        (guild, pool, *params, guild),
        ENTRY.read,
    )


GONE = 'SELECT "user" FROM members WHERE guild = ? AND here = 0'

RANKED = f"""guild = ? AND pool = ? AND "user" > 0 AND played > 0 AND "user" NOT IN ({GONE})"""


def ranking(guild: Snowflake, pool: str, *, season: bool = False) -> Read[Sequence[Contender]]:
    """Read all ranked people who are still in the server, by person: of all time, or of the current season."""
    table = "season_ratings" if season else "ratings"
    return all_rows(
        f'SELECT {CONTENDER} FROM {table} WHERE {RANKED} ORDER BY "user"', (guild, pool, guild), CONTENDER.read
    )


WEEK = 7 * 24 * 3600 * 1_000_000
"""In microseconds."""

TOLERANCE = 1e-9
"""Far more than the rounding error between two ways to compute the same number."""


def above(guild: Snowflake, pool: str, height: Height) -> Read[tuple[int, int, int]]:
    """Count the ranked players, those surely above a height, and those not surely below it.

    The database counts, because it is much faster than reading and sorting all rows.
    """
    (higher, high), (lower, low) = _build_above(height, TOLERANCE), _build_above(height, -TOLERANCE)
    return one_row(
        f"""SELECT count(*), count(CASE WHEN {higher} THEN 1 END), count(CASE WHEN {lower} THEN 1 END)
            FROM ratings WHERE {RANKED}""",
        (*high, *low, guild, pool, guild),
        _read_counts,
    )


def borderline(guild: Snowflake, pool: str, height: Height) -> Read[Sequence[Contender]]:
    """Read the players that are neither surely above a height nor surely below it."""
    (higher, high), (lower, low) = _build_above(height, TOLERANCE), _build_above(height, -TOLERANCE)
    return all_rows(
        f"""SELECT "user", mu, sigma, played, last FROM ratings
            WHERE {RANKED} AND {lower} AND NOT {higher} ORDER BY "user" """,
        (guild, pool, guild, *low, *high),
        CONTENDER.read,
    )


def _build_above(height: Height, by: float) -> tuple[str, tuple[Any, ...]]:
    """Build the condition `mu - 3 sigma > height + by` without a square root. Sigma grows weekly up to a limit."""
    least, now = height.surely + by, to_micros(height.at)
    weeks = "CASE WHEN last < ? THEN (? - last) / ? ELSE 0 END"
    sql = f"""(mu > ? OR mu > ? AND (mu - ?) * (mu - ?)
        > 9.0 * (sigma * sigma + CAST(? AS DOUBLE PRECISION) * ({weeks})))"""
    return sql, (least + 3 * height.widest, least, least, least, height.weekly, now, now, WEEK)


def _read_counts(size: int, surely: int, perhaps: int) -> tuple[int, int, int]:
    return size, surely, perhaps


def rated_since(guild: Snowflake, pool: str, since: datetime) -> Read[Sequence[Before]]:
    """Read for each player the first rated match since a time, and the number of them, without void matches.

    The grouping is done here, because with GROUP BY SQLite scans the whole history of all players.
    """
    entries = Query(
        f"""SELECT h."user", h.mu_before, h.sigma_before, h.season_mu, h.season_sigma FROM rating_history h
        WHERE h.guild = ? AND h.pool = ? AND h.at >= ? AND h.match_id NOT IN ({VOID})
        ORDER BY h.at, h.match_id, h.seat, h."user" """,
        (guild, pool, to_micros(since), guild),
        read_row,
    )
    return Read((entries,), _combine_by_user)


def _combine_by_user(entries: list[tuple[Any, ...]]) -> Sequence[Before]:
    first: dict[int, tuple[Any, ...]] = {}
    for row in entries:
        first.setdefault(row[0], row)
    counts = Counter(row[0] for row in entries)
    return [Before._make((*first[user], counts[user])) for user in sorted(first)]


def owed_roles(
    guild: Snowflake, pool: str, bands: Sequence[Band], *, season: bool, without: Sequence[Snowflake], limit: int
) -> Read[OwedRoles]:
    """Read the roles to give and to take, at most `limit` each, by person. Roles in `without` are left out.

    They follow from the rating after the last result, and from the roles given last. Inactivity takes no role.
    """
    table = "season_ratings" if season else "ratings"
    role, levels = _build_role_case(bands)
    left_out = f"NOT IN ({', '.join('?' * len(without))})" if without else "IS NOT NULL"
    give = Query(
        f"""SELECT o."user", o.role FROM (
            SELECT r."user", {role} AS role FROM {table} r
            WHERE r.guild = ? AND r.pool = ? AND r."user" > 0 AND r.played > 0 AND r."user" NOT IN ({GONE})
        ) o LEFT JOIN given_roles g ON g.guild = ? AND g."user" = o."user" AND g.role = o.role AND g.given = 1
        WHERE o.role <> 0 AND g.role IS NULL AND o.role {left_out} ORDER BY o."user" LIMIT ?""",
        (*levels, guild, pool, guild, guild, *without, limit),
        RoleOf,
    )
    take = Query(
        f"""SELECT g."user", g.role FROM given_roles g LEFT JOIN {table} r
            ON r.guild = g.guild AND r.pool = ? AND r."user" = g."user" AND r.played > 0
        WHERE g.guild = ? AND (r."user" IS NULL OR {role} <> g.role OR g."user" IN ({GONE}))
            AND g.role {left_out} ORDER BY g."user", g.role LIMIT ?""",
        (pool, guild, *levels, guild, *without, limit),
        RoleOf,
    )
    return Read((give, take), OwedRoles)


def _build_role_case(bands: Sequence[Band]) -> tuple[str, tuple[Any, ...]]:
    """Build the expression for the role of a rating, 0 for none. The highest band comes first."""
    if not bands:
        return "CAST(0 AS BIGINT)", ()
    whens = "WHEN 1000 + 20 * (r.mu - 3 * r.sigma) >= ? THEN CAST(? AS BIGINT) " * len(bands)
    levels = [value for band in sorted(bands, reverse=True) for value in (band.least - 0.5, band.role)]
    return f"CASE {whens}ELSE 0 END", tuple(levels)


TABLES = ("ratings", "season_ratings")

PUT_RATING = {
    table: upsert(table, 'guild, pool, "user"', "mu, sigma, played, won, drawn, lost, last") for table in TABLES
}

PUT_ENTRY = ENTRY.upsert("rating_history", "match_id", '"user"')


def save_rating(step: c.SaveRating) -> Iterator[Statement]:
    """Write a rating. Name and presence are inserted for an unknown member only; `NameMember` updates them."""
    rating, table = step.rating, TABLES[step.season]
    key = (rating.guild, rating.pool, rating.user)
    values = (rating.mu, rating.sigma, rating.played, rating.won, rating.drawn, rating.lost, to_micros(rating.last))
    failure = f"the rating of {rating.user} is not at {step.expect} matches"
    if step.expect is None:
        yield Statement(PUT_RATING[table], (*key, *values))
    elif step.expect == 0:
        yield Statement(f"{PUT_RATING[table]} WHERE {table}.played = 0", (*key, *values), 1, failure)
    else:
        and_mu, mu_params = ("", ()) if step.mu is None else (" AND mu = ?", (step.mu,))
        yield Statement(
            f"""UPDATE {table} SET mu = ?, sigma = ?, played = ?, won = ?, drawn = ?, lost = ?, last = ?
            WHERE guild = ? AND pool = ? AND "user" = ? AND played = ?{and_mu}""",
            (*values, *key, step.expect, *mu_params),
            1,
            failure,
        )
    yield Statement(
        'INSERT INTO members (guild, "user", name, here) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
        (rating.guild, rating.user, rating.name, rating.here),
    )


def drop_rating(step: c.DropRating) -> Iterator[Statement]:
    yield Statement(
        f'DELETE FROM {TABLES[step.season]} WHERE guild = ? AND pool = ? AND "user" = ? AND played = ? AND mu = ?',
        (step.guild, step.pool, step.user, step.expect, step.mu),
        1,
        f"the rating of {step.user} is not at {step.expect} matches",
    )


def add_rating_entry(step: c.AddRatingEntry) -> Iterator[Statement]:
    """Write an entry, or replace it when its pool is recomputed."""
    yield Statement(PUT_ENTRY, ENTRY.write(step.entry))


ROLE = upsert("given_roles", 'guild, "user", role', "given")


def note_role(step: c.NoteRole) -> Iterator[Statement]:
    yield Statement(ROLE, (step.guild, step.user, step.role, step.given))


def drop_role(step: c.DropRole) -> Iterator[Statement]:
    yield Statement(
        'DELETE FROM given_roles WHERE guild = ? AND "user" = ? AND role = ?', (step.guild, step.user, step.role)
    )
