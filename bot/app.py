"""The composition root: builds settings, store, referee, publisher and client, and runs them."""

from __future__ import annotations

import asyncio
import gc
import logging
import platform
import random
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from bot import command_tree
from bot.discord_internals import api_calls
from bot.errors import SettingsError
from bot.interactions.command_sync import sync_if_changed
from bot.interactions.services import Bans, Services
from bot.messages.owner import Owner
from bot.messages.publisher import Publisher
from bot.messages.render import Painter
from bot.operate.monitoring import Monitoring
from bot.operate.rollback_guard import RollbackCheck
from bot.process import gateway
from bot.process.base import event_loop
from bot.process.base.clock import SystemClock, SystemEntropy, steady
from bot.process.base.version import own_version
from bot.process.gateway import ShardedClient, list_servers, poll_api
from bot.process.http_server import InteractionEndpoint, register_endpoint
from bot.process.parts import CurrentServices, Process
from bot.process.sessions import SessionLimit
from bot.process.sharing import SharedParts, Sharing
from bot.process.supervision import EXIT_OK, EXIT_TROUBLE, Reload, exit_code, join_processes, reload_bans
from bot.referee.clock.deadlines import LONGEST_SLEEP, Sleeper
from bot.referee.clock.presence import BEAT, Presence, read_downtime, send_heartbeats
from bot.referee.house.thinking import Thinking
from bot.referee.model.changes import SaveNote, StoreLost, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.delivery import Delivery
from bot.rest.dm_opener import DmOpener
from bot.rest.emojis import Emojis
from bot.rest.global_limit import CallBudget, GlobalLimit
from bot.rest.members import Members
from bot.rest.rest_client import CALL_FAILURES, LimitTrace
from bot.settings import EXIT_SETUP, Settings
from data.cache import CachingStore

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""seconds that running work gets to finish after a signal to stop"""

COLLECT = (20_000, 20, 50)
"""thresholds of Python's garbage collector: with thousands of cached matches its defaults cost an eighth of the CPU"""

MOVABLE_CLOCK_INTERVAL = 0.2  # seconds between reads of a clock that tests can move

RETRIES = (1.0, 2.0, 5.0, 10.0, *[gateway.MAX_WAIT] * 6)
"""Seconds between the first logins while Discord refuses them; jitter shortens each. Then a supervisor takes over."""

SESSIONS = "sessions"
"""key of the note that counts gateway sessions"""


class Bot(ShardedClient):
    """A client with the command tree. As it is, it makes calls for `gops` commands, and receives no event."""

    def __init__(self, **options: Any) -> None:
        super().__init__(command_tree.Tree, **options)

    async def setup_hook(self) -> None:
        command_tree.plant(self)


class RunningBot(Bot):
    """The client that plays: after each connection it brings outdated boards up to date."""

    def __init__(self, process: Process) -> None:
        settings, monitoring = process.settings, process.monitoring
        self.limit = GlobalLimit(process.call_rate, invalid=monitoring.invalid_requests)
        process.share_calls(self.limit.read_demand)
        super().__init__(
            sessions=process.sessions,
            gateway_url=settings.gateway_url,
            shards=settings.shards,
            has_gateway=settings.gateway,
            http_trace=monitoring.trace(LimitTrace(self.limit)),
            heartbeat_timeout=settings.silence,
            owns_shard=process.owns_shard,
            read_session=process.read_session,
        )
        self.process = process
        self.services = _build_services(self, process)
        self.rest_client.is_owner = process.is_owner
        self.connected = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        """polls the API while the gateway is lost and interactions come by HTTP"""

    async def on_shard_connect(self, shard: int) -> None:
        """Interactions of its servers arrive from now on. Which ones these are is known by `on_servers_listed`."""
        await self._back(shard, "begun")

    async def on_shard_resumed(self, shard: int) -> None:
        await self._back(shard, "resumed")

    async def on_shard_disconnect(self, shard: int) -> None:
        if shard in self.shards:  # else it was given up meanwhile
            self.lost.add(shard)
        self.process.monitoring.gateway("lost", self.lost, len(self.shards))
        self.check_shards()

    async def _back(self, shard: int, how: str) -> None:
        """Once all shards are connected, give back the time without a connection, and redraw boards after a long one:
        nobody's clock runs while somebody cannot press."""
        self.lost.discard(shard)
        self.process.monitoring.gateway(how, self.lost, len(self.shards))
        if self._has_all_shards():
            await self._be_reachable()

    def check_shards(self) -> None:
        if not self.process.settings.gateway and self.connected.is_set():
            return  # `poll_api` marks the bot online and offline
        if self._has_all_shards():
            if not self._is_online():
                self.dispatch("all_shards")
        elif self.process.http_server is None or not self.connected.is_set():
            self.process.presence.disconnect()
        elif self._polling is None:
            self._polling = asyncio.create_task(poll_api(self, self.process.presence), name="api")

    async def on_all_shards(self) -> None:
        """The last shard was connected by another process, or none belongs to this one."""
        if self._has_all_shards() and not self._is_online():
            await self._be_reachable()

    def _has_all_shards(self) -> bool:
        """Tell other processes which shards are connected here. Return True if all are, here or there. By HTTP presses
        arrive without the shards of other processes."""
        connected = {(id, self.shard_count or 0) for id in self.shards.keys() - self.lost}
        has_all = self.shared is None or self.shared.tell_shards(connected)
        return not self.lost and (has_all or self.process.http_server is not None)

    def _is_online(self) -> bool:
        return self.connected.is_set() and self.process.presence.online.is_set()

    async def _be_reachable(self) -> None:
        await self._stop_polling()
        await self.process.presence.reconnect()
        if self.connected.is_set():
            await self.process.presence.tell_moved()
            return
        self.connected.set()
        self.process.monitoring.ready()
        log.info("connected as %s", self.user)

    async def _stop_polling(self) -> None:
        following, self._polling = self._polling, None
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def setup_hook(self) -> None:
        await super().setup_hook()
        if self.process.settings.faces:
            with suppress(*CALL_FAILURES):  # until `Emojis.run` succeeds, cards are text
                await self.services.emojis.load()
        if not self.process.is_shared:
            await sync_if_changed(self)
            await self.check_for_rollback()
            await self.process.thinking.catch_up()  # after the check: moves of the house are drawn
        if self.process.http_server is None:
            await register_endpoint(self, "")
        else:
            await self.process.http_server.open(self, self.connected)  # `connected`: before it the servers are unknown
            await self.process.http_server.register_endpoint(self)

    async def check_for_rollback(self) -> None:
        """Stop what an older database would play again, before anything is drawn."""
        await self.process.rollback_check.run(self.services.publisher.delivery)

    async def close(self) -> None:
        await self._stop_polling()
        if self.process.http_server is not None:
            await self.process.http_server.close()
        await super().close()


