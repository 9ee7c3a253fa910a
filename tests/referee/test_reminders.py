"""Reminders may take long at Discord: no clock waits for a reminder, and no reminder is lost."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Any

import pytest

from bot.referee.clock import deadlines
from bot.referee.clock.deadlines import AT_ONCE, BATCH, RARELY, RETRY_AFTER
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import Change, SetDeadline, ShiftDeadlines
from bot.referee.model.model import Deadline, DeadlineKind
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.referee.waiting import wait_idle

CLOCK, GRACE, LEAD = 60, 3, 20
"""seconds of a bid, after it, and between its warning and its end"""


class SlowDiscord:
    """Takes as long for each reminder as the test wants."""

    def __init__(self, table: Table) -> None:
        self.answers = asyncio.Event()
        self.asked: list[Deadline] = []
        self.came = asyncio.Event()
        table.sleeper.remind = self.remind

    async def remind(self, deadline: Deadline) -> bool:
        self.asked.append(deadline)
        self.came.set()
        await self.answers.wait()
        return True


async def rows(table: Table, kind: DeadlineKind = DeadlineKind.WARNING) -> list[Deadline]:
    return [one for one in await table.store.due(table.clock.now() + timedelta(days=9)) if one.kind is kind]


async def test_slow_reminder_of_one_match_stops_no_clock_of_another(table: Table) -> None:
    slow = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK - LEAD - 1)
    other = await table.start((ANA, CEM), clock=45, cards=5)
    discord = SlowDiscord(table)
    table.clock.forward(1)
    assert await table.sleeper.fire_due() == 0
    await discord.came.wait()
    assert [one.owner for one in discord.asked] == [slow]
    lobby = await table.referee.challenges.open(HERE, BEN, [CEM], Wish(clock=CLOCK))
    table.clock.forward(45 + GRACE)
    while await table.sleeper.fire_due() == 0:
        pass
    assert (await table.referee.views.view(other)).round == 2
    assert (await table.referee.views.view(slow)).round == 2, "its own clock runs out as well"
    table.clock.forward(600)
    while await table.sleeper.fire_due() == 0:
        pass
    assert (await table.referee.lobbies.get(lobby.id)).state.name == "EXPIRED"
    discord.answers.set()
    await wait_idle(table.sleeper)


async def test_reminder_under_way_is_not_sent_again_and_keeps_its_row(table: Table) -> None:
    await table.start(clock=CLOCK, cards=5)
    discord = SlowDiscord(table)
    table.clock.forward(CLOCK - LEAD)
    assert await table.sleeper.fire_due() == 0
    await discord.came.wait()
    for _ in range(3):
        assert await table.sleeper.fire_due() == LEAD + GRACE, "nothing to do until the clock runs out"
    assert len(discord.asked) == len(await rows(table)) == 1
    discord.answers.set()
    await wait_idle(table.sleeper)
    assert await rows(table) == []
    assert len(discord.asked) == 1


async def test_stale_read_of_due_reminders_sends_none_twice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.start(clock=CLOCK, cards=5)
    discord = SlowDiscord(table)
    table.clock.forward(CLOCK - LEAD)
    await table.sleeper.fire_due()
    read = table.store.due

    async def late(*which: Any) -> Any:
        found = await read(*which)
        discord.answers.set()
        await wait_idle(table.sleeper)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(table.store, "due", late)
        await table.sleeper.fire_due()
    await wait_idle(table.sleeper)
    assert len(discord.asked) == 1


async def test_failed_reminder_is_retried_with_growing_waits(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    await table.start(clock=7200, cards=5)
    tried: list[Deadline] = []

    async def fails(deadline: Deadline) -> bool:
        if deadline.kind is DeadlineKind.NUDGE:
            return True
        tried.append(deadline)
        if len(tried) == 1:
            raise OSError("the line is dead")
        return len(tried) > 9

    table.sleeper.remind = fails
    table.clock.forward(7200 - 1800)
    wait = RETRY_AFTER
    await table.fire()
    for count in range(1, 10):
        table.clock.time += wait - timedelta(seconds=1)
        await table.fire()
        assert len(tried) == count
        assert len(await rows(table)) == 1
        table.clock.forward(1)
        await table.fire()
        assert len(tried) == count + 1
        wait = min(2 * wait, RARELY)
    assert await rows(table) == []
    [told] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert "it is sent again" in told.getMessage()


async def test_sleeper_wakes_for_a_failed_reminder(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next deadline may be far away."""
    monkeypatch.setattr(deadlines, "RETRY_AFTER", timedelta(seconds=0.01))
    monkeypatch.setattr(deadlines, "PAUSE", 0.0)
    await table.start(clock=CLOCK, cards=5)
    first, again = asyncio.Event(), asyncio.Event()

    async def fails_once(_: Deadline) -> bool:
        (again if first.is_set() else first).set()
        return again.is_set()

    table.sleeper.remind = fails_once
    table.clock.forward(CLOCK - LEAD)
    running = asyncio.create_task(table.sleeper.run())
    await table.sleeper.presence.reconnect()
    await asyncio.wait_for(first.wait(), 60)
    await wait_idle(table.sleeper)
    table.clock.forward(1)
    await asyncio.wait_for(again.wait(), 60)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


