"""What is counted a day: guided matches once a person, challenges by how fast they are accepted, and joining once."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, timedelta

import pytest

from bot.referee.lobby.setups import Wish
from bot.referee.model.counts import DailyCount, Figure
from data.sql.counts import week_counts
from data.sql.statement import all_rows
from tests.memory_store import MemoryStore
from tests.referee.stage import ANA, BEN, CEM, HERE, Table

pytestmark = pytest.mark.asyncio

BEST = (3, 5, 1, 4)


@pytest.fixture
def table() -> Table:
    return Table(MemoryStore())


async def counts(table: Table, guild: int = HERE.guild) -> dict[str, int]:
    """What is counted in a server, whatever the day."""
    read = all_rows(
        "SELECT what, number FROM daily_counts WHERE guild = ? ORDER BY day, what", (guild,), lambda *row: row
    )
    found: dict[str, int] = {}
    for what, number in await table.store.database.read(read):
        found[what] = found.get(what, 0) + number
    return found


async def learn(table: Table, user: int, bids: tuple[int, ...]) -> None:
    for number in range(1, len(bids) + 1):
        await table.referee.lessons.bid(user, bids[:number], HERE.guild)


async def test_guided_match_is_counted_once_a_person(table: Table) -> None:
    lessons = table.referee.lessons
    await lessons.skip(ANA.user)
    assert await counts(table) == {}
    await learn(table, ANA.user, BEST)
    await learn(table, BEN.user, BEST[:2])
    assert await counts(table) == {DailyCount.LESSON_BEGUN: 2, DailyCount.LESSON_FINISHED: 1}
    await learn(table, ANA.user, BEST[:2])
    assert (await lessons.load(ANA.user)).bids == BEST[:2], "a second lesson is kept, too"
    await learn(table, ANA.user, BEST)
    assert (await lessons.load(ANA.user)).bids == ()
    await lessons.skip(BEN.user)
    await learn(table, BEN.user, BEST)
    await learn(table, BEN.user, BEST)
    assert await counts(table) == {DailyCount.LESSON_BEGUN: 2, DailyCount.LESSON_FINISHED: 2}


async def test_two_presses_at_once_begin_one_guided_match(table: Table) -> None:
    await asyncio.gather(*(table.referee.lessons.bid(ANA.user, (3,), HERE.guild) for _ in range(2)))
    assert await counts(table) == {DailyCount.LESSON_BEGUN: 1}


@pytest.mark.parametrize(
    ("seconds", "what"),
    [
        (60, DailyCount.ACCEPTED_IN_MINUTE),
        (61, DailyCount.ACCEPTED_IN_TEN),
        (600, DailyCount.ACCEPTED_IN_TEN),
        (3600, DailyCount.ACCEPTED_IN_HOUR),
        (3601, DailyCount.ACCEPTED_LATER),
    ],
)
async def test_challenge_is_counted_by_the_time_until_its_match_begins(
    table: Table, seconds: int, what: DailyCount
) -> None:
    lobby = await table.referee.challenges.open(HERE, ANA, (BEN, CEM), Wish(clock=24 * 3600, rated=False))
    assert await counts(table) == {DailyCount.CHALLENGE_SENT: 1}
    await table.referee.challenges.accept(lobby.id, BEN.user, 900)
    table.clock.forward(seconds)
    await table.referee.challenges.accept(lobby.id, CEM.user, 900)
    assert await counts(table) == {DailyCount.CHALLENGE_SENT: 1, what: 1}


async def test_acceptance_counts_for_the_day_on_which_the_challenge_was_sent(table: Table) -> None:
    table.clock.forward(days_to_midnight(table) - 30)
    sent = table.clock.now().date()
    await_later = await table.referee.challenges.open(HERE, ANA, (BEN,), Wish())
    table.clock.forward(45)
    assert table.clock.now().date() > sent
    await table.referee.challenges.accept(await_later.id, BEN.user, 900)
    read = all_rows("SELECT day, what FROM daily_counts ORDER BY day, what", (), lambda day, _: day)
    assert await table.store.database.read(read) == [(sent - date(1970, 1, 1)).days] * 2


def days_to_midnight(table: Table) -> float:
    now = table.clock.now()
    midnight = datetime(now.year, now.month, now.day, tzinfo=now.tzinfo) + timedelta(days=1)
    return (midnight - now).total_seconds()


async def test_open_tables_and_declined_challenges_are_no_acceptance(table: Table) -> None:
    open_table = await table.referee.tables.open(HERE, ANA, 2, Wish())
    await table.referee.tables.join(open_table.id, BEN, 900)
    lobby = await table.referee.challenges.open(HERE, ANA, (CEM,), Wish())
    await table.referee.challenges.decline(lobby.id, CEM.user)
    assert await counts(table) == {DailyCount.CHALLENGE_SENT: 1}


async def test_servers_of_a_connection_are_noted_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.referee.server.removal.AT_ONCE", 2)
    leaving, now = table.referee.leaving, table.clock.now()
    await leaving.note_servers(range(1, 6))
    for guild in range(1, 6):
        await leaving.note_member(guild, now)
    for day in (1, 2):
        await leaving.note_servers(range(1, 7))
        for guild in range(1, 7):
            await leaving.note_member(guild, now + timedelta(days=day))
    assert await table.store.joined_servers() == [1, 2, 3, 4, 5, 6]
    found = await table.store.database.read(week_counts(now, 1))
    assert [(one.of, one.people) for one in found if one.figure is Figure.SERVERS] == [(6, 6)]
    read = all_rows("SELECT guild, joined FROM guilds ORDER BY guild", (), lambda _, joined: joined)
    times = await table.store.database.read(read)
    assert len(set(times[:5])) == 1
    assert times[5] - times[0] == 24 * 3600 * 1_000_000