def _build_services(client: RunningBot, process: Process) -> Services:
    settings, referee = process.settings, process.referee
    emojis = Emojis(client, process.uploads_emojis)
    delivery = Delivery(client.rest_client, CallBudget(process.call_rate), emojis.request_check, DmOpener(referee))
    painter = Painter(on=settings.pictures)
    return Services(
        referee,
        Publisher(referee, delivery, painter),
        Owner(client, delivery, referee.clock),
        Members(client, referee),
        emojis,
        presence=process.presence,
        painter=painter,
        version=own_version(),
        support=settings.support,
        bans=Bans(settings.banned_users, settings.banned_servers),
    )


async def serve(settings: Settings, watch_stdin: bool = False, reload: Reload | None = None) -> int:
    """Run the bot until a signal, or with `watch_stdin` the end of standard input, stops it. Return the exit code for a
    supervisor. `reload` reads the settings again on SIGHUP."""
    log.info("GOPS referee %s, Python %s", own_version(), platform.python_version())
    api_calls.point_at(settings.api_url)
    gc.freeze()  # imported modules are never freed
    gc.set_threshold(*COLLECT)
    clock = SystemClock(settings.clock_file)
    monitoring = Monitoring(settings, clock)
    store = await monitoring.store(settings)
    try:
        return await _serve(settings, store, clock, monitoring, watch_stdin, reload)
    except StoreLost:
        if store.leases is None:
            raise
        return EXIT_TROUBLE
    finally:
        await store.close()


async def _serve(
    settings: Settings,
    store: CachingStore,
    clock: SystemClock,
    monitoring: Monitoring,
    watch_stdin: bool,
    reload: Reload | None,
) -> int:
    referee = Referee(store, clock, SystemEntropy())
    stop = event_loop.watch_stop_signals(until_stdin_ends=watch_stdin)
    leases = store.leases
    if leases is not None and not await join_processes(leases, bool(settings.peer), stop, monitoring):
        return EXIT_OK
    await store.write(())  # fail now, and not at the first bid, if the store is read-only
    rollback_check = RollbackCheck(referee, store)
    await rollback_check.prepare()
    current = CurrentServices()
    away = await read_downtime(referee)
    presence = Presence(referee, away, steady, clock, on_skew=current.report_skew, on_shift=current.catch_up)
    thinking = Thinking(referee.repository, referee.matches)
    thinking.prepare()

    async def keep(sessions: str) -> None:
        await referee.write((SaveNote(SESSIONS, sessions),))

    try:
        async with monitoring.watched(referee, presence, store, thinking):
            endpoint = settings.listen and InteractionEndpoint(
                settings.listen, settings.endpoint, monitoring.acknowledged
            )
            process = Process(
                settings,
                referee,
                presence,
                thinking,
                rollback_check,
                SessionLimit(clock.now, keep, await referee.store.note(SESSIONS)),
                monitoring,
                endpoint,
                current,
                stop,
                store,
                reload,
            )
            return await _meet_discord(process)
    finally:
        await thinking.close()


