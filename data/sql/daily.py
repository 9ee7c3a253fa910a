"""The daily deal: what is asked of it and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from bot.referee.model import changes as c
from bot.referee.model.daily import DailyDeal, DailyTry
from bot.referee.model.model import Snowflake, UserId
from data.sql.codec import EPOCH, parse, time_or_none
from data.sql.statement import Query, Read, Statement, every, first

TRIES = """SELECT t.guild, t.day, t."user", t.match_id, t.shared, m.name, m.here, x.totals, x.ended, x.termination,
        d.best
    FROM daily_tries t JOIN matches x ON x.id = t.match_id
    LEFT JOIN daily_deals d ON d.guild = t.guild AND d.day = t.day
    LEFT JOIN members m ON m.guild = t.guild AND m."user" = t."user" """


def daily_deal(guild: Snowflake, day: date) -> Read[DailyDeal | None]:
    return first(
        Query(
            "SELECT guild, day, nonce, level, best FROM daily_deals WHERE guild = ? AND day = ?",
            (guild, _number(day)),
            _deal,
        )
    )


def _deal(guild: int, day: int, nonce: bytes, level: str, best: int | None) -> DailyDeal:
    return DailyDeal(guild, _day(day), nonce, level, best)


def daily_tries(guild: Snowflake, day: date) -> Read[Sequence[DailyTry]]:
    where = 'WHERE t.guild = ? AND t.day = ? ORDER BY t."user"'
    return every(Query(f"{TRIES} {where}", (guild, _number(day)), _try))


def daily_tries_of(guild: Snowflake, user: UserId) -> Read[Sequence[DailyTry]]:
    """Newest first."""
    where = 'WHERE t.guild = ? AND t."user" = ? ORDER BY t.day DESC'
    return every(Query(f"{TRIES} {where}", (guild, user), _try))


def _try(
    guild: int,
    day: int,
    user: int,
    match: str,
    shared: int,
    name: str | None,
    here: int | None,
    totals: str,
    ended: int | None,
    termination: int | None,
    best: int | None,
) -> DailyTry:
    known = (name or "", here != 0)
    came = (tuple(parse(totals)), time_or_none(ended), termination, best)
    return DailyTry(guild, _day(day), user, match, bool(shared), *known, *came)


def new_daily_deal(step: c.NewDailyDeal) -> Iterator[Statement]:
    one = step.deal
    yield Statement(
        "INSERT INTO daily_deals (guild, day, nonce, level, best) VALUES (?, ?, ?, ?, ?)",
        (one.guild, _number(one.day), one.nonce, one.level, one.best),
        1,
    )


def save_daily_best(step: c.SaveDailyBest) -> Iterator[Statement]:
    yield Statement(
        "UPDATE daily_deals SET best = ? WHERE guild = ? AND day = ?", (step.best, step.guild, _number(step.day))
    )


def new_daily_try(step: c.NewDailyTry) -> Iterator[Statement]:
    yield Statement(
        'INSERT INTO daily_tries (guild, day, "user", match_id, shared) VALUES (?, ?, ?, ?, 0)',
        (step.guild, _number(step.day), step.user, step.match),
        1,
    )


def share_daily(step: c.ShareDaily) -> Iterator[Statement]:
    yield Statement(
        'UPDATE daily_tries SET shared = ? WHERE guild = ? AND day = ? AND "user" = ? AND shared = ?',
        (step.shared, step.guild, _number(step.day), step.user, not step.shared),
        1,
        f"the try of {step.user} is shared already, or is not",
    )


def _number(day: date) -> int:
    return (day - EPOCH.date()).days


def _day(number: int) -> date:
    return EPOCH.date() + timedelta(days=number)
