"""Seasons and their frozen tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.referee.model import changes as c
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.seasons import FrozenLine, FrozenPage, Season
from data.sql.codec import Columns, micros
from data.sql.statement import Query, Read, Statement, every, first

SEASON = Columns(Season)
SEASONS = f"SELECT {SEASON} FROM seasons"


def season(guild: Snowflake) -> Read[Season | None]:
    """Read the season that is not over."""
    return first(f"{SEASONS} WHERE guild = ? AND over = 0 ORDER BY guild, number", (guild,), SEASON.read)


def seasons(guild: Snowflake) -> Read[Sequence[Season]]:
    """Read all seasons, newest first."""
    return every(f"{SEASONS} WHERE guild = ? ORDER BY guild, number DESC", (guild,), SEASON.read)


def frozen_pools(guild: Snowflake, number: int) -> Read[Sequence[str]]:
    return every("SELECT pool FROM season_tables WHERE guild = ? AND number = ? ORDER BY pool", (guild, number), str)


LINE = Columns(FrozenLine)
LINES = f"SELECT line, {LINE} FROM season_places"

OF_TABLE = "guild = ? AND number = ? AND pool = ?"


def frozen(
    guild: Snowflake, number: int, pool: str, user: UserId, limit: int, offset: int = 0
) -> Read[FrozenPage | None]:
    """Read some lines of a frozen table; None if there is no such table."""
    table = (guild, number, pool)

    def made(
        heads: list[tuple[int, int]], lines: list[tuple[int, FrozenLine]], own: list[tuple[int, FrozenLine]]
    ) -> FrozenPage | None:
        if not heads:
            return None
        at, line = own[0] if own else (0, None)
        return FrozenPage(*heads[0], tuple(one for _, one in lines), line, at)

    where = f"WHERE {OF_TABLE} AND line >= ? AND line < ? ORDER BY line"
    return Read(
        (
            Query(f"SELECT size, voided FROM season_tables WHERE {OF_TABLE}", table, _head),
            Query(f"{LINES} {where}", (*table, offset, offset + limit), _line),
            Query(f'{LINES} WHERE "user" = ? AND {OF_TABLE} ORDER BY line', (user, *table), _line),
        ),
        made,
    )


def _head(size: int, voided: int) -> tuple[int, int]:
    return size, voided


def _line(at: int, *columns: Any) -> tuple[int, FrozenLine]:
    return at, LINE.read(*columns)


def new_season(step: c.NewSeason) -> Iterator[Statement]:
    yield Statement(SEASON.insert("seasons"), SEASON.write(step.season))


def save_season(step: c.SaveSeason) -> Iterator[Statement]:
    one = step.season
    yield Statement(
        """UPDATE seasons SET kind = ?, ends = ?, over = ?, version = ?
            WHERE guild = ? AND number = ? AND over = 0 AND version = ?""",
        (one.kind, micros(one.ends), one.over, one.version, one.guild, one.number, step.expect),
        1,
        f"season {one.number} of {one.guild} is not at version {step.expect}",
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
        for line, one in enumerate(table.lines):
            yield Statement(
                f"""INSERT INTO season_places (guild, number, pool, line, {LINE})
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (*head, line, *LINE.write(one)),
            )
    yield Statement("DELETE FROM season_ratings WHERE guild = ?", (step.guild,))


def mark_season(step: c.MarkSeason) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE season_tables SET voided = voided + 1 WHERE {OF_TABLE}", (step.guild, step.number, step.pool)
    )
