"""When the daily deal is posted in a server's channel, and what the post tells."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.messages.posts import Posts
from bot.referee.model.daily import DailyTry
from bot.referee.model.daily_posts import FIRST, LAST, daily_owner, is_post_time, next_post, post_time, rank_week
from bot.referee.model.model import Deadline
from bot.rest.call_result import CallResult
from bot.ui.message import Message
from tests.cogs.ui.reading import plain, read
from tests.referee.stage import ANA, BEN, CEM, HERE, START, Table
from tests.referee.test_daily import play

GUILD, CHANNEL = HERE.guild, 55
MIDNIGHT = datetime(2026, 11, 23, tzinfo=UTC)
"""of a Monday"""


class Channel:
    """What the bot posts, as Discord would take it."""

    def __init__(self, table: Table, result: CallResult = CallResult.DONE, free_share: float = 1.0) -> None:
        self.table = table
        self.posts: list[tuple[int, str, bool]] = []
        self.result = result
        self.budget = SimpleNamespace(free_share=free_share)
        how: Any = table.sleeper
        how.remind = self._remind

    async def _remind(self, deadline: Deadline) -> datetime:
        delivery: Any = self
        return await Posts(self.table.referee, delivery).post_daily(deadline)

    async def post(self, channel: int, message: Message, nonce: str, silent: bool) -> tuple[CallResult, int]:
        assert len(nonce) <= 25
        self.posts.append((channel, plain(read(message)), silent))
        return self.result, 9

    async def at(self, time: datetime) -> list[str]:
        """What is posted by then."""
        before, self.table.clock.time = len(self.posts), time
        await self.table.fire()
        return [text for _, text, _ in self.posts[before:]]

    async def due(self) -> datetime:
        [deadline] = await self.table.store.deadlines_of(daily_owner(GUILD))
        return deadline.due


@pytest.fixture
async def channel(table: Table) -> Channel:
    await table.referee.leaving.note_member(GUILD)
    await table.referee.deciding.change(GUILD, CEM, 0, daily=CHANNEL)
    return Channel(table)


def slot(days: int = 0) -> datetime:
    return post_time(GUILD, (MIDNIGHT + timedelta(days=days)).date())


def test_servers_are_spread_over_the_hours_after_the_last_try() -> None:
    times = [post_time(guild, MIDNIGHT.date()) for guild in range(1, 500)]
    assert MIDNIGHT + FIRST <= min(times) < MIDNIGHT + FIRST + timedelta(minutes=5)
    assert MIDNIGHT + LAST - timedelta(minutes=10) < max(times) < MIDNIGHT + LAST - timedelta(minutes=4)
    time = times[0]
    second = timedelta(seconds=1)
    assert [next_post(1, time - second), next_post(1, time)] == [time, time + timedelta(days=1)]
    shown = [is_post_time(1, at) for at in (time - second, time, MIDNIGHT + LAST - second, MIDNIGHT + LAST)]
    assert shown == [False, True, True, False]


async def test_a_deal_is_posted_once_a_day_with_the_ranking_of_the_day_before(channel: Channel) -> None:
    table = channel.table
    assert await channel.due() == next_post(GUILD, START)
    for person, plan in ((ANA, (4, 7, 2, 6, 1, 5)), (BEN, (1, 2, 3, 4, 5, 6))):
        table.clock.time = MIDNIGHT - timedelta(hours=9)
        await play(table, person, plan)
    assert await channel.at(slot() - timedelta(seconds=1)) == []
    [text] = await channel.at(slot())
    assert [(where, silent) for where, _, silent in channel.posts] == [(CHANNEL, True)]
    first, second, *lines = text.splitlines()
    assert first == "### Daily 327 · 23 November 2026"
    assert second.startswith("A new deal: 7 cards against the house")
    assert lines[0] == "**Yesterday, Daily 326**"
    assert sorted(line.split()[1] for line in lines[1:3]) == ["Ana", "Ben"]
    assert "**Best of last week**" in lines
    assert lines[-1] == "[Play]"
    again = Channel(Table(table.store, table.clock))
    assert await again.at(slot() + timedelta(minutes=1)) == []
    [text] = await again.at(slot(1))
    assert "Best of last week" not in text, "no Monday"
    assert "Yesterday" not in text, "nobody played"


async def test_a_failed_or_interrupted_post_is_not_made_again(channel: Channel) -> None:
    await play(channel.table)
    table = channel.table

    async def cut(*_: object, **__: object) -> None:
        raise asyncio.CancelledError

    whole, how = channel.post, channel.__dict__
    how["post"] = cut  # the process ends after the store has it
    assert await channel.at(slot()) == []
    how["post"] = whole
    assert await Channel(Table(table.store, table.clock)).at(slot() + timedelta(minutes=2)) == []
    failing = Channel(table, CallResult.LATER)
    assert len(await failing.at(slot(1))) == 1
    assert await failing.at(slot(1) + timedelta(minutes=2)) == []


async def test_nothing_is_posted_outside_the_hours_or_where_nobody_plays(channel: Channel) -> None:
    await play(channel.table)
    assert await channel.at(MIDNIGHT + LAST) == [], "the bot was off"
    assert await channel.due() == slot(1)
    assert len(await channel.at(slot(1))) == 1
    assert await channel.at(slot(5) + timedelta(hours=-1)) == []
    assert await channel.at(slot(6)) == [], "the last match began more than seven days ago"
    await play(channel.table)
    assert len(await channel.at(slot(7))) == 1
    await channel.table.referee.leaving.note_removed(GUILD)
    assert await channel.at(slot(8)) == []


async def test_matches_come_first(channel: Channel) -> None:
    await play(channel.table)
    channel.budget.free_share = 0.4
    assert await channel.at(slot()) == []
    channel.budget.free_share = 0.6
    assert await channel.at(slot() + timedelta(seconds=1)) == []
    assert len(await channel.at(slot() + timedelta(seconds=30))) == 1


async def test_another_channel_or_none_does_not_repeat_the_post(channel: Channel) -> None:
    await play(channel.table)
    deciding = channel.table.referee.deciding
    assert len(await channel.at(slot())) == 1
    await deciding.change(GUILD, CEM, 1, daily=0)
    assert await channel.table.store.deadlines_of(daily_owner(GUILD)) == []
    await deciding.change(GUILD, CEM, 2, daily=CHANNEL + 1)
    assert await channel.at(slot() + timedelta(minutes=1)) == []
    assert len(await channel.at(slot(1))) == 1
    assert channel.posts[-1][0] == CHANNEL + 1


def tried(user: int, day: int, mine: int, theirs: int) -> DailyTry:
    when = datetime(2026, 11, day, 12, tzinfo=UTC)
    totals, over = (str(mine), str(theirs)), int(Termination.COMPLETED)
    return DailyTry(GUILD, date(2026, 11, day), user, "K7Q2", False, f"P{user}", True, totals, when, over)


def test_the_week_goes_to_those_who_won_most() -> None:
    days = [
        [tried(1, 16, 15, 13), tried(2, 16, 20, 8), tried(3, 16, 14, 14)],
        [tried(1, 17, 15, 13), tried(2, 17, 13, 15), tried(4, 17, 18, 10)],
    ]
    found = [(line.user, line.won, line.margin) for line in rank_week(days)]
    assert found == [(1, 2, 4), (2, 1, 10), (4, 1, 8), (3, 0, 0)]
