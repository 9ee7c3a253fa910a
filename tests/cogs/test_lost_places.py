"""What the bot notes of its servers when the gateway tells of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.interactions.services import Bans
from bot.process.gateway import Shard, ShardedClient
from cogs.match.lost_places import LostPlaces
from tests.migrated import migrated
from tests.referee.stage import Table
from tests.sqlite_store import SqliteStore

FIRST, LATE = 10 << 22, 11 << 22
JOINED = datetime(2026, 11, 1, tzinfo=UTC)
OWN = {"id": "1", "username": "gops", "discriminator": "0", "avatar": None}


class Gateway:
    """The only shard of a bot, and what the gateway tells it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.bot = ShardedClient()
        self.gone: list[tuple[int, ...]] = []
        self.calls: list[tuple[str, int]] = []
        self.posted: list[int] = []
        services: Any = SimpleNamespace(
            referee=table.referee,
            bans=Bans(),
            publisher=SimpleNamespace(check_boards=self._check),
            delivery=SimpleNamespace(post=self._post),
        )
        how: Any = self.bot
        how.call_api = self._call
        self.bot.services, self.bot.loop = services, asyncio.get_running_loop()
        self.shard = Shard(self.bot, self.bot.gateway)
        self.bot.shards, self.bot.shard_count = {0: self.shard}, 1

    async def tells(self, event: str, **data: Any) -> None:
        """Wait until the bot has dealt with this event."""
        before = asyncio.all_tasks()
        self.shard._connection.parsers[event](data)  # pyright: ignore[reportPrivateUsage]
        while begun := {task for task in asyncio.all_tasks() - before if task.get_name().startswith("discord.py: ")}:
            await asyncio.wait(begun)

    async def _check(self, *where: int, is_thread: bool = False, closed_only: bool = False) -> None:
        self.gone.append(where)

    async def _post(self, channel: int, *_: object) -> None:
        self.posted.append(channel)

    async def _call(self, method: str, _: str, *, guild_id: int) -> None:
        self.calls.append((method, guild_id))

    async def is_member(self, guild: int) -> bool:
        return await self.table.referee.leaving.is_member(guild)

    async def ready(self, *guilds: int) -> None:
        listed = [{"id": str(id), "unavailable": True} for id in guilds]
        await self.tells("READY", user=OWN, guilds=listed, application={"id": "1", "flags": 0})

    async def lists(self, guild: int, joined: datetime = JOINED, **data: Any) -> None:
        """GUILD_CREATE of a server that was unavailable."""
        own = {"user": OWN, "roles": [], "joined_at": joined.isoformat(), "flags": 0}
        known = {"id": str(guild), "name": "x", "members": [own], "joined_at": joined.isoformat()}
        await self.tells("GUILD_CREATE", **{**known, "unavailable": False, **data})


@pytest.fixture
async def gateway(tmp_path: Path) -> AsyncIterator[Gateway]:
    store = await SqliteStore.open(migrated(tmp_path / "gops.sqlite3"))
    gateway = Gateway(Table(store))
    gateway.bot.listen(LostPlaces(gateway.bot))  # pyright: ignore[reportArgumentType]
    yield gateway
    await store.close()


async def test_join_time_of_a_server_that_is_listed_late_is_noted(gateway: Gateway) -> None:
    await gateway.ready(FIRST, LATE)
    await gateway.lists(FIRST)
    await gateway.lists(LATE, JOINED + timedelta(days=1))
    assert await gateway.table.store.joined_servers() == [FIRST, LATE]


async def test_servers_of_the_list_are_those_of_the_bot(gateway: Gateway) -> None:
    await gateway.ready(FIRST, LATE)
    assert [await gateway.is_member(guild) for guild in (FIRST, LATE, 12 << 22)] == [True, True, False]
    await gateway.ready(LATE)
    assert [await gateway.is_member(guild) for guild in (FIRST, LATE)] == [False, True]
    assert [len(await gateway.table.store.deadlines_of(f"server {guild}")) for guild in (FIRST, LATE)] == [1, 0]
    await gateway.ready(FIRST, LATE)
    assert [await gateway.is_member(guild) for guild in (FIRST, LATE)] == [True, True]
    assert await gateway.table.store.deadlines_of(f"server {FIRST}") == []


async def test_server_counts_from_the_moment_in_which_it_is_heard_of(gateway: Gateway) -> None:
    """A press may follow at once, before that is stored."""
    before = asyncio.all_tasks()
    listed = {"user": OWN, "guilds": [{"id": str(FIRST), "unavailable": True}], "application": {"id": "1", "flags": 0}}
    gateway.shard._connection.parsers["READY"](listed)  # pyright: ignore[reportPrivateUsage]
    pressed = asyncio.create_task(gateway.is_member(FIRST))
    assert await pressed
    assert not await gateway.table.store.is_member(FIRST)
    await asyncio.wait({task for task in asyncio.all_tasks() - before if task.get_name().startswith("discord.py: ")})
    assert await gateway.table.store.is_member(FIRST)


