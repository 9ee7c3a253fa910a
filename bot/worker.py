"""A worker: it answers presses on consoles, which are most of all, and passes on whatever else comes by HTTP. It meets
no gateway, makes no call that counts, and remembers nothing that it does not look at again."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta

import aiohttp
import discord

from bot import signals
from bot.app import COLLECT, EXIT_OK, EXIT_TROUBLE, PATIENCE, point_at
from bot.clock import SystemClock, SystemEntropy, steady
from bot.entrance import LEADS_AT, Entrance
from bot.operate.health import Serving
from bot.operate.outside import Outside
from bot.referee.clock.presence import Presence, Settable
from bot.referee.ports.changes import StoreBusy, StoreReadOnly
from bot.referee.ports.model import Surface, UserId
from bot.referee.referee import Referee
from bot.settings import EXIT_SETUP, Settings
from bot.version import own_version
from cogs.client import GopsClient
from cogs.doors.passing import Passing
from cogs.match import bids
from cogs.owner import Owner
from cogs.painter import Painter
from cogs.services import Services
from cogs.show.bystander import Bystander
from cogs.ui.message import Message
from cogs.wire.budget import Budget
from cogs.wire.direct import BROKEN
from cogs.wire.emojis import Emojis
from cogs.wire.gate import Gate
from cogs.wire.members import Members
from cogs.wire.reach import Reach
from data.postgres.hints import Herald
from data.remembering import RememberingStore

log = logging.getLogger(__name__)

LOOK = 0.5
"""seconds between looks at who leads, and at whether the tables are those that this one knows"""

FACES = 60
"""looks between two at which pictures of cards there are"""

WAITS = "the tables are not of this version: a keeper has to bring them up to date, or this worker is too old"


class WorkerPresence(Presence):
    """The time of presses sets this clock, too. All that is due is the keeper's business."""

    async def _set(self, clock: Settable, by: timedelta) -> None:
        clock.set(by)
        log.warning("the clock is set by %+.1f s: Discord's says so", by.total_seconds())


class WorkerOwner(Owner):
    """The keeper tells the owner; of a worker's trouble its log tells."""

    async def _tell(self, message: Message) -> None:
        log.error("to be mended: %s", message.content)


class WorkerClient(GopsClient):
    """Logs in, and meets no gateway."""

    outside: Outside

    async def setup_hook(self) -> None:
        await bids.setup(self)
        self.direct.open()

    async def close(self) -> None:
        await super().close()
        await self.direct.close()


async def serve(settings: Settings, until_stdin_ends: bool = False) -> int:
    """Run until told to stop; the exit code is for a supervisor."""
    point_at(settings.api_url)
    gc.freeze()  # modules stay anyway
    gc.set_threshold(*COLLECT)
    stop = signals.heed(until_stdin_ends=until_stdin_ends)
    outside = Outside(settings, SystemClock(settings.clock_file))
    store, fits = await outside.store_beside(settings)
    hints = Herald(settings.server)
    try:
        return await _serve(settings, store, fits, hints, outside, stop)
    finally:
        await hints.close()
        await store.close()


async def _serve(
    settings: Settings,
    store: RememberingStore,
    fits: Callable[[], Awaitable[bool]],
    hints: Herald,
    outside: Outside,
    stop: asyncio.Event,
) -> int:
    clock = SystemClock(settings.clock_file)
    referee = Referee(store, clock, SystemEntropy())
    trace = outside.trace(Gate(settings.calls).trace(aiohttp.TraceConfig()))
    client = WorkerClient(http_trace=trace)
    client.outside = outside
    reach = Reach(client, Budget(settings.calls), BROKEN)
    publisher = Bystander(referee, reach, hints.tell, store.doubt)
    owner, emojis = WorkerOwner(client, reach, clock), Emojis(client, referee, BROKEN)
    client.services = Services(
        referee, publisher, owner, Members(client, referee, BROKEN), emojis, BROKEN, painter=Painter(on=False)
    )
    client.services.version, client.services.support = own_version(), settings.support
    client.services.presence = WorkerPresence(referee, timedelta(), steady, clock)
    referee.listeners[:] = [publisher.changed]
    ready = asyncio.Event()
    try:
        async with aiohttp.ClientSession() as session, outside.serving(Serving(ready, WAITS)):

            async def who_leads() -> str:
                return await store.note(LEADS_AT) or ""

            passing = Passing(session, _looks(store, referee), who_leads)
            assert settings.listen is not None
            entrance = Entrance(settings.listen, "", outside.acknowledged, elsewhere=passing)
            try:
                await client.login(settings.token)
                await entrance.open(client, ready)
                return await _answer(client, store, fits, passing, ready, stop)
            except discord.LoginFailure:
                log.error("Discord refuses this token: check DISCORD_TOKEN")
                return EXIT_SETUP
            finally:
                await entrance.close()
    except (*BROKEN, discord.DiscordException) as error:
        log.error("Discord did not take us: %s: %s", type(error).__name__, error)
        return EXIT_TROUBLE
    finally:
        await client.hush()
        await publisher.close()
        await owner.close()
        await client.close()


def _looks(store: RememberingStore, referee: Referee) -> Callable[[str, UserId], Awaitable[Sequence[Surface]]]:
    """What is remembered of a match is the newest from here on, and of who pressed."""

    async def look(match: str, user: UserId) -> Sequence[Surface]:
        known = referee.known(match)
        stored, surfaces = await store.look(match, known.stored if known is not None else None, user)
        referee.learn(match, stored)
        return surfaces

    return look


async def _answer(
    client: WorkerClient,
    store: RememberingStore,
    fits: Callable[[], Awaitable[bool]],
    passing: Passing,
    ready: asyncio.Event,
    stop: asyncio.Event,
) -> int:
    """Until told to stop, or until the tables are another worker's."""
    outside, looks, waiting = client.outside, 0, False
    while not stop.is_set():
        try:
            there = await fits()
            if there:
                passing.forget()
                if looks % FACES == 0:
                    await client.services.emojis.load()
                looks += 1
        except (StoreBusy, StoreReadOnly) as trouble:
            log.debug("nothing can be looked at: %s", trouble)
        else:
            if store.database.lost.is_set():
                log.error("the tables were brought up to date: this worker ends, and a newer one goes on")
                return EXIT_TROUBLE
            if there and not ready.is_set():
                log.info("this worker answers")
                outside.ready("answering presses on consoles")
                ready.set()
            elif not there:
                if not waiting:
                    log.warning("waiting: %s", WAITS)
                ready.clear()
            waiting = not there
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK):
                await stop.wait()
    outside.stopping()
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            await client.services.answered()
    return EXIT_OK
