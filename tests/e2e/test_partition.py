"""A process is cut off from the PostgreSQL server: another one takes over, and no bid is lost or played twice."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from tests import postgres
from tests.data.postgres.test_leases import SOCKET, Wire
from tests.e2e.house import awaits, has, opened, told
from tests.e2e.test_takeover import Process

WITHIN = 10.0
"""seconds in which the other process has to take over"""


async def test_bid_while_nobody_owns_the_match_is_not_confirmed(tmp_path: Path, server: postgres.Server) -> None:
    async with opened(tmp_path, start=False) as house:
        address = house.bot.settings["GOPS_DATABASE"] = await postgres.emptied(server)
        wire = Wire(server.folder / SOCKET)
        await wire.open(tmp_path / SOCKET)
        old, new = Process.beside(house, "old.log"), Process.beside(house, "new.log")
        old.settings = {**old.settings, "GOPS_DATABASE": address.replace(str(server.folder), str(tmp_path))}
        try:
            await old.start()
            await new.stand_by()
            board = await house.match(cards=4, clock=3600)
            await house.ana.press("4", in_=await house.ana.sees(awaits(1, dm=True)))
            console = await house.ben.sees(awaits(1, dm=True))
            lobbies = postgres.rows(address, "SELECT count(*) FROM lobbies", ())
            await wire.cut_at_rest()
            for refused in await asyncio.gather(
                house.ben.press("A", in_=console, may_fail=True),
                house.ana.slash("/gops challenge", opponent=house.ben, cards=3, may_fail=True),
            ):
                said = "" if refused.failed else told(refused)
                assert "is sealed" not in said
                assert "challenges you" not in said
            await new.logs("this process owns all partitions", WITHIN)
            wire.mend()
            ends = old.process
            assert ends is not None
            assert await ends.wait() == 1, "its supervisor starts it again"
            await new.logs("connected as")
            sealed = postgres.rows(address, "SELECT seat FROM seals", ())
            assert sealed == [(0,)], "the confirmed bid is kept, and the refused one is not"
            assert postgres.rows(address, "SELECT count(*) FROM lobbies", ()) == lobbies
            await house.ben.press("A", in_=await house.ben.sees(awaits(1, dm=True)))
            await house.ana.sees(has("round 2"), in_=board)
            for round, (mine, theirs) in enumerate((("3", "2"), ("2", "3")), 2):
                await house.ana.press(mine, in_=await house.ana.sees(awaits(round, dm=True)))
                await house.ben.press(theirs, in_=await house.ben.sees(awaits(round, dm=True)))
            await house.ana.sees(has("[Rematch]"), in_=board)
            played = postgres.rows(address, "SELECT choice FROM decisions WHERE seat = 0 ORDER BY round", ())
            assert [choice for (choice,) in played][:3] == ["4", "3", "2"]
            boards = postgres.rows(address, "SELECT count(*) FROM surfaces WHERE kind = 1 AND state = 'live'", ())
            assert boards == [(1,)]
        finally:
            for process in (old, new):
                await process._end(signal.SIGKILL)
            await wire.close()
