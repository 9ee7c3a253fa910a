"""Seasons and their frozen tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.referee.model import changes as c
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.seasons import FrozenPage, LeaderboardRow, Season
from data.sql.codec import Columns, to_micros
from data.sql.statement import Query, Read, Statement, all_rows, first_row, insert, read_row

SEASON = Columns(Season)
SEASONS = f"SELECT {SEASON} FROM seasons"


def season(guild: Snowflake) -> Read[Season | None]:
    """Read the season that is not over."""
    return first_row(f"{SEASONS} WHERE guild = ? AND over = 0 ORDER BY guild, number", (guild,), SEASON.read)


def seasons(guild: Snowflake) -> Read[Sequence[Season]]:
    """Read all seasons, newest first."""
    return all_rows(f"{SEASONS} WHERE guild = ? ORDER BY guild, number DESC", (guild,), SEASON.read)


def frozen_pools(guild: Snowflake, number: int) -> Read[Sequence[str]]:
    """Read the pools that have a table of a finished season."""
    return all_rows("SELECT pool FROM season_tables WHERE guild = ? AND number = ? ORDER BY pool", (guild, number), str)


LINE = Columns(LeaderboardRow)
LINES = f"SELECT line, {LINE} FROM season_places"

OF_TABLE = "guild = ? AND number = ? AND pool = ?"


def frozen(
    guild: Snowflake, number: int, pool: str, user: UserId, limit: int, offset: int = 0
) -> Read[FrozenPage | None]:
    """Read some lines of a frozen table; None if there is no such table."""
    table = (guild, number, pool)

    def combine(
        heads: list[tuple[int, int]], lines: list[tuple[int, LeaderboardRow]], own: list[tuple[int, LeaderboardRow]]
    ) -> FrozenPage | None:
        if not heads:
            return None
        at, line = own[0] if own else (0, None)
        return FrozenPage(*heads[0], tuple(own_line for _, own_line in lines), line, at)

    where = f"WHERE {OF_TABLE} AND line >= ? AND line < ? ORDER BY line"
    return Read(
        (
            Query(f"SELECT size, voided FROM season_tables WHERE {OF_TABLE}", table, read_row),
            Query(f"{LINES} {where}", (*table, offset, offset + limit), LINE.read_keyed),
            Query(f'{LINES} WHERE "user" = ? AND {OF_TABLE} ORDER BY line', (user, *table), LINE.read_keyed),
        ),
        combine,
    )


def new_season(step: c.NewSeason) -> Iterator[Statement]:
    yield Statement(SEASON.insert("seasons"), SEASON.write(step.season))


def save_season(step: c.SaveSeason) -> Iterator[Statement]:
    season = step.season
    yield Statement(
        """UPDATE seasons SET kind = ?, ends = ?, over = ?, version = ?
            WHERE guild = ? AND number = ? AND over = 0 AND version = ?""",
        (season.kind, to_micros(season.ends), season.over, season.version, season.guild, season.number, step.expect),
        1,
        f"season {season.number} of {season.guild} is not at version {step.expect}",
    )


def season_moves(step: c.SeasonMoves) -> Iterator[Statement]:
    yield Statement(
        "UPDATE seasons SET version = version + 1 WHERE guild = ? AND number = ? AND over = 0",
        (step.guild, step.number),
        1,
        f"season {step.number} of {step.guild} does not go on",
    )


def freeze_season(step: c.FreezeSeason) -> Iterator[Statement]:
    for table in step.tables:
        head = (step.guild, step.number, table.pool)
        yield Statement(
            "INSERT INTO season_tables (guild, number, pool, size, voided) VALUES (?, ?, ?, ?, 0)",
            (*head, len(table.lines)),
        )
        for number, line in enumerate(table.lines):
            yield Statement(
                insert("season_places", f"guild, number, pool, line, {LINE}"), (*head, number, *LINE.write(line))
            )
    yield Statement("DELETE FROM season_ratings WHERE guild = ?", (step.guild,))


def mark_season(step: c.MarkSeason) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE season_tables SET voided = voided + 1 WHERE {OF_TABLE}", (step.guild, step.number, step.pool)
    )
