"""Two processes decide at once what the same person may do: no match too many begins, and nobody is asked too often."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.lobby.limits import INVITATIONS
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import Block, Change, SaveGuild
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Lobby
from bot.referee.model.participant import Person, Place
from bot.referee.model.people_check import CheckPeople
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.repository.live import Live
from tests import postgres
from tests.postgres import PostgresStore
from tests.referee.stage import ANA, BEN, CEM, HandClock, Table

PLACES = (Place(1, 2), Place(3, 4))


class Meeting:
    """Lets the first write about people in each of two processes go on only when both have read what they need."""

    def __init__(self, *tables: Table) -> None:
        self._barrier = asyncio.Barrier(len(tables))
        for table in tables:
            self._join(table, table.store.write)

    def _join(self, table: Table, write: Any) -> None:
        async def meet(change: Change) -> Sequence[int]:
            if any(isinstance(step, CheckPeople) for step in change):
                table.store.write = write
                await self._barrier.wait()
            return await write(change)

        table.store.write = meet


@pytest.fixture
async def two(server: postgres.Server) -> AsyncIterator[tuple[Table, Table]]:
    """Two processes, each with a server of its own in which a person plays one match at most."""
    address, clock = await postgres.emptied(server), HandClock()
    async with await PostgresStore.open(address) as one, await PostgresStore.open(address) as other:
        tables = Table(one, clock, "one"), Table(other, clock, "other")
        for table, table.place in zip(tables, PLACES, strict=True):
            await table.store.write((SaveGuild(GuildSettings(table.place.guild, matches=1)),))
        yield tables


async def ask(table: Table, host: Person, other: Person) -> Lobby:
    return await table.referee.challenges.open(table.place, host, [other], Wish(cards=3))


def shown(lobby: Lobby) -> Surface:
    return Surface(lobby.id, SurfaceKind.LOBBY, 0, lobby.channel, 900, 0, lobby.created)


def refusals(outcomes: Sequence[object]) -> list[str]:
    return [one.id if isinstance(one, RefereeError) else type(one).__name__ for one in outcomes]


async def test_person_begins_one_match_of_two_that_are_accepted_at_once(two: tuple[Table, Table]) -> None:
    lobbies = [await ask(table, host, ANA) for table, host in zip(two, (BEN, CEM), strict=True)]
    Meeting(*two)
    answers = zip(two, lobbies, strict=True)
    accepted = (table.referee.challenges.accept(lobby.id, ANA.user, 900) for table, lobby in answers)
    outcomes = await asyncio.gather(*accepted, return_exceptions=True)
    assert sorted(refusals(outcomes)) == [Live.__name__, "too-many-live-them"]
    assert await two[0].store.live_count(ANA.user) == 1


async def test_person_sends_no_invitation_too_many(two: tuple[Table, Table]) -> None:
    for number in range(INVITATIONS - 1):
        lobby = await ask(two[0], ANA, Person(100 + number, "Someone"))
        await two[0].referee.lobbies.note_message(lobby, shown(lobby))
    Meeting(*two)
    outcomes = await asyncio.gather(*(ask(table, ANA, BEN) for table in two), return_exceptions=True)
    assert sorted(refusals(outcomes)) == ["Lobby", "too-many-open"]


async def test_block_that_comes_first_holds(two: tuple[Table, Table]) -> None:
    first, second = two
    write = first.store.write

    async def block_first(change: Change) -> Sequence[int]:
        first.store.write = write
        await second.store.write((Block(BEN.user, ANA.user, on=True),))
        return await write(change)

    first.store.write = block_first
    with pytest.raises(RefereeError, match="not-taking"):
        await ask(first, ANA, BEN)
