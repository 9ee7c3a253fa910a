"""A worker answers presses on consoles that the store knows, and passes everything else on as it came."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import pytest
from aiohttp import web

from bot.referee.ports.changes import StoreBusy
from bot.referee.ports.model import Surface, SurfaceKind
from cogs.doors.passing import Passing
from cogs.wire.inline import PASSED_ON
from tests.data import examples as ex
from tests.data.examples import ANA
from tests.operate.ports import free_port

CONSOLE = ex.surface(kind=SurfaceKind.CONSOLE_DM, user=ANA, message=77)


def press(custom_id: str = "g1:co:K7Q2:3:A", message: int = 77, user: int = ANA, **more: Any) -> dict[str, Any]:
    pressed = {"type": 3, "data": {"custom_id": custom_id}, "message": {"id": str(message)}}
    return {**pressed, "user": {"id": str(user)}, **more}


@dataclass
class Worker:
    """With what stands around it."""

    session: aiohttp.ClientSession
    surfaces: Sequence[Surface] = (CONSOLE,)
    busy: bool = False
    looked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    leads: list[str] = field(default_factory=list[str])
    """where the keeper is, as it is told one time after the other; the last one stays"""

    def __post_init__(self) -> None:
        self.passing = Passing(self.session, self.look, self.who_leads)

    async def look(self, match: str, user: int) -> Sequence[Surface]:
        self.looked.append((match, user))
        if self.busy:
            raise StoreBusy("for a moment")
        return self.surfaces

    async def who_leads(self) -> str:
        return self.leads.pop(0) if len(self.leads) > 1 else self.leads[0] if self.leads else ""

    async def passed(self, payload: dict[str, Any]) -> tuple[int, Any]:
        """What comes back of something that is passed on."""
        request: Any = type("Request", (), {"headers": {"X-Signature-Ed25519": "ab", "X-Signature-Timestamp": "12"}})()
        answer = await self.passing.pass_on(request, b'{"as": "it came"}', payload)
        assert isinstance(answer, web.Response)
        assert isinstance(answer.body, bytes)
        return answer.status, answer.body.decode()


@pytest.fixture
async def worker() -> AsyncIterator[Worker]:
    async with aiohttp.ClientSession() as session:
        yield Worker(session)


@pytest.fixture
async def keeper() -> AsyncIterator[tuple[str, list[Any], list[int]]]:
    """Its address, what it was told, and the status that it answers."""
    told: list[Any] = []
    status = [200]

    async def hear(request: web.Request) -> web.Response:
        told.append((await request.read(), dict(request.headers)))
        return web.json_response({"type": 6}, status=status[0])

    app = web.Application()
    app.router.add_post("/{path:.*}", hear)
    runner = web.AppRunner(app)
    await runner.setup()
    port = free_port()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    yield f"http://127.0.0.1:{port}", told, status
    await runner.cleanup()


@pytest.mark.parametrize(
    "custom_id",
    ["g1:co:K7Q2:3:A", "g1:pk:K7Q2:3:10", "g1:cs:K7Q2:3:1f", "g1:cm:K7Q2:3:1f:K", "g1:cc:K7Q2:3", "g1:oc:K7Q2"],
)
async def test_every_key_of_a_console_is_answered_here(worker: Worker, custom_id: str) -> None:
    assert await worker.passing.takes(press(custom_id))
    assert worker.looked == [("K7Q2", ANA)]


async def test_who_presses_in_a_server_is_a_member(worker: Worker) -> None:
    assert await worker.passing.takes(press(user=0) | {"user": None, "member": {"user": {"id": str(ANA)}}})


@pytest.mark.parametrize(
    "other",
    [
        press("g1:bd:K7Q2:bid"),
        press("g1:tk:K7Q2:3:A"),
        press("g0:co:K7Q2:3:A"),
        press("g1:co:K7Q2:3"),
        press("co"),
        press(type=2),
        press(type=5),
        {"type": 2, "data": {"name": "gops"}},
        {"type": 3},
        press(data={}),
    ],
)
async def test_everything_else_is_not(worker: Worker, other: dict[str, Any]) -> None:
    assert not await worker.passing.takes(other)
    assert worker.looked == []


async def test_nor_is_a_console_that_the_store_does_not_know(worker: Worker) -> None:
    assert not await worker.passing.takes(press(message=78))
    assert not await worker.passing.takes(press(user=ANA + 1))
    worker.surfaces = ()
    assert not await worker.passing.takes(press())
    worker.busy = True
    assert not await worker.passing.takes(press())


async def test_it_is_passed_on_as_it_came(worker: Worker, keeper: tuple[str, list[Any], list[int]]) -> None:
    address, told, status = keeper
    worker.leads = [address]
    assert await worker.passed(press("g1:bd:K7Q2:bid")) == (200, '{"type": 6}')
    [(body, headers)] = told
    assert body == b'{"as": "it came"}'
    assert (headers["X-Signature-Ed25519"], headers["X-Signature-Timestamp"]) == ("ab", "12")
    assert headers[PASSED_ON], "which is let go before it is dealt with"
    status[0] = 401
    assert (await worker.passed({"type": 2}))[0] == 401, "refused there, refused here"


async def test_one_clear_sentence_where_nobody_leads(worker: Worker, keeper: tuple[str, list[Any], list[int]]) -> None:
    address, _, statuses = keeper
    gone = f"http://127.0.0.1:{free_port()}"
    for leads, status in (([], 200), ([gone], 200), ([address], 503)):
        worker.leads, statuses[0] = leads, status
        worker.passing.forget()
        code, said = await worker.passed({"type": 2})
        assert (code, '"type": 4' in said, '"flags": 64' in said) == (200, True, True)
        assert "I am changing over" in said
    assert await worker.passed({"type": 4}) == (200, '{"type": 8, "data": {"choices": []}}')


async def test_the_next_one_that_leads_is_found(worker: Worker, keeper: tuple[str, list[Any], list[int]]) -> None:
    gone = f"http://127.0.0.1:{free_port()}"
    worker.leads = [gone, keeper[0]]
    assert (await worker.passed({"type": 2})) == (200, '{"type": 6}')
