"""Several shards in one process: a match in the servers of each, connections that are lost one by one, too few."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.house import PATIENCE, House, awaits, has, is_by_http, newcomer, opened, plain, told
from tests.e2e.test_moderators import bid
from tests.e2e.test_threads import switched_on, thread_of
from tests.operate.ports import free_port
from tests.operate.test_metrics import figures_of, got

EXIT_SETUP = 78


@asynccontextmanager
async def two_shards(folder: Path, **settings: float) -> AsyncGenerator[tuple[House, House]]:
    """A bot with two shards, which Discord requires, and a server with two people on each."""
    async with opened(folder, start=False) as house:
        stage = house.stage
        await stage.settings(shards=2, least_shards=2, **{"max_concurrency": 2, **settings})
        house.bot.settings["GOPS_METRICS"] = str(free_port())
        halves = [await half(house, shard) for shard in range(2)]
        await begin(house)
        yield halves[0], halves[1]
        assert house.bot.trouble() == []


async def half(house: House, shard: int) -> House:
    server = await house.stage.server_on(shard, 2, f"Club {shard}")
    ana, ben = [await newcomer(house.stage, name, server) for name in ("Ana", "Ben")]
    return House(house.stage, house.bot, ana, ben, server)


async def begin(house: House) -> None:
    """Start the bot, and wait for both shards."""
    await house.bot.spawn()
    await house.stage.bot_ready(patience=PATIENCE, shards=2)


async def one_round(half: House, number: int, mine: int, theirs: int) -> None:
    """Bid by the private consoles: presses in DMs, which arrive at shard 0."""
    await bid(half.ana, number, mine)
    await bid(half.ben, number, theirs)


async def test_a_match_on_each_shard_is_played_to_its_end(tmp_path: Path) -> None:
    """With Discord's pause between two sessions, and a restart in between, after which no server counts as lost while
    its shard has still to wait for its turn."""
    async with two_shards(tmp_path, max_concurrency=1, identify_seconds=5) as halves:
        assert "no connection to Discord" not in halves[0].bot.logged(), "no session begins before its turn"
        boards = [await one.match(cards=3, clock=3600) for one in halves]
        for one in halves:
            await one_round(one, 1, 1, 3)
        assert await halves[0].bot.stop() == 0
        await halves[0].stage.bot_gone()
        await begin(halves[0])
        for one, board in zip(halves, boards, strict=True):
            await one_round(one, 2, 3, 2)
            over = await one.ana.sees(has("[Rematch]"), in_=board)
            assert over.has_button("Rematch")
            assert "1 played" in told(await one.ana.slash("/gops leaderboard"))
        calls = await halves[0].stage.calls()
        assert calls.of("PUT /applications/*/commands") == 1, "commands are synced once"


async def test_a_thread_is_opened_in_the_server_of_either_shard(tmp_path: Path) -> None:
    """Permissions and the kind of a channel are looked up where its shard keeps them."""
    async with two_shards(tmp_path) as halves:
        for one in halves:
            await switched_on(one)
            challenge = await one.challenge(cards=3, clock=24 * 3600)
            await one.ben.press("Accept", in_=challenge)
            await one.ana.sees(has("moved to"), in_=challenge)
            await one.ana.sees(has("round 1 of 3"), in_=await thread_of(one))


async def test_one_lost_connection_loses_nothing(tmp_path: Path) -> None:
    """It is resumed: what was pressed meanwhile arrives, on either shard."""
    async with two_shards(tmp_path) as halves:
        stage = halves[0].stage
        boards = [await one.match(cards=3, clock=3600) for one in halves]
        for shard, (one, board) in enumerate(zip(halves, boards, strict=True)):
            consoles = [await person.sees(awaits(1, dm=True)) for person in (one.ana, one.ben)]
            assert await stage.gateway("close", code=4000, shard=shard) == 1
            first, _, shown = await asyncio.gather(
                one.ana.press("A", in_=consoles[0]),
                one.ben.press("3", in_=consoles[1]),
                one.ana.slash("/gops games"),
            )
            assert not first.failed
            assert "#" in told(shown)
            await stage.bot_ready(shards=2)
            await one.ana.sees(has("round 2"), in_=board)
            await one_round(one, 2, 3, 2)
            await one.ana.sees(has("[Rematch]"), in_=board)
        figures = await figures_of(halves[0])
        assert [figures[f"gops_gateway_total {what}"] for what in ("begun", "lost", "resumed")] == [2, 2, 2]


async def test_a_new_session_of_one_shard_takes_nothing_from_the_other(tmp_path: Path) -> None:
    async with two_shards(tmp_path) as halves:
        stage = halves[0].stage
        boards = [await one.match(cards=3, clock=3600) for one in halves]
        await stage.gateway("invalidate", resumable=False)
        await stage.bot_ready(shards=2)
        for one, board in zip(halves, boards, strict=True):
            await one_round(one, 1, 1, 3)
            await one_round(one, 2, 3, 2)
            await one.ana.sees(has("[Rematch]"), in_=board)


@pytest.mark.by_http
async def test_a_lost_shard_is_shown_and_stops_every_clock_but_where_presses_come_by_http(tmp_path: Path) -> None:
    """By HTTP everybody can go on playing, so the clocks run."""
    async with two_shards(tmp_path) as halves:
        one, stage = halves[0], halves[0].stage
        port = int(one.bot.settings["GOPS_METRICS"])
        board = await one.match(cards=3, clock=30)
        await ready(port, 200, "ready")
        await stage.gateway("refuse", times=1_000_000)
        await stage.gateway("close", code=4000, shard=1)
        await lost_shards(one, 1)
        await ready(port, *((200, "ready") if is_by_http() else (503, "1 of 2 shards not connected to Discord: 1")))
        assert (await figures_of(one))["gops_shards"] == 2
        await bid(one.ana, 1, 1)
        await stage.forward(60)
        if not is_by_http():
            await bid(one.ben, 1, 3)
        revealed = await one.ana.sees(has("round 2"), in_=board)
        assert ("Time ran out for Ben" in plain(revealed.text)) is is_by_http()
        await stage.gateway("refuse", times=0)
        await lost_shards(one, 0)
        await ready(port, 200, "ready")


async def ready(port: int, status: int, words: str) -> None:
    async with asyncio.timeout(30):
        while (told := await got(port, "/readyz"))[0] != status or words not in told[1]:  # noqa: ASYNC110 - asked only
            await asyncio.sleep(0.05)


async def lost_shards(house: House, number: int) -> None:
    async with asyncio.timeout(30):
        while (await figures_of(house))["gops_shards_lost"] != number:  # noqa: ASYNC110 - asked only
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("shards", [1, 2])
async def test_fewer_shards_than_discord_requires_are_a_setting_to_repair(tmp_path: Path, shards: int) -> None:
    async with opened(tmp_path, start=False) as house:
        await house.stage.settings(shards=3, least_shards=3, max_concurrency=3)
        house.bot.settings["GOPS_SHARDS"] = str(shards)
        await house.bot.spawn()
        process = house.bot.process
        assert process is not None
        assert await process.wait() == EXIT_SETUP
        assert f"Discord requires more shards than GOPS_SHARDS={shards}" in house.bot.logged()


async def test_more_shards_are_taken_as_soon_as_discord_recommends_them(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        await house.stage.settings(least_shards=2, max_concurrency=2)
        await house.bot.spawn()
        await house.bot.logs("Discord now requires more shards", PATIENCE)
        await house.stage.settings(shards=2)
        await house.stage.bot_ready(patience=PATIENCE, shards=2)


async def test_no_session_begins_when_none_is_left(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        await house.stage.settings(session_starts=0)
        await house.bot.spawn()
        await house.bot.logs("the next one begins in 86", PATIENCE)
        await house.stage.settings(session_starts=1000)
        assert await house.bot.stop() == 0
        await house.bot.start()
