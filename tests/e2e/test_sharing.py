"""Several processes share the partitions of one database: each press is handled by the owner of its match."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bot.referee.model.partitions import partition_of
from tests import postgres
from tests.driver import Server, Stage
from tests.e2e.house import SCENES, UNHURRIED, House, awaits, has, newcomer, opened, told
from tests.e2e.test_repeated_events import change_bid, changed_bid_counts
from tests.e2e.test_shards import ready
from tests.e2e.test_takeover import Process
from tests.operate.commands import gops
from tests.operate.ports import free_port


@asynccontextmanager
async def sharing(
    tmp_path: Path,
    server: postgres.Server,
    settings: Sequence[Mapping[str, str]] = ({}, {}),
    gateway: str = "",
    shards: int = 1,
) -> AsyncIterator[tuple[House, list[Process]]]:
    """Start processes that share the partitions, one for each of the settings. With `gateway`, sessions are resumed
    there."""
    async with opened(tmp_path, start=False) as house:
        [scene] = SCENES
        scene.playground.gateway.address = gateway or scene.playground.gateway.address
        await house.stage.settings(shards=shards, least_shards=shards, max_concurrency=shards)
        house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        processes = [Process.beside(house, f"{number}.log") for number in range(len(settings))]
        try:
            for number, process in enumerate(processes):
                process.settings |= {**settings[number], "GOPS_PEER": f"127.0.0.1:{free_port()}"}
                if not number:
                    await process.start()
                    await process.logs("64 in all")
                else:
                    await process.spawn()
                    await process.logs(f"{64 // (number + 1)} in all")
            yield house, processes
        finally:
            for process in processes:
                await process._end(signal.SIGKILL)


async def test_match_is_played_by_its_owner_wherever_presses_arrive(tmp_path: Path, server: postgres.Server) -> None:
    async with sharing(tmp_path, server) as (house, processes):
        board = await house.match(cards=3)
        for round, (mine, theirs) in enumerate((("3", "2"), ("2", "3")), 1):
            await house.ana.press(mine, in_=await house.ana.sees(awaits(round, dm=True)))
            await house.ben.press(theirs, in_=await house.ben.sees(awaits(round, dm=True)))
        await house.ana.sees(has("Rematch"), in_=board)
        assert "1 played" in told(await house.ana.slash("/gops leaderboard"))
        assert [process.trouble() for process in processes] == [[], []]


async def test_killed_process_is_replaced_and_its_gateway_session_resumed(
    tmp_path: Path, server: postgres.Server
) -> None:
    async with sharing(tmp_path, server) as (house, [first, second]):
        board = await house.match(cards=3, clock=60)
        await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
        await first._end(signal.SIGKILL)
        await second.logs("64 in all")
        await house.stage.settled("resumed", patience=30)
        await house.ben.press("3", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("round 2"), in_=board)
        assert second.trouble() == []


async def test_changed_bid_stays_when_the_owner_of_the_shard_is_killed(tmp_path: Path, server: postgres.Server) -> None:
    """The next owner resumes the session from the sequence of the last beat, so both presses come again."""
    async with sharing(tmp_path, server) as (house, [first, second]):
        shown = await change_bid(house)
        await first._end(signal.SIGKILL)
        await second.logs("64 in all")
        await house.stage.settled("resumed", patience=30)
        await changed_bid_counts(house, *shown)
        assert second.trouble() == []


async def test_presses_of_a_resumed_session_do_not_set_the_clock(tmp_path: Path, server: postgres.Server) -> None:
    """They are as late as nobody was connected, and say nothing of the clock. The bids count."""
    async with sharing(tmp_path, server) as (house, [first, second]):
        board = await house.match(cards=3)
        players = [(person, await person.sees(awaits(1, dm=True))) for person in (house.ana, house.ben)]
        await house.stage.gateway("refuse", times=1_000_000)
        await first._end(signal.SIGKILL)
        await second.logs("no connection to Discord")
        await house.stage.settings(ack_seconds=0.1)
        for person, console in players:
            await person.press("3", in_=console, may_fail=True)
        await house.stage.settings(ack_seconds=UNHURRIED)
        await house.stage.forward(30)
        await house.stage.gateway("refuse", times=0)
        await house.stage.settled("resumed", patience=60)
        await house.ana.sees(has("round 2"), in_=board)
        assert "the clock was corrected" not in second.logged()


async def test_failed_registration_of_commands_keeps_no_partition_from_its_owner(
    tmp_path: Path, server: postgres.Server
) -> None:
    """The owner of partition 0 registers the commands. It plays while Discord refuses that, and tries again later."""
    async with sharing(tmp_path, server) as (house, [first, second]):
        board = await house.match(cards=3)
        await house.stage.fault("answer", "GET /applications/@me", status=403, times=1000)
        await first._end(signal.SIGKILL)
        await second.logs("64 in all")
        await second.logs("the commands could not be registered")
        await house.stage.settled("resumed", patience=30)
        await house.ana.press("3", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("round 2"), in_=board)


async def test_next_owner_of_a_shard_waits_until_the_gateway_takes_it(tmp_path: Path, server: postgres.Server) -> None:
    """It never had a shard before, and ended: one process after the other would have. No clock runs meanwhile."""
    async with sharing(tmp_path, server) as (house, [first, second]):
        board = await house.match(cards=3, clock=30)
        await house.stage.gateway("refuse", times=1_000_000)
        await first._end(signal.SIGKILL)
        await second.logs("no connection to Discord")
        await house.stage.forward(60)
        await house.stage.gateway("refuse", times=0)
        await house.stage.settled("resumed", patience=60)
        await house.ana.press("3", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("round 2"), in_=board)
        assert second.trouble() == []


async def test_next_owner_of_a_shard_leaves_the_host_of_its_session_where_that_is_gone(
    tmp_path: Path, server: postgres.Server
) -> None:
    """The session is gone as well, so it begins a new one."""
    async with sharing(tmp_path, server, gateway=f"ws://127.0.0.1:{free_port()}") as (house, [first, second]):
        board = await house.match(cards=3)
        await house.stage.settings(resume_seconds=0)
        await first._end(signal.SIGKILL)
        await second.logs("no connection to Discord")
        await house.stage.settled("ready", patience=60)
        await house.ana.press("3", in_=await house.ana.sees(awaits(1, dm=True)))
        await house.ben.press("2", in_=await house.ben.sees(awaits(1, dm=True)))
        await house.ana.sees(has("round 2"), in_=board)
        assert second.trouble() == []


async def test_lost_shard_stops_the_clocks_of_all_processes(tmp_path: Path, server: postgres.Server) -> None:
    """It stopped those of its own process only, while the matches of its servers are in partitions of all."""
    figures = [{"GOPS_METRICS": str(free_port())} for _ in range(2)]
    async with sharing(tmp_path, server, figures, shards=2) as (house, both):
        stage = house.stage
        club = await server_of(stage, shard=1, process=0)
        ana, ben = [await newcomer(stage, name, club) for name in ("Ana", "Ben")]
        one = House(stage, house.bot, ana, ben, club)
        board = await one.match(cards=3, clock=30)
        console = await ben.sees(awaits(1, dm=True))
        await ana.press("2", in_=await ana.sees(awaits(1, dm=True)))
        await stage.gateway("refuse", times=1_000_000)
        await stage.gateway("close", code=4000, shard=1)
        for process in both:
            await ready(int(process.settings["GOPS_METRICS"]), 503, "not connected")
        await stage.forward(60)
        await stage.gateway("refuse", times=0)
        for process in both:
            await ready(int(process.settings["GOPS_METRICS"]), 200, "ready")
        await ben.press("3", in_=console)
        revealed = await ana.sees(has("round 2"), in_=board)
        assert "Time ran out" not in revealed.text
        assert [process.trouble() for process in both] == [[], []]


async def server_of(stage: Stage, shard: int, process: int) -> Server:
    """Make a server of one of two shards, with matches that belong to one of two processes."""
    while True:
        club = await stage.server_on(shard, 2)
        if partition_of(int(club.id)) % 2 == process:
            return club
        await stage.delete(club)


async def test_process_that_cannot_log_in_keeps_no_partition_from_others(
    tmp_path: Path, server: postgres.Server
) -> None:
    async with sharing(tmp_path, server, [{}]) as (house, [first]):
        second = Process.beside(house, "second.log")
        second.settings["GOPS_PEER"] = f"127.0.0.1:{free_port()}"
        await house.stage.fault("answer", "GET /gateway/bot", status=502, times=1000)
        try:
            await second.spawn()
            await second.logs("no login to Discord")
            board = await house.match(cards=2)
            await house.ana.press("2", in_=await house.ana.sees(awaits(1, dm=True)))
            await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
            await house.ana.sees(has("Rematch"), in_=board)
            [[owners]] = postgres.rows(
                house.bot.settings["GOPS_DATABASE"], "SELECT count(DISTINCT owner) FROM partitions", ()
            )
            assert owners == 1
            await house.stage.clear_faults()
            await second.logs("32 in all")
            assert first.trouble() + second.trouble() == []
        finally:
            await second._end(signal.SIGKILL)


async def test_process_that_cannot_open_its_address_ends_with_a_sentence(
    tmp_path: Path, server: postgres.Server
) -> None:
    """It would hear nothing that others forward."""
    async with sharing(tmp_path, server, [{}]) as (house, [first]):
        second = Process.beside(house, "second.log")
        address = second.settings["GOPS_PEER"] = first.settings["GOPS_PEER"]
        said = await gops(second.environment(), "run", "--env", "/dev/null")
        assert said.code == 78
        sentence = said.err.splitlines()[-1]
        assert f"GOPS_PEER: {address} cannot be opened" in sentence
        assert "address already in use" in sentence
        assert first.trouble() == []
