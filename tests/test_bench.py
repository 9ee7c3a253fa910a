"""The base of the load bench: matches that any bot accepts, and a generator that behaves like Discord."""

import asyncio
import json
import os
import signal
import sqlite3
import zlib
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.process.base.clock import SystemClock, SystemEntropy
from bot.referee.referee import Referee
from tests.bench import load
from tests.bench.generator import ANSWER_WITHIN
from tests.bench.shapes import CHANNEL, GUILD, Json, Paper, board_id, console_id, dm_id, person_id
from tests.bench.stored import fill, match_id
from tests.bench.wire import Discord, listening
from tests.e2e.house import PATIENCE
from tests.forked import forked
from tests.sqlite_store import SqliteStore


async def test_bench_matches_are_live_for_the_current_bot(tmp_path: Path) -> None:
    fill(tmp_path / "gops.sqlite3", 40)
    async with await SqliteStore.open(tmp_path / "gops.sqlite3") as store:
        assert len(await store.live_in(GUILD, CHANNEL)) == 40
        assert await store.behind() == []
        referee = Referee(store, SystemClock(), SystemEntropy())
        id = match_id(39)
        view = await referee.views.view(id)
        for seat, card in ((0, 1), (1, 2)):
            view, _ = await referee.matches.seal(id, person_id(39, seat), 0, card, referee.clock.now())
        assert (view.prompt, view.over) == (1, False)
        assert {one.message for one in await store.surfaces(id)} == {
            *(board_id(39), console_id(39, 0), console_id(39, 1))
        }


async def test_current_bot_bids_and_uses_only_known_routes_of_the_bench(discord: Discord, tmp_path: Path) -> None:
    fill(tmp_path / "gops.sqlite3", 4)
    app = discord.app("one")
    for number in range(4):
        app.add(Paper(board_id(number), CHANNEL, 0, []))
        for seat in (0, 1):
            row = load.keys(f"g1:co:{match_id(number)}:0")
            app.add(Paper(console_id(number, seat), dm_id(number, seat), person_id(number, seat), row))
    settings = {"DISCORD_TOKEN": "one", "DISCORD_API_URL": f"{discord.address}/api/v10", "GOPS_FACES": "off"}
    environment = {**os.environ, **settings, "GOPS_DATABASE": str(tmp_path / "gops.sqlite3")}
    with (tmp_path / "log").open("wb") as log:
        process = forked(("-m", "bot", "run"), log, environment)
    try:
        await asyncio.wait_for(app.ready.wait(), PATIENCE)
        paper = app.papers[console_id(0, 0)]
        _, heat = await app.press([(paper, person_id(0, 0))], "g1:co:", at_once=1)
    finally:
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        print((tmp_path / "log").read_text(encoding="utf-8"))
    assert app.unknown == {}
    assert len(heat.milliseconds) == 1
    with closing(sqlite3.connect(tmp_path / "gops.sqlite3")) as connection:
        assert connection.execute("SELECT match_id, seat FROM seals").fetchall() == [(match_id(0), 0)]


class Hearing:
    """The events of a bot, read from the stream."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.stream = zlib.decompressobj()

    async def next(self) -> Json:
        return json.loads(self.stream.decompress(await self.socket.receive_bytes(timeout=60)))


def keys(*labels: str, off: str = "") -> list[Json]:
    row = [{"type": 2, "label": one, "custom_id": f"k:{one}", "disabled": one == off} for one in labels]
    return [{"type": 17, "components": [{"type": 1, "components": row}]}]


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with listening() as made:
        yield made


@pytest.fixture
async def session(discord: Discord) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": "Bot one"}
    async with aiohttp.ClientSession(f"{discord.address}/api/v10/", headers=headers) as made:
        yield made


async def test_presses_are_counted_at_once_and_read_afterwards(
    discord: Discord, session: aiohttp.ClientSession
) -> None:
    app = discord.app("one")
    for number in range(3):
        app.add(Paper(console_id(number, 0), dm_id(number, 0), person_id(number, 0), keys("A", "2", off="A")))
    app.read()
    async with session.ws_connect(f"{discord.address}/gateway") as socket:
        hears = Hearing(socket)
        assert (await hears.next())["op"] == 10
        await socket.send_json({"op": 2, "d": {"token": "one", "intents": 1}})
        assert [(await hears.next())["t"] for _ in range(2)] == ["READY", "GUILD_CREATE"]
        waiting = asyncio.create_task(app.press([(one, one.person) for one in app.papers.values()], "k:", at_once=2))
        for number in range(3):
            told = (await hears.next())["d"]
            assert told["data"]["custom_id"] == "k:2"
            assert told["message"]["id"] == str(console_id(number, 0))
            path = f"interactions/{told['id']}/{told['token']}/callback"
            body = {"type": 7, "data": {"components": keys("3", str(number))}}
            async with session.post(path, json=body, params={"with_response": "1"}) as answer:
                assert (await answer.json())["resource"]["message"]["id"] == told["message"]["id"]
        seconds, heat = await waiting
    assert 0 < seconds < ANSWER_WITHIN
    assert (len(heat.milliseconds), heat.sent, app.calls["callback"]) == (3, {}, 3)
    app.read()
    assert app.papers[console_id(2, 0)].components == keys("3", "2")


async def test_unknown_calls_are_reported(discord: Discord, session: aiohttp.ClientSession) -> None:
    app = discord.app("one")
    async with session.get("users/@me") as answer:
        assert (await answer.json())["id"] == str(app.id)
    async with session.delete("channels/1/messages/2") as answer:
        assert answer.status == 404
    assert app.unknown == {"DELETE channels/1/messages/2": 1}
