"""Many calls at once against limits like Discord's, with calls of any duration: no call is refused."""

import asyncio
import random
from collections import Counter
from collections.abc import Mapping

import pytest

from bot.playground.rest import limit
from bot.playground.rest.limit import Limits
from bot.rest import global_limit, route_limits
from bot.rest.global_limit import COUNTED_AFTER, GlobalLimit
from bot.rest.route_limits import Bucket, RouteLimits, route_of
from tests.virtual_time import run

MOST = 40

BOT = 1
CHANNEL = "/api/v10/channels/10000000000000000{:02}/messages"
DMS = "/api/v10/users/@me/channels"


class Discord:
    """The stand-in's limits, at the end of a long wire."""

    def __init__(self, gate: GlobalLimit, slowest: float, seed: int) -> None:
        self.gate = gate
        self.limits = Limits()
        self.statuses = Counter[int]()
        self.slowest = slowest
        self.rng = random.Random(seed)
        self.lost = 0.0
        """the share of calls whose answer is lost"""
        self.longest_wait = 0.0

    async def call(self, path: str) -> None:
        began = asyncio.get_running_loop().time()
        out = await self.gate.start_call("POST", path)
        self.longest_wait = max(self.longest_wait, asyncio.get_running_loop().time() - began)
        await asyncio.sleep(self.rng.random() * self.slowest)
        bucket = "dm.open" if path == DMS else "message.create"
        verdict = self.limits.take(bucket, path, "" if path == DMS else path, BOT)
        status = 200 if verdict.retry_after is None else 429
        self.statuses[status] += 1
        await asyncio.sleep(self.rng.random() * self.slowest)
        if self.rng.random() < self.lost:
            self.gate.end_call(out, 0, {})
        else:
            self.gate.end_call(out, status, verdict.headers)

    async def crowd(self, calls: int, channels: int) -> float:
        """So many calls at once; how long they took."""
        began = asyncio.get_running_loop().time()
        paths = [CHANNEL.format(number % channels) for number in range(calls)] + [DMS] * (calls // 10)
        self.rng.shuffle(paths)
        await asyncio.gather(*map(self.call, paths))
        return asyncio.get_running_loop().time() - began


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        @staticmethod
        def monotonic() -> float:
            return asyncio.get_running_loop().time()

        time = monotonic

    for module in (limit, global_limit, route_limits):
        monkeypatch.setattr(module, "time", Clock)


def gate() -> GlobalLimit:
    return GlobalLimit(lambda: MOST)


@pytest.mark.parametrize("slowest", [0.0, 0.05, 0.4, 3.0, 9.0])
@pytest.mark.parametrize("seed", range(4))
def test_many_calls_at_once_are_never_refused(slowest: float, seed: int) -> None:
    async def crowd() -> None:
        discord = Discord(gate(), slowest, seed)
        for channels in (1, 4, 13):
            await discord.crowd(60, channels)
            await asyncio.sleep(discord.rng.random() * 12)
        assert discord.statuses == {200: 3 * 66}

    run(crowd())


@pytest.mark.parametrize("slowest", [0.05, 0.4, 1.0])
def test_calls_are_hardly_slower_than_discord_allows(slowest: float) -> None:
    async def crowd() -> float:
        return await Discord(gate(), slowest, 1).crowd(50, 2)

    took = run(crowd())
    assert 20 <= took <= 20.5 + 5 * slowest, "25 calls a channel, five in five seconds: four whole windows have to pass"


@pytest.mark.parametrize("slowest", [0.05, 0.4])
def test_calls_below_the_limit_never_wait(slowest: float) -> None:
    async def stream() -> float:
        discord = Discord(gate(), slowest, 1)
        calls: list[asyncio.Task[None]] = []
        await discord.call(CHANNEL.format(1))  # which tells of the limit
        await asyncio.sleep(6)
        for _ in range(60):
            calls.append(asyncio.create_task(discord.call(CHANNEL.format(1))))
            await asyncio.sleep(1.2)
        await asyncio.gather(*calls)
        assert discord.statuses == {200: 61}
        return discord.longest_wait

    assert run(stream()) == 0


@pytest.mark.parametrize("seed", range(4))
def test_lost_answers_block_no_calls(seed: int) -> None:
    async def crowd() -> None:
        discord = Discord(gate(), 0.2, seed)
        discord.lost = 0.6
        took = await discord.crowd(60, 3)
        assert took <= 60
        assert discord.statuses.total() == 66
        assert discord.statuses[429] <= 12, "what nobody told it cannot know"

    run(crowd())


def test_cancelled_calls_leave_no_trace() -> None:
    async def gives_up() -> None:
        door = gate()
        door.block(60)
        waiting = [asyncio.create_task(door.start_call("POST", DMS)) for _ in range(3)]
        await asyncio.sleep(1)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        door.end_call(await door.start_call("POST", DMS), 200, headers(limit=10, left=9, lasts=10))
        assert asyncio.get_running_loop().time() == pytest.approx(1060, abs=0.01)
        for _ in range(9):
            await door.start_call("POST", DMS)
        assert asyncio.get_running_loop().time() == pytest.approx(1060, abs=0.01)

    run(gives_up())


def test_unanswered_calls_block_no_others() -> None:
    async def hung() -> None:
        door, now = gate(), asyncio.get_running_loop().time
        began = now()
        for number in range(MOST):
            await door.start_call("GET", f"/api/v10/users/1000000000000000{number:02}/{number}")
        assert now() == began
        late = await door.start_call("GET", "/api/v10/users/@me")
        assert now() - began == pytest.approx(COUNTED_AFTER + 1, abs=0.01)
        door.end_call(late, 0, {})

    run(hung())


def test_refused_call_waits_as_long_as_discord_says() -> None:
    """A channel may be limited because of another bot; calls to other channels go on."""

    async def refused() -> None:
        door, now = gate(), asyncio.get_running_loop().time
        one, other = CHANNEL.format(1), CHANNEL.format(2)
        plenty = headers(limit=5, left=4, lasts=1)
        door.end_call(await door.start_call("PATCH", one), 429, {**plenty, "Retry-After": "7", "Via": "1.1 google"})
        began = now()
        door.end_call(await door.start_call("PATCH", other), 200, plenty)
        assert now() == began
        await door.start_call("PATCH", one)
        assert now() - began == pytest.approx(7, abs=0.01)

    run(refused())


def test_routes_with_the_same_bucket_share_one_limit() -> None:
    async def two_routes() -> None:
        now = asyncio.get_running_loop().time
        buckets = RouteLimits()
        one, other = (route_of(method, CHANNEL.format(1) + "/1000000000000000001") for method in ("PUT", "DELETE"))
        for route, left in ((one, 1), (other, 0)):
            buckets.release(route, await buckets.acquire(route), headers(limit=2, left=left, lasts=5, name="a"))
        began = now()
        await buckets.acquire(one)
        assert now() - began == pytest.approx(5, abs=0.01)

    run(two_routes())


def test_routes_differ_by_method_and_channel() -> None:
    path = "/api/v10/channels/100000000000000001/messages/{}"
    assert route_of("PATCH", path.format(200000000000000001)) == route_of("PATCH", path.format(200000000000000002))
    assert route_of("PATCH", path.format(200000000000000001)) != route_of("DELETE", path.format(200000000000000001))
    elsewhere = path.replace("channels/1", "channels/3")
    assert route_of("PATCH", elsewhere) != route_of("PATCH", path)


def test_idle_routes_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.rest.route_limits.MAX_ROUTES", 3)

    async def many() -> None:
        buckets = RouteLimits()
        routes = [route_of("POST", CHANNEL.format(number)) for number in range(5)]
        under_way = await buckets.acquire(routes[0])
        kept = await buckets.acquire(routes[1])
        buckets.release(routes[1], kept, headers(limit=5, left=0, lasts=9, name="a"))
        for route in routes[2:]:
            buckets.release(route, await buckets.acquire(route), {})
        assert await left(buckets, routes[1]) == pytest.approx(9, abs=0.01), "its window is not over"
        under_way.release()

    async def left(buckets: RouteLimits, route: tuple[str, str]) -> float:
        began = asyncio.get_running_loop().time()
        bucket: Bucket = await buckets.acquire(route)
        bucket.release()
        return asyncio.get_running_loop().time() - began

    run(many())


def headers(*, limit: int, left: int, lasts: float, name: str = "x") -> Mapping[str, str]:
    return {
        "X-RateLimit-Limit": str(limit),
        "X-RateLimit-Remaining": str(left),
        "X-RateLimit-Reset-After": str(lasts),
        "X-RateLimit-Reset": str(asyncio.get_running_loop().time() + lasts),
        "X-RateLimit-Bucket": name,
    }
