"""This process among the others of its bot: it begins and ends with partitions, and handles what others forward."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bot.errors import SettingsError
from bot.interactions.command_sync import register_commands
from bot.interactions.context import snowflake_time
from bot.interactions.shared_work import PeerAnswer
from bot.process.gateway import ShardedClient
from bot.process.peers.connection import PeerStatus
from bot.process.peers.frames import PeerIdentity
from bot.process.peers.peers import Peers
from bot.process.router import Router, report
from bot.process.routing import find_partition
from bot.referee.clock.deadlines import Sleeper
from bot.referee.clock.presence import credit_partitions
from bot.referee.house.thinking import Thinking
from bot.referee.model.changes import SaveNote, StoreBusy, StoreReadOnly
from bot.rest.global_limit import GlobalLimit
from data.cache import CachingStore

if TYPE_CHECKING:
    from data.postgres.leases import Leases

log = logging.getLogger(__name__)

SILENCE = 3.0
"""Seconds after which another process that sends nothing counts as gone."""

SESSION_SECONDS = 1.0
"""Seconds between notes of the gateway sessions. Events that came after the last one come again after a kill."""

SHARD = "shard"
"""First word of the keys of notes of sessions."""

TOLD = (
    *("id", "guild_id", "unavailable", "joined_at", "system_channel_id"),
    *("thread_metadata", "threads", "channel_ids"),
)
"""What handlers read of an event of a server."""

PATIENCE = 2.0
"""Seconds that what other processes forwarded gets to end."""


@dataclass(frozen=True, slots=True)
class SharedParts:
    """What begins and ends with partitions."""

    client: ShardedClient
    store: CachingStore
    leases: Leases
    sleeper: Sleeper
    thinking: Thinking
    before: Callable[[], Awaitable[None]]
    """done before anything is drawn of partitions that were gained"""
    limit: GlobalLimit


class Sharing:
    """The listener of the leases, and the way to the other processes."""

    def __init__(self, parts: SharedParts, token: str) -> None:
        self._parts = parts
        self._jobs = parts.sleeper.referee.repository.jobs
        self._jobs.wake_owner = self._wake_owner
        self._router = Router(
            parts.leases,
            parts.client.handle_payload,
            self._age,
            lambda _: self._jobs.wake(),
            parts.limit.block,
            parts.store.forget,
            parts.client.handle_event,
        )
        identity = PeerIdentity.from_token(token, parts.leases.schema, parts.leases.process)
        self._peers = Peers(identity, self._router, SILENCE, parts.client.check_shards)
        self.tell_shards = self._peers.tell_shards
        parts.limit.on_limited = self._peers.tell_limit
        parts.store.on_changed, parts.store.is_told = self._peers.tell_changed, self._peers.is_complete
        self._catching_up: asyncio.Task[None] | None = None
        self._registering: asyncio.Task[None] | None = None
        self._stored: dict[int, str] = {}
        """The session of each shard that was stored last."""
        self._forwarding: set[asyncio.Task[None]] = set()
        self._sorting = asyncio.Lock()
        """held while it is found out what the list of a new session changes, for it comes before other events"""
        self._known: set[int] = set()
        """listed servers of which all is stored: the next event, which only names them, is not told"""

    async def run(self, address: str) -> None:
        """Share the partitions until cancelled. Raises `SettingsError` if the address cannot be opened."""
        try:
            await self._peers.open(address)
        except OSError as error:
            raise SettingsError([f"GOPS_PEER: {address} cannot be opened: {error.strerror}"]) from error
        keeping = asyncio.create_task(self._keep_sessions(), name="sessions")
        try:
            await self._parts.leases.share(self)
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
            for task in (self._catching_up, self._registering):
                if task is not None:
                    task.cancel()
            await self._peers.close(PATIENCE)

    # --- what is forwarded --------------------------------------------------------------------------------

    def hear(self, payload: dict[str, Any]) -> None:
        partition = find_partition(payload)
        if self._router.is_own(partition):
            self._router.begin(partition, payload, None)
        else:
            self._start(self._forward(partition, payload))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, name="forward")
        self._forwarding.add(task)
        task.add_done_callback(self._forwarding.discard)
        task.add_done_callback(report)

    def hear_event(self, name: str, *args: Any) -> None:
        self._start(self._sort(name, *args))

    async def _sort(self, name: str, *args: Any) -> None:
        """Tell what an event means to the owners of its servers."""
        async with self._sorting:
            if name == "servers_listed":
                events = [("server_lost", {"id": guild}) for guild in await self._compare(*args)]
            else:
                events = [(name, {key: args[0][key] for key in TOLD if key in args[0]})]
                if name == "server_told" and int(args[0]["id"]) in self._known:
                    self._known.discard(int(args[0]["id"]))
                    events = []
            for event in events:
                self._start(self._router.tell(self._peers, *event))
        if name == "servers_listed":
            await self._parts.client.leave_banned_servers()

    async def _compare(self, shard: int, guilds: Sequence[int]) -> Sequence[int]:
        """Return the servers that the bot has left while it was away."""
        leaving = self._parts.client.services.referee.leaving
        while True:
            try:
                removed, known = await leaving.compare(guilds, shard, self._parts.client.shard_count or 1)
            except StoreBusy:
                await asyncio.sleep(SESSION_SECONDS)
                continue
            self._known |= known
            return removed

    async def _forward(self, partition: int | None, payload: dict[str, Any]) -> None:
        reply = await self._router.forward(self._peers, partition, payload, by_http=False)
        if reply is None:
            self._router.begin(partition, payload, None)
        elif reply.status is not PeerStatus.HANDLED:
            await self._parts.client.refuse(payload)

    async def answer_elsewhere(self, payload: dict[str, Any]) -> PeerAnswer | None:
        reply = await self._router.forward(self._peers, find_partition(payload), payload, by_http=True)
        if reply is None:
            return None
        if reply.status is PeerStatus.ANSWER:
            return PeerAnswer(reply.body, reply.acknowledge)
        if reply.status is not PeerStatus.HANDLED:
            await self._parts.client.refuse(payload)
        return PeerAnswer(None)

    def track(self, payload: dict[str, Any], work: asyncio.Task[None]) -> None:
        self._router.track(find_partition(payload), work)

    def _age(self, id: int) -> float:
        return self._parts.client.services.seconds_since(snowflake_time(id))

    def _wake_owner(self, partition: int) -> None:
        leases = self._parts.leases
        self._peers.wake(leases.peers.get(leases.find_owner(partition), ""), partition)

    # --- partitions ---------------------------------------------------------------------------------------

    def meet(self, peers: Mapping[int, str]) -> None:
        """Keep connections to the other processes."""
        own = self._parts.leases.process
        self._peers.keep(address for process, address in peers.items() if process != own and address)

    async def give_time_back(self, owners: Mapping[int, int]) -> None:
        self._parts.client.check_shards()  # before any work: nobody may be connected
        services = self._parts.client.services
        is_away = services.presence is not None and services.presence.is_away
        await credit_partitions(services.referee, owners, self._parts.leases.peers, is_away)

    async def gain(self, partitions: Collection[int]) -> None:
        await self._parts.before()
        await self._parts.client.keep_shards()
        if 0 in partitions:
            self._register()
        self._parts.sleeper.wake()
        self._jobs.wake()
        if self._catching_up is None or self._catching_up.done():
            self._catching_up = asyncio.create_task(self._catch_up(), name="catch-up")

    def _register(self) -> None:
        """Register the commands: the owner of partition 0 does it for all processes."""
        if self._registering is not None:
            self._registering.cancel()
        self._registering = asyncio.create_task(register_commands(self._parts.client), name="commands")

    async def drain(self, partition: int) -> None:
        await self._router.wait_until_idle(partition)
        await self._store_sessions(await self._parts.client.keep_shards())
        await self._parts.client.services.publisher.leave(partition)
        self._parts.client.services.referee.repository.drop_partition(partition)
        self._parts.store.drop_partition(partition)

    async def _keep_sessions(self) -> None:
        """Store the session of each shard again and again, so that another process can resume it."""
        while True:
            await asyncio.sleep(SESSION_SECONDS)
            try:
                await self._store_sessions(self._parts.client.write_sessions())
            except (StoreBusy, StoreReadOnly) as error:
                log.debug("sessions could not be stored: %s", type(error).__name__)

    async def _store_sessions(self, sessions: Mapping[int, str]) -> None:
        changed = {id: session for id, session in sessions.items() if self._stored.get(id) != session}
        if changed:
            await self._parts.store.write(tuple(SaveNote(f"{SHARD} {id}", session) for id, session in changed.items()))
            self._stored |= changed

    async def _catch_up(self) -> None:
        """Draw what is behind, and let the house think where it is awaited."""
        while True:
            try:
                await self._parts.client.services.publisher.catch_up()
                await self._parts.thinking.catch_up()
            except (StoreBusy, StoreReadOnly) as error:  # also where a partition has moved: the others are still behind
                log.info("what is behind could not be shown: %s; trying again", type(error).__name__)
                await asyncio.sleep(SESSION_SECONDS)
            else:
                return
