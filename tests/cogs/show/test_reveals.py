"""A short new message at each reveal, for players who switched that on."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.messages.publisher import Publisher
from bot.referee.model.participant import Person
from bot.referee.model.surfaces import SurfaceKind
from bot.rest.call_result import CallResult
from bot.rest.rest_client import EPHEMERAL
from tests.cogs.show.table import ANA, BEN, TableMode, staged
from tests.cogs.wire import FURTHER


def told(table: TableMode, person: Person) -> list[str]:
    """The messages of reveals in this person's DM that are there now."""
    place, dm = table.place.wire, person.user + 10**6
    there = [place.text(id) for channel, _, id in place.sent if channel == dm and id in place.shown]
    return [text for text in there if "g1:" not in text]


async def play(table: TableMode, ana: int, ben: int) -> None:
    for person, card in ((ANA, ana), (BEN, ben)):
        await table.place.table.seal(table.id, person.user, card)
    await table.place.publisher.idle()


@pytest.fixture
async def table() -> AsyncIterator[TableMode]:
    """Ana, who has switched them on, and Ben, who has not, play by DM."""
    async with staged() as place:
        await place.referee.people.set_preferences(ANA.user, reveals=True)
        table = TableMode(place)
        await table.start(place="own", clock=900, cards=3)
        await place.publisher.idle()
        yield table


async def test_each_reveal_is_one_new_message_in_place_of_the_one_before(table: TableMode) -> None:
    assert told(table, ANA) == []
    await table.place.table.seal(table.id, ANA.user, 1)
    await table.place.publisher.idle()
    assert told(table, ANA) == [], "nothing is revealed yet"
    await table.place.table.seal(table.id, BEN.user, 2)
    await table.place.publisher.idle()
    [first] = told(table, ANA)
    assert "♥2 beats your ♠A" in first
    assert "You 0 · " in first
    assert f"#{table.id}" in first
    await play(table, 2, 1)
    [last] = told(table, ANA)
    assert "Round 2: your ♠2 beats ♥A" in last
    assert "Round 3" in last, "the last cards are bid for both"
    assert re.search(rf"(You beat|beats you|draw) .* · #{table.id}", last), "the dealt prizes say who wins"
    assert told(table, BEN) == []


async def test_a_restart_tells_no_reveal_twice_and_loses_none(table: TableMode) -> None:
    place = table.place
    await play(table, 1, 2)
    before = len(place.wire.sent)
    await place.publisher.close()
    again = Publisher(place.referee, place.publisher.delivery)
    again.wake(table.id)
    await again.idle()
    assert len(place.wire.sent) == before
    place.referee.listeners[:] = []
    for person, card in ((ANA, 3), (BEN, 1)):  # revealed just before the bot dies
        await place.table.seal(table.id, person.user, card)
    await again.close()
    third = Publisher(place.referee, place.publisher.delivery)
    third.wake(table.id)
    await third.idle()
    await third.close()
    [last] = told(table, ANA)
    assert "♠3" in last


async def test_closed_dms_keep_no_console_behind(table: TableMode, monkeypatch: pytest.MonkeyPatch) -> None:
    async def closed(*_: object) -> tuple[CallResult, int, int]:
        return CallResult.DMS_CLOSED, 0, 0

    monkeypatch.setattr(table.place.publisher.dms, "send", closed)
    await play(table, 1, 2)
    assert told(table, ANA) == []
    surfaces = await table.place.publisher.notes.surfaces(table.id)
    version = (await table.place.referee.live(table.id)).stored.version
    assert {one.shown for one in surfaces if one.user == ANA.user} == {version}


async def test_private_console_in_the_channel_gets_it_by_its_token(table: TableMode) -> None:
    place = table.place
    [console] = [one for one in await place.publisher.notes.surfaces(table.id) if one.user == ANA.user]
    until = place.table.clock.now() + timedelta(minutes=10)
    private = {"kind": SurfaceKind.CONSOLE_BESIDE, "token": "mine", "token_until": until, "token_app": 7}
    place.wire.tokens["mine"] = console.message
    await place.publisher.notes.put(replace(console, **private))
    await play(table, 1, 2)
    [further] = [call for call in place.wire.calls if call.route == FURTHER]
    assert "♥2 beats your ♠A" in further.body["content"]
    assert further.body["flags"] == EPHEMERAL
