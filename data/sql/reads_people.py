"""People, ratings and notes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Import, Pause, Player, Rating, RatingEntry
from data.sql.codec import micros, numbers, time, time_or_none
from data.sql.statement import Query, Read, every, first, first_or, single


def player(user: UserId) -> Read[Player]:
    return first_or(
        Query(
            """SELECT "user", console, bids, warnings, results, cards, two_step, challenges, dm_channel,
                dm_closed_until, dm_told, zone, quiet_from, quiet_to, reminders
            FROM players WHERE "user" = ?""",
            (user,),
            _player,
        ),
        Player(user),
    )


def _player(
    user: int,
    console: str,
    bids: int,
    warnings: int,
    results: int,
    cards: str,
    two_step: int,
    challenges: int,
    dm_channel: int,
    dm_closed_until: int | None,
    dm_told: int,
    zone: str,
    quiet_from: int,
    quiet_to: int,
    reminders: str,
) -> Player:
    return Player(
        *(user, console, bool(bids), bool(warnings), bool(results), cards, bool(two_step), bool(challenges)),
        *(dm_channel, time_or_none(dm_closed_until), bool(dm_told), zone, quiet_from, quiet_to),
        numbers(reminders),
    )


def pauses(users: Sequence[UserId], since: datetime) -> Read[Sequence[Pause]]:
    if not users:
        return Read((), lambda: ())
    marks = ", ".join("?" * len(users))
    return every(
        Query(
            f"""SELECT "user", began, until FROM pauses WHERE "user" IN ({marks}) AND until > ?
            ORDER BY "user", began""",
            (*users, micros(since)),
            _pause,
        )
    )


def _pause(user: int, began: int, until: int) -> Pause:
    return Pause(user, time(began), time(until))


def name_of(guild: Snowflake, user: UserId) -> Read[str | None]:
    return first(Query('SELECT name FROM members WHERE guild = ? AND "user" = ?', (guild, user), str))


def blocked(by: UserId, user: UserId) -> Read[bool]:
    return single(Query('SELECT count(*) FROM blocks WHERE by_user = ? AND "user" = ?', (by, user), bool))


def blocks(by: UserId) -> Read[Sequence[tuple[UserId, str]]]:
    return every(Query('SELECT "user", name FROM blocks WHERE by_user = ? ORDER BY "user"', (by,), _blocked))


def _blocked(user: int, name: str) -> tuple[UserId, str]:
    return user, name


def note(key: str) -> Read[str | None]:
    return first(Query("SELECT value FROM notes WHERE key = ?", (key,), str))


def imported(user: UserId, id: str) -> Read[Import | None]:
    return first(
        Query(
            'SELECT id, "user", at, record FROM imports WHERE "user" = ? AND id = ?',
            (user, id),
            _import,
        )
    )


def _import(id: str, user: int, at: int, record: str) -> Import:
    return Import(id, user, time(at), record)


# --- ratings ----------------------------------------------------------------------------------------------

FROM_TABLE = """SELECT r.guild, r.pool, r."user", m.name, r.mu, r.sigma, r.played, r.won, r.drawn, r.lost, r.last,
        m.here
    FROM {} r LEFT JOIN members m ON m.guild = r.guild AND m."user" = r."user" """
RATINGS, SEASON_RATINGS = FROM_TABLE.format("ratings"), FROM_TABLE.format("season_ratings")


OF_PERSON = 'WHERE r.guild = ? AND r.pool = ? AND r."user" = ?'
OF_POOL = 'WHERE r.guild = ? AND r.pool = ? ORDER BY r."user"'


def rating(guild: Snowflake, pool: str, user: UserId) -> Read[Rating | None]:
    return first(Query(f"{RATINGS} {OF_PERSON}", (guild, pool, user), _rating))


def ratings(guild: Snowflake, pool: str) -> Read[Sequence[Rating]]:
    return every(Query(f"{RATINGS} {OF_POOL}", (guild, pool), _rating))


def season_rating(guild: Snowflake, pool: str, user: UserId) -> Read[Rating | None]:
    return first(Query(f"{SEASON_RATINGS} {OF_PERSON}", (guild, pool, user), _rating))


def season_ratings(guild: Snowflake, pool: str) -> Read[Sequence[Rating]]:
    return every(Query(f"{SEASON_RATINGS} {OF_POOL}", (guild, pool), _rating))


def ratings_of(guild: Snowflake, pool: str, users: Sequence[UserId], season: bool) -> Read[Sequence[Rating]]:
    if not users:
        return Read((), lambda: ())
    table, marks = SEASON_RATINGS if season else RATINGS, ", ".join("?" * len(users))
    where = f'WHERE r.guild = ? AND r.pool = ? AND r."user" IN ({marks}) ORDER BY r."user"'
    return every(Query(f"{table} {where}", (guild, pool, *users), _rating))


def season_pools(guild: Snowflake) -> Read[Sequence[str]]:
    return every(Query("SELECT DISTINCT pool FROM season_ratings WHERE guild = ? ORDER BY pool", (guild,), str))


def _rating(
    guild: int,
    pool: str,
    user: int,
    name: str | None,
    mu: float,
    sigma: float,
    played: int,
    won: int,
    drawn: int,
    lost: int,
    last: int | None,
    here: int | None,
) -> Rating:
    return Rating(guild, pool, user, name or "", mu, sigma, played, won, drawn, lost, time_or_none(last), here != 0)


def pools(guild: Snowflake, user: UserId) -> Read[Sequence[str]]:
    where, params = ('guild = ? AND "user" = ?', (guild, user)) if user else ("guild = ?", (guild,))
    return every(Query(f"SELECT DISTINCT pool FROM ratings WHERE {where} ORDER BY pool", params, str))


def every_pool() -> Read[Sequence[tuple[Snowflake, str]]]:
    """Reads all there is: for work that is seldom done."""
    return every(Query("SELECT DISTINCT guild, pool FROM rating_history ORDER BY guild, pool", (), _pool))


def _pool(guild: int, pool: str) -> tuple[Snowflake, str]:
    return guild, pool


def rating_history(guild: Snowflake, pool: str, user: UserId) -> Read[Sequence[RatingEntry]]:
    """Oldest first, matches taken out of the ratings left out; user 0 is everybody."""
    where, params = "h.guild = ? AND h.pool = ?", (guild, pool)
    if user:
        where, params = f'{where} AND h."user" = ?', (*params, user)
    return _entries(where, params)


def _entries(where: str, params: tuple[Any, ...]) -> Read[Sequence[RatingEntry]]:
    return every(
        Query(
            f"""SELECT h.match_id, h.guild, h.pool, h."user", h.seat, h.place, h.mu_before, h.sigma_before, h.mu,
                h.sigma, h.at, h.season, h.season_mu, h.season_sigma
            FROM rating_history h
            WHERE {where} AND h.match_id NOT IN (SELECT id FROM matches WHERE guild = ? AND void = 1)
            ORDER BY h.at, h.match_id, h.seat, h."user" """,
            (*params, params[0]),
            _entry,
        )
    )


def _entry(
    match: str,
    guild: int,
    pool: str,
    user: int,
    seat: int,
    place: int,
    mu_before: float,
    sigma_before: float,
    mu: float,
    sigma: float,
    at: int,
    season: int,
    season_mu: float,
    season_sigma: float,
) -> RatingEntry:
    return RatingEntry(
        *(match, guild, pool, user, seat, place, mu_before, sigma_before, mu, sigma, time(at)),
        *(season, season_mu, season_sigma),
    )
