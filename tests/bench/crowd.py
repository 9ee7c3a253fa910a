"""Live matches by the thousand: agreed through the referee, their messages posted as the bot would have left them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import aiohttp

from bot.playground.protocol.wire import Json
from bot.process.base.clock import SystemClock, SystemEntropy
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import PutSurface, SaveGuild, SavePlayer
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.participant import Person, Place
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.referee import Referee
from bot.ui.message import Message
from bot.ui.screens.board import render_board
from bot.ui.screens.console import render_console
from bot.ui.text.stamps import link_to
from tests.bench.processes import Town
from tests.sqlite_store import SqliteStore

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 16
V2 = 1 << 15
CLOCK = 600
"""seconds for a bid: long enough that no deadline and no reminder falls into a run"""

Target = list[int]
"""a person, the channel of a message, and the message"""


@dataclass(frozen=True, slots=True)
class Crowd:
    """What can be pressed: for each seat the consoles of all matches, in the same order."""

    seats: tuple[list[Target], list[Target]]


class Api:
    """The stand-in's REST, with a bot's token."""

    def __init__(self, session: aiohttp.ClientSession, address: str, token: str) -> None:
        self.session = session
        self.base = f"{address}/api/v10"
        self.headers = {"Authorization": f"Bot {token}"}

    async def call(self, path: str, body: Json) -> Any:
        async with self.session.post(self.base + path, json=body, headers=self.headers) as response:
            response.raise_for_status()
            return await response.json()

    async def post(self, channel: int, components: list[Json]) -> int:
        body: Json = {"flags": V2, "components": components, "allowed_mentions": {"parse": []}}
        return int((await self.call(f"/channels/{channel}/messages", body))["id"])

    async def dm(self, person: int) -> int:
        return int((await self.call("/users/@me/channels", {"recipient_id": str(person)}))["id"])


def components(message: Message) -> list[Json]:
    view = message.view
    assert view is not None
    return view.to_components()


async def gather(town: Town, matches: int, people: int = 2000) -> Crowd:
    """Live matches of two, with a board and two consoles by DM each, all of them up to date."""
    link = town.stage.link
    await link.call("PATCH", "/settings", {"dm_opens": None})
    world = await town.stage.world()
    server = world["servers"][0]
    place = Place(int(server["id"]), int(server["channels"][0]["id"]))
    names = [f"P{number}" for number in range(min(people, 2 * matches))]
    raw = [await link.call("POST", "/people", {"name": name, "servers": [server["id"]]}) for name in names]
    persons = [Person(int(one["id"]), name) for one, name in zip(raw, names, strict=True)]
    async with (
        aiohttp.ClientSession() as session,
        await SqliteStore.open(town.database) as store,
    ):
        making = _Making(store, place, Api(session, town.stage.address, "playground"))
        await making.settle(persons)
        pairs = [(persons[2 * n % len(persons)], persons[(2 * n + 1) % len(persons)]) for n in range(matches)]
        found = await _together(pairs, making.match)
        seats = ([one[0] for one in found], [one[1] for one in found])
        return Crowd(seats)


class _Making:
    def __init__(self, store: SqliteStore, place: Place, api: Api) -> None:
        self.referee = Referee(store, SystemClock(), SystemEntropy())
        self.place = place
        self.api = api
        self.dms: dict[int, int] = {}

    async def settle(self, persons: list[Person]) -> None:
        settings = GuildSettings(self.place.guild, clock=CLOCK, boards=1_000_000, matches=1_000_000)
        await self.referee.write((SaveGuild(settings),))
        channels = await _together(persons, lambda one: self.api.dm(one.user))
        self.dms = dict(zip((one.user for one in persons), channels, strict=True))
        for person in persons:
            player = await self.referee.store.player(person.user)
            await self.referee.write((SavePlayer(replace(player, dm_channel=self.dms[person.user])),))

    async def match(self, pair: tuple[Person, Person]) -> tuple[Target, Target]:
        referee = self.referee
        lobby = await referee.challenges.open(self.place, pair[0], [pair[1]], Wish(game="classic"))
        await referee.challenges.accept(lobby.id, pair[1].user, 900)
        public = await referee.views.view(lobby.id)
        now = referee.clock.now()
        message = await self.api.post(self.place.channel, components(render_board(public)))
        board = Surface(lobby.id, SurfaceKind.BOARD, 0, self.place.channel, message, public.version, now)
        known = [one for one in await referee.store.surfaces(lobby.id) if one.kind is SurfaceKind.CONSOLE_DM]
        targets: list[Target] = []
        consoles: list[PutSurface] = []
        for person in pair:
            surface = next(one for one in known if one.user == person.user)
            channel = self.dms[person.user]
            posted = await self.api.post(channel, await self.console(lobby.id, surface, board))
            consoles.append(PutSurface(replace(surface, channel=channel, message=posted, shown=public.version)))
            targets.append([person.user, channel, posted])
        await referee.write((PutSurface(board), *consoles))
        return targets[0], targets[1]

    async def console(self, id: str, surface: Surface, board: Surface) -> list[Json]:
        view = await self.referee.views.view(id, surface.user)
        player = await self.referee.store.player(surface.user)
        link = link_to(view.guild, board.channel, board.message)
        return components(render_console(view, two_step=player.two_step, link=link))


async def _together(all: Iterable[T], work: Callable[[T], Awaitable[R]]) -> list[R]:
    """The work for each, some at a time, in order."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(item: T) -> R:
        async with gate:
            return await work(item)

    return await asyncio.gather(*map(one, all))
