"""What is read in the place of a console by DM: a warning takes its place, and a restart forgets nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.messages.publisher import Publisher
from bot.referee.model.changes import ShiftDeadlines
from bot.referee.model.model import DeadlineKind
from bot.referee.model.surfaces import Surface, SurfaceState
from bot.referee.repository.surfaces import EPOCH
from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget
from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.show.test_dm_reminders import Nudged

KEYS = "g1:co:"
"""begins the id of a key of a console"""


@pytest.fixture
async def reading() -> AsyncIterator[Nudged]:
    """Ana looks at *More* in the place of her console."""
    async with staged() as place:
        table = TableMode(place)
        await table.start(place="own", clock=900, cards=4)
        await place.publisher.idle()
        nudged = Nudged(table)
        console = await nudged.console()
        await table.press(ANA, f"g1:bd:{table.id}:more", message=console, by_dm=True)
        await place.publisher.idle()
        assert KEYS not in nudged.text(console)
        yield nudged


async def row(nudged: Nudged) -> Surface:
    console = await nudged.console()
    stored = await nudged.table.place.referee.surfaces.load(nudged.table.id)
    return next(one for one in stored if one.message == console)


async def reveal(nudged: Nudged) -> None:
    for person, card in ((ANA, 1), (BEN, 2)):
        await nudged.table.place.table.seal(nudged.table.id, person.user, card)


def restart(nudged: Nudged) -> Publisher:
    """Another process shows what is stored."""
    place = nudged.table.place
    publisher = Publisher(place.referee, Delivery(place.wire.client().rest_client, CallBudget(lambda: 1e9)))
    place.referee.listeners[0] = publisher.changed
    place.publisher = publisher
    return publisher


async def test_warning_takes_the_place_of_what_is_read(reading: Nudged) -> None:
    console, place = await reading.console(), reading.table.place
    await reading.remind(DeadlineKind.WARNING)
    assert await reading.console() == console, "who has looked at it just now needs no warning"
    place.table.clock.forward(21)
    await reading.remind(DeadlineKind.WARNING)
    await place.publisher.idle()
    assert await reading.console() != console
    [sent] = reading.sent(ANA)
    assert KEYS in sent


async def test_what_is_read_is_stored_and_read_on_after_a_restart(reading: Nudged) -> None:
    place, before = reading.table.place, reading.text(await reading.console())
    assert (await row(reading)).state is SurfaceState.READ
    await place.publisher.close()
    publisher = restart(reading)
    await publisher.catch_up()
    await place.table.seal(reading.table.id, BEN.user, 2)
    await publisher.idle()
    assert reading.text(await reading.console()) == before
    await place.table.seal(reading.table.id, ANA.user, 1)
    await publisher.idle()
    assert KEYS in reading.text(await reading.console())
    assert (await row(reading)).state is SurfaceState.LIVE


async def test_console_comes_back_with_a_reveal_that_a_killed_process_did_not_show(reading: Nudged) -> None:
    place = reading.table.place
    await place.publisher.close()
    await reveal(reading)
    publisher = restart(reading)
    await publisher.catch_up()
    await publisher.idle()
    assert KEYS in reading.text(await reading.console())


async def test_new_deadlines_wait_while_matches_need_the_calls(reading: Nudged) -> None:
    place, other = reading.table.place, TableMode(reading.table.place)
    await other.start(clock=900, cards=4)
    await place.publisher.idle()
    await place.publisher.close()
    await reveal(reading)
    await place.referee.write((ShiftDeadlines(timedelta(seconds=11), unseen=True),))
    place.referee.clear_cache()
    publisher = restart(reading)
    busy = publisher.delivery.budget = CallBudget(lambda: 10.0)
    busy.reserve(1000)
    await publisher.catch_up()
    await asyncio.sleep(0)
    assert [*publisher.displays] == [reading.table.id], "what people wait for comes first"
    publisher.delivery.budget = CallBudget(lambda: 1e9)
    await publisher.idle()
    assert await place.referee.store.behind() == []


async def test_what_a_killed_process_drew_last_is_shown_at_once(reading: Nudged) -> None:
    """An older drawing may have arrived after it, and people wait for what is there now."""
    place, other = reading.table.place, TableMode(reading.table.place)
    await other.start(clock=900, cards=4)
    await place.publisher.idle()
    await place.publisher.close()
    await place.referee.write((ShiftDeadlines(timedelta(seconds=1), unseen=True, doubted=EPOCH),))
    place.referee.clear_cache()
    publisher = restart(reading)
    busy = publisher.delivery.budget = CallBudget(lambda: 10.0)
    busy.reserve(1000)
    await publisher.catch_up()
    assert other.id in publisher.displays
    publisher.delivery.budget = CallBudget(lambda: 1e9)
    await publisher.idle()
    assert await place.referee.store.behind() == []


async def test_warning_after_a_restart_comes_with_the_keys(reading: Nudged) -> None:
    await reading.table.place.publisher.close()
    publisher = restart(reading)
    await reading.remind(DeadlineKind.WARNING)
    await publisher.idle()
    [sent] = reading.sent(ANA)
    assert KEYS in sent


async def test_board_that_lacks_a_seal_is_shown_after_a_restart_though_calls_are_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.messages.display.TICK", 0.0)
    async with staged() as place:
        table = TableMode(place)
        await table.start(place="own", clock=3600, cards=4)
        place.table.clock.forward(timedelta(minutes=16).total_seconds())  # no token edits the board any more
        await place.publisher.close()
        await place.table.seal(table.id, ANA.user, 1)
        assert "✔ has bid" not in table.shown
        publisher = restart(Nudged(table))
        short = publisher.delivery.budget = CallBudget(lambda: 1.0)
        short.reserve()
        await publisher.catch_up()
        await publisher.idle()
        assert "✔ has bid" in table.shown
