"""The bot's process is really stopped, as a suspended machine or a frozen host does it: nobody loses a bid by that."""

from __future__ import annotations

import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.driver import Seen
from tests.e2e.house import Bot, House, awaits, has, key, opened, plain

CLOCK = 30
FROZEN = 40
"""seconds, longer than the clock and its grace"""


@pytest.fixture
async def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr(Bot, "command", ("-m", "tests.e2e.frozen_bot", "run"))
    async with opened(tmp_path) as house:
        yield house
        assert house.bot.trouble() == []


async def freeze(house: House, seconds: float) -> None:
    """It is stopped, Discord's clock and the machine's go on, and it finds that out when it goes on."""
    process = house.bot.process
    assert process is not None
    process.send_signal(signal.SIGSTOP)
    try:
        await house.stage.forward(seconds)
    finally:
        process.send_signal(signal.SIGCONT)


def closes(board: Seen) -> int:
    """When bids close, as it stands there."""
    found = re.search(r"bids close <t:(\d+):R>", board.text)
    return int(found[1]) if found else 0


async def test_three_stops_longer_than_the_clock_cost_nobody_a_bid(house: House) -> None:
    """It lost a rated match for somebody who could not press: three missed bids in a row are a forfeit."""
    ana, ben = house.ana, house.ben
    board = await house.match(clock=CLOCK)
    for number in (1, 2, 3):
        theirs = await ben.sees(awaits(number, dm=True))
        await ana.press(key(number + 1), in_=await ana.sees(awaits(number, dm=True)))
        sealed = await ana.sees(has(f"round {number} of 13", "✔ has bid"), in_=board)
        await freeze(house, FROZEN)
        if number == 2:  # else the press itself is what the bot meets first
            later = closes(sealed) + FROZEN
            await ana.sees(lambda now, later=later: now.id == board.id and closes(now) >= later)
        said = await ben.press(key(number + 5), in_=theirs)
        assert "Time ran out" not in plain(said.shown.text)
        reveal = f"♥{key(number + 5)} beats ♠{key(number + 1)}"
        told = await ana.sees(has(f"round {number + 1} of 13", reveal), in_=board)
        assert "missed" not in told.text
    assert len(re.findall(r"the process stood still for 4\d\.", house.bot.logged())) == 3


async def test_a_challenge_outlives_a_stop(house: House) -> None:
    challenge = await house.challenge(clock=CLOCK)
    await freeze(house, 3600)
    await house.ben.press("Accept", in_=challenge)
    await house.ana.sees(has("round 1 of 13"), in_=challenge)


async def test_a_clock_that_is_wrong_costs_nobody_a_bid_and_is_told(tmp_path: Path) -> None:
    """A bot 40 s behind refused every bid with a sentence that was not true."""
    async with opened(tmp_path, start=False) as house:
        house.bot.clock_file = tmp_path / "wrong"
        house.bot.clock_file.write_text("-40", encoding="utf-8")
        await house.bot.start()
        owner = await house.stage.person("gops team")
        board = await house.match(clock=CLOCK)
        for person, card in ((house.ana, 7), (house.ben, 5)):
            await person.press(key(card), in_=await person.sees(awaits(1, dm=True)))
        await house.ana.sees(has("round 2 of 13", "♠7 beats ♥5"), in_=board)
        await owner.sees("seconds behind Discord's. I use Discord's time", in_="dm")
        assert house.bot.trouble() == []
