"""Several processes share the partitions of a database, and take over those of a process that dies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import AsyncExitStack
from typing import Any

import asyncpg
import pytest

from bot.referee.model.changes import (
    CommitUnknown,
    DropBan,
    PartitionMoved,
    SaveGuild,
    SaveRating,
    SetDeadline,
    Step,
    StoreBusy,
)
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.partitions import PARTITIONS, partition_of
from data.postgres.database import PostgresDatabase
from data.postgres.leases import AWAY_SINCE, OFFER, Leases
from data.postgres.locks import PARTITION
from data.sql.steps import build_statements
from tests.data import examples as ex
from tests.data.postgres.test_leases import STEADY, Joined, address, join, undo

__all__ = ["address", "join", "undo"]

DEADLINE = ex.deadline()
ITS_PARTITION = partition_of(DEADLINE.owner)


class Process:
    """One of the processes, with what it learned of its partitions."""

    def __init__(self, database: PostgresDatabase, leases: Leases) -> None:
        self.database, self.leases = database, leases
        self.given_back: list[tuple[int, int]] = []
        """each partition and its dead owner, as often as its time was given back"""
        self.handed: dict[int, int] = {}
        """partitions that a living process handed over, and this one"""
        self.gained: dict[int, int] = {}
        """partitions and their dead owners, 0 if they were handed over"""
        self.drained: list[int] = []
        self.refusals: list[Exception] = []
        """what beginning or ending with partitions ends with, the next times"""
        self.holding = asyncio.Event()
        """cleared while work keeps a partition from being handed over"""
        self.holding.set()
        self.news = asyncio.Condition()
        self.task: asyncio.Task[None]

    def meet(self, peers: Mapping[int, str]) -> None:
        self.peers = peers

    async def give_time_back(self, owners: Mapping[int, int]) -> None:
        assert not any(self.leases.owns(partition) for partition in owners), "nothing begins before"
        self.given_back += ((each, owner) for each, owner in owners.items() if owner not in self.leases.peers)
        self.handed |= {each: owner for each, owner in owners.items() if owner in self.leases.peers}

    async def gain(self, partitions: Collection[int]) -> None:
        assert all(self.leases.owns(partition) for partition in partitions)
        if self.refusals:
            raise self.refusals.pop()
        async with self.news:
            self.gained |= {partition: dict(self.given_back).get(partition, 0) for partition in partitions}
            self.news.notify_all()

    async def drain(self, partition: int) -> None:
        await self.holding.wait()
        async with self.news:
            self.drained.append(partition)
            del self.gained[partition]
            self.news.notify_all()
        if self.refusals:
            raise self.refusals.pop()

    async def until(self, owned: int) -> None:
        """Wait until this process owns so many partitions."""
        async with asyncio.timeout(60), self.news:
            await self.news.wait_for(lambda: len(self.gained) == owned)

    async def end(self) -> None:
        """Die, as a process that is killed."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)
        beating = self.leases._beating
        assert beating is not None
        beating.cancel()
        self.leases._session.disconnect()

    async def set_deadline(self) -> None:
        await self.write(SetDeadline(DEADLINE))

    async def write(self, *change: Step) -> None:
        await self.database.write((*self.database.guard(change), *build_statements(change)))


Started = Callable[[], Awaitable[Process]]


@pytest.fixture
def start(join: Joined, undo: AsyncExitStack) -> Started:
    async def started() -> Process:
        process = Process(*await join(lease=STEADY))
        process.task = asyncio.create_task(process.leases.share(process))
        undo.push_async_callback(process.end)
        return process

    return started


async def test_processes_share_the_partitions_as_they_join_and_die(start: Started) -> None:
    first = await start()
    await first.until(PARTITIONS)
    assert set(first.gained.values()) == {0}
    second = await start()
    await first.until(32)
    await second.until(32)
    assert sorted(second.gained) == sorted(first.drained)
    assert sorted(second.gained) == [*range(1, PARTITIONS, 2)]
    assert set(second.gained.values()) == {0}, "what is handed over was not left by a dead process"
    assert second.handed == dict.fromkeys(second.gained, first.leases.process), "its clock may be another"
    third = await start()
    for process, owned in ((first, 22), (second, 21), (third, 21)):
        await process.until(owned)
    left = {*first.gained}
    await first.end()
    await second.until(32)
    await third.until(32)
    former = second.gained | third.gained
    assert {partition for partition, owner in former.items() if owner == first.leases.process} == left
    assert sorted(former) == [*range(PARTITIONS)]
    assert not second.drained or {*second.drained} <= {*third.gained}


async def test_partitions_that_are_handed_over_before_the_next_look_are_gained(start: Started, join: Joined) -> None:
    first = await start()
    await first.until(PARTITIONS)
    second = Process(*await join(lease=STEADY))
    fetch = second.leases._session.fetch

    async def fetch_slowly(sql: str, *params: object) -> Any:
        rows = await fetch(sql, *params)
        if sql == OFFER:
            await first.until(32)
        return rows

    second.leases._session.fetch = fetch_slowly
    second.task = asyncio.create_task(second.leases.share(second))
    await second.until(32)
    await second.end()


async def test_process_gets_no_partition_before_it_shares(start: Started, join: Joined) -> None:
    """It may fail to log in to Discord for minutes, and nobody would play what others handed over to it."""
    first = await start()
    await first.until(PARTITIONS)
    second = Process(*await join(lease=STEADY))
    await second.leases.join()
    while second.leases.process not in first.leases.peers:
        await first.leases.look_again()
    await first.leases.look_again()
    assert first.drained == []
    assert first.leases.peers[second.leases.process] == "", "nothing is forwarded to it"
    second.task = asyncio.create_task(second.leases.share(second))
    await second.until(32)
    await second.end()