async def test_unavailable_server_stays_and_a_removed_one_goes(gateway: Gateway) -> None:
    await gateway.ready()
    await gateway.lists(FIRST)
    assert await gateway.table.store.joined_servers() == [FIRST]
    for event in ("GUILD_DELETE", "GUILD_CREATE"):
        await gateway.tells(event, id=str(FIRST), unavailable=True)
    assert await gateway.is_member(FIRST)
    for _ in range(2):  # events may come twice
        await gateway.tells("GUILD_DELETE", id=str(FIRST))
    assert not await gateway.is_member(FIRST)
    assert gateway.gone == [(FIRST,)] * 2
    await gateway.lists(FIRST, JOINED + timedelta(days=1))
    assert await gateway.is_member(FIRST)


async def test_a_new_server_is_greeted_once_and_in_its_first_minutes(gateway: Gateway) -> None:
    now, system = gateway.table.clock.now(), {"system_channel_id": "55"}
    await gateway.table.referee.leaving.note_member(FIRST)
    await gateway.ready(FIRST)
    await gateway.lists(FIRST, now, **system)  # it is stored already
    await gateway.lists(12 << 22, now - timedelta(minutes=10), **system)
    await gateway.lists(13 << 22, now, system_channel_id=None)
    await gateway.lists(13 << 22, now, **system)
    assert gateway.posted == []
    for _ in range(2):  # events may come twice
        await gateway.lists(LATE, now - timedelta(minutes=9), **system)
    assert gateway.posted == [55]
    await gateway.tells("GUILD_DELETE", id=str(LATE))
    await gateway.lists(LATE, now, **system)
    assert gateway.posted == [55]
    gateway.bot.services.bans.servers = frozenset({14 << 22})
    await gateway.lists(14 << 22, now, **system)
    assert gateway.posted == [55]
    members = [await gateway.is_member(guild << 22) for guild in (10, 11, 12, 13)]
    assert members == [True] * 4


async def test_a_server_joined_while_the_bot_was_away_is_greeted(gateway: Gateway) -> None:
    """Discord lists it before it tells more. The bot joined it in the last minutes, and nothing was stored of it."""
    now, system = gateway.table.clock.now(), {"system_channel_id": "55"}
    await gateway.ready(FIRST, LATE, 12 << 22)
    await gateway.lists(FIRST, now - timedelta(minutes=10), **system)
    assert gateway.posted == []
    for _ in range(2):
        await gateway.lists(LATE, now - timedelta(minutes=9), **system)
        await gateway.ready(FIRST, LATE, 12 << 22)
    assert gateway.posted == [55]
    await gateway.tells("GUILD_DELETE", id=str(12 << 22))
    await gateway.lists(12 << 22, now, **system)
    assert gateway.posted == [55]
    assert await gateway.table.store.joined_servers() == [FIRST, LATE, 12 << 22]


async def test_banned_server_is_left(gateway: Gateway) -> None:
    gateway.bot.services.bans.servers = frozenset({FIRST, LATE})
    await gateway.ready(FIRST)
    assert gateway.calls == [("DELETE", FIRST)]
    await gateway.lists(LATE)
    assert gateway.calls[-1] == ("DELETE", LATE)


async def test_channels_and_threads_that_go_are_looked_at(gateway: Gateway) -> None:
    await gateway.tells("CHANNEL_DELETE", id="5", guild_id=str(FIRST))
    await gateway.tells("CHANNEL_DELETE", id="6")
    await gateway.tells("THREAD_DELETE", id="7", guild_id=str(FIRST))
    await gateway.tells("THREAD_UPDATE", id="8", guild_id=str(FIRST), thread_metadata={"locked": True})
    await gateway.tells("THREAD_UPDATE", id="9", guild_id=str(FIRST), thread_metadata={"archived": True})
    await gateway.tells("THREAD_UPDATE", id="10", guild_id=str(FIRST), thread_metadata={"archived": False})
    assert gateway.gone == [(FIRST, 5), (FIRST, 7), (FIRST, 8), (FIRST, 10)]


async def test_discord_py_keeps_no_server(gateway: Gateway) -> None:
    await gateway.ready(FIRST)
    await gateway.lists(FIRST)
    await gateway.tells("CHANNEL_DELETE", id="5", guild_id=str(FIRST))
    for client in (gateway.bot, gateway.shard):
        assert (list(client.guilds), list(client.private_channels)) == ([], [])