async def _meet_discord(process: Process) -> int:
    """Run one client after another until one has connected and ended. Return the exit code."""
    for most in (*RETRIES, None):
        code = await _run_client(RunningBot(process), process)
        if code is not None or most is None or process.stop.is_set():
            return EXIT_TROUBLE if code is None else code
        delay = random.uniform(most / 2, most)
        log.warning("no login to Discord; trying again in %.1f s", delay)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.stop.wait(), delay)
        if process.stop.is_set():
            return EXIT_OK
    return EXIT_TROUBLE


async def _run_client(client: RunningBot, process: Process) -> int | None:
    """Run a client from login to its end. Return the exit code, or None if it never connected and a retry may help."""
    referee, presence, stop, lost = process.referee, process.presence, process.stop, process.store.database.lost
    services = process.current.services = client.services
    sleeper = Sleeper(
        referee,
        services.publisher.notices.remind,
        presence,
        MOVABLE_CLOCK_INTERVAL if process.settings.clock_file else LONGEST_SLEEP,
        referee.refresh if process.has_successor else None,
    )
    referee.listeners[:] = [services.publisher.changed, process.thinking.wake]
    referee.repository.on_end = services.owner.match_ended
    referee.clock_listeners[:] = [sleeper.wake]
    client_task = asyncio.create_task(client.start(process.settings.token), name="client")
    stop_task = asyncio.create_task(stop.wait(), name="stop")
    lost_task = asyncio.create_task(lost.wait(), name="store-lost")
    connected_task = asyncio.create_task(client.connected.wait(), name="connected")
    background: list[asyncio.Task[Any]] = []
    try:
        ends = {client_task, stop_task, lost_task}
        await asyncio.wait({*ends, connected_task}, return_when=asyncio.FIRST_COMPLETED)
        if connected_task.done() and not client_task.done():
            background += _start_background(client, sleeper)
            await presence.tell_moved()
            if process.settings.faces:
                background.append(asyncio.create_task(services.emojis.run(), name="faces"))
            await asyncio.wait({*ends, *background}, return_when=asyncio.FIRST_COMPLETED)
        if lost.is_set():
            if process.has_successor:
                return EXIT_TROUBLE  # its supervisor starts it again
            await _report_loss(services)
            return EXIT_SETUP
        if stop.is_set():
            await _wind_down(client)
            return EXIT_OK
        if failed := [task for task in background if task.done()]:
            error = failed[0].exception()
            if isinstance(error, SettingsError):
                raise error
            log.error("%s stopped, and the bot with it", failed[0].get_name(), exc_info=error)
            return EXIT_TROUBLE  # its supervisor starts it again
        return exit_code(client_task, client.connected.is_set(), process.settings.shards)
    finally:
        background += [stop_task, lost_task, connected_task]
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await client.stop_intake()
        await services.close()
        await client.close()
        client_task.cancel()
        await asyncio.gather(client_task, return_exceptions=True)


def _start_background(client: RunningBot, sleeper: Sleeper) -> list[asyncio.Task[Any]]:
    presence, reload = client.process.presence, client.process.reload
    work: dict[str, Coroutine[Any, Any, None]] = {
        "heartbeat": send_heartbeats(presence),
        "awake": presence.watch(),
        "deadlines": sleeper.run(),
        "jobs": sleeper.referee.repository.jobs.run(BEAT.total_seconds()),
    }
    if not client.process.settings.gateway:
        work["api"] = poll_api(client, presence)
        work["servers"] = list_servers(client, client.process.store.owns)
    if reload is not None:
        work["bans"] = reload_bans(client, reload)
    leases = client.process.store.leases
    if leases is not None and client.process.is_shared:
        parts = SharedParts(
            client,
            client.process.store,
            leases,
            sleeper,
            client.process.thinking,
            client.check_for_rollback,
            client.limit,
        )
        client.shared = sharing = Sharing(parts, client.process.settings.token)
        work["partitions"] = sharing.run(client.process.settings.peer)
    return [asyncio.create_task(coroutine, name=name) for name, coroutine in work.items()]


async def _wind_down(client: RunningBot) -> None:
    """Refuse new interactions, and wait until running ones have finished."""
    client.services.stopping = True
    client.process.monitoring.stopping()
    log.info("stopping: finishing current work")
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await client.services.wait_until_idle()
            await client.services.members.tasks.wait_until_idle()
            await client.services.publisher.idle()


async def _report_loss(services: Services) -> None:
    """Tell the bot's owner why the store is lost, and wait until running interactions have answered with it."""
    try:
        await services.referee.write(())
    except StoreReadOnly as lost:
        services.owner.cannot_save(lost)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await services.owner.tasks.wait_until_idle()
            await services.wait_until_idle()
