"""Several gateway sessions of one bot: the events of each shard, the order of starts, and the starts a day."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio

from bot.playground.server import TOKEN, Playground
from tests.driver import Server, Stage
from tests.playground.raw import DIRECT_MESSAGES, GUILDS, Gateway, RawBot

pytestmark = pytest.mark.asyncio(loop_scope="module")

INVALID_SESSION = 9


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _usual(playground: Playground) -> AsyncGenerator[None]:
    """Discord's numbers, but for the pause between sessions."""
    settings = playground.core.settings
    yield
    settings.shards = settings.least_shards = settings.max_concurrency = 1
    settings.session_starts, settings.identify_seconds = 1000, 0.0


async def begun(raw: RawBot, *shard: int) -> Gateway:
    gateway = await raw.dial()
    await gateway.identify(TOKEN, GUILDS | DIRECT_MESSAGES, shard=list(shard))
    ready = await gateway.until("READY")
    assert ready["shard"] == list(shard)
    return gateway


async def refused(raw: RawBot, *shard: int) -> Any:
    """Return the answer to a refused IDENTIFY: a close code, or the opcode."""
    gateway = await raw.dial()
    await gateway.identify(TOKEN, shard=list(shard))
    frame = await gateway.receive()
    return frame if isinstance(frame, int) else frame["op"]


async def limit(raw: RawBot) -> Any:
    return (await raw.call("GET", "/gateway/bot")).body["session_start_limit"]


async def test_events_of_a_server_go_to_its_shard_and_dms_to_shard_0(
    stage: Stage, raw: RawBot, playground: Playground
) -> None:
    servers = await stage.server_on(0, 2), await stage.server_on(1, 2)
    shards = [await begun(raw, 0, 2), await begun(raw, 1, 2)]
    created = [[one["id"] for one in session_guilds(playground, index)] for index in range(2)]
    for index, server in enumerate(servers):
        assert server.id in created[index]
        assert server.id not in created[1 - index]
        await stage.channel(server, "new")
        assert (await shards[index].until("CHANNEL_CREATE"))["guild_id"] == server.id
    ana = await stage.person("Ana", server=servers[1])
    await ana.say("in private", in_=await ana.dm_with("Bot"))
    assert (await shards[0].until("MESSAGE_CREATE"))["content"] == "in private"
    await stage.channel(servers[1], "last")
    told = await shards[1].receive()
    assert isinstance(told, dict)
    assert (told["t"], told["d"]["name"]) == ("CHANNEL_CREATE", "last"), "nothing else came to shard 1"


def session_guilds(playground: Playground, index: int) -> list[dict[str, str]]:
    """The servers that the stand-in counts to a shard of two."""
    return [{"id": str(one)} for one in playground.core.world.guilds if (one >> 22) % 2 == index]


async def test_one_bucket_begins_one_session_in_five_seconds(stage: Stage, raw: RawBot) -> None:
    await stage.settings(identify_seconds=5.0, max_concurrency=2)
    await stage.forward(5)
    await begun(raw, 0, 4)
    await begun(raw, 1, 4)
    assert await refused(raw, 2, 4) == INVALID_SESSION
    await stage.forward(5)
    await begun(raw, 2, 4)
    assert await refused(raw, 0, 4) == INVALID_SESSION


async def test_one_session_too_many_in_a_day_resets_the_token(
    stage: Stage, raw: RawBot, playground: Playground
) -> None:
    playground.core.settings.shards = 3
    before = await limit(raw)
    assert before.keys() == {"total", "remaining", "reset_after", "max_concurrency"}
    assert (await raw.call("GET", "/gateway/bot")).body["shards"] == 3
    gateway = await begun(raw, 0, 1)
    after = await limit(raw)
    assert (before["remaining"] - after["remaining"], after["total"]) == (1, 1000)
    assert 0 < after["reset_after"] <= 86_400_000
    await stage.settings(session_starts=1000 - after["remaining"])
    assert (await limit(raw))["remaining"] == 0
    assert await refused(raw, 0, 1) == 4004
    frame: Any = {}
    while not isinstance(frame, int):
        frame = await gateway.receive()
    assert frame == 4004, "all sessions end"
    assert (await raw.call("GET", "/users/@me")).status == 401
    app = next(iter(playground.core.world.apps.values()))
    playground.core.world.tokens[TOKEN] = app
    await stage.forward(86_400)
    assert (await limit(raw))["remaining"] == 1000 - after["remaining"]


async def test_too_few_and_impossible_shards_are_closed(stage: Stage, raw: RawBot) -> None:
    await stage.settings(least_shards=2)
    assert await refused(raw, 0, 1) == 4011
    assert await refused(raw, 2, 2) == 4010
    await begun(raw, 0, 2)


async def test_closing_one_shard_leaves_the_other_open(stage: Stage, raw: RawBot, club: Server) -> None:
    first, second = await begun(raw, 0, 2), await begun(raw, 1, 2)
    assert await stage.gateway("close", code=4000, shard=1) == 1
    frame: Any = {}
    while not isinstance(frame, int):
        frame = await second.receive()
    assert frame == 4000
    await first.send(1, None)
    assert await first.op(11) is None
