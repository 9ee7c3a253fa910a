"""Daily deals, and the tries of players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from bot.referee.model.daily import DailyDeal, DailyTry, NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from bot.referee.model.model import Snowflake, UserId
from data.sql.codec import Columns, day_number
from data.sql.statement import Read, Statement, all_rows, first_row

DEAL = Columns(DailyDeal)
TRY = Columns(DailyTry)
TRIES = """SELECT t.guild, t.day, t."user", t.match_id, t.shared, coalesce(m.name, ''), coalesce(m.here, 1), x.totals,
        x.ended, x.termination, d.best
    FROM daily_tries t JOIN matches x ON x.id = t.match_id
    LEFT JOIN daily_deals d ON d.guild = t.guild AND d.day = t.day
    LEFT JOIN members m ON m.guild = t.guild AND m."user" = t."user" """


def daily_deal(guild: Snowflake, day: date) -> Read[DailyDeal | None]:
    where = "WHERE guild = ? AND day = ?"
    return first_row(f"SELECT {DEAL} FROM daily_deals {where}", (guild, day_number(day)), DEAL.read)


def daily_tries(guild: Snowflake, day: date) -> Read[Sequence[DailyTry]]:
    """Read all tries of this day, live ones included."""
    where = 'WHERE t.guild = ? AND t.day = ? ORDER BY t."user"'
    return all_rows(f"{TRIES} {where}", (guild, day_number(day)), TRY.read)


def daily_tries_of(guild: Snowflake, user: UserId) -> Read[Sequence[DailyTry]]:
    """Read the tries of a player, newest first."""
    where = 'WHERE t.guild = ? AND t."user" = ? ORDER BY t.day DESC'
    return all_rows(f"{TRIES} {where}", (guild, user), TRY.read)


def new_daily_deal(step: NewDailyDeal) -> Iterator[Statement]:
    yield Statement(DEAL.insert("daily_deals"), DEAL.write(step.deal), 1)


def save_daily_best(step: SaveDailyBest) -> Iterator[Statement]:
    yield Statement(
        "UPDATE daily_deals SET best = ? WHERE guild = ? AND day = ?", (step.best, step.guild, day_number(step.day))
    )


def new_daily_try(step: NewDailyTry) -> Iterator[Statement]:
    yield Statement(
        'INSERT INTO daily_tries (guild, day, "user", match_id, shared) VALUES (?, ?, ?, ?, 0)',
        (step.guild, day_number(step.day), step.user, step.match),
        1,
    )


def share_daily(step: ShareDaily) -> Iterator[Statement]:
    yield Statement(
        'UPDATE daily_tries SET shared = ? WHERE guild = ? AND day = ? AND "user" = ? AND shared = ?',
        (step.shared, step.guild, day_number(step.day), step.user, not step.shared),
        1,
        f"the try of {step.user} is shared already, or is not",
    )
