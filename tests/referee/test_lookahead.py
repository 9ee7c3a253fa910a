"""The house looks ahead while a person thinks; no question waits for that."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bot.engine.choices import Bid
from bot.referee.house import seats as house
from bot.referee.house.prospects import Prospects
from bot.referee.house.thinking import Thinking, Worker
from bot.referee.lobby.setups import Wish
from bot.solver.players.levels import SLY, find_level
from bot.solver.players.lookahead import OVER, Prospect
from tests.referee.stage import ANA, HERE, Table
from tests.referee.waiting import wait_idle
from tests.solver import minds


async def practise(table: Table, level: Any = SLY, cards: int = 4) -> str:
    begun = await table.referee.practice.begin(HERE, ANA, level, Wish(cards=cards), False)
    return begun.live.stored.id


async def test_question_interrupts_looking_ahead(tmp_path: Path) -> None:
    worker, endless = Worker(), minds.Endless(tmp_path)
    try:
        process = await worker.think(minds.in_which_process, str(tmp_path), 60.0)
        looks: asyncio.Future[int] = asyncio.ensure_future(worker.look_ahead(Prospect(endless, Bid((1,)), 2)))  # pyright: ignore[reportArgumentType]
        async with asyncio.timeout(60):
            while not endless.begun.exists():  # noqa: ASYNC110 - another process tells nobody
                await asyncio.sleep(0)
        assert await worker.think(minds.in_which_process, str(tmp_path), 60.0) == process, "it keeps what it knows"
        assert await looks == 2
    finally:
        worker.stop()


async def test_looking_ahead_starts_no_process(tmp_path: Path) -> None:
    assert await Worker().look_ahead(Prospect(minds.Endless(tmp_path), Bid((1,)))) == OVER  # pyright: ignore[reportArgumentType]


class Looking:
    """Three steps for each prospect."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []
        self.go = asyncio.Event()

    async def look_ahead(self, prospect: Prospect) -> int:
        await self.go.wait()
        self.seen.append((prospect.question.seen.number, prospect.place))
        return prospect.place + 1 if prospect.place < 2 else OVER


async def test_matches_take_turns_in_looking_ahead_until_they_go_on(table: Table) -> None:
    looking = Looking()
    prospects = Prospects(table.referee.repository, looking)
    ids = [await practise(table) for _ in range(3)]
    lives = [await table.referee.live(id) for id in ids]
    for live in lives:
        prospects.add(live, Prospect(house.make_question(live, 1), Bid((1,))))
    await asyncio.sleep(0)  # the first is looked at
    await table.seal(ids[1], ANA.user, 1)  # and reveals, so the match goes on
    again = await table.referee.live(ids[0])
    assert again.stored.prompt == lives[0].stored.prompt
    looking.go.set()
    await wait_idle(prospects)
    assert [place for _, place in looking.seen] == [0, 0, 1, 1, 2, 2]
    await prospects.close()


async def test_sage_looks_ahead_after_its_bid_and_plays_on(table: Table) -> None:
    sage = find_level("sage")
    thinking = Thinking(table.referee.repository, table.referee.matches, 200.0)
    table.referee.listeners.append(thinking.wake)
    try:
        id = await practise(table, sage)
        await wait_idle(thinking)
        await wait_idle(thinking.prospects)
        while not (view := await table.referee.views.view(id, ANA.user)).over:
            assert view.seen.prompt is not None
            await table.seal(id, ANA.user, int(str(view.seen.prompt.options[0])))
            await wait_idle(thinking)
        assert view.lapsed == ()
    finally:
        await thinking.close()
