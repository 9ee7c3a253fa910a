"""The steps of seasons as statements."""

from collections.abc import Iterator

from bot.referee.model import changes as c
from data.sql.codec import micros
from data.sql.reads_seasons import OF_TABLE
from data.sql.statement import Statement


def new_season(step: c.NewSeason) -> Iterator[Statement]:
    one = step.season
    yield Statement(
        "INSERT INTO seasons (guild, number, kind, began, ends, over, version) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (one.guild, one.number, one.kind, micros(one.began), micros(one.ends), one.over, one.version),
    )


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
                """INSERT INTO season_places (guild, number, pool, line, place, "user", name, shown, played, won,
                    provisional) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (*head, line, one.place, one.user, one.name, one.shown, one.played, one.won, one.provisional),
            )
    yield Statement("DELETE FROM season_ratings WHERE guild = ?", (step.guild,))


def mark_season(step: c.MarkSeason) -> Iterator[Statement]:
    yield Statement(
        f"UPDATE season_tables SET voided = voided + 1 WHERE {OF_TABLE}", (step.guild, step.number, step.pool)
    )
