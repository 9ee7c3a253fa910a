"""The door of counted calls: never too many in a second, whatever happens before it."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.gate import BURST, RATE, Gate

MOST = int(RATE + BURST)


class Hands:
    """A clock that stands still unless somebody sleeps."""

    def __init__(self) -> None:
        self.time = 100.0
        self.late: deque[float] = deque()
        """by how much the next sleeps last too long, as when the event loop hangs"""

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.time += seconds + (self.late.popleft() if self.late else 0.0)


def most_in_a_second(times: list[float]) -> int:
    return max(sum(one <= other < one + 1 - 1e-9 for other in times) for one in times)


async def passed(gate: Gate, hands: Hands, calls: int) -> list[float]:
    """When each of so many calls at once goes out."""
    times: list[float] = []

    async def call() -> None:
        await gate.turn()
        times.append(hands.time)

    await asyncio.gather(*(call() for _ in range(calls)))
    return times


async def test_a_crowd_never_goes_out_too_fast() -> None:
    hands = Hands()
    times = await passed(Gate(now=hands.now, sleep=hands.sleep), hands, 200)
    assert len(times) == 200
    assert most_in_a_second(times) <= MOST
    assert times[-1] - times[0] == pytest.approx((200 - BURST) / RATE, abs=0.05), "and not slower than it may"


async def test_a_hanging_loop_gives_no_burst() -> None:
    hands = Hands()
    hands.late.extend([0.0, 0.7, 0.0, 0.4, 1.5])
    times = await passed(Gate(now=hands.now, sleep=hands.sleep), hands, 150)
    assert most_in_a_second(times) <= MOST


async def test_nothing_passes_while_it_is_shut() -> None:
    hands = Hands()
    gate = Gate(now=hands.now, sleep=hands.sleep)
    gate.shut(3.0)
    gate.shut(1.0)
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


async def test_only_counted_calls_wait(address: Callable[[str], str]) -> None:
    hands = Hands()
    gate = Gate(now=hands.now, sleep=hands.sleep)
    async with aiohttp.ClientSession(trace_configs=[gate.trace()]) as session:
        gate.shut(5.0)
        for _ in range(20):
            assert (await session.get(address("/200"))).status == 200
        assert hands.time == 100
        await session.get(address("/200"), headers={"Authorization": "Bot token"})
        assert hands.time == 105


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
async def test_what_discord_says_of_the_whole_bot_holds_for_all(
    address: Callable[[str], str], path: str, waits: bool
) -> None:
    hands = Hands()
    gate = Gate(now=hands.now, sleep=hands.sleep)
    async with aiohttp.ClientSession(trace_configs=[gate.trace()]) as session:
        await session.get(address(path), headers={"Authorization": "Bot token"})
        await session.get(address("/200"), headers={"Authorization": "Bot token"})
    assert (hands.time >= 107) is waits
