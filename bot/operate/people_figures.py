"""Figures of the product that may be told: shares of people week by week, and none about fewer than five."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from bot.referee.model import Clock
from bot.referee.model.changes import StoreBusy, StoreReadOnly
from bot.referee.model.counts import Figure, WeekCount
from data.sql.counts import week_counts
from data.store import BotDatabase

if TYPE_CHECKING:
    from bot.operate.metrics import Metrics

log = logging.getLogger(__name__)

MIN_PEOPLE = 5
"""a figure about fewer people is not told"""

WEEK = timedelta(weeks=1)
COMPLETE_AFTER: Mapping[Figure, timedelta] = {
    Figure.SECOND_MATCH: timedelta(days=7),
    Figure.BACK: timedelta(days=37),
    Figure.DAILY_NEXT_DAY: timedelta(days=1),
    Figure.SERVERS: 9 * WEEK,
}
"""time from the end of a week until its figure does not change any more; 0 for all others"""

METRIC_WEEKS = 12
"""weeks that are read for the metrics: the slowest figure needs ten"""
REFRESH = timedelta(hours=1)

Figures = Mapping[Figure, Mapping[int, WeekCount]]
"""For each figure the weeks for which it may be told."""


def first_week(now: datetime, weeks: int) -> datetime:
    """Return the Monday on which the last so many complete weeks (UTC) began."""
    today = datetime(now.year, now.month, now.day, tzinfo=UTC)
    return today - timedelta(days=today.weekday()) - weeks * WEEK


def choose_figures(counts: Sequence[WeekCount], since: datetime, now: datetime) -> Figures:
    """Return the figures that are complete, and about at least `MIN_PEOPLE` people."""
    told: dict[Figure, dict[int, WeekCount]] = {figure: {} for figure in Figure}
    for one in counts:
        complete = since + (one.week + 1) * WEEK + COMPLETE_AFTER.get(one.figure, timedelta())
        if one.people >= MIN_PEOPLE and one.of and complete <= now:
            told[one.figure][one.week] = one
    return told


async def read_figures(database: BotDatabase, now: datetime, weeks: int) -> Figures:
    """Read the figures of the last complete weeks apart from other reads, because whole tables are read."""
    since = first_week(now, weeks)
    return choose_figures(await database.read_apart(week_counts(since, weeks)), since, now)


async def keep_figures(database: BotDatabase, clock: Clock, metrics: Metrics) -> None:
    """Give the newest figures to the metrics, again and again, until cancelled."""
    while True:
        try:
            figures = await read_figures(database, clock.now(), METRIC_WEEKS)
        except (StoreBusy, StoreReadOnly) as error:
            log.info("the figures of the product were not read: %s", type(error).__name__)
        else:
            newest = {figure: weeks[max(weeks)] for figure, weeks in figures.items() if weeks}
            metrics.show_people({figure: (one.part, one.of) for figure, one in newest.items()})
        await asyncio.sleep(REFRESH.total_seconds())
