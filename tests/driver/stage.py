"""The stage: people, servers, and everything that a test turns behind the scenes."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import urlencode

from bot.playground.protocol.wire import Json
from bot.playground.server import Playground
from bot.playground.world.model import ChannelType
from tests.driver.link import Link
from tests.driver.person import Person
from tests.driver.seen import Seen


@dataclass(frozen=True, slots=True)
class Channel:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Server:
    id: str
    name: str
    channels: tuple[Channel, ...]

    def channel(self, name: str) -> Channel:
        return next(one for one in self.channels if one.name == name)


@dataclass(frozen=True, slots=True)
class Calls:
    """What a bot called so far: counted against its global limit, free, and by route."""

    counted: int
    free: int
    invalid: int
    sent: int
    """bytes of all bodies"""
    files: int
    """how many of them were files"""
    routes: Json

    def of(self, pattern: str) -> int:
        """How many calls went to routes like `PATCH /channels/*`."""
        return sum(one["calls"] for route, one in self.routes.items() if fnmatchcase(route, pattern))


class Stage:
    def __init__(self, address: str, *, patience: float = 5.0) -> None:
        self.address = address
        self.patience = patience
        self.until_done = False
        """Whether people wait for what a slow answer announces."""
        self.link = Link(address)
        self.names: dict[str, str] = {}
        self.people: dict[str, Person] = {}
        self.explain: Callable[[], str] = lambda: ""
        """what else there is to tell when a wait runs out"""
        self._bots: dict[str, str] = {}
        self._sessions: dict[tuple[str | None, int], str] = {}
        self._commands: set[str] = set()
        self._changed = asyncio.Event()

    @classmethod
    @asynccontextmanager
    async def begin(cls, playground: Playground | None = None, *, patience: float = 5.0) -> AsyncGenerator["Stage"]:
        """A stand-in in this process (with one bot and one server unless one is given), and its stage."""
        if playground is None:
            playground = Playground()
            playground.add_bot()
        playground.core.settings.identify_seconds = 0.0  # a bot that starts again waits for nothing
        async with playground, cls.connect(playground.address, patience=patience) as stage:
            yield stage

    @classmethod
    @asynccontextmanager
    async def connect(cls, address: str, *, patience: float = 5.0) -> AsyncGenerator["Stage"]:
        """The stage of a stand-in that runs somewhere."""
        stage = cls(address, patience=patience)
        try:
            await stage.link.listen("/events", stage._hear)
            world = await stage.world()
            stage._bots = {one["name"]: one["id"] for one in world["bots"]}
            yield stage
        finally:
            await stage.link.close()

    # -- people and places

    async def person(
        self,
        name: str,
        *,
        server: Server | str | None = None,
        nick: str | None = None,
        display: str | None = None,
        only: list[Channel] | None = None,
    ) -> Person:
        """Somebody in a server (the first one, unless named), at their client, in its first channel."""
        if server is None:
            servers = (await self.world())["servers"]
            server = servers[0]["id"] if servers else None
        joined = [server.id if isinstance(server, Server) else server] if server is not None else []
        body: Json = {"name": name, "display": display, "servers": joined, "nick": nick}
        raw = await self.link.call("POST", "/people", body)
        self.names[raw["id"]] = nick or display or name
        person = Person(self.link, raw, self.names, self.patience)
        person.until_done = self.until_done
        await person.arrive([one.id for one in only] if only else None)
        person.screen.explain = lambda: self.explain()
        self.people[person.id] = person
        if only or isinstance(server, Server):
            homes = only or list(server.channels if isinstance(server, Server) else ())
            person.place = homes[0].id if homes else None
        return person

    async def server(self, name: str, channels: list[str] | None = None) -> Server:
        """A new server, with every bot in it."""
        raw = await self.link.call("POST", "/servers", {"name": name, "channels": channels or ["games"]})
        return _server(raw)

    async def server_on(self, shard: int, count: int, name: str = "Club") -> Server:
        """A new server that belongs to this shard of so many: as Discord does, by the moment when it was made."""
        while True:
            server = await self.server(name)
            if (int(server.id) >> 22) % count == shard:
                return server
            await self.delete(server)

    async def elsewhere(self, name: str, channels: list[str] | None = None, *, greets: bool = False) -> Server:
        """A server that no bot was invited to. `greets`: new members are told of in its first channel."""
        body: Json = {"name": name, "channels": channels or ["games"], "bots": [], "greets": greets}
        return _server(await self.link.call("POST", "/servers", body))

    async def group(self, name: str, *people: Person) -> Channel:
        """A group chat, in which no bot can be."""
        raw = await self.link.call("POST", "/groups", {"name": name, "people": [one.id for one in people]})
        return Channel(raw["id"], raw["name"])

    async def install(self, person: Person, bot: str = "GOPS", *, on: bool = True) -> None:
        """Somebody installs a bot for themselves, or removes it again."""
        await self.link.call("PATCH", f"/people/{person.id}", {"installs": {bot: on}})

    async def world(self) -> Json:
        return await self.link.call("GET", "/world")

    async def channel(
        self, server: Server, name: str, kind: ChannelType = ChannelType.TEXT, category: Channel | None = None
    ) -> Channel:
        """One more channel."""
        body: Json = {"name": name, "type": int(kind), "category": category.id if category is not None else None}
        raw = await self.link.call("POST", f"/servers/{server.id}/channels", body)
        return Channel(raw["id"], raw["name"])

    async def thread(self, channel: Channel, name: str) -> Channel:
        """A thread in a channel."""
        raw = await self.link.call("POST", f"/channels/{channel.id}/threads", {"name": name})
        return Channel(raw["id"], raw["name"])

    async def close_thread(self, thread: Channel, *, closed: bool = True) -> None:
        """Archive and lock it, or open it again, as a moderator would."""
        await self.link.call("PATCH", f"/channels/{thread.id}", {"archived": closed, "locked": closed})

    async def role(self, server: Server, name: str, *permissions: str, mentionable: bool = False) -> str:
        """A new role; its id."""
        body: Json = {"name": name, "permissions": list(permissions), "mentionable": mentionable}
        return (await self.link.call("POST", f"/servers/{server.id}/roles", body))["id"]

    async def change_role(self, server: Server, role: str, **change: Any) -> None:
        """Its `permissions` by name, or its `position`."""
        await self.link.call("PATCH", f"/servers/{server.id}/roles/{role}", change)

    async def delete_role(self, server: Server, role: str) -> None:
        """As a moderator would."""
        await self.link.call("DELETE", f"/servers/{server.id}/roles/{role}")

    async def member(self, server: Server, person: Person | str, **change: Any) -> None:
        """Let a person, or a bot by name, join, or change `nick`, `roles` or `dms_open`."""
        who = person.id if isinstance(person, Person) else self.bot(person)
        await self.link.call("PUT", f"/servers/{server.id}/members/{who}", change)

    async def hand_over(self, server: Server, person: Person) -> None:
        """A server gets another owner, as its owner may decide."""
        await self.link.call("PATCH", f"/servers/{server.id}", {"owner": person.id})

    async def leave(self, server: Server, person: "Person | str") -> None:
        """Somebody, or a bot by name, leaves a server."""
        who = person.id if isinstance(person, Person) else self.bot(person)
        await self.link.call("DELETE", f"/servers/{server.id}/members/{who}")

    async def allow(self, channel: object, who: object, *permissions: str) -> None:
        """Grant permissions to a person, a role id or a bot by name in one channel."""
        await self._overwrite(channel, who, {"allow": list(permissions)})

    async def deny(self, channel: object, who: object, *permissions: str) -> None:
        """Take permissions from a person, a role id or a bot by name in one channel."""
        await self._overwrite(channel, who, {"deny": list(permissions)})

    async def delete(self, one: "Seen | Channel | Server") -> None:
        """Delete a message, a channel or a server, as whoever may."""
        if isinstance(one, Seen):
            path = f"/channels/{one.channel_id}/messages/{one.id}"
        else:
            path = f"/{'channels' if isinstance(one, Channel) else 'servers'}/{one.id}"
        await self.link.call("DELETE", path)

    # -- bots

    def bot(self, name: str | None = None) -> str:
        """The id of a bot; of the only one, if unnamed."""
        if name is None:
            return next(iter(self._bots.values()))
        return self._bots.get(name, name)

    async def bot_ready(
        self, name: str | None = None, *, commands: bool = True, patience: float = 30.0, shards: int = 1
    ) -> None:
        """Wait until a bot is connected with all shards and, unless told otherwise, has registered its commands.

        After a restart, wait for `bot_gone` first.
        """
        app = self.bot(name)

        def ready() -> bool:
            connected = all(self._sessions.get((app, one)) in ("ready", "resumed") for one in range(shards))
            return connected and (not commands or app in self._commands)

        await self._until(ready, "the bot", patience)

    async def settled(self, what: str, name: str | None = None, *, patience: float = 15.0) -> None:
        """Wait until the newest news of every session of a bot is this: `ready`, `resumed` or `closed`."""
        app = self.bot(name)
        await self._until(lambda: self._news(app) == {what}, f"the bot to be {what}", patience)

    async def bot_gone(self, name: str | None = None, *, patience: float = 10.0) -> None:
        """Wait until a bot's connection is closed."""
        app = self.bot(name)
        await self._until(lambda: self._news(app) <= {"closed"}, "the bot to go", patience)

    def _news(self, app: str) -> set[str]:
        return {what for (of_app, _), what in self._sessions.items() if of_app == app}

    # -- behind the scenes

    async def calls(self) -> Calls:
        """What was called since the beginning or the last reset."""
        return Calls(**await self.link.call("GET", "/calls"))

    async def called(self, pattern: str, times: int = 1) -> Calls:
        """Wait until so many calls of routes like `PATCH /channels/*` were answered."""
        return await self._calls_wait(route=pattern, times=times)

    async def begun(self, pattern: str, times: int = 1) -> None:
        """Wait until so many calls of such routes have come in; a slow one is not answered yet."""
        await self._calls_wait(route=pattern, times=times, begun=1)

    async def call_log(self, limit: int = 1000) -> list[Json]:
        return await self.link.call("GET", f"/calls/log?limit={limit}")

    async def reset_calls(self) -> None:
        await self.link.call("DELETE", "/calls")

    async def fault(self, kind: str, route: str = "*", **how: Any) -> None:
        """Let the next calls of a route go wrong: `answer` (status, when), `reset`, `limit`, `slow`."""
        await self.link.call("POST", "/faults", {"kind": kind, "route": route, **how})

    async def faults(self) -> list[Json]:
        """Faults that still wait."""
        return await self.link.call("GET", "/faults")

    async def clear_faults(self) -> None:
        """Nothing goes wrong any more, and what is slow now is answered."""
        await self.link.call("DELETE", "/faults")

    async def limits(self, **change: Any) -> Json:
        """Switch limits (`enabled=False`) or set numbers: `buckets={"message.create": [5, 5]}`."""
        return await self.link.call("PUT", "/limits", change)

    async def settings(self, **change: Any) -> Json:
        """Turn what `settings` lists, such as `ack_seconds` or `old_edits=[3, 3600]`."""
        return await self.link.call("PATCH", "/settings", change)

    async def forward(self, seconds: float) -> None:
        """Move the stand-in's clock (and its file, which the bot reads too)."""
        await self.link.call("PUT", "/clock", {"forward": seconds})

    async def gateway(self, do: str, **how: Any) -> int:
        """`close` (code, and of one `shard` alone), `reconnect`, `invalidate` (resumable), `silence`, `refuse` (times).

        `settled` and `bot_ready` then wait for what comes of it.
        """
        if do not in ("refuse", "repeat"):
            shard = how.get("shard")
            there = {key: what for key, what in self._sessions.items() if what not in ("closed", "refused")}
            self._sessions = there | {key: "disturbed" for key in there if shard in (None, key[1])}
        return (await self.link.call("POST", "/gateway", {"do": do, **how}))["connections"]

    async def answer_faults(self) -> list[str]:
        """What Discord's description has against the stand-in's answers, where that is checked."""
        return await self.link.call("GET", "/answers")

    # -- parts

    async def _overwrite(self, channel: object, who: object, body: Json) -> None:
        name = str(getattr(who, "id", who))
        target = self._bots.get(name, name)
        await self.link.call("PUT", f"/channels/{getattr(channel, 'id', channel)}/overwrites/{target}", body)

    def _hear(self, frame: Json) -> None:
        match frame["type"]:
            case "snapshot":
                for one in frame["sessions"]:
                    self._sessions[one["app"], one["shard"][0]] = "ready" if one["connected"] else "closed"
                self._commands = {app for app, names in frame["commands"].items() if names}
            case "session":
                self._sessions[frame["app"], frame["shard"]] = frame["what"]
            case "commands":
                self._commands.add(frame["app"])
            case _:
                pass
        self._changed.set()

    async def _calls_wait(self, **what: str | int) -> Calls:
        query = urlencode({**what, "patience": self.patience})
        return Calls(**await self.link.call("GET", f"/calls/wait?{query}"))

    async def _until(self, holds: Any, what: str, patience: float) -> None:
        try:
            async with asyncio.timeout(patience):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            told = f"Waited {patience:g} s for {what}; sessions: {self._sessions}\n{self.explain()}"
            raise AssertionError(told) from None


def _server(raw: Json) -> Server:
    channels = tuple(Channel(one["id"], one["name"]) for one in raw["channels"])
    return Server(raw["id"], raw["name"], channels)
