"""People, servers and ratings. Each function reads within one snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

from bot.referee.model import GuildSettings, Player, Rating, RatingEntry, Snowflake, UserId
from data.codec import numbers, time, time_or_none

RATING = """SELECT r.guild, r.pool, r.user, m.name, r.mu, r.sigma, r.played, r.won, r.drawn, r.lost, r.last, m.here
    FROM ratings r LEFT JOIN members m ON m.guild = r.guild AND m.user = r.user"""


def player(connection: sqlite3.Connection, user: UserId) -> Player:
    row = connection.execute(
        """SELECT console, bids, warnings, results, cards, two_step, challenges, dm_channel, dm_closed_until, dm_told
        FROM players WHERE user = ?""",
        (user,),
    ).fetchone()
    if row is None:
        return Player(user)
    console, bids, warnings, results, cards, two_step, challenges, dm_channel, dm_closed_until, dm_told = row
    return Player(
        *(user, console, bool(bids), bool(warnings), bool(results), cards, bool(two_step), bool(challenges)),
        *(dm_channel, time_or_none(dm_closed_until), bool(dm_told)),
    )


def guild(connection: sqlite3.Connection, id: Snowflake) -> GuildSettings:
    row = connection.execute(
        """SELECT game, clock, rated, console, boards, matches, channels, roles, dms, result_lines, cards
        FROM guilds WHERE guild = ?""",
        (id,),
    ).fetchone()
    if row is None:
        return GuildSettings(id)
    game, clock, rated, console, boards, matches, channels, roles, dms, result_lines, cards = row
    return GuildSettings(
        *(id, game, clock, bool(rated), console, boards, matches, numbers(channels), numbers(roles)),
        *(bool(dms), bool(result_lines), cards),
    )


def name_of(connection: sqlite3.Connection, guild: Snowflake, user: UserId) -> str | None:
    return _first(connection.execute("SELECT name FROM members WHERE guild = ? AND user = ?", (guild, user)))


def blocked(connection: sqlite3.Connection, by: UserId, user: UserId) -> bool:
    return bool(_first(connection.execute("SELECT 1 FROM blocks WHERE by_user = ? AND user = ?", (by, user))))


def blocks(connection: sqlite3.Connection, by: UserId) -> Sequence[UserId]:
    return [user for (user,) in connection.execute("SELECT user FROM blocks WHERE by_user = ? ORDER BY user", (by,))]


def note(connection: sqlite3.Connection, key: str) -> str | None:
    return _first(connection.execute("SELECT value FROM notes WHERE key = ?", (key,)))


# --- ratings ----------------------------------------------------------------------------------------------


def rating(connection: sqlite3.Connection, guild: Snowflake, pool: str, user: UserId) -> Rating | None:
    rows = connection.execute(f"{RATING} WHERE r.guild = ? AND r.pool = ? AND r.user = ?", (guild, pool, user))
    return next(iter(_ratings(rows)), None)


def ratings(connection: sqlite3.Connection, guild: Snowflake, pool: str) -> Sequence[Rating]:
    return _ratings(connection.execute(f"{RATING} WHERE r.guild = ? AND r.pool = ? ORDER BY r.user", (guild, pool)))


def _ratings(rows: Iterable[tuple[Any, ...]]) -> Sequence[Rating]:
    return [
        Rating(guild, pool, user, name or "", mu, sigma, played, won, drawn, lost, time_or_none(last), here != 0)
        for guild, pool, user, name, mu, sigma, played, won, drawn, lost, last, here in rows
    ]


def pools(connection: sqlite3.Connection, guild: Snowflake, user: UserId) -> Sequence[str]:
    rows = connection.execute(
        "SELECT DISTINCT pool FROM ratings WHERE guild = ? AND (? = 0 OR user = ?) ORDER BY pool", (guild, user, user)
    )
    return [pool for (pool,) in rows]


def rating_history(connection: sqlite3.Connection, guild: Snowflake, pool: str, user: UserId) -> Sequence[RatingEntry]:
    """Oldest first, matches taken out of the ratings left out; user 0 is everybody."""
    rows = connection.execute(
        f"""SELECT h.match_id, h.guild, h.pool, h.user, h.seat, h.place, h.mu_before, h.sigma_before, h.mu, h.sigma,
            h.at
        FROM rating_history h LEFT JOIN matches m ON m.id = h.match_id
        WHERE h.guild = ? AND h.pool = ? {"AND h.user = ?" if user else ""} AND m.void IS NOT 1
        ORDER BY h.at, h.match_id, h.seat, h.user""",
        (guild, pool, user) if user else (guild, pool),
    )
    return [
        RatingEntry(match, guild, pool, who, seat, place, mu_before, sigma_before, mu, sigma, time(at))
        for match, guild, pool, who, seat, place, mu_before, sigma_before, mu, sigma, at in rows
    ]


def _first(cursor: sqlite3.Cursor) -> Any:
    row = cursor.fetchone()
    return None if row is None else row[0]
