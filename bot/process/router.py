"""Forwards interactions to the process that owns their partition, and handles those that other processes forward.

With one process nothing is forwarded.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol

from bot.process.peers.connection import PeerReply, PeerRequest, PeerStatus, relay_response
from bot.process.peers.peers import Peers
from bot.process.routing import find_partition
from bot.referee.model.changes import Conflict, StoreBusy
from bot.referee.model.partitions import partition_of
from bot.rest.inline_response import InlineResponse, write_json

log = logging.getLogger(__name__)

ANSWER_WITHIN = 2.3
"""Age in seconds up to which an interaction is forwarded. After 3 seconds Discord accepts no answer."""

EVENT_WITHIN = 10.0
"""Seconds that an owner gets to handle an event of a server."""

IDLE_WITHIN = 3.0
"""Seconds that interactions get to end before their partition is handed over."""

NOT_BEGUN = (PeerStatus.MOVED, PeerStatus.GONE)
"""Statuses after which another process may handle the request."""

Handle = Callable[[dict[str, Any], InlineResponse | None], Coroutine[Any, Any, None]]
"""Handles an interaction in this process; without a response it came by the gateway."""


class Owners(Protocol):
    """Which process owns which partition."""

    process: int

    def owns(self, partition: int) -> bool:
        """Return True if this process may begin work in a partition."""
        ...

    def find_owner(self, partition: int | None) -> int:
        """Return the owner of a partition; for None any process that owns one."""
        ...

    @property
    def peers(self) -> Mapping[int, str]:
        """Address of each process that lives."""
        ...

    async def look_again(self) -> None:
        """Read the owners from the database, after a moment."""
        ...


class Router:
    """Finds the process that handles an interaction. It is the handler of `Peers`."""

    def __init__(
        self,
        owners: Owners,
        handle: Handle,
        age: Callable[[int], float],
        wake: Callable[[int], None],
        limit: Callable[[float], None],
        forget: Callable[[int], None],
        handle_event: Callable[[str, dict[str, Any]], Awaitable[None]],
    ) -> None:
        """`age` returns the seconds since an interaction of this id was made, by Discord's clock. `wake`, `limit`
        and `forget` are those of `PeerHandler`."""
        self._owners = owners
        self._handle = handle
        self._handle_event = handle_event
        self._tellings: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._age = age
        self.wake = wake
        self.limit = limit
        self.forget = forget
        self._under_way: defaultdict[int | None, set[asyncio.Task[Any]]] = defaultdict(set)
        """Interactions that are being handled, by partition."""

    async def forward(
        self, peers: Peers, partition: int | None, payload: dict[str, Any], *, by_http: bool
    ) -> PeerReply | None:
        """Let the owner of its partition handle an interaction. Return None if this process should handle it.

        After any status but HANDLED and ANSWER nobody answers the person unless the caller does.
        """
        body = b""
        while not self.is_own(partition):
            owner, left = self._owners.find_owner(partition), ANSWER_WITHIN - self._age(int(payload["id"]))
            if owner != self._owners.process:
                body = body or write_json([by_http, payload]).encode()
                reply = await peers.forward(self._owners.peers.get(owner, ""), body, max(left, 0.0))
            else:
                reply = PeerReply(PeerStatus.GONE)
            if reply.status not in NOT_BEGUN or left <= 0:
                return reply
            try:
                async with asyncio.timeout(left):
                    await self._owners.look_again()
            except TimeoutError:
                return reply
        return None

    async def tell(self, peers: Peers, name: str, told: dict[str, Any]) -> None:
        """Have the owner of a server handle an event of it. Those of one partition are told in their order, and each
        until an owner has handled it, perhaps twice."""
        partition = partition_of(told.get("guild_id") or told["id"])
        body = write_json([name, told]).encode()
        async with self._tellings[partition]:
            while not await self._try_tell(peers, partition, body):
                await self._owners.look_again()

    async def _try_tell(self, peers: Peers, partition: int, body: bytes) -> bool:
        if self._owners.owns(partition):
            return await self._take_event(*json.loads(body))
        address = self._owners.peers.get(self._owners.find_owner(partition), "")
        return (await peers.forward(address, body, EVENT_WITHIN)).status is PeerStatus.HANDLED

    async def _take_event(self, name: str, told: dict[str, Any]) -> bool:
        """Return False if the event has to be handled again."""
        try:
            await self._handle_event(name, told)
        except (StoreBusy, Conflict):
            return False
        except Exception as error:
            log.exception("an event of a server was not handled: %s", type(error).__name__)
        return True

    def is_own(self, partition: int | None) -> bool:
        """Return True if this process handles the interactions of a partition."""
        if partition is None:
            return self._owners.find_owner(None) == self._owners.process
        return self._owners.owns(partition)

    def begin(
        self, partition: int | None, payload: dict[str, Any], inline: InlineResponse | None
    ) -> asyncio.Task[None]:
        """Handle an interaction of a partition in this process."""
        task = asyncio.get_running_loop().create_task(self._handle(payload, inline), name="interaction")
        self.track(partition, task)
        task.add_done_callback(report)
        return task

    def track(self, partition: int | None, task: asyncio.Task[Any]) -> None:
        """Keep a partition until one of its interactions has been handled."""
        under_way = self._under_way[partition]
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    async def wait_until_idle(self, partition: int) -> None:
        """Wait until the interactions of a partition have been handled, which no others follow."""
        if tasks := self._under_way.pop(partition, None):
            await asyncio.wait(tasks, timeout=IDLE_WITHIN)

    # --- what other processes ask -------------------------------------------------------------------------

    async def handle(self, request: PeerRequest) -> PeerStatus:
        """Handle an interaction or an event that another process forwards."""
        by_http, payload = json.loads(request.body)
        if isinstance(by_http, str):
            is_own = self._owners.owns(partition_of(payload.get("guild_id") or payload["id"]))
            return PeerStatus.HANDLED if is_own and await self._take_event(by_http, payload) else PeerStatus.MOVED
        partition = find_partition(payload)
        if partition is not None and not self._owners.owns(partition):
            return PeerStatus.MOVED
        if not by_http:
            request.answer(PeerStatus.HANDLED)
            if (task := asyncio.current_task()) is not None:
                self.track(partition, task)
            await self._handle(payload, None)
            return PeerStatus.HANDLED
        inline = InlineResponse()
        work = self.begin(partition, payload, inline)
        await asyncio.gather(relay_response(request, inline, work), work)
        return PeerStatus.HANDLED


def report(task: asyncio.Task[None]) -> None:
    """Log that an interaction was not handled. Nothing of it gets into the log: it may name cards."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("an interaction was not handled: %s", type(error).__name__)
