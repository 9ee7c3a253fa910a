"""`gops play --processes 3`: three processes share the work, and the page can kill each of them."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from bot.playground.postgres import Server
from tests.page.house import SLOW, House, Window, drawer, warmed
from tests.page.test_page import accepted, has_turn
from tests.test_commands import gops


async def press_until(window: Window, card: str, wanted: str) -> None:
    """Press a card until the window says this. While a process takes over, the answer may be to press again, or may
    come later than Discord takes one."""
    done = window.messages.filter(has_text=re.compile(wanted))
    again = window.messages.filter(has_text=re.compile("press again", re.IGNORECASE))
    failed = window.messages.filter(has_text="This interaction failed")
    while True:
        await window.press(card)
        await done.or_(again).or_(failed).last.wait_for(timeout=SLOW)
        if await again.count():
            await again.get_by_role("button", name="Dismiss message").click()
            await again.wait_for(state="hidden", timeout=SLOW)
        elif await done.count():
            return


@pytest.mark.asyncio(loop_scope="session")  # where the browser is
async def test_match_goes_on_while_one_process_after_the_other_is_killed(server: Server, browser: Browser) -> None:
    """`server` makes sure that this machine has the programs of a PostgreSQL server."""
    async with warmed("--processes", "3") as address, House(address, browser) as house:
        ana, ben = await house.pair()
        await accepted(ana, ben, 4)
        await ana.go("@GOPS")
        await ben.go("@GOPS")
        tools = await drawer(ana.page)
        for number, (mine, theirs) in enumerate((("A", "2"), ("2", "3"), ("3", "4")), 1):
            await has_turn(ana, number)
            await press_until(ana, mine, f"{mine} is sealed.")  # else it may be lost with the process
            note = tools.get_by_role("status").nth(number - 1)
            await expect(note).to_have_text(f"Process {number}: The bot is running.", timeout=SLOW)
            await tools.get_by_role("button", name="Kill").nth(number - 1).click()
            await expect(note).to_contain_text("was killed (SIGKILL)")
            await expect(note).to_have_text(f"Process {number}: The bot is running.", timeout=SLOW)
            await house.connected(ana.page)
            await has_turn(ben, number)
            await press_until(ben, theirs, f"round {number + 1} of|Rematch")
        await ana.sees("Rematch")
        assert house.errors == []


def test_data_folder_of_several_processes_is_refused(tmp_path: Path) -> None:
    done = gops("play", "--no-browser", "--processes", "2", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gops play: --data keeps the file of one process; it does not go with --processes\n"


@pytest.mark.parametrize("wrong", ["0", "9", "x", "-1"])
def test_invalid_number_of_processes_is_refused_in_one_line(wrong: str) -> None:
    done = gops("play", "--no-browser", f"--processes={wrong}")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the number of processes is from 1 to 8" in done.stderr
