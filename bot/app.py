"""The only composition root: settings, store, referee, publisher, client."""

from __future__ import annotations

import asyncio
import gc
import logging
import platform
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

import aiohttp
import discord

from bot import command_tree, discord_internals
from bot.errors import SettingsError
from bot.interactions.bans import Bans
from bot.interactions.command_sync import sync_if_changed
from bot.interactions.services import Services
from bot.messages.owner import Owner
from bot.messages.painter import Painter
from bot.messages.publisher import Publisher
from bot.operate.monitoring import Lead, Outside
from bot.operate.rollback_guard import OlderStateCheck
from bot.process import gateway
from bot.process.base import signals
from bot.process.base.clock import SystemClock, SystemEntropy, steady
from bot.process.base.version import own_version
from bot.process.gateway import Sessions, SteadyClient, follow_api
from bot.process.http_server import Entrance, tell
from bot.process.leases import leads
from bot.process.reload import Reload, reload_bans
from bot.referee.clock.deadlines import LONGEST_SLEEP, Sleeper
from bot.referee.clock.presence import Presence, read_downtime, send_heartbeats
from bot.referee.house.thinking import Thinking
from bot.referee.model.changes import SaveNote, StoreLost, StoreReadOnly
from bot.referee.referee import Referee
from bot.rest.call_budget import CallBudget
from bot.rest.delivery import Delivery
from bot.rest.direct import CONNECTION_ERRORS
from bot.rest.emojis import Emojis
from bot.rest.global_limit import GlobalLimit
from bot.rest.members import Members
from bot.settings import ALL, EXIT_SETUP, Settings
from data.cache import RememberingStore

log = logging.getLogger(__name__)

EXIT_OK = 0
EXIT_TROUBLE = 1

PATIENCE = 10.0
"""seconds in which work under way may finish when we are told to stop"""

COLLECT = (20_000, 20, 50)
"""how often Python looks for cycles of garbage: next to thousands of remembered matches its default costs an eighth"""

LOOKED_AT_CLOCK = 0.2
"""seconds between looks at a clock that tests can move"""

RETRIES = (1.0, 2.0, 5.0, 10.0, *[gateway.MOST] * 6)
"""seconds between tries while Discord does not take us at the start, each somewhat less: then it is for a supervisor"""

SESSIONS = "sessions"
"""the note that says how many may still be begun"""


def point_at(api_url: str) -> None:
    """Point discord.py at a server that speaks Discord's API, where it is not Discord's own."""
    discord_internals.point_at(api_url)


class Bot(SteadyClient):
    """The client: when it is ready, everything that is behind is brought up to date."""

    def __init__(self, syncs: bool = True, **options: Any) -> None:
        super().__init__(command_tree.Tree, **options)
        self.syncs = syncs
        """whether commands that changed are told to Discord at the start"""
        self.faces = False
        """whether cards are drawn as pictures where Discord has them"""
        self.connected = asyncio.Event()
        self.presence: Presence | None = None
        self.leads = False
        """True for the leader of several processes: another one may lead next"""
        self.outside: Outside | None = None
        self.before_presses: Callable[[], Coroutine[Any, Any, None]] | None = None
        """compares the store with what people saw, before anything is drawn"""
        self.entrance: Entrance | None = None
        """where interactions come in by HTTP"""
        self._following: asyncio.Task[None] | None = None
        """looks whether the API answers while the gateway is lost"""

    async def on_connect(self) -> None:
        """Presses arrive from now on; what needs the list of servers would have to wait for `on_ready`."""
        self._tell("begun")
        await self._back()
        if not self.connected.is_set():
            self.connected.set()
            if self.outside is not None:
                self.outside.ready()
            log.info("connected as %s", self.user)

    async def on_resumed(self) -> None:
        self._tell("resumed")
        await self._back()

    async def on_disconnect(self) -> None:
        self._tell("lost")
        if self.presence is None:
            return
        if self.entrance is None or not self.connected.is_set():
            self.presence.disconnect()
        elif self._following is None:
            self._following = asyncio.create_task(follow_api(self, self.presence), name="api")

    def _tell(self, what: str) -> None:
        """Whoever watches the bot hears of its connections."""
        if self.outside is not None:
            self.outside.gateway(what)

    async def _back(self) -> None:
        """Nobody could play until now: boards tell of it where it was long."""
        if self.presence is None:
            return
        await self._follow_no_more()
        await self.presence.reconnect()
        if self.connected.is_set():
            await self.presence.tell_moved()

    async def _follow_no_more(self) -> None:
        following, self._following = self._following, None
        if following is not None:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def setup_hook(self) -> None:
        await command_tree.plant(self)
        self.rest_client.open()
        if self.faces:
            await self.services.emojis.load()
        if self.syncs:
            await sync_if_changed(self)
        if self.before_presses is not None:
            await self.before_presses()
        if self.entrance is not None:
            await self.entrance.open(self, self.connected)  # before that the servers are not known
        if self.entrance is not None:
            await self.entrance.tell(self)
        elif self.syncs:
            await tell(self, "")

    async def close(self) -> None:
        await self._follow_no_more()
        if self.entrance is not None:
            await self.entrance.close()
        await super().close()
        await self.rest_client.close()