async def test_partitions_are_gained_once_more_after_the_listener_failed(start: Started) -> None:
    """What it writes may be refused for a while. Else matches of a dead process would stand still."""
    first = await start()
    await first.until(PARTITIONS)
    second = await start()
    await second.until(32)
    left = {*first.gained}
    second.refusals = [StoreBusy("full"), CommitUnknown("cut")]
    await first.end()
    await second.until(PARTITIONS)
    assert {partition for partition, owner in second.gained.items() if owner == first.leases.process} == left
    assert sorted(second.given_back) == [(partition, first.leases.process) for partition in sorted(left)], "once each"
    assert second.refusals == []


async def test_time_is_given_back_though_the_connection_ends_while_partitions_are_taken(start: Started) -> None:
    first = await start()
    await first.until(PARTITIONS)
    second = await start()
    await second.until(32)
    left, given = {*first.gained}, list[int]()
    give = second.leases._give

    async def give_until_cut(partition: int, owner: int, taker: int, since: str = AWAY_SINCE) -> bool:
        given.append(partition)
        is_given = await give(partition, owner, taker, since)
        if len(given) == 10:
            second.leases._session.disconnect()
            raise ConnectionResetError
        return is_given

    second.leases._give = give_until_cut
    await first.end()
    await second.until(PARTITIONS)
    assert sorted(second.given_back) == [(partition, first.leases.process) for partition in sorted(left)], "once each"


async def test_partition_is_gained_once_more_after_the_listener_failed_to_end(start: Started) -> None:
    """Else its owner would not hear of it, if another process hands over the partition that is missing there."""
    first = await start()
    await first.until(PARTITIONS)
    first.refusals = [CommitUnknown("cut")]
    second = await start()
    await second.until(32)
    await first.until(32)
    assert first.drained[:2] == [PARTITIONS - 1] * 2
    assert first.refusals == []


async def test_partition_is_written_by_its_owner_only(start: Started) -> None:
    first = await start()
    await first.until(PARTITIONS)
    await first.set_deadline()
    second = await start()
    await second.until(32)
    owner, other = (first, second) if ITS_PARTITION in first.leases._epochs else (second, first)
    await owner.set_deadline()
    with pytest.raises(PartitionMoved):
        await other.set_deadline()
    other.leases._epochs[ITS_PARTITION] = 1  # as in a change that is on its way while the partition is handed over
    with pytest.raises(PartitionMoved):
        await other.set_deadline()
    assert not other.database.lost.is_set()


@pytest.mark.parametrize(
    "step", [SaveGuild(GuildSettings(4711)), SaveRating(ex.rating(guild=4711), None), DropBan(4711, 10)], ids=repr
)
async def test_server_is_changed_by_the_owner_of_its_partition_only(start: Started, step: Step) -> None:
    first = await start()
    await first.until(PARTITIONS)
    second = await start()
    await second.until(32)
    its = partition_of(4711)
    owner, other = (first, second) if its in first.leases._epochs else (second, first)
    await owner.write(step)
    other.leases._epochs[its] = 1
    with pytest.raises(PartitionMoved):
        await other.write(step)


async def test_partition_is_handed_over_only_after_its_work_has_ended(start: Started) -> None:
    first = await start()
    await first.until(PARTITIONS)
    first.holding.clear()
    second = await start()
    while len(first.leases.assignment.peers) < 2:
        await first.set_deadline()
    assert second.gained == {}
    first.holding.set()
    await second.until(32)


async def test_partition_that_cannot_be_handed_over_yet_is_gained_once_more(start: Started) -> None:
    first = await start()
    await first.until(PARTITIONS)
    last = PARTITIONS - 1
    async with first.database._pool.acquire() as busy:
        await busy.fetch("SELECT pg_advisory_lock_shared($1, $2)", PARTITION, last)
        second = await start()
        async with asyncio.timeout(60), first.news:
            await first.news.wait_for(lambda: first.drained[1:2] == [last])
        await busy.fetch("SELECT pg_advisory_unlock_shared($1, $2)", PARTITION, last)
    await second.until(32)
    await first.until(32)
    assert last in second.gained


async def test_deadlock_of_a_handover_ends_no_process(start: Started, address: str) -> None:
    """A change waits for the partition, and the handover for the change: the server ends the handover."""
    link = await asyncpg.connect(address)
    database = await link.fetchval("SELECT current_database()")
    await link.execute(f"ALTER DATABASE {database} SET deadlock_timeout = '0.5s'")  # of later connections
    first = await start()
    await first.until(PARTITIONS)
    last = PARTITIONS - 1
    async with link.transaction():
        await link.execute(f"SELECT 1 FROM partitions WHERE partition = {last} FOR UPDATE")
        second = await start()
        async with asyncio.timeout(60):
            while not await link.fetchval("SELECT 1 FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted"):
                pass
        await link.execute(f"SELECT pg_advisory_xact_lock_shared({PARTITION}, {last})")
    await link.close()
    await second.until(32)
    await first.until(32)
    assert not first.task.done()


async def test_process_that_was_declared_dead_stops_sharing(start: Started, address: str) -> None:
    """It finds out when it reads the processes, before its next beat."""
    process = await start()
    await process.until(PARTITIONS)
    link = await asyncpg.connect(address)
    await link.execute("DELETE FROM processes")
    await link.close()
    async with asyncio.timeout(60):
        await process.task
    assert process.database.lost.is_set()
