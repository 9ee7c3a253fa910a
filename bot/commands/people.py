"""`gops people`: how many people play, and how many come back."""

from __future__ import annotations

import argparse
import asyncio
from datetime import datetime
from pathlib import Path

from bot.commands.common import add_env, load_settings
from bot.errors import GopsError
from bot.operate.people_figures import MIN_PEOPLE, WEEK, Figures, first_week, read_figures
from bot.process.base.clock import SystemClock
from bot.referee.model.counts import Figure, WeekCount
from data.cache import CachingStore

NAME = "people"
HELP = "show how many people play and come back, week by week, without names"
EXAMPLE = "gops people --weeks 12"

MOST_WEEKS = 104
LABELS = {
    Figure.PLAYED: "people who played",
    Figure.FIRST_FINISHED: "first match finished",
    Figure.SECOND_MATCH: "second match within 7 days",
    Figure.BACK: "back after 30 days",
    Figure.DAILY_NEXT_DAY: "daily deal: back the next day",
    Figure.LESSON_FINISHED: "guided match finished",
    Figure.ACCEPTED: "challenges accepted",
    Figure.IN_MINUTE: "  of these within a minute",
    Figure.IN_TEN: "  of these within 10 minutes",
    Figure.IN_HOUR: "  of these within an hour",
    Figure.BY_CLOCK: "matches ended by the clock",
    Figure.SERVERS: "servers playing 8 weeks on",
}
NOTES = f"""
Weeks begin on Monday (UTC). 40% of 25: of 25 who began, or of 25 matches, challenges or servers.
People are followed from the week of their first match, servers from the week in which the bot joined.
"-": fewer than {MIN_PEOPLE} people, or too early to say."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--weeks", type=_weeks, default=8, metavar="N", help="the last N complete weeks (8)")
    add_env(parser)


def run(args: argparse.Namespace) -> int:
    """Print the figures of the last complete weeks."""
    settings = load_settings(args)
    if not settings.server and not settings.database.exists():
        raise GopsError(f"there is no database at {settings.database}")
    now = SystemClock().now()
    figures = asyncio.run(_read(settings.where, now, args.weeks))
    since = first_week(now, args.weeks)
    print("\n".join(write_table(figures, [f"{since + n * WEEK:%d %b %y}" for n in range(args.weeks)])))
    print(NOTES)
    return 0


async def _read(where: Path | str, now: datetime, weeks: int) -> Figures:
    async with await CachingStore.open(where) as store:
        return await read_figures(store.database, now, weeks)


def write_table(figures: Figures, weeks: list[str]) -> list[str]:
    """Return a line for each figure, with a column for each week."""
    cells = [[_write_cell(figures[figure].get(week)) for week in range(len(weeks))] for figure in LABELS]
    width = max(map(len, (*weeks, *(cell for row in cells for cell in row))))
    label = max(map(len, LABELS.values()))
    rows = zip(("", *LABELS.values()), (weeks, *cells), strict=True)
    return ["  ".join([name.ljust(label), *(cell.rjust(width) for cell in row)]).rstrip() for name, row in rows]


def _write_cell(count: WeekCount | None) -> str:
    if count is None:
        return "-"
    return str(count.of) if count.figure is Figure.PLAYED else f"{round(100 * count.part / count.of)}% of {count.of}"


def _weeks(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if not 1 <= number <= MOST_WEEKS:
        raise argparse.ArgumentTypeError(f"weeks are a number from 1 to {MOST_WEEKS}")
    return number
