"""The network between the keeper that leads and the server is cut: another one goes on, and nothing is done twice."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests import postgres
from tests.data.postgres.test_leader import SOCKET, Wire
from tests.e2e.house import awaits, has, told
from tests.e2e.test_workers import fleet

WITHIN = 10.0
"""seconds in which another keeper has to lead"""


async def test_cut_off(tmp_path: Path, server: postgres.Server) -> None:
    async with fleet(tmp_path, server) as these:
        house, [first] = these.house, these.keepers
        address = house.bot.settings["GOPS_DATABASE"]
        wire = Wire(server.folder / SOCKET)
        await wire.open(tmp_path / SOCKET)
        try:
            old, new = these.keeper(), these.keeper()
            old.settings["GOPS_DATABASE"] = address.replace(str(server.folder), str(tmp_path))
            await old.stand_by()
            await first.kill()
            await house.stage.bot_ready(patience=30)
            await new.stand_by()
            board = await house.match(cards=4, clock=3600)
            console = await house.ana.sees(awaits(1, dm=True))
            known = "SELECT 1 FROM surfaces WHERE kind <> 1 AND message = ? AND state = 'live'"
            async with asyncio.timeout(30):  # until then a press on it is the keeper's
                while not await asyncio.to_thread(postgres.rows, address, known, (int(console.id),)):
                    pass
            lobbies = postgres.rows(address, "SELECT count(*) FROM lobbies", ())
            async with asyncio.timeout(30):
                await wire.cut_at_rest()
            # Nobody leads: a bid is sealed, and what only the old one could write is not there afterwards.
            await house.ana.press("4", in_=console)
            await house.ana.sees(has("**4 is sealed.**"), in_=console)
            asked = asyncio.create_task(house.ana.slash("/gops challenge", opponent=house.ben, cards=3))
            await new.logs("this keeper leads", WITHIN)
            assert "challenges you" not in told(await asked), "nothing is told that was not stored"
            wire.mend()
            ends = old.process
            assert ends is not None
            assert await ends.wait() == 1, "whoever supervises it starts it again"
            await new.logs("connected as")
            await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
            await house.ana.sees(has("round 2"), in_=board)
            assert postgres.rows(address, "SELECT count(*) FROM lobbies", ()) == lobbies
            for round, (mine, theirs) in enumerate((("3", "2"), ("2", "3")), 2):
                await house.ana.press(mine, in_=await house.ana.sees(awaits(round, dm=True)))
                await house.ben.press(theirs, in_=await house.ben.sees(awaits(round, dm=True)))
            await house.ana.sees(has("1st"), in_=board)
            played = postgres.rows(address, "SELECT choice FROM decisions WHERE seat = 0 ORDER BY round", ())
            assert [choice for (choice,) in played][:3] == ["4", "3", "2"]
            boards = postgres.rows(address, "SELECT count(*) FROM surfaces WHERE kind = 1 AND state = 'live'", ())
            assert boards == [(1,)]
        finally:
            await wire.close()