async def test_reminder_stopped_by_a_shutdown_is_sent_by_the_next_process(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    discord = SlowDiscord(table)
    table.clock.forward(CLOCK - LEAD)
    running = asyncio.create_task(table.sleeper.run())
    await table.sleeper.presence.reconnect()
    await asyncio.wait_for(discord.came.wait(), 60)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("remind-")]
    assert [one.owner for one in await rows(table)] == [id]
    again = Table(table.store, table.clock, "again")
    await again.fire()
    assert [(one.owner, one.kind) for one in again.reminded] == [(id, DeadlineKind.WARNING)]
    assert await rows(table) == []


async def test_reminder_that_ends_late_does_not_delete_the_next_one(table: Table) -> None:
    """The round went on: the reminder for the next bid is neither deleted nor delayed."""
    id = await table.start(clock=CLOCK, cards=5)
    discord = SlowDiscord(table)
    table.clock.forward(CLOCK - LEAD)
    await table.sleeper.fire_due()
    await discord.came.wait()
    await table.round(id, 2, 3)
    discord.came.clear()
    table.clock.forward(CLOCK - LEAD)
    assert await table.sleeper.fire_due() == 0
    await asyncio.wait_for(discord.came.wait(), 60)
    assert len({one.prompt for one in discord.asked}) == 2
    await table.round(id, 3, 2)
    [third] = await rows(table)
    discord.answers.set()
    await wait_idle(table.sleeper)
    assert await rows(table) == [third]


async def test_many_slow_reminders_stop_no_clock(table: Table) -> None:
    """There are more reminders than one batch and than are sent at once."""
    id = await table.start(clock=45, cards=5)
    now = table.clock.now()
    many = [Deadline(f"M{number:03}", DeadlineKind.WARNING, now, 1) for number in range(BATCH + 50)]
    await table.referee.write(tuple(SetDeadline(one) for one in many))
    discord = SlowDiscord(table)
    table.clock.forward(45 + GRACE)
    while await table.sleeper.fire_due() == 0:
        pass
    assert (await table.referee.views.view(id)).round == 2
    assert len(discord.asked) == AT_ONCE
    discord.answers.set()
    await wait_idle(table.sleeper)
    assert sorted(one.owner for one in discord.asked) == sorted(one.owner for one in many)
    assert await rows(table) == []


async def test_failed_reminders_leave_no_memory_behind(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)

    async def fails(_: Deadline) -> bool:
        raise OSError

    table.sleeper.remind = fails
    id = await table.start(clock=CLOCK, cards=9)
    for card in range(2, 6):
        table.clock.forward(CLOCK - LEAD)
        await table.fire()
        await table.round(id, card, card)
    table.clock.forward(RARELY.total_seconds() + RETRY_AFTER.total_seconds())
    await table.fire()
    kept: Any = table.sleeper
    assert len(kept._failed) <= 1


# --- clocks --------------------------------------------------------------------------------------------------


async def passed_by(table: Table, monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    """Look what is due, and something changes before it is dealt with."""
    read = table.store.due

    async def then(*which: Any) -> Any:
        found = await read(*which)
        monkeypatch.setattr(table.store, "due", read)
        await change()
        return found

    monkeypatch.setattr(table.store, "due", then)
    await table.sleeper.fire_due()


async def test_round_revealed_at_the_last_moment_keeps_the_next_clock(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    pressed = table.clock.now()
    prompt = (await table.referee.views.view(id)).prompt
    table.clock.forward(CLOCK + GRACE)

    async def both_bid() -> None:
        for person, card in ((ANA, 2), (BEN, 3)):
            await table.referee.matches.seal(id, person.user, prompt, card, pressed)

    await passed_by(table, monkeypatch, both_bid)
    [clock] = await rows(table, DeadlineKind.BID)
    assert clock.due == table.clock.now() + timedelta(seconds=CLOCK + GRACE)
    table.clock.forward(CLOCK + GRACE)
    await table.fire()
    assert (await table.referee.views.view(id)).round == 3


async def test_clock_moved_at_the_last_moment_runs_on(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK + GRACE)

    async def move() -> None:
        change: Change = (ShiftDeadlines(timedelta(seconds=30)),)
        await table.referee.write(change)
        table.referee.clear_cache()

    await passed_by(table, monkeypatch, move)
    assert (await table.referee.views.view(id)).round == 1
    table.clock.forward(30)
    await table.fire()
    assert (await table.referee.views.view(id)).round == 2


def test_every_deadline_kind_is_a_clock_or_a_reminder() -> None:
    """Reminders are the kinds that run in tasks of their own."""
    assert set(DeadlineKind) - set(deadlines.CLOCKS) == {
        *(DeadlineKind.WARNING, DeadlineKind.NUDGE, DeadlineKind.CHAMPIONS, DeadlineKind.PAUSED, DeadlineKind.ROLES),
        *(DeadlineKind.OUTDATED, DeadlineKind.DAILY, DeadlineKind.PAIR, DeadlineKind.WAITING),
    }
