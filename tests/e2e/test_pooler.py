"""A PgBouncer before the server: keepers and workers play a match through it, and go on where one of them is killed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests import pgbouncer, postgres
from tests.e2e.house import awaits, has, told
from tests.e2e.test_workers import fleet


async def test_a_match_through_a_pooler(tmp_path: Path, server: postgres.Server) -> None:
    with pgbouncer.before(server) as bouncer:
        async with fleet(tmp_path, server, bouncer=bouncer) as these:
            house, (first, second), [leads] = these.house, these.workers, these.keepers
            other = these.keeper()
            await other.stand_by()
            board = await house.match(cards=3)
            these.to(first)
            console = await house.ana.sees(awaits(1, dm=True))
            await house.ana.press("2", in_=console)
            await house.ana.sees(has("**2 is sealed.**"), in_=console)
            await leads.kill()
            await first.kill_alone()
            these.to(second)
            await house.stage.bot_ready(patience=30)
            await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
            await house.ana.press("3", in_=await house.ana.sees(awaits(2, dm=True)))
            await house.ben.press("2", in_=await house.ben.sees(awaits(2, dm=True)))
            await house.ana.sees(has("Rematch"), in_=board)
            address = house.bot.settings["GOPS_DATABASE"]
            played = "SELECT choice FROM decisions WHERE seat = 0 ORDER BY round"
            assert await asyncio.to_thread(postgres.rows, address, played, ()) == [("2",), ("3",), ("1",)]
            assert "1 played" in told(await house.ana.slash("/gops leaderboard"))
            assert bouncer.taken() >= len((other, second)), "they came through it"
