"""A wait that runs out tells what it takes to understand it, and no card that lies face down."""

from __future__ import annotations

import asyncio
import re
import signal

import pytest

from bot.process.base import event_loop
from tests.driver import NotSeen
from tests.e2e.house import House, awaits


async def test_who_waits_in_vain_tells_where_everybody_stands(house: House) -> None:
    await house.match(cards=13)
    await house.ana.press("J", in_=await house.ana.sees(awaits(1, dm=True)))
    other = asyncio.create_task(house.ben.sees("the moon"))
    await asyncio.sleep(0)
    with pytest.raises(NotSeen) as waited:
        await house.ana.sees("the sun", patience=0.1)
    other.cancel()
    people, bot = str(waited.value).split("=== The bot's log ===")
    assert "Ana waited 0.1 s for 'the sun'" in people
    assert "Ben: 'the moon'" in people
    assert "test_wait_timeouts.py" in people
    log, stands = bot.split(" stands ===")
    assert "connected as GOPS" in log
    assert "(most recent call first)" in stands
    assert "deadlines.py" in stands
    assert "\ndeadlines:\n" in stands
    assert event_loop.END in stands
    assert "Bid(" not in stands


async def test_a_bot_that_hangs_does_not_hold_up_the_telling(house: House) -> None:
    assert house.bot.process is not None
    house.bot.process.send_signal(signal.SIGSTOP)
    asking = asyncio.create_task(house.ben.slash("/gops games", may_fail=True))
    try:
        await house.ben.screen.wait(lambda: house.ben.screen.interactions or None, "their own command", 15)
        with pytest.raises(NotSeen) as waited:
            await house.ana.sees("the sun", patience=0.1)
    finally:
        house.bot.process.send_signal(signal.SIGCONT)
    await asking
    told = str(waited.value)
    assert "It said nothing within" in told
    assert "Ben: an answer to slash" in told
    assert re.search(r"^Ben, command .*: for \d\.\d s$", told, re.MULTILINE)
