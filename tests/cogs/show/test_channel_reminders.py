"""A reminder in the channel is there while a bid is missing, and no longer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.referee.match.reminders import reminder_leads
from bot.referee.model.model import Deadline, DeadlineKind
from bot.referee.model.people import Player
from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.wire import GONE


@pytest.fixture
async def table() -> AsyncIterator[TableMode]:
    """Two who bid behind the board, and have been warned."""
    async with staged() as place:
        table = TableMode(place)
        for person in (ANA, BEN):
            await place.referee.people.set_preferences(person.user, console="channel")
        await table.start(place="own", clock=900, cards=4)
        view = await place.referee.views.view(table.id)
        assert view.deadline is not None
        [lead] = reminder_leads(Player(ANA.user), 900)
        place.table.clock.forward(900 - lead.total_seconds())
        due = Deadline(table.id, DeadlineKind.WARNING, view.deadline - lead, view.prompt)
        assert await place.publisher.notices.remind(due)
        await place.publisher.idle()
        yield table


def reminders(table: TableMode) -> list[str]:
    """What stands in the channel now and asks for a bid."""
    wire = table.place.wire
    return [text for _, text, id in wire.sent if id in wire.shown and "or your lowest card is played" in text]


async def test_reminder_is_removed_with_the_last_bid_it_asks_for(table: TableMode) -> None:
    """It went on asking for a bid, and offered *Bid*, in rounds and hours after that."""
    place = table.place
    [asked] = reminders(table)
    assert f"<@{ANA.user}> <@{BEN.user}>" in asked
    await place.table.seal(table.id, ANA.user, 1)
    await place.publisher.idle()
    assert reminders(table) == [asked], "Ben still has to bid"
    await place.table.seal(table.id, BEN.user, 2)
    await place.publisher.idle()
    assert reminders(table) == []


async def test_reminder_is_removed_with_the_end_of_the_match(table: TableMode) -> None:
    await table.place.referee.matches.resign(table.id, BEN.user)
    await table.place.publisher.idle()
    assert reminders(table) == []


@pytest.mark.parametrize("why", ["a restart", "a refusal"])
async def test_reminder_is_removed_at_its_deadline(table: TableMode, why: str) -> None:
    """After a restart nobody knows where it is, and Discord may refuse to remove it just then."""
    place = table.place
    [message] = [id for _, text, id in place.wire.sent if text in reminders(table)]
    if why == "a restart":
        place.publisher.displays[table.id].offers.clear()
    else:
        place.wire.refuse(GONE, 500, message=message)
    for person, card in ((ANA, 1), (BEN, 2)):
        await place.table.seal(table.id, person.user, card)
    await place.publisher.idle()
    assert len(reminders(table)) == 1
    at = place.table.clock.now() + timedelta(minutes=10)
    [owed] = [one for one in await place.referee.store.due(at) if one.kind is DeadlineKind.OUTDATED]
    assert await place.publisher.notices.remind(owed) is True
    assert reminders(table) == []


async def test_press_on_a_reminder_after_the_end_is_refused(table: TableMode) -> None:
    """Nothing removes it from a client that is offline, and a press may be on its way."""
    for person, card in ((ANA, 1), (BEN, 2)):
        await table.place.table.seal(table.id, person.user, card)
    await table.place.referee.matches.resign(table.id, ANA.user)
    await table.press(BEN, f"g1:bd:{table.id}:bid")
    assert [text.replace("\u2068", "").replace("\u2069", "") for _, text in table.alone] == [
        f"#{table.id} is over: Ben wins because Ana resigned. Press Rematch on its result to play again."
    ]
