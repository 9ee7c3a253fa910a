"""Interactions are handled by the owner of their partition, wherever they arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from bot.process.peers.connection import PeerReply, PeerStatus
from bot.process.peers.peers import Peers
from bot.process.router import ANSWER_WITHIN, Router
from bot.process.routing import find_partition
from bot.referee.model.changes import PartitionMoved, StoreBusy
from bot.referee.model.partitions import PARTITIONS, partition_of
from bot.rest.inline_response import InlineResponse
from tests.process.scene import PATIENCE, identity

SERVER = 4711
ITS_PARTITION = partition_of(SERVER)
ANSWER = {"type": 4, "data": {"content": "sealed", "flags": 64}}


class Table:
    """Who owns what, as the processes read it from the database."""

    def __init__(self) -> None:
        self.owners = dict.fromkeys(range(PARTITIONS), 2)
        self.peers: dict[int, str] = {}


class View:
    """What one process has read of it."""

    def __init__(self, process: int, table: Table) -> None:
        self.process = process
        self._table = table
        self._owners = dict(table.owners)
        self.looks = 0
        self.on_look: Callable[[], Awaitable[None]] | None = None

    def owns(self, partition: int) -> bool:
        return self._owners[partition] == self.process

    def find_owner(self, partition: int | None) -> int:
        if partition is not None:
            return self._owners[partition]
        return self.process if self.process in self._owners.values() else 2

    @property
    def peers(self) -> Mapping[int, str]:
        return self._table.peers

    async def look_again(self) -> None:
        self.looks += 1
        if self.on_look is not None:
            await self.on_look()
        self._owners = dict(self._table.owners)


class Process:
    """A process that writes down what it handles."""

    def __init__(self, number: int, table: Table) -> None:
        self.view = View(number, table)
        self.handled: list[tuple[int, bool]] = []
        self.answer: dict[str, Any] | None = ANSWER
        self.was_sent: asyncio.Queue[bool] = asyncio.Queue()
        self.age = 0.0
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.troubles: list[Exception] = []
        """raised instead of handling an event"""
        self.router = Router(
            self.view,
            self._handle,
            lambda _: self.age,
            lambda _: None,
            lambda _: None,
            lambda _: None,
            self._handle_event,
        )
        self.peers = Peers(identity(number), self.router, PATIENCE)

    async def _handle(self, payload: dict[str, Any], inline: InlineResponse | None) -> None:
        self.handled.append((payload["id"], inline is not None))
        if inline is not None and self.answer is not None:
            try:
                self.was_sent.put_nowait(await inline.try_respond(self.answer))
            except ConnectionError:
                self.was_sent.put_nowait(False)

    def _age(self, _: int) -> float:
        return self.age

    def _ignore(self, _: object) -> None: ...

    async def _handle_event(self, name: str, told: dict[str, Any]) -> None:
        if self.troubles:
            raise self.troubles.pop()
        self.events.append((name, told))

    async def tell(self, name: str, **told: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            await self.router.tell(self.peers, name, told)

    async def route(self, payload: dict[str, Any], *, by_http: bool = False) -> PeerReply | None:
        async with asyncio.timeout(PATIENCE):
            return await self.router.forward(self.peers, find_partition(payload), payload, by_http=by_http)


@asynccontextmanager
async def processes(count: int = 2) -> AsyncIterator[tuple[Table, list[Process]]]:
    """Processes 1, 2 and so on; 2 owns all partitions."""
    table = Table()
    async with AsyncExitStack() as stack:
        made = [Process(number, table) for number in range(1, count + 1)]
        for process in made:
            stack.push_async_callback(process.peers.close, 0.0)
            table.peers[process.view.process] = await process.peers.open("127.0.0.1:0")
        for process in made:
            process.peers.keep({*table.peers.values()} - {table.peers[process.view.process]})
        yield table, made


def interaction(id: int = 1, guild: int | None = SERVER) -> dict[str, Any]:
    return {"id": id, "type": 2, "data": {"name": "gops"}, "guild_id": guild}


async def test_owner_handles_its_own_interactions() -> None:
    async with processes() as (_, [_, owner]):
        assert await owner.route(interaction()) is None


async def test_interaction_of_the_gateway_is_handled_by_the_owner() -> None:
    async with processes() as (_, [receiver, owner]):
        reply = await receiver.route(interaction())
        assert reply is not None
        assert reply.status is PeerStatus.HANDLED
        assert owner.handled == [(1, False)]
        assert receiver.handled == []


@pytest.mark.parametrize("is_written", [True, False])
async def test_answer_by_http_is_relayed_and_its_arrival_is_told(is_written: bool) -> None:
    async with processes() as (_, [receiver, owner]):
        reply = await receiver.route(interaction(), by_http=True)
        assert reply is not None
        assert reply.status is PeerStatus.ANSWER
        assert reply.body == b'{"type":4,"data":{"content":"sealed","flags":64}}'
        reply.acknowledge(is_written)
        async with asyncio.timeout(PATIENCE):
            assert await owner.was_sent.get() is is_written


async def test_http_request_without_an_answer_is_handled() -> None:
    async with processes() as (_, [receiver, owner]):
        owner.answer = None
        reply = await receiver.route(interaction(), by_http=True)
        assert reply is not None
        assert reply.status is PeerStatus.HANDLED
        assert owner.handled == [(1, True)]


async def test_interaction_without_match_and_server_stays_unless_the_process_owns_nothing() -> None:
    async with processes() as (table, [receiver, owner]):
        assert await owner.route(interaction(guild=None)) is None
        assert await receiver.route(interaction(guild=None)) is not None
        assert owner.handled == [(1, False)]
        table.owners[63] = 1
        await receiver.view.look_again()
        assert await receiver.route(interaction(guild=None)) is None


async def test_moved_partition_is_asked_for_at_its_new_owner() -> None:
    async with processes(3) as (table, [receiver, old, new]):
        table.owners[ITS_PARTITION] = 3
        await old.view.look_again()
        await new.view.look_again()
        reply = await receiver.route(interaction())
        assert reply is not None
        assert reply.status is PeerStatus.HANDLED
        assert (old.handled, new.handled) == ([], [(1, False)])
        assert receiver.view.looks == 1


async def test_interaction_waits_for_the_process_itself_to_become_the_owner() -> None:
    async with processes() as (table, [receiver, owner]):
        await owner.peers.close(0)

        async def take_over() -> None:
            if receiver.view.looks == 3:
                table.owners[ITS_PARTITION] = 1

        receiver.view.on_look = take_over
        assert await receiver.route(interaction()) is None
        assert receiver.view.looks == 3


async def test_interaction_that_is_too_old_is_given_up() -> None:
    async with processes() as (_, [receiver, owner]):
        await owner.peers.close(0)
        receiver.age = ANSWER_WITHIN
        reply = await receiver.route(interaction())
        assert reply is not None
        assert reply.status is PeerStatus.GONE
        assert receiver.view.looks == 0


async def test_event_of_a_server_is_handled_by_its_owner_in_order() -> None:
    async with processes() as (_, [receiver, owner]):
        owner.troubles = [PartitionMoved("moved"), StoreBusy("busy")]
        await asyncio.gather(
            receiver.tell("server_lost", id=SERVER),
            receiver.tell("server_told", id=SERVER),
            owner.tell("channel_deleted", id=9, guild_id=SERVER),
        )
        names = [name for name, _ in owner.events if name.startswith("server")]
        assert names == ["server_lost", "server_told"]
        assert ("channel_deleted", {"id": 9, "guild_id": SERVER}) in owner.events
        assert receiver.events == []


async def test_event_waits_for_the_next_owner() -> None:
    async with processes() as (table, [receiver, owner]):
        await owner.peers.close(0)

        async def take_over() -> None:
            table.owners[ITS_PARTITION] = 1

        receiver.view.on_look = take_over
        await receiver.tell("server_lost", id=SERVER)
        assert receiver.events == [("server_lost", {"id": SERVER})]