async def serve(
    settings: Settings,
    until_stdin_ends: bool = False,
    role: str = ALL,
    reload: Reload | None = None,
) -> int:
    """Run until told to stop; the exit code is for a supervisor. `reload` reads the settings again, on SIGHUP."""
    log.info("GOPS referee %s, Python %s", own_version(), platform.python_version())
    point_at(settings.api_url)
    gc.freeze()  # modules stay anyway
    gc.set_threshold(*COLLECT)
    clock = SystemClock(settings.clock_file)
    outside = Outside(settings, clock)
    store, lead = await outside.store(settings, role)
    try:
        return await _serve(settings, store, lead, clock, outside, until_stdin_ends, reload)
    except StoreLost:
        if lead is None:
            raise
        return EXIT_TROUBLE
    finally:
        await store.close()


async def _serve(
    settings: Settings,
    store: RememberingStore,
    lead: Lead | None,
    clock: SystemClock,
    outside: Outside,
    until_stdin_ends: bool,
    reload: Reload | None,
) -> int:
    referee = Referee(store, clock, SystemEntropy())
    stop = signals.heed(until_stdin_ends=until_stdin_ends)
    if lead is not None and not await leads(lead, stop, outside):
        return EXIT_OK
    await store.write(())  # what cannot be written is told before anybody plays
    older = OlderStateCheck(referee, store)
    await older.prepare()
    presence = Presence(referee, await read_downtime(referee), steady, clock)
    thinking = Thinking(referee.repository, referee.matches)
    thinking.prepare()
    try:
        async with outside.watched(referee, presence, store, thinking):
            lost = store.database.lost
            return await _meet_discord(
                settings, referee, thinking, presence, clock, stop, lost, outside, lead is not None, reload, older
            )
    finally:
        await thinking.close()


async def _meet_discord(
    settings: Settings,
    referee: Referee,
    thinking: Thinking,
    presence: Presence,
    clock: SystemClock,
    stop: asyncio.Event,
    lost: asyncio.Event,
    outside: Outside,
    leads: bool,
    reload: Reload | None,
    older: OlderStateCheck,
) -> int:
    """One client after another until one comes up, and then until its end."""

    async def check(reach: Delivery) -> None:
        await older.run(reach)
        await thinking.catch_up()  # only now: what the house plays is drawn

    async def keep(sessions: str) -> None:
        await referee.write((SaveNote(SESSIONS, sessions),))

    sessions = Sessions(clock.now, keep, await referee.store.note(SESSIONS))
    bans = Bans(settings.banned_users, settings.banned_servers)
    entrance = Entrance(settings.listen, settings.endpoint, outside.acknowledged) if settings.listen else None
    for most in (*RETRIES, None):
        trace = outside.trace(GlobalLimit(settings.calls).add_to(aiohttp.TraceConfig()))
        client = Bot(http_trace=trace, heartbeat_timeout=settings.silence)
        client.outside, client.entrance, client.leads = outside, entrance, leads
        client.sessions = sessions
        client.named_gateway = settings.gateway_url
        reach = Delivery(client, CallBudget(settings.calls), CONNECTION_ERRORS)
        client.before_presses = partial(check, reach)
        painter = Painter(on=settings.pictures)
        publisher = Publisher(referee, reach, painter)
        owner = Owner(client, reach, clock)
        emojis = Emojis(client, referee, CONNECTION_ERRORS)
        client.services = Services(
            referee,
            publisher,
            owner,
            Members(client, referee, CONNECTION_ERRORS),
            emojis,
            CONNECTION_ERRORS,
            painter=painter,
            bans=bans,
        )
        client.services.version, client.services.support = own_version(), settings.support
        client.faces, reach.report_refused_faces = settings.faces, emojis.request_check
        client.presence = client.services.presence = presence
        presence.skewed, presence.moved = owner.clock_is_off, publisher.catch_up
        referee.listeners[:] = [publisher.changed, thinking.wake, owner.watches(referee)]
        code = await _run_client(client, presence, settings, clock, stop, lost, reload)
        if code is not None or most is None or stop.is_set():
            return EXIT_TROUBLE if code is None else code
        delay = random.uniform(most / 2, most)
        log.warning("Discord did not take us; trying again in %.1f s", delay)
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), delay)
        if stop.is_set():
            return EXIT_OK
    return EXIT_TROUBLE


