"""Rate limits and their headers, which calls count, and how discord.py obeys them."""

import asyncio
import time
from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from bot.playground.rest.limit import Limits
from bot.playground.world.settings import Window
from tests.driver import Server, Stage
from tests.playground.raw import RawBot, both

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _usual(stage: Stage) -> AsyncGenerator[None]:
    """Discord's numbers, before and after."""
    await stage.limits(default=True)
    await stage.reset_calls()
    yield
    await stage.limits(default=True)


async def test_rate_limit_headers_count_down_to_a_429(raw: RawBot, club: Server) -> None:
    path = f"/channels/{club.channels[0].id}/messages"
    told = [await raw.call("POST", path, {"content": str(n)}) for n in range(6)]
    assert [one.headers.get("X-RateLimit-Remaining") for one in told] == ["4", "3", "2", "1", "0", "0"]
    assert {one.headers["X-RateLimit-Limit"] for one in told} == {"5"}
    assert len({one.headers["X-RateLimit-Bucket"] for one in told}) == 1
    last = told[-1]
    assert last.status == 429
    assert (last.headers["Via"], last.headers["X-RateLimit-Scope"]) == ("1.1 google", "user")
    assert 0 < last.body["retry_after"] <= 5
    assert last.body["global"] is False
    elsewhere = await raw.call("POST", f"/channels/{club.channels[1].id}/messages", {"content": "x"})
    assert elsewhere.headers["X-RateLimit-Remaining"] == "4"


async def test_global_limit_holds_for_counted_calls_only(stage: Stage, raw: RawBot) -> None:
    await stage.limits(**{"global": [3, 60]})
    told = [await raw.call("GET", f"/users/{raw.id}") for _ in range(4)]
    assert [one.status for one in told] == [200, 200, 200, 429]
    assert told[-1].headers["X-RateLimit-Global"] == "true"
    assert told[-1].headers["X-RateLimit-Scope"] == "global"
    assert told[-1].body["global"] is True
    free = await raw.call("POST", "/interactions/1/x/callback", {"type": 6}, token=None)
    assert free.status == 404


async def test_webhook_calls_have_a_bucket_for_each_interaction(stage: Stage, raw: RawBot, club: Server) -> None:
    await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
    ana = await stage.person("Ana", server=club)
    await stage.reset_calls()
    await stage.limits(buckets={"webhook": [5, 60]})  # in 2 s a busy machine does not ask six times
    for expected in ([200] * 5 + [429], [200] * 5 + [429]):
        acting = asyncio.create_task(ana.slash("/go"))
        clicked = await raw.interaction()
        await clicked.answer(4, {"content": "x"})
        await acting
        told = [await clicked.hook("PATCH", "/messages/@original", {"content": str(n)}) for n in range(6)]
        assert [one.status for one in told] == expected
    calls = await stage.calls()
    assert (calls.counted, calls.free, calls.invalid) == (0, 14, 2)
    assert calls.of("PATCH /webhooks/*") == 12
    assert calls.of("POST /interactions/*") == 2


async def test_followups_have_a_hidden_limit_for_each_channel(stage: Stage, raw: RawBot, club: Server) -> None:
    await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
    await stage.limits(followups=[1, 60])
    ana = await stage.person("Ana", server=club)
    acting = asyncio.create_task(ana.slash("/go"))
    clicked = await raw.interaction()
    await clicked.answer(4, {"content": "x"})
    await acting
    told = [await clicked.hook("POST", body={"content": str(n)}) for n in range(2)]
    assert [one.status for one in told] == [200, 429]
    assert told[1].headers["X-RateLimit-Scope"] == "shared"


async def test_limits_can_be_switched_off(stage: Stage, raw: RawBot, club: Server) -> None:
    await stage.limits(enabled=False)
    path = f"/channels/{club.channels[0].id}/messages"
    told = [await raw.call("POST", path, {"content": str(n)}) for n in range(10)]
    assert {one.status for one in told} == {200}
    assert "X-RateLimit-Limit" not in told[0].headers


@pytest.mark.usefixtures("sample")
async def test_discord_py_waits_instead_of_being_refused(stage: Stage, club: Server) -> None:
    await stage.limits(buckets={"message.create": [2, 0.4]})
    ana = await stage.person("Ana", server=club)
    started = time.monotonic()
    await ana.slash("/try post", times=6)
    await ana.sees("posted")
    assert time.monotonic() - started > 0.8
    calls = await stage.calls()
    assert calls.invalid == 0
    assert calls.of("POST /channels/*/messages") == 6
    assert [one.content for one in ana.finds("post ")] == [f"post {n}" for n in range(6)]


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize("scope", ["user", "global", "shared"])
async def test_discord_py_retries_after_a_429(stage: Stage, club: Server, scope: str) -> None:
    ana = await stage.person("Ana", server=club)
    await stage.fault("limit", "POST /channels/*/messages", scope=scope, seconds=0.1, times=2)
    await ana.slash("/try post")
    await ana.sees("posted")
    log = [one for one in await stage.call_log() if one["method"] == "POST" and one["route"].startswith("/channels")]
    assert [(one["status"], one["who"], one["counted"]) for one in log] == [
        (429, "Bot", True),
        (429, "Bot", True),
        (200, "Bot", True),
    ]


async def test_calls_are_recorded_with_their_caller(stage: Stage, raw: RawBot, club: Server) -> None:
    await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
    ana = await stage.person("Ana", server=club)
    await stage.reset_calls()

    async def answer() -> None:
        clicked = await raw.interaction()
        await clicked.answer(4, {"content": "x"})

    await both(ana.slash("/go"), answer())
    await raw.call("GET", f"/channels/{club.channels[0].id}")
    log = await stage.call_log()
    assert [(one["route"], one["status"], one["who"], one["counted"]) for one in log] == [
        ("/interactions/{interaction_id}/{interaction_token}/callback", 200, "Bot", False),
        ("/channels/{channel_id}", 200, "Bot", True),
    ]
    await stage.reset_calls()
    assert (await stage.calls()).routes == {}


async def test_hidden_limit_on_followups_is_on_by_default() -> None:
    assert Limits().per_channel_followups == Window(30, 60.0)
