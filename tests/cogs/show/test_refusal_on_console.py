"""What a press was refused for stays on its console until there is news."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.wire import ANSWER, TOKEN

CONSOLE = 10**17
LATE = "⚠ Round 1 was revealed just before your press. Your bid was 3."


@pytest.fixture
async def table() -> AsyncIterator[TableMode]:
    async with staged() as place:
        yield TableMode(place)


async def sealed(table: TableMode) -> None:
    """By a console that Ana alone sees, while Ben's bid is still missing."""
    await table.start(place="own", cards=4)
    await table.press(ANA, f"g1:co:{table.id}:{await table.prompt()}:3", message=CONSOLE)
    assert "**3 is sealed.**" in table.place.wire.text(CONSOLE)


async def test_a_press_beside_an_edit_keeps_its_warning(table: TableMode) -> None:
    """Nobody knows which of the two came last, so it is shown once more."""
    await sealed(table)
    old, wire = await table.prompt(), table.place.wire
    arrives = wire.hold(TOKEN, CONSOLE)
    await table.place.table.seal(table.id, BEN.user, 2)
    await wire.until(lambda: any(call.message == CONSOLE for call in table.of(TOKEN)))
    await table.press(ANA, f"g1:co:{table.id}:{old}:4", message=CONSOLE)
    assert LATE in wire.text(CONSOLE)
    arrives.set()
    await table.place.publisher.idle()
    assert [call.landed for call in table.of(TOKEN) if call.message == CONSOLE] == [True, True]
    assert "round 2 of 4" in wire.text(CONSOLE)
    assert LATE in wire.text(CONSOLE)


@pytest.mark.parametrize("first", ["edit", "press"])
async def test_what_came_last_is_not_noted_where_nobody_knows(table: TableMode, first: str) -> None:
    """A kill leaves nothing but the notes, and a console had shown an older round for ever."""
    await sealed(table)
    wire, publisher = table.place.wire, table.place.publisher
    await publisher.idle()
    arrives, answered = wire.hold(TOKEN, CONSOLE), wire.hold(ANSWER, CONSOLE)
    await table.place.table.seal(table.id, BEN.user, 2)
    await wire.until(lambda: any(call.message == CONSOLE for call in table.of(TOKEN)))
    press = asyncio.create_task(table.press(ANA, f"g1:co:{table.id}:{await table.prompt()}:4", message=CONSOLE))
    await wire.until(lambda: any(call.message == CONSOLE and not call.landed for call in table.of(ANSWER)))
    (arrives if first == "edit" else answered).set()
    if first == "press":
        await press
    await publisher.notes.flush()
    [noted] = [one for one in await table.place.table.store.surfaces(table.id) if one.message == CONSOLE]
    match = await table.place.table.store.match(table.id)
    assert match is not None
    assert noted.shown < match.version
    arrives.set()
    answered.set()
    await press
    await publisher.idle()
    await publisher.notes.flush()
    [noted] = [one for one in await table.place.table.store.surfaces(table.id) if one.message == CONSOLE]
    assert noted.shown == match.version
    assert "**4 is sealed.**" in wire.text(CONSOLE)


@pytest.mark.parametrize("acknowledged", [False, True])
async def test_an_answer_that_never_arrived_is_shown_with_its_warning(table: TableMode, acknowledged: bool) -> None:
    """10062: it came too late. Where that was not heard, what follows is refused with 10015, which was "Something
    failed" with a traceback."""
    await sealed(table)
    old, wire = await table.prompt(), table.place.wire
    await table.place.table.seal(table.id, BEN.user, 2)
    await table.place.publisher.idle()
    if acknowledged:
        wire.refuse(ANSWER, 500)
        wire.refuse(TOKEN, 404, code=10015)
    else:
        wire.refuse(ANSWER, 404, code=10062)
    await table.press(ANA, f"g1:co:{table.id}:{old}:4", message=CONSOLE)
    await table.place.publisher.idle()
    assert LATE in wire.text(CONSOLE)
    assert table.alone == []


async def test_news_take_the_place_of_a_warning(table: TableMode) -> None:
    await sealed(table)
    old, wire = await table.prompt(), table.place.wire
    await table.place.table.seal(table.id, BEN.user, 2)
    await table.press(ANA, f"g1:co:{table.id}:{old}:4", message=CONSOLE)
    await table.place.table.seal(table.id, ANA.user, 4)
    await table.place.table.seal(table.id, BEN.user, 1)
    await table.place.publisher.idle()
    assert "round 3 of 4" in wire.text(CONSOLE)
    assert "⚠" not in wire.text(CONSOLE)
