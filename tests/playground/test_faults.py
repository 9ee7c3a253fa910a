"""Faults on demand: what the bot sees, and what has happened nevertheless."""

import asyncio
import time
from typing import Any

import aiohttp
import pytest

from bot.playground.server import TOKEN, Playground
from tests.driver import Refused, Server, Stage
from tests.playground.raw import RawBot

pytestmark = pytest.mark.asyncio(loop_scope="module")

ROUTE = "POST /channels/*/messages"


@pytest.mark.parametrize(
    ("how", "status", "posted"),
    [
        ({"kind": "answer", "status": 502}, 502, 0),
        ({"kind": "answer", "status": 502, "when": "after"}, 502, 1),
        ({"kind": "answer", "status": 503}, 503, 0),
        ({"kind": "answer", "status": 500, "when": "after"}, 500, 1),
        ({"kind": "answer", "status": 403, "code": 50013}, 403, 0),
        ({"kind": "limit", "scope": "shared", "seconds": 2}, 429, 0),
        ({"kind": "reset"}, None, 0),
        ({"kind": "reset", "when": "after"}, None, 1),
        ({"kind": "slow", "seconds": 0.2}, 200, 1),
    ],
)
async def test_fault_meets_one_call_and_has_its_effect(
    stage: Stage, raw: RawBot, club: Server, how: dict[str, Any], status: int | None, posted: int
) -> None:
    path = f"/channels/{club.channels[0].id}/messages"
    await stage.fault(route=ROUTE, **how)
    started = time.monotonic()
    if status is None:
        with pytest.raises(aiohttp.ClientError):
            await raw.call("POST", path, {"content": "x"})
    else:
        told = await raw.call("POST", path, {"content": "x"})
        assert told.status == status
        assert how.get("code", told.body.get("code")) == told.body.get("code")
    assert time.monotonic() - started > (0.19 if how["kind"] == "slow" else 0)
    assert len((await raw.call("GET", path)).body) == posted
    assert (await raw.call("POST", path, {"content": "y"})).status == 200
    assert await stage.faults() == []


async def test_faults_meet_only_the_chosen_calls(stage: Stage, raw: RawBot, club: Server) -> None:
    one, other = (f"/channels/{channel.id}/messages" for channel in club.channels)
    await stage.fault("answer", f"POST {one}", status=503, times=2)
    assert (await raw.call("POST", other, {"content": "x"})).status == 200
    assert [(await raw.call("POST", one, {"content": "x"})).status for _ in range(3)] == [503, 503, 200]
    await stage.fault("answer", "GET *", status=503, times=9)
    await stage.clear_faults()
    assert (await raw.call("GET", one)).status == 200
    with pytest.raises(Refused, match="not a valid Kind"):
        await stage.fault("earthquake")
    with pytest.raises(Refused, match="A fault has no colour"):
        await stage.fault("reset", colour="red")


@pytest.mark.usefixtures("sample")
class TestWithDiscordPy:
    """The behaviour of discord.py that was measured once, checked in every run."""

    async def test_retry_with_a_nonce_after_a_502_posts_once(self, stage: Stage, club: Server) -> None:
        ana = await stage.person("Ana", server=club)
        await stage.fault("answer", ROUTE, status=502, when="after")
        await ana.slash("/try post")
        await ana.sees("posted")
        assert len(ana.finds("post 0")) == 1

    async def test_discord_py_raises_a_503_at_once(self, stage: Stage, club: Server) -> None:
        ana = await stage.person("Ana", server=club)
        await stage.fault("answer", ROUTE, status=503)
        await ana.slash("/try post")
        await ana.sees("refused: 503 0")

    async def test_connection_reset_is_no_http_exception(self, stage: Stage, club: Server) -> None:
        ana = await stage.person("Ana", server=club)
        await stage.fault("reset", ROUTE)
        await ana.slash("/try post")
        await ana.sees("broken: ")

    async def test_repeated_callback_is_refused_with_40060(self, stage: Stage, club: Server) -> None:
        ana = await stage.person("Ana", server=club)
        await stage.reset_calls()
        await stage.fault("answer", "POST /interactions/*", status=502, when="after")
        assert (await ana.slash("/try say", text="heard")).shown.content == "heard"
        await stage.called("POST /interactions/*", times=2)
        routes = (await stage.calls()).routes
        callback = routes["POST /interactions/{interaction_id}/{interaction_token}/callback"]
        assert callback["statuses"] == {"400": 1, "502": 1}

    async def test_missing_permission_reaches_the_bot(self, stage: Stage, club: Server) -> None:
        ana = await stage.person("Ana", server=club)
        await stage.deny(club.channels[0], "Bot", "SEND_MESSAGES")
        await ana.slash("/try post")
        await ana.sees("refused: 403 50013")


async def test_call_given_up_by_its_caller_is_no_longer_under_way(
    stage: Stage, playground: Playground, club: Server
) -> None:
    """Tests that wait until no call is under way (the recorded screens do) would wait for ever."""
    book = playground.pipeline.ledger
    begun, answered = book.begun("*"), book.count("*")
    port = int(playground.address.rsplit(":", 1)[1])
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    path = f"/api/v10/channels/{club.channels[0].id}/messages"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bot {TOKEN}\r\nContent-Length: 99\r\n\r\n"
    writer.write(head.encode())  # and never its body
    await stage.begun("*", begun + 1)
    writer.transport.abort()
    async with asyncio.timeout(5):
        await stage.called("*", answered + 1)
    assert book.under_way() == []