async def _run_client(
    client: Bot,
    presence: Presence,
    settings: Settings,
    clock: SystemClock,
    stop: asyncio.Event,
    lost: asyncio.Event,
    reload: Reload | None,
) -> int | None:
    """One client from login to its end; None when it never came up and another try makes sense."""
    referee, publisher = client.services.referee, client.services.publisher
    longest = LOOKED_AT_CLOCK if clock.movable else LONGEST_SLEEP
    sleeper = Sleeper(referee, publisher.notices.remind, presence, longest)
    if client.leads:
        sleeper.before = referee.refresh
    referee.listeners.append(sleeper.wake)
    client_task = asyncio.create_task(client.start(settings.token), name="client")
    stop_task = asyncio.create_task(stop.wait(), name="stop")
    lost_task = asyncio.create_task(lost.wait(), name="store-lost")
    connected_task = asyncio.create_task(client.connected.wait(), name="connected")
    background: list[asyncio.Task[Any]] = []
    try:
        ends = {client_task, stop_task, lost_task}
        await asyncio.wait({*ends, connected_task}, return_when=asyncio.FIRST_COMPLETED)
        if connected_task.done() and not client_task.done():
            background.append(asyncio.create_task(send_heartbeats(presence), name="heartbeat"))
            background.append(asyncio.create_task(presence.watch(), name="awake"))
            background.append(asyncio.create_task(sleeper.run(), name="deadlines"))
            if reload is not None:
                background.append(asyncio.create_task(reload_bans(client, reload), name="bans"))
            await presence.tell_moved()
            if settings.faces:
                background.append(asyncio.create_task(client.services.emojis.run(), name="faces"))
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if lost.is_set():
            if client.leads:
                return EXIT_TROUBLE  # whoever supervises it starts it again, and it stands by
            await _tell_of_loss(client, referee)
            return EXIT_SETUP
        if stop.is_set():
            await _wind_down(client)
            return EXIT_OK
        return _ended(client_task, client.connected.is_set())
    finally:
        background += [stop_task, lost_task, connected_task]
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await client.stop_intake()
        await client.services.coach.close()
        await client.services.painter.close()
        client.services.desk.close()
        await client.services.members.close()
        await client.services.owner.close()
        await publisher.close()
        await client.close()
        client_task.cancel()
        await asyncio.gather(client_task, return_exceptions=True)


async def _wind_down(client: Bot) -> None:
    """Take nothing new in, finish what is under way."""
    client.services.stopping = True
    if client.outside is not None:
        client.outside.stopping()
    log.info("stopping: finishing what is under way")
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await client.services.wait_until_idle()
            await client.services.members.wait_until_idle()
            await client.services.publisher.idle()


async def _tell_of_loss(client: Bot, referee: Referee) -> None:
    """The store says why at every write; whoever presses reads it, and whoever can mend it is told before the end."""
    try:
        await referee.write(())
    except StoreReadOnly as lost:
        client.services.owner.cannot_save(lost)
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await client.services.owner.told()
            await client.services.wait_until_idle()


def _ended(task: asyncio.Task[None], connected: bool) -> int | None:
    """What the end of a client means to a supervisor."""
    error = task.exception() if task.done() and not task.cancelled() else None
    if isinstance(error, discord.LoginFailure):
        log.error("Discord refuses this token: check DISCORD_TOKEN")
        return EXIT_SETUP
    if isinstance(error, discord.PrivilegedIntentsRequired):
        log.error("Discord refuses our intents")
        return EXIT_SETUP
    if isinstance(error, discord.ConnectionClosed) and error.code == 4004:
        log.error("Discord refuses this token: check DISCORD_TOKEN")
        return EXIT_SETUP
    if isinstance(error, SettingsError):
        log.error("%s", error)
        return EXIT_SETUP
    if error is not None:
        log.error("the connection to Discord ended: %s: %s", type(error).__name__, error)
    retry = isinstance(error, aiohttp.ClientError | OSError | discord.DiscordException)
    return None if retry and not connected else EXIT_TROUBLE
