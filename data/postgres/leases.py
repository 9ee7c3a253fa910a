"""Leases: which process owns which partitions of a PostgreSQL database, and proof of it in each change.

A process renews its lease with a beat on a connection of its own. It is dead when that has ended, or without a beat for
`LEASE`. Others take the partitions of a dead one, and hand over partitions until each owns the same number. Each change
locks its partitions and checks their epochs, which each new owner increments.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import suppress
from datetime import timedelta

from bot.errors import DatabaseError
from bot.referee.model.changes import CommitUnknown, PartitionMoved, StoreBusy, StoreLost, StoreReadOnly
from bot.referee.model.partitions import PARTITIONS
from data.postgres.assignment import Assignment, PartitionListener
from data.postgres.call_shares import CallShare
from data.postgres.driver import BUSY, DISCONNECTED, DedicatedConnection
from data.postgres.lease_session import LeaseSession
from data.postgres.locks import PARTITION
from data.sql.statement import Statement

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=5)  # after its last beat, a process is dead

MARGIN = 0.1
"""Part of the lease before its end in which a process does not write any more, by its own clock."""

BEATS = 5
"""Beats during a lease."""

LOOK_SECONDS = 0.5
"""Seconds between looks for dead processes and for partitions to hand over."""

PAUSE = 0.05
"""Seconds before a look that interactions wait for: a partition that is handed over has no owner for a moment. However
many wait, the owners are read once for all."""

PROCESS = 0x474F5052
"""First key of the advisory lock that a process holds while it is connected."""

NOW = "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)"
"""Microseconds since 1970, by the clock of the server."""

OWNED = "SELECT 1 FROM partitions WHERE partition = ? AND owner = ? AND epoch = ?"
ALIVE = "SELECT 1 FROM processes WHERE id = ? FOR KEY SHARE"
"""Returns a row while no other process has declared this one dead. The next one waits for changes with this lock."""

FENCES = {OWNED, ALIVE}
TAKEN = "another process has taken over"
MOVED = "another process owns the partition"

PROCESSES = f"""SELECT id, name, address, beat > {NOW} - $1 AND EXISTS
    (SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
        WHERE datname = current_database() AND locktype = 'advisory' AND granted
        AND classid = {PROCESS} AND objid = processes.id) FROM processes ORDER BY id"""
"""Each process, and whether it lives."""

ENTER = f"""WITH entered AS
    (INSERT INTO processes (name, address, version, beat) VALUES ($1, '', $2, {NOW}) RETURNING id)
    SELECT id, pg_advisory_lock({PROCESS}, CAST(id AS INT)) FROM entered"""
"""Adds this process. It holds its lock before others see it: without the lock it is dead."""

OFFER = "UPDATE processes SET address = $1 WHERE id = $2"
"""Lets others hand partitions over to this process: it has logged in to Discord, and can play them."""

AWAY_SINCE = "coalesce(away_since, (SELECT at FROM heartbeats WHERE process = owner))"
"""The time without an owner begins with the last heartbeat of the owner before. It goes on until it is given back."""

TAKE_BACK = f"""WITH dead AS (DELETE FROM processes)
    UPDATE partitions SET owner = 0, epoch = epoch + 1, away_since = {AWAY_SINCE} WHERE owner <> 0"""
"""Gives all partitions to a command that has the database alone."""


class Leases:
    """The leases of this process. `lost` is set when others have declared it dead: it must end."""

    def __init__(
        self, address: str, name: str, lost: asyncio.Event, schema: int, peer: str = "", lease: timedelta = LEASE
    ) -> None:
        """`name` is that of all connections of this process; `peer` the address at which other processes reach it."""
        self.process = 0
        self.assignment = Assignment()
        self._session = LeaseSession(address, name, lease)
        self._name = name
        self._lost = lost
        self.schema = schema
        self._peer = peer
        self._lease = lease
        self._epochs: dict[int, int] = {}
        self._ready: set[int] = set()
        """Partitions in which work may begin: the time without an owner is given back."""
        self._begun: set[int] = set()
        """Partitions with which the listener has begun."""
        self._former: dict[int, int] = {}
        """The former owner of each partition that came to this process, or may come, and is not ready yet."""
        self._names: dict[int, str] = {}
        """The name of each process that was ever seen."""
        self._valid_until = 0.0
        self._calls: CallShare | None = None
        self._demand: Callable[[], tuple[int, int]] = lambda: (0, 0)
        self._locked: DedicatedConnection | None = None
        """The connection that holds the lock of this process."""
        self._judges_from = 0.0
        """When this process may declare others dead: a lease after its connection was made again. The server, or the
        way to it, may have failed for all of them."""
        self._beating: asyncio.Task[None] | None = None
        self._draining: int | None = None
        """The partition that is being handed over."""
        self._looks: list[asyncio.Future[None]] = []
        """Set when the owners have been read, from now on."""
        self._hurry = asyncio.Event()

    @property
    def call_limit(self) -> int:
        """The counted calls a second that this process may make."""
        return self._calls.limit if self._calls is not None and self.is_valid else 0

    def share_calls(self, total: int, demand: Callable[[], tuple[int, int]]) -> None:
        """Share so many counted calls a second with the other processes, from the next beat on. `demand` returns how
        many were wanted since the last beat, and how many Discord may still count."""
        self._calls = self._calls or CallShare(self._session, total)
        self._demand = demand

    @property
    def is_valid(self) -> bool:
        """False if others may have declared this process dead."""
        return time.monotonic() < self._valid_until

    @property
    def peers(self) -> Mapping[int, str]:
        """Address of each process that lives."""
        return self.assignment.peers

    def owns(self, partition: int) -> bool:
        """Return True if this process may begin work in a partition."""
        return partition in self._ready and partition in self._epochs and partition != self._draining

    def find_owner(self, partition: int | None) -> int:
        """Return the owner of a partition; for None any process that owns one, this one if it does."""
        if partition is not None:
            return self.assignment.owners[partition]
        return self.process if self._epochs else max(self.assignment.owners.values())

    async def look_again(self) -> None:
        """Wait until the owners have been read again, in a moment."""
        self._looks.append(look := asyncio.get_running_loop().create_future())
        self._hurry.set()
        await look

    async def join(self) -> None:
        """Join the processes of the database. Wait while a command works on it alone."""
        await self._stand_by(self._enter)

    async def acquire(self) -> None:
        """Join the processes of the database, and wait until this one owns all partitions."""
        await self._stand_by(self._try_acquire)

    async def _stand_by(self, attempt: Callable[[], Awaitable[str]]) -> None:
        """Repeat an attempt until nothing stands in its way."""
        told = ""
        while obstacle := await self._try(attempt):
            if obstacle != told:
                log.info("%s; standing by", obstacle)
            told = obstacle
            await asyncio.sleep(LOOK_SECONDS)

    async def _try(self, attempt: Callable[[], Awaitable[str]]) -> str:
        try:
            return await attempt()
        except (*DISCONNECTED, *BUSY) as error:
            return self._disconnect(error)

    async def share(self, listener: PartitionListener) -> None:
        """Join the processes of the database, and share the partitions with them until cancelled."""
        told = ""
        while not self._lost.is_set():
            try:
                obstacle = await self._enter()
                while await self._move_partitions(listener):
                    pass
            except (*DISCONNECTED, *BUSY) as error:
                obstacle = self._disconnect(error)
            except StoreLost:
                break
            except (StoreBusy, StoreReadOnly, CommitUnknown) as error:  # of what the listener writes
                obstacle = f"the database takes nothing ({type(error).__name__})"
            if obstacle and obstacle != told:
                log.warning("%s; partitions stay where they are", obstacle)
            told = obstacle
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._hurry.wait()
                    await asyncio.sleep(PAUSE)

    async def release(self) -> None:
        """Leave: others take the partitions at once."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        await self._session.close()

    def fence(self, partitions: Collection[int]) -> Iterator[Statement]:
        """Build the statements that prove the right to change these partitions, or without any that of the process.
        Raises `PartitionMoved` if this process knows that it does not own one."""
        for partition in sorted(partitions):
            if partition not in self._epochs:
                raise PartitionMoved(MOVED)
            yield Statement(OWNED, (partition, self.process, self._epochs[partition]), 1, MOVED)
        if not partitions:
            yield Statement(ALIVE, (self.process,), 1, TAKEN)

    async def is_alive(self) -> bool:
        """Return False if others have declared this process dead. Call it when a fence failed."""
        try:
            await self._beat()
        except DatabaseError:
            self._lost.set()
        except (*DISCONNECTED, *BUSY):
            pass  # the next beat finds out
        return not self._lost.is_set()

    # --- the beat -----------------------------------------------------------------------------------------

    async def _enter(self) -> str:
        """Enter this process into the list, once, and begin to beat. Return an empty string: nothing is in the way."""
        if self.process:
            return ""
        [[self.process, _]] = await self._session.fetch(ENTER, self._name, self.schema)
        self._locked = self._session.connection
        await self._beat()
        self._beating = asyncio.create_task(self._keep_beating(), name="beat")
        await self._look()
        return ""

    async def _keep_beating(self) -> None:
        """Renew the lease until cancelled, or until this process is declared dead."""
        seconds = self._lease.total_seconds() / BEATS
        is_silent = False
        while not self._lost.is_set():
            await asyncio.sleep(seconds)
            try:
                async with asyncio.timeout((BEATS - 1) * seconds):
                    await self._beat()
                is_silent = False
            except (*DISCONNECTED, *BUSY) as error:
                if not is_silent:
                    log.warning("the lease cannot be renewed (%s); retrying", type(error).__name__)
                is_silent = True
                self._session.disconnect()
            except DatabaseError as error:
                self._lose(error)

    def _lose(self, why: DatabaseError | str) -> None:
        """End the process: others have declared it dead."""
        if not self._lost.is_set():
            log.error("the lease is lost: %s", why)
        self._lost.set()

    async def _beat(self) -> None:
        sent = time.monotonic()
        if await self._session.execute(f"UPDATE processes SET beat = {NOW} WHERE id = {self.process}") != "UPDATE 1":
            raise DatabaseError(TAKEN)
        self._valid_until = sent + (1 - MARGIN) * self._lease.total_seconds()
        connection = self._session.connection
        if connection is not self._locked:
            [[is_locked]] = await self._session.fetch(f"SELECT pg_try_advisory_lock({PROCESS}, {self.process})")
            self._locked = connection if is_locked else None
            self._judges_from = sent + self._lease.total_seconds()
        if self._calls is not None:
            await self._calls.renew(self.process, *self._demand())

    def _disconnect(self, error: BaseException) -> str:
        """End the connection after an error, and say what it was."""
        self._session.disconnect()
        if isinstance(error, ConnectionRefusedError) and error.errno is None:
            return str(error)
        return f"the PostgreSQL server does not answer ({type(error).__name__})"

    # --- partitions ---------------------------------------------------------------------------------------

    async def _try_acquire(self) -> str:
        """Return what stands in the way; an empty string if this process owns all partitions."""
        await self._enter()
        await self._look()
        await self._take_free(PARTITIONS, "NULL")  # the first heartbeat gives back all time away
        return "" if len(self._epochs) == PARTITIONS else "another process owns the partitions"

    async def _move_partitions(self, listener: PartitionListener) -> bool:
        """Take what dead processes left, see what was handed to this one, and hand over one partition. Return True if
        there may be more to hand over."""
        assignment = await self._look()
        if not assignment.peers[self.process]:
            await self._session.fetch(OFFER, self._peer, self.process)
            assignment = await self._look()
        listener.meet(assignment.peers)
        quota = assignment.quota(self.process)
        await self._take_free(quota - len(self._epochs))
        await self._begin_partitions(listener)
        if len(self._epochs) <= quota or not (taker := assignment.find_taker()):
            return False
        last = max(self._epochs, key=lambda each: (assignment.suits(each, taker), each))
        return await self._hand_over(last, taker, listener)

    async def _begin_partitions(self, listener: PartitionListener) -> None:
        """Begin with the partitions that this process owns and has not begun with."""
        self._ready &= self._epochs.keys()
        self._begun &= self._ready
        if new := {each: owner for each, owner in self._former.items() if each in self._epochs.keys() - self._ready}:
            await listener.give_time_back(new)
        self._former = {}
        self._ready |= self._epochs.keys()
        if gained := self._ready - self._begun:
            await listener.gain(gained)
            log.info("this process got %d more partitions, %d in all", len(gained), len(self._epochs))
            self._begun |= gained

    async def _look(self) -> Assignment:
        """Read who owns what. Remove the processes that are dead."""
        looks, self._looks = self._looks, []
        self._hurry.clear()
        try:
            await self._read_owners()
        except BaseException:  # also when cancelled: who waits for a look gets the next one
            self._looks += looks
            raise
        for look in looks:
            if not look.done():
                look.set_result(None)
        return self.assignment

    async def _read_owners(self) -> None:
        processes = await self._session.fetch(PROCESSES, self._lease // timedelta(microseconds=1))
        judges = self._session.connection is self._locked and time.monotonic() >= self._judges_from
        living = {id: peer for id, _, peer, lives in processes if lives or not judges or id == self.process}
        if self.process not in living:
            self._lose(TAKEN)
            raise StoreLost(TAKEN)
        for id, name, *_ in processes:
            self._names[id] = name
            if id not in living:
                await self._session.run(f"DELETE FROM processes WHERE id = {id}", name)
        rows = await self._session.fetch("SELECT partition, owner, epoch FROM partitions ORDER BY partition")
        before = self.assignment.owners
        self.assignment = Assignment(living, {partition: owner for partition, owner, _ in rows})
        self._epochs = {partition: epoch for partition, owner, epoch in rows if owner == self.process}
        came = {each: before.get(each, 0) for each in self._epochs.keys() - self._ready}
        self._former = {each: owner for each, owner in came.items() if owner != self.process} | self._former

    async def _take_free(self, most: int, since: str = AWAY_SINCE) -> None:
        """Take so many partitions of dead processes."""
        for partition, owner in self.assignment.list_free(self.process)[: max(most, 0)]:
            self._former[partition] = owner  # now: it may be taken though the answer is lost
            await self._give(partition, owner, self.process, since)
            mine = "SELECT epoch FROM partitions WHERE partition = $1 AND owner = $2"
            for (epoch,) in await self._session.fetch(mine, partition, self.process):
                self._epochs[partition] = epoch

    async def _hand_over(self, partition: int, taker: int, listener: PartitionListener) -> bool:
        """Give a partition to a process that has too few. If that fails, return False: this process gains it once more,
        and rests before the next try, because each waits for locks, and the beat meanwhile."""
        self._draining = partition
        self._ready.discard(partition)  # now: the listener begins once more also if it fails to drain
        try:
            await listener.drain(partition)
            del self._epochs[partition]
            return await self._give(partition, self.process, taker)
        finally:
            self._draining = None

    async def _give(self, partition: int, owner: int, taker: int, since: str = AWAY_SINCE) -> bool:
        """Make another process the owner, unless the partition is not this owner's any more. A dead owner's changes do
        not hold it up. Return False if those of a living one did."""
        return await self._session.run(
            f"SELECT pg_advisory_xact_lock({PARTITION}, {partition}); UPDATE partitions SET owner = {taker},"
            f" epoch = epoch + 1, away_since = {since} WHERE partition = {partition} AND owner = {owner}",
            "" if owner == self.process else self._names.get(owner, ""),
        )
