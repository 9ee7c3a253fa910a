"""Warnings before a slow clock runs out: the default warning, or times that a person chose."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.match.reminders import read_reminders
from bot.referee.model.model import Deadline, DeadlineKind
from tests.referee.stage import ANA, BEN, Table

HOURS12: dict[str, Any] = {"clock": 12 * 3600, "cards": 5}


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [
        ("8h 4h 1h", (480, 240, 60)),
        (" 1 h, 8 h , 4h ", (480, 240, 60)),
        ("30m", (30,)),
        ("90 min; 2", (120, 90)),
        ("1d/5m", (1440, 5)),
        ("1h 60m", (60,)),
        ("Usual", ()),
    ],
)
def test_reminder_times_are_read_as_people_type_them(typed: str, minutes: tuple[int, ...]) -> None:
    assert read_reminders(typed) == minutes


@pytest.mark.parametrize("typed", ["", " ", "4m", "4d", "-1h", "1h2h", "soon", "1 2 3 4 5 6", "9" * 4000, "nan", "٣h"])
def test_unreadable_reminder_times_are_refused(typed: str) -> None:
    with pytest.raises(RefereeError, match="reminders-unreadable"):
        read_reminders(typed)


class Warned:
    """Does what notices do, and notes who would have been warned when."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.told: list[tuple[float, int]] = []
        table.sleeper.remind = self.remind

    async def remind(self, deadline: Deadline) -> bool | datetime:
        referee = self.table.referee
        view = await referee.views.view(deadline.owner)
        if deadline.kind is DeadlineKind.NUDGE:
            await referee.reminding.schedule(view.id)
            return True
        if deadline.kind is DeadlineKind.PAUSED:
            return True
        assert view.deadline is not None
        for seat in view.awaited:
            player = await referee.store.player(seat.user)
            if referee.reminding.is_due(view, player, deadline.due):
                hours = (view.deadline - self.table.clock.now()).total_seconds() / 3600
                self.told.append((hours, seat.user))
        return await referee.reminding.next_reminder(view, deadline.due) or True

    async def hours(self, count: int) -> None:
        for _ in range(count * 60):
            self.table.clock.forward(60)
            await self.table.fire()


async def test_each_player_is_warned_at_the_times_they_chose(table: Table) -> None:
    await table.referee.people.set_preferences(ANA.user, reminders=(480, 240, 60))
    id = await table.start(**HOURS12)
    warned = Warned(table)
    await warned.hours(12)
    assert warned.told == [(8, ANA.user), (4, ANA.user), (2, BEN.user), (1, ANA.user)]
    table.clock.forward(60)
    await table.fire()
    warned.told.clear()
    await table.seal(id, ANA.user, 3)
    await warned.hours(11)
    assert [user for _, user in warned.told] == [BEN.user], "who has sealed is not warned"


async def test_default_is_one_warning_at_a_quarter_or_two_hours(table: Table) -> None:
    await table.start(**HOURS12)
    warned = Warned(table)
    await warned.hours(12)
    assert warned.told == [(2, ANA.user), (2, BEN.user)]


async def test_new_reminder_times_apply_to_the_open_bid(table: Table) -> None:
    await table.start(**HOURS12)
    warned = Warned(table)
    await warned.hours(3)
    await table.referee.people.set_preferences(BEN.user, reminders=(600, 300, 30))
    await table.referee.reminding.schedule_all(BEN.user)
    await warned.hours(9)
    assert warned.told == [(5, BEN.user), (2, ANA.user), (0.5, BEN.user)]


async def test_moved_clocks_move_every_warning(table: Table) -> None:
    await table.referee.people.set_preferences(ANA.user, reminders=(480, 60))
    await table.start(**HOURS12)
    warned = Warned(table)
    await warned.hours(2)
    await table.referee.pausing.begin(BEN.user, timedelta(hours=6))
    await warned.hours(1)
    assert warned.told == []
    await warned.hours(14)
    assert warned.told == [(8, ANA.user), (2, BEN.user), (1, ANA.user)]
