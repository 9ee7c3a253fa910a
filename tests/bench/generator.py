"""What the load comes from: Discord as a bot needs it to be up and pressed, and as cheap as it can be.

It is no stand-in: nothing is checked and no message is kept but its newest body. Presses are written before a heat and
only numbered in it; of a call only the path is read, and what comes with it is kept as it came, to be read between two
heats. An answer that wants a message gets the one of before the heat. That is what a bid costs here: one frame packed,
one call split at its slashes.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.bench.shapes import EVERYTHING, GUILD, Json, Paper, application, guild, user, welcome, written

DIRECT_MESSAGES = 1 << 12
ANSWER_WITHIN = 3.0
"""seconds that Discord waits for the answer to a press"""

_EPOCH = 1_420_070_400_000
_REST = b"t" * 120
"""a token is long"""
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
_DONE = b"HTTP/1.1 204 No Content\r\n\r\n"
_UNKNOWN = b'{"code":0,"message":"404: Not Found"}'
_NONE = b"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"


@dataclass(slots=True)
class Heat:
    """Presses on one bot, so many of them unanswered at a time."""

    todo: deque[tuple[Paper, bytes]]
    done: asyncio.Future[None]
    sent: dict[int, float] = field(default_factory=dict[int, float])
    milliseconds: list[float] = field(default_factory=list[float])
    steady: bool = False
    """True if an answer brings no further press"""
    last: float = 0.0
    """when something was last sent or answered"""


class App:
    """One bot: its messages, its connection, and its calls, counted."""

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.id = 1_300_000_000_000_100_000 + number
        self.user = user(self.id, name, bot=True)
        self.papers: dict[int, Paper] = {}
        self.calls: Counter[str] = Counter()
        self.unknown: Counter[str] = Counter()
        self.ready = asyncio.Event()
        self.heat: Heat | None = None
        self.hears_dms = False
        self.shards = 1
        """Connections that the bot has to make. A press comes by any of them."""
        self.only_shard: int | None = None
        """The connection by which each press comes."""
        self._sends: dict[int, Callable[[bytes], None]] = {}
        self._sequences: Counter[int] = Counter()
        self._count = 0
        self._chance = random.Random(number)

    # --- what the bot is told -----------------------------------------------------------------------------

    def meet(self, send: Callable[[bytes], None], intents: int, shard: int = 0) -> None:
        """It has come, and this is how it is told."""
        self._sends[shard], self._sequences[shard] = send, 0
        self.hears_dms = bool(intents & DIRECT_MESSAGES)
        self.tell("READY", written(welcome(self.user)), shard)
        self.tell("GUILD_CREATE", written(guild(self.user)), shard)
        if len(self._sends) == self.shards:
            self.ready.set()

    def tell(self, event: str, data: bytes, shard: int = 0) -> None:
        self._sequences[shard] += 1
        self._sends[shard](b'{"op":0,"t":"%b","s":%d,"d":%b}' % (event.encode(), self._sequences[shard], data))

    # --- presses ------------------------------------------------------------------------------------------

    def add(self, paper: Paper) -> None:
        """Written at once: a bot may bring it up to date before the first heat, and reads what it is answered."""
        paper.read(self.user)
        self.papers[paper.id] = paper

    def read(self) -> None:
        """Between two heats: what came meanwhile."""
        for paper in self.papers.values():
            if paper.body:
                paper.read(self.user)

    async def press(
        self, hands: Sequence[tuple[Paper, int]], prefix: str, at_once: int, rate: float = 0.0
    ) -> tuple[float, Heat]:
        """Each person presses the first live key of a message, in order; the seconds that it took, and what was
        answered. With a `rate` so many press each second, also while others have no answer yet."""
        keyed = ((paper, person, paper.key(prefix)) for paper, person in hands)
        todo = deque((paper, self._press(paper, person, key)) for paper, person, key in keyed if key)
        heat = self.heat = Heat(todo, asyncio.get_running_loop().create_future())
        watch = asyncio.create_task(_watch(heat))
        started = heat.last = time.perf_counter()
        try:
            if rate:
                await self._press_steadily(heat, rate)
            for _ in range(min(at_once, len(todo))):
                self._next(heat)
            await heat.done
        finally:
            watch.cancel()
            self.heat = None
        return heat.last - started, heat

    async def _press_steadily(self, heat: Heat, rate: float) -> None:
        started, heat.steady = time.perf_counter(), True
        for number in range(len(heat.todo)):
            await asyncio.sleep(max(0.0, started + number / rate - time.perf_counter()))
            self._next(heat)

    def _press(self, paper: Paper, presser: int, custom_id: str) -> bytes:
        """The frame of a press but for its number and its token."""
        person = user(presser, f"P{presser}")
        if not paper.person:
            return self._press_in_server(paper, person, custom_id)
        return written(
            {
                "application_id": str(self.id),
                "type": 3,
                "version": 1,
                "channel_id": str(paper.channel),
                "data": {"custom_id": custom_id, "component_type": 2, "id": 1},
                "channel": {"id": str(paper.channel), "type": 1, "flags": 0, "recipients": [person]},
                "app_permissions": EVERYTHING,
                "locale": "en-US",
                "entitlements": [],
                "context": 1,
                "user": person,
                "authorizing_integration_owners": {"0": str(GUILD)},
                "attachment_size_limit": 10_485_760,
                "message": json.loads(paper.whole),
            }
        )[1:]

    def _press_in_server(self, paper: Paper, person: Json, custom_id: str) -> bytes:
        member: Json = {"user": person, "nick": None, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00"}
        member |= {"avatar": None, "flags": 0, "pending": False, "mute": False, "deaf": False, "permissions": "0"}
        channel: Json = {"id": str(paper.channel), "type": 0, "guild_id": str(GUILD), "name": "games", "position": 0}
        channel |= {"permission_overwrites": [], "parent_id": None, "nsfw": False, "topic": None, "flags": 0}
        return written(
            {
                "application_id": str(self.id),
                "type": 3,
                "version": 1,
                "channel_id": str(paper.channel),
                "guild_id": str(GUILD),
                "guild": {"id": str(GUILD), "locale": "en-US", "features": []},
                "data": {"custom_id": custom_id, "component_type": 2, "id": 1},
                "channel": channel,
                "app_permissions": EVERYTHING,
                "locale": "en-US",
                "guild_locale": "en-US",
                "entitlements": [],
                "context": 0,
                "member": member,
                "authorizing_integration_owners": {"0": str(GUILD)},
                "attachment_size_limit": 10_485_760,
                "message": json.loads(paper.whole),
            }
        )[1:]

    def _next(self, heat: Heat) -> None:
        paper, rest = heat.todo.popleft()
        self._count = (self._count + 1) & 0xFFF
        id = ((int(time.time() * 1000) - _EPOCH) << 22) | self._count
        token = b"%d.%d.%d.%b" % (self.id, id, paper.id, _REST)
        heat.last = heat.sent[id] = time.perf_counter()
        shard = self._chance.randrange(self.shards) if self.only_shard is None else self.only_shard
        self.tell("INTERACTION_CREATE", b'{"id":"%d","token":"%b",%b' % (id, token, rest), shard)

    # --- what the bot calls -------------------------------------------------------------------------------

    def callback(self, token: bytes, body: bytes, wants: bool) -> bytes:
        """An answer to a press. The next press goes out."""
        _, number, of, _ = token.split(b".", 3)
        id = int(number)
        self.calls["callback"] += 1
        paper = self._edited(int(of), body)
        self._told(id, answered=True)
        if not wants:
            return _DONE
        told = b'{"interaction":{"id":"%d","type":3,"response_message_id":"%b"},"resource":{"type":7,"message":%b}}'
        return ok(told % (id, of, paper.whole))

    def put_off(self, token: bytes) -> None:
        """It is answered too late to count. The next press goes out."""
        self._told(int(token.split(b".", 3)[1]), answered=False)

    def _told(self, id: int, *, answered: bool) -> None:
        heat = self.heat
        if heat is None or (sent := heat.sent.pop(id, None)) is None:
            return
        heat.last = time.perf_counter()
        if answered:
            heat.milliseconds.append((heat.last - sent) * 1000)
        if heat.todo:
            if not heat.steady:
                self._next(heat)
        elif not heat.sent and not heat.done.done():
            heat.done.set_result(None)

    def further(self) -> bytes:
        """One more message, for one person alone: nobody presses it."""
        self.calls["further"] += 1
        return ok(b'{"id":"%d"}' % (10**18 + self.calls["further"]))

    def by_token(self, token: bytes, body: bytes, which: bytes = b"@original") -> bytes:
        self.calls["by token"] += 1
        if which != b"@original":
            return ok(b'{"id":"%b"}' % which)
        return ok(self._edited(int(token.split(b".", 3)[2]), body).whole)

    def edit(self, message: int, body: bytes) -> bytes:
        self.calls["counted"] += 1
        return ok(self._edited(message, body).whole)

    def _edited(self, message: int, body: bytes) -> Paper:
        paper = self.papers[message]
        paper.body = body
        if self.hears_dms and paper.person:
            self.tell("MESSAGE_UPDATE", paper.whole)
        return paper

    def other(self, method: str, path: str, body: bytes) -> bytes:
        """What a bot asks when it starts."""
        match method, path.split("/"):
            case "GET", ["users", "@me"]:
                return ok(written({**self.user, "mfa_enabled": True, "locale": "en-US", "verified": True}))
            case "GET", ["oauth2", "applications", "@me"] | ["applications", "@me"]:
                return ok(written(application(self.user)))
            case "PUT", ["applications", _, "commands"]:
                own = {"application_id": str(self.id), "version": "1", "description": ""}
                given = [{"id": str(number), **own, **one} for number, one in enumerate(json.loads(body), 1)]
                return ok(written(given))
            case "GET", ["applications", _, "commands"]:
                return ok(b"[]")
            case "GET", ["applications", _, "emojis"]:
                return ok(b'{"items":[]}')
            case _:
                self.unknown[f"{method} {path}"] += 1
                return _NONE % (len(_UNKNOWN), _UNKNOWN)


def ok(body: bytes) -> bytes:
    return _OK % (len(body), body)


async def _watch(heat: Heat) -> None:
    """Nobody waits for ever: what is not answered in time has failed."""
    while not heat.done.done():
        await asyncio.sleep(ANSWER_WITHIN)
        if time.perf_counter() - heat.last > ANSWER_WITHIN and not heat.done.done():
            heat.done.set_result(None)
