"""`gops people` and its metrics: shares week by week, and no figure about fewer than five people."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.commands.people import write_table
from bot.operate.metrics import Metrics
from bot.operate.people_figures import METRIC_WEEKS, WEEK, choose_figures, first_week, read_figures
from bot.referee.model import changes as c
from bot.referee.model.counts import Figure, WeekCount
from bot.rest.global_limit import InvalidRequests
from data.cache import CachingStore
from tests.data.test_contract_counts import begun
from tests.e2e.house import opened
from tests.operate.commands import beside, gops
from tests.operate.test_metrics import read
from tests.referee.stage import HandClock

NOW = datetime(2026, 11, 26, 23, 59, tzinfo=UTC)  # a Thursday
MONDAY = datetime(2026, 11, 23, tzinfo=UTC)


def test_weeks_are_complete_and_begin_on_monday() -> None:
    assert first_week(NOW, 1) == MONDAY - WEEK
    assert first_week(MONDAY, 2) == MONDAY - 2 * WEEK
    assert first_week(MONDAY - timedelta(microseconds=1), 1) == MONDAY - 2 * WEEK


@pytest.mark.parametrize(("people", "told"), [(4, False), (5, True)])
def test_no_figure_is_told_about_fewer_than_five_people(people: int, told: bool) -> None:
    """However many matches or challenges they stand for."""
    for figure in Figure:
        count = WeekCount(figure, 0, people, 30, 40)
        assert bool(choose_figures([count], NOW - 20 * WEEK, NOW)[figure]) is told


def test_figure_that_still_changes_is_not_told() -> None:
    since = first_week(NOW, 12)
    counts = [WeekCount(figure, week, 9, 3, 9) for figure in Figure for week in range(12)]
    told = choose_figures(counts, since, NOW)
    assert max(told[Figure.PLAYED]) == 11
    assert max(told[Figure.DAILY_NEXT_DAY]) == 11
    assert max(told[Figure.SECOND_MATCH]) == 10
    assert max(told[Figure.BACK]) == 6
    assert max(told[Figure.SERVERS]) == 2


def test_table_has_a_line_for_each_figure_and_a_dash_for_what_is_not_told() -> None:
    counts = [WeekCount(Figure.PLAYED, 0, 12, 12, 12), WeekCount(Figure.FIRST_FINISHED, 1, 8, 3, 8)]
    lines = write_table(choose_figures(counts, MONDAY - 2 * WEEK, NOW), ["09 Nov 26", "16 Nov 26"])
    assert len(lines) == 1 + len(Figure)
    assert lines[0].split() == ["09", "Nov", "26", "16", "Nov", "26"]
    assert lines[1].split() == ["people", "who", "played", "12", "-"]
    assert lines[2].split() == ["first", "match", "finished", "-", "38%", "of", "8"]
    assert all(line.split()[-2:] == ["-", "-"] for line in lines[3:])


async def test_people_who_played_reach_the_metrics_without_ids(tmp_path: Path) -> None:
    path, since = tmp_path / "gops.sqlite3", first_week(NOW, METRIC_WEEKS)
    async with await CachingStore.open(path) as store:
        steps: list[c.Step] = [begun(f"M{n}", since + timedelta(days=n), 201 + n, 301 + n) for n in range(6)]
        for step in steps:
            await store.write((step,))
        figures = await read_figures(store.database, NOW, METRIC_WEEKS)
    metrics = Metrics(HandClock(), InvalidRequests())
    assert read(metrics.text().decode())["gops_people_played"] == 0
    metrics.show_people({figure: (one[0].part, one[0].of) for figure, one in figures.items() if one})
    text = metrics.text().decode()
    found = read(text)
    assert found["gops_people_played"] == 12
    assert found["gops_people_share first-finished"] == 1
    assert found["gops_people_share second-match"] == 0
    assert not any(re.search(rf"(?<![\d.]){user}(?![\d.])", text) for user in (201, 301))


async def test_figures_that_a_running_bot_reads_keep_its_log(tmp_path: Path) -> None:
    """A second database object on the same file would release the locks of the first, and another process then
    deletes the log."""
    path = tmp_path / "gops.sqlite3"
    async with await CachingStore.open(path, alone=True) as store:
        await read_figures(store.database, NOW, METRIC_WEEKS)
        said = await gops({"GOPS_DATABASE": str(path)}, "people")
        assert said.code == 0, said
        await store.write((c.SaveNote("key", "value"),))


def joined_times(connection: sqlite3.Connection) -> list[int]:
    return [joined for (joined,) in connection.execute("SELECT joined FROM guilds WHERE guild > 0")]


async def test_command_shows_figures_beside_a_running_bot(tmp_path: Path) -> None:
    """Two people are too few; the time at which the bot joined the server is stored."""
    async with opened(tmp_path) as house:
        await house.match(cards=2)
        said = await beside(house, "people", "--weeks", "3")
        assert said.code == 0, said.err
        lines = said.out.splitlines()
        assert lines[1].split()[-3:] == ["-", "-", "-"]
        assert "fewer than 5 people" in said.out
        with closing(sqlite3.connect(house.bot.environment()["GOPS_DATABASE"])) as connection:
            async with asyncio.timeout(30):
                while not (times := joined_times(connection)):  # noqa: ASYNC110 - a database tells nobody
                    await asyncio.sleep(0.01)
            [joined] = times
            counted = dict(connection.execute("SELECT what, number FROM daily_counts").fetchall())
        assert joined > 0
        assert counted == {"challenge-sent": 1, "accepted-minute": 1}


async def test_command_refuses_weeks_that_are_none(tmp_path: Path) -> None:
    for weeks in ("0", "x", "105"):
        said = await gops({"GOPS_DATABASE": str(tmp_path / "none.sqlite3")}, "people", "--weeks", weeks)
        assert said.code == 2
        assert "weeks are a number from 1 to 104" in said.err
    said = await gops({"GOPS_DATABASE": str(tmp_path / "none.sqlite3")}, "people")
    assert said.code == 1
    assert "there is no database" in said.err
