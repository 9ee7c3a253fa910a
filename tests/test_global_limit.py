"""The global limit for counted calls: never too many in a second, whatever happens before."""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord.http import HTTPClient, Route

from bot.rest import global_limit, route_limits
from bot.rest.global_limit import CallBudget, GlobalLimit, InvalidRequests
from bot.rest.rest_client import LimitTrace
from bot.settings import Settings

MOST = Settings().calls


class Hands:
    """A clock that moves only during a sleep."""

    def __init__(self) -> None:
        self.time = 100.0
        self.late: deque[float] = deque()
        """by how much the next sleeps last too long, as when the event loop hangs"""

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds + (self.late.popleft() if self.late else 0.0)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    """The clock by which the limits go."""
    hands = Hands()
    for module in (global_limit, route_limits):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=hands.now))
        monkeypatch.setattr(module, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": hands.sleep}))
    return hands


def most_in_a_second(times: list[float]) -> int:
    return max(sum(one <= other < one + 1 - 1e-9 for other in times) for one in times)


async def passed(gate: GlobalLimit, hands: Hands, calls: int) -> list[float]:
    """When each of so many calls at once goes out."""
    times: list[float] = []

    async def call() -> None:
        await gate.acquire()
        times.append(hands.time)
        gate.release()

    await asyncio.gather(*(call() for _ in range(calls)))
    return times


async def test_many_calls_at_once_keep_the_limit(hands: Hands) -> None:
    times = await passed(GlobalLimit(lambda: MOST), hands, 200)
    assert len(times) == 200
    assert most_in_a_second(times) <= MOST
    assert times[-1] - times[0] == pytest.approx(200 / MOST - 1, abs=0.05), "and not slower than it may"


@pytest.mark.parametrize("most", [3, 120])
async def test_limit_follows_the_setting(hands: Hands, most: int) -> None:
    times = await passed(GlobalLimit(lambda: most), hands, 5 * most)
    assert most_in_a_second(times) == most


async def test_hanging_loop_causes_no_burst(hands: Hands) -> None:
    hands.late.extend([0.0, 0.7, 0.0, 0.4, 1.5])
    times = await passed(GlobalLimit(lambda: MOST), hands, 150)
    assert most_in_a_second(times) <= MOST


async def test_no_call_passes_while_the_limit_is_blocked(hands: Hands) -> None:
    gate = GlobalLimit(lambda: MOST)
    gate.block(3.0)
    gate.block(1.0)
    times = await passed(gate, hands, 60)
    assert min(times) >= 103
    assert most_in_a_second(times) <= MOST


@pytest.fixture
async def address() -> AsyncIterator[Callable[[str], str]]:
    """A server that answers with the status that its path names."""

    async def answer(request: web.Request) -> web.Response:
        headers = {**request.query, "Retry-After": "7"}
        return web.Response(status=int(request.path.strip("/")), headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{status}", answer)
    async with TestServer(app) as server:
        yield lambda path: str(server.make_url(path))


async def test_only_counted_calls_wait_for_the_limit(hands: Hands, address: Callable[[str], str]) -> None:
    gate = GlobalLimit(lambda: MOST)
    async with aiohttp.ClientSession(trace_configs=[LimitTrace(gate)]) as session:
        gate.block(5.0)
        for _ in range(20):
            assert (await session.get(address("/200"))).status == 200
        assert hands.time == 100
        await session.get(address("/200"), headers={"Authorization": "Bot token"})
        assert hands.time == pytest.approx(105, abs=0.001)


@pytest.mark.parametrize(
    ("path", "waits"),
    [
        ("/429?X-RateLimit-Global=true&Via=google", True),
        ("/429?X-RateLimit-Scope=shared&Via=google", False),
        ("/429", True),
        ("/502", False),
    ],
    ids=["the whole bot", "one route", "a ban", "trouble"],
)
async def test_global_429_of_discord_stops_all_counted_calls(
    hands: Hands, address: Callable[[str], str], path: str, waits: bool
) -> None:
    gate = GlobalLimit(lambda: MOST)
    async with aiohttp.ClientSession(trace_configs=[LimitTrace(gate)]) as session:
        await session.get(address(path), headers={"Authorization": "Bot token"})
        await session.get(address("/200"), headers={"Authorization": "Bot token"})
    assert (hands.time >= 107) is waits


async def test_ban_stops_calls_without_a_token_too(hands: Hands, address: Callable[[str], str]) -> None:
    """Answers and edits by token stop too, because the proxy looks only at the address."""
    gate = GlobalLimit(lambda: MOST)
    async with aiohttp.ClientSession(trace_configs=[LimitTrace(gate)]) as session:
        await session.get(address("/429?Via=google"))
        await session.get(address("/200"))
        assert hands.time == 100
        await session.get(address("/429"))
        await session.get(address("/200"))
        assert hands.time >= 107


async def test_ban_met_by_a_call_by_token_stops_counted_calls(hands: Hands, address: Callable[[str], str]) -> None:
    gate = GlobalLimit(lambda: MOST)
    async with aiohttp.ClientSession(trace_configs=[LimitTrace(gate)]) as session:
        await session.get(address("/429"))
        await session.get(address("/200"), headers={"Authorization": "Bot token"})
        assert hands.time >= 107


def answer_invalid(gate: GlobalLimit, times: int, status: int = 403) -> None:
    for _ in range(times):
        gate.record_answer(status, {"Via": "google"})


async def test_bot_slows_down_before_discord_bans_it(hands: Hands, caplog: pytest.LogCaptureFixture) -> None:
    gate = GlobalLimit(lambda: MOST)
    answer_invalid(gate, 4_999)
    assert await passed(gate, hands, 1) == [100]
    times: list[float] = []
    while hands.time < 100 + 600:  # each call is answered 403
        times += await passed(gate, hands, 1)
        answer_invalid(gate, 1)
    assert 4_999 + len(times) < 10_000
    assert "invalid requests in ten minutes" in caplog.text
    hands.time += 600
    answer_invalid(gate, 1)
    assert await passed(gate, hands, 1) == [hands.time], "and goes on as before"


async def test_invalid_requests_of_the_client_before_slow_the_next_one_down(hands: Hands) -> None:
    """Each login that fails is followed by a new client, and Discord goes on counting."""
    invalid = InvalidRequests()
    first, second = (GlobalLimit(lambda: MOST, invalid=invalid) for _ in range(2))
    answer_invalid(first, 4_999)
    answer_invalid(second, 1)
    assert await passed(second, hands, 1) == pytest.approx([100.12], abs=0.001)


@pytest.mark.parametrize(
    ("status", "scope", "counts"), [(404, "", 0), (401, "", 1), (429, "user", 1), (429, "shared", 0)]
)
async def test_only_invalid_requests_in_discords_sense_count(status: int, scope: str, counts: int) -> None:
    invalid = InvalidRequests()
    invalid.record(status, {"X-RateLimit-Scope": scope})
    assert invalid.count == counts


async def test_calls_released_together_by_discord_py_keep_the_limit(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit of a route ends, and the hundred calls that waited for it pass the global limit."""
    times = list[float]()

    async def goes_out(_: aiohttp.ClientSession, __: Any, call: aiohttp.TraceRequestStartParams) -> None:
        if call.url.path == "/channels/1":
            times.append(hands.time)

    async def channel(_: web.Request) -> web.Response:
        left = 0 if len(times) == 1 else 100
        headers = {
            "X-RateLimit-Limit": "200",
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset-After": "0.05",
            "X-RateLimit-Bucket": "a",
        }
        return web.json_response({}, headers=headers)

    async def me(_: web.Request) -> web.Response:
        return web.json_response({"id": "1", "username": "gops", "discriminator": "0", "avatar": None})

    app = web.Application()
    app.router.add_get("/channels/1", channel)
    app.router.add_get("/users/@me", me)
    async with TestServer(app) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("")).rstrip("/"))
        trace = LimitTrace(GlobalLimit(lambda: MOST))
        trace.on_request_start.append(goes_out)
        http = HTTPClient(asyncio.get_running_loop(), http_trace=trace)
        try:
            await http.static_login("token")
            calls = (http.request(Route("GET", "/channels/{channel_id}", channel_id=1)) for _ in range(100))
            await asyncio.gather(*calls)
        finally:
            await http.close()
    assert len(times) == 100
    assert most_in_a_second(times) <= MOST


async def test_share_of_the_calls_limits_a_process_as_it_changes(hands: Hands) -> None:
    share = 5
    limit = GlobalLimit(lambda: share)
    assert most_in_a_second(await passed(limit, hands, 20)) == 5
    share = MOST
    await hands.sleep(1.0)
    assert most_in_a_second(await passed(limit, hands, 100)) == MOST


async def test_process_without_a_share_makes_no_call_until_it_gets_one(hands: Hands) -> None:
    limit = GlobalLimit(lambda: hands.time >= 103.0)
    assert await passed(limit, hands, 1) == [pytest.approx(103.0, abs=0.2)]


async def test_demand_counts_calls_that_were_made_and_that_wait(hands: Hands) -> None:
    limit = GlobalLimit(lambda: 2)
    for _ in range(2):
        await limit.acquire()
    waiting = asyncio.ensure_future(limit.acquire())
    await asyncio.sleep(0)
    assert limit.read_demand() == (3, 2)
    assert limit.read_demand() == (1, 2), "one waits still"
    limit.release()
    await waiting
    assert limit.read_demand() == (1, 3 - 1)


async def test_demand_counts_no_call_that_was_answered_long_ago(hands: Hands) -> None:
    """Else a process that makes no more calls keeps its share for ever, and one that comes later gets none."""
    limit = GlobalLimit(lambda: MOST)
    await passed(limit, hands, MOST)
    assert limit.read_demand() == (MOST, MOST)
    await hands.sleep(1.0)
    assert limit.read_demand() == (0, 0)


def test_calls_that_are_free_are_counted_up_to_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process gets its share of the calls after it has begun."""
    now, rate = 0.0, 0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    budget = CallBudget(lambda: rate)
    now, rate = 1.0, 50
    assert budget.free_share == 1
    assert [budget.reserve(75), budget.free_share] == [0.5, 0]
    now = 2.0
    assert budget.free_share == 0.5


def test_calls_that_wait_go_out_together_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """To wake up for each of them takes a tenth more CPU for a bid."""
    monkeypatch.setattr(time, "monotonic", lambda: 1.03)
    budget = CallBudget(lambda: 40)
    assert budget.reserve(40) == 0
    assert [round(1.03 + budget.reserve(), 6) for _ in range(10)] == [1.1] * 2 + [1.2] * 4 + [1.3] * 4


def test_budget_is_full_when_the_rate_comes_later() -> None:
    """A process gets its share of the calls after it has begun; its first match was on the board for want of calls."""
    rates = [0.0]
    budget = CallBudget(lambda: rates[-1])
    rates.append(40.0)
    assert budget.free_share == 1.0
