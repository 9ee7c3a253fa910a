"""Work on rows of other processes is done by their owners: two of them share one database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any, Self

import asyncpg
import pytest

from bot.errors import JobsWaiting
from bot.referee.house.practice import NewPractice
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import FORMER, StoredMatch
from bot.referee.model.participant import Place
from bot.referee.model.partitions import PARTITIONS, partition_of
from bot.solver.players.levels import SLY
from data.cache import CachingStore
from data.postgres.leases import Leases
from tests import postgres
from tests.data.postgres.test_leases import address, undo
from tests.operate.commands import gops
from tests.referee.stage import ANA, BEN, CEM, HandClock, Table

__all__ = ["address", "undo"]

SLOW: dict[str, Any] = {"clock": 8 * 3600, "cards": 5}
OFTEN = 0.05
"""Seconds between the looks of a process for jobs; nobody wakes it here."""


class Member(Table):
    """A process that plays in its servers."""

    def __init__(self, store: CachingStore, leases: Leases, clock: HandClock, seed: str) -> None:
        super().__init__(store, clock, seed)
        self.leases = leases
        self.owned = 0
        self.news = asyncio.Condition()
        self.heard = asyncio.Event()
        self.referee.listeners.append(self.hear)
        jobs = self.referee.repository.jobs
        self.tasks = [asyncio.create_task(leases.share(self)), asyncio.create_task(jobs.run(OFTEN))]

    @classmethod
    async def join(cls, address: str, number: int, clock: HandClock, undo: AsyncExitStack) -> Self:
        store = await CachingStore.join(address, f"127.0.0.1:{number}")
        assert store.leases is not None
        member = cls(store, store.leases, clock, f"seed {number}")
        undo.push_async_callback(member.end)
        return member

    def meet(self, peers: Mapping[int, str]) -> None: ...

    async def give_time_back(self, owners: Mapping[int, int]) -> None: ...

    async def gain(self, partitions: Collection[int]) -> None:
        await self._count(len(partitions))

    async def drain(self, partition: int) -> None:
        self.store.drop_partition(partition)
        await self._count(-1)

    def hear(self, _: str) -> None:
        self.heard.set()

    async def sees(self, id: str, holds: Callable[[StoredMatch], bool]) -> None:
        """Wait until this process has changed a match so."""
        async with asyncio.timeout(60):
            while not holds((await self.referee.live(id)).stored):
                self.heard.clear()
                await self.heard.wait()

    async def _count(self, by: int) -> None:
        async with self.news:
            self.owned += by
            self.news.notify_all()

    async def until(self, owned: int) -> None:
        async with asyncio.timeout(60), self.news:
            await self.news.wait_for(lambda: self.owned == owned)

    def find_place(self) -> Place:
        """Return a place in a server of this process."""
        guild = next(guild for guild in range(1, 1000) if self.store.owns(guild))
        return Place(guild, 10 * guild)

    async def end(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.close()


@pytest.fixture
async def two(address: str, undo: AsyncExitStack) -> tuple[Member, Member]:
    """Two processes, each with half of the partitions."""
    clock = HandClock()
    first = await Member.join(address, 1, clock, undo)
    await first.until(PARTITIONS)
    second = await Member.join(address, 2, clock, undo)
    for member in (first, second):
        await member.until(PARTITIONS // 2)
        member.place = member.find_place()
    return first, second


@pytest.mark.parametrize("asks", [0, 1])
async def test_pause_reaches_the_matches_of_all_processes(two: tuple[Member, Member], asks: int) -> None:
    ids = [await member.start((ANA, BEN), **SLOW) for member in two]
    until = await two[asks].referee.pausing.begin(ANA.user, timedelta(days=1))
    for id, owner in zip(ids, two, strict=True):
        await owner.sees(id, lambda stored: stored.paused == until)
    await two[asks].referee.pausing.end(ANA.user)
    for id, owner in zip(ids, two, strict=True):
        await owner.sees(id, lambda stored: stored.paused is None)


async def test_pause_ends_at_its_time_in_all_processes(two: tuple[Member, Member]) -> None:
    ids = [await member.start((ANA, BEN), **SLOW) for member in two]
    until = await two[0].referee.pausing.begin(ANA.user, timedelta(days=1))
    for id, owner in zip(ids, two, strict=True):
        await owner.sees(id, lambda stored: stored.paused == until)
    two[0].clock.forward(24 * 3600 + 1)
    for member in two:
        await member.fire()
    for id, owner in zip(ids, two, strict=True):
        await owner.sees(id, lambda stored: stored.paused is None)


async def test_erasure_answers_after_all_processes_have_forgotten_the_person(two: tuple[Member, Member]) -> None:
    first, second = two
    over = await second.start((ANA, BEN), cards=3)
    await second.play_out(over, [1, 2, 3], [2, 3, 1])
    going = await second.start((ANA, BEN, CEM), cards=5)
    for person, card in ((ANA, 1), (BEN, 2), (CEM, 3)):
        await second.seal(going, person.user, card)
    resigned = await second.start((ANA, BEN), cards=5)
    lobby = await second.referee.challenges.open(second.place, ANA, [CEM], Wish())
    parted = await first.referee.privacy.erase(ANA.user)
    assert list(parted.going) == [going]
    assert {*parted.matches} == {over, resigned}
    for id in (over, going, resigned):
        seat = (await second.referee.views.view(id)).seats[0]
        assert (seat.user, seat.name) == (-1, FORMER)
    ended = await second.referee.lobbies.get(lobby.id)
    assert ended.people[0].name == FORMER
    assert going in (await second.referee.privacy.erase(BEN.user)).matches
    assert [seat.user for seat in (await first.referee.views.view(going)).seats] == [-1, -2, CEM.user]


async def test_oldest_practice_makes_room_wherever_it_is(two: tuple[Member, Member]) -> None:
    first, second = two
    oldest = (await second.referee.practice.begin(second.place, ANA, SLY, Wish())).live.stored.id
    begun: list[NewPractice] = []
    for _ in range(3):
        first.clock.forward(1)
        begun.append(await first.referee.practice.begin(first.place, ANA, SLY, Wish()))
    assert [one.replaced for one in begun] == [(), (), (oldest,)]
    await second.sees(oldest, lambda stored: not stored.live)


async def test_command_erases_a_person_beside_processes(two: tuple[Member, Member], address: str) -> None:
    settings = {"GOPS_DATABASE": address, "DISCORD_TOKEN": "x"}
    over, going = [await member.start((ANA, BEN), cards=3) for member in two]
    await two[0].play_out(over, [1, 2, 3], [2, 3, 1])
    await two[1].round(going, 1, 2)
    asks = await gops(settings, "erase", str(ANA.user), "--env", "/dev/null")
    assert (asks.code, "would resign live matches: 1" in asks.err) == (1, True), asks
    erased = await gops(settings, "erase", str(ANA.user), "--yes", "--env", "/dev/null")
    assert erased.out == (
        "Erased. Matches that stay, with a former player: 2. Boards of the last 30 days change now.\n"
    ), erased
    for id, owner in zip((over, going), two, strict=True):
        seat = (await owner.referee.views.view(id)).seats[0]
        assert (seat.user, seat.name) == (-1, FORMER)
    assert not (await two[1].referee.live(going)).stored.live


async def test_command_lets_the_owner_of_a_server_repair_its_ratings(two: tuple[Member, Member], address: str) -> None:
    settings = {"GOPS_DATABASE": address, "DISCORD_TOKEN": "x"}
    for member in two:
        await member.play_out(await member.start((ANA, BEN), cards=3), [1, 2, 3], [2, 3, 1])
    link = await asyncpg.connect(address)
    await link.execute("UPDATE ratings SET mu = mu + 1")
    await link.close()
    for command, code, words in (
        (("--check",), 1, "ratings changed: 2"),
        ((), 0, "ratings changed: 2"),
        (("--check",), 0, "nothing changed"),
    ):
        said = await gops(settings, "ratings", "rebuild", *command, "--env", "/dev/null")
        assert (said.code, said.out.count(words)) == (code, 2), said
    assert postgres.rows(address, "SELECT partition FROM jobs", ()) == []


async def test_command_names_what_waits_for_a_process_that_does_nothing(
    two: tuple[Member, Member], address: str
) -> None:
    first, second = two
    ids = [await member.start((ANA, BEN), cards=3) for member in two]
    second.tasks[1].cancel()  # as if it hung
    async with await CachingStore.open_beside(address, alone=True) as store:
        command = Table(store, first.clock)
        command.referee.repository.jobs.patience = 3
        with pytest.raises(JobsWaiting) as waiting:
            await command.referee.privacy.erase(ANA.user)
    assert str(waiting.value).startswith(
        f"after 3 s the bot has not done its part in partitions {partition_of(ids[1])};"
    )
    assert waiting.value.work == f"leave {ANA.user}"
    await first.sees(ids[0], lambda stored: not stored.live)
    assert (await second.referee.views.view(ids[1])).seats[0].user == ANA.user
