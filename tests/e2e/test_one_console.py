"""Presses that overlap on a private console leave one console."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, has, opened, plain
from tests.e2e.test_practice import lit, play_out

pytestmark = pytest.mark.by_http

ANSWER = "POST /interactions/*"
ON_HOLD = 60.0
"""seconds: longer than any test waits"""


def consoles(person: Person) -> list[Seen]:
    """What can be played on, or shows the result of what was."""
    return person.finds(lambda seen: bool(lit(seen)) or seen.has_button("Rematch"))


async def only_console(person: Person, pressed: Seen) -> Seen:
    """Wait until one console is left, below the pressed one; return it."""
    await person.sees_no(lambda seen: seen.id == pressed.id or len(consoles(person)) != 1)
    [console] = consoles(person)
    return console


async def press_at_once(house: House, console: Seen, *labels: str, when: str) -> None:
    """Press several buttons; Discord takes no answer until all have been sent."""
    stage = house.stage
    await stage.reset_calls()
    await stage.fault("slow", ANSWER, seconds=ON_HOLD, times=len(labels), when=when)
    presses = [asyncio.create_task(house.ana.press(label, in_=console)) for label in labels]
    await stage.begun(ANSWER, times=len(labels))
    await stage.clear_faults()
    await asyncio.gather(*presses)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("by", ["gateway", "HTTP", "DM"])
async def test_overlapping_answers_bring_the_console_back(tmp_path: Path, by: str, when: str) -> None:
    """Nobody knows which of two pages landed last."""
    async with opened(tmp_path, start=False) as house:
        if by == "HTTP":
            await house.bot.use_http()
        await house.bot.start()
        ana = house.ana
        here: dict[str, Any] = {"in_": await ana.dm_with(house.stage.bot())} if by == "DM" else {}
        console = (await ana.slash("/gops practice", cards=4, **here)).shown
        console = (await ana.press(lit(console)[0], in_=console)).shown
        await press_at_once(house, console, "Sheet", "Rules", when=when)
        console = await ana.sees(lambda seen: bool(lit(seen)), in_=console)
        result = await play_out(ana, console, random.Random(1))
        await press_at_once(house, result, "More", "More", when=when)
        result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_=result)
        assert "Not rated: the house plays too." in plain(result.text)
        assert len(consoles(ana)) == 1
        assert house.bot.trouble() == []


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("when", ["before", "after"])
async def test_bid_beside_a_page_leaves_a_true_console(scene: House, when: str) -> None:
    """A card is sealed on a console while a page is on its way to it: the next round is shown."""
    ana = scene.ana
    console = (await ana.slash("/gops practice", cards=4)).shown
    await press_at_once(scene, console, "Rules", lit(console)[0], when=when)
    console = await ana.sees(lambda seen: has("round 2 of 4")(seen) and bool(lit(seen)), in_=console)
    result = await play_out(ana, console, random.Random(1))
    assert "Not rated: the house plays too." in plain(result.text)


@pytest.mark.asyncio(loop_scope="module")
async def test_reopened_console_beside_a_page_leaves_one(scene: House) -> None:
    """*Bid* of `/gops games` and *Rules* in the same instant."""
    ana = scene.ana
    console = (await ana.slash("/gops practice", cards=4)).shown
    games = (await ana.slash("/gops games")).shown
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", ANSWER, seconds=ON_HOLD, times=1, when="after")
    page = asyncio.create_task(ana.press("Rules", in_=console))
    await scene.stage.begun(ANSWER)
    await ana.press("Bid", in_=games)
    await scene.stage.clear_faults()
    await page
    left = await only_console(ana, console)
    result = await play_out(ana, left, random.Random(1))
    assert "Not rated: the house plays too." in plain(result.text)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("at_once", [True, False])
async def test_rematch_pressed_twice_begins_one_match(scene: House, at_once: bool) -> None:
    ana = scene.ana
    result = await play_out(ana, (await ana.slash("/gops practice", cards=3)).shown, random.Random(1))
    if at_once:
        await asyncio.gather(*(ana.press("Rematch", in_=result) for _ in range(2)))
    else:
        for _ in range(2):
            await ana.press("Rematch", in_=result)
    again = await only_console_of_another(ana, result)
    assert "round 1 of 3" in plain(again.text)
    listed = plain((await ana.slash("/gops games")).shown.text)
    assert listed.count("practice with Sly (house)") == 1
    await play_out(ana, again, random.Random(1))
    assert scene.bot.trouble() == []


@pytest.mark.asyncio(loop_scope="module")
async def test_rematch_answered_after_a_second_press_leaves_one_console(scene: House) -> None:
    """Discord shows the first console at once and confirms it late; the second one is there by then."""
    ana, stage = scene.ana, scene.stage
    result = await play_out(ana, (await ana.slash("/gops practice", cards=3)).shown, random.Random(1))
    await stage.reset_calls()
    await stage.fault("slow", "POST /interactions/*", seconds=ON_HOLD, times=1, when="after")
    first = asyncio.create_task(ana.press("Rematch", in_=result))
    await stage.begun("POST /interactions/*")
    await ana.sees(lambda seen: bool(lit(seen)) and seen.id != result.id)
    await ana.press("Rematch", in_=result)
    await stage.clear_faults()
    await first
    assert "round 1 of 3" in plain((await only_console_of_another(ana, result)).text)


async def only_console_of_another(person: Person, result: Seen) -> Seen:
    """Wait until one console is left beside the result of an earlier match; return it."""
    await person.sees_no(lambda _: len([one for one in consoles(person) if one.id != result.id]) != 1)
    [console] = [one for one in consoles(person) if one.id != result.id]
    return console
