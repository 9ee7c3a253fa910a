"""Tables of more than two: every person has a window, a tab and direct messages."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.page.house import House, Window, playing, warmed

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is


def tab(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="People").get_by_role("button", name=re.compile(f"^{name}(,|$)"))


async def test_eight_people_have_tabs_and_unread_marks(house: House) -> None:
    """People without room for a window are one press away."""
    page = await house.open()
    names = ("Ana", "Ben", "Cem", "Dee", "Eli", "Fay", "Gus", "Hal")
    for name in names[2:]:
        await page.get_by_role("button", name="Add a person").click()
        await expect(page.get_by_role("region", name=f"{name}'s window")).to_be_visible()
    assert page.url.endswith(f"?people={','.join(names)}")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await expect(page.get_by_role("region")).to_have_count(3)
    ana, dee = Window(page, "Ana"), Window(page, "Dee")
    await tab(page, "Ana").click()
    await expect(ana.pane).to_be_visible()
    await ana.challenge_all("Ben", "Cem", "Dee", "Gus", cards=3)
    await ana.sees("challenges you")
    await expect(tab(page, "Ben")).to_have_accessible_name("Ben, 1 unread notification")
    await expect(tab(page, "Fay")).to_have_accessible_name("Fay, unread")
    await tab(page, "Dee").click()
    await dee.press("Accept")
    await dee.sees(re.compile("Dee.? ✔ accepted"))
    await expect(tab(page, "Dee")).to_have_accessible_name("Dee")
    await page.reload()
    await expect(page.get_by_role("navigation", name="People").get_by_role("button")).to_have_count(9)


async def test_hidden_window_can_be_shown_again(house: House) -> None:
    page = await house.open()
    ana, ben = Window(page, "Ana"), Window(page, "Ben")
    await tab(page, "Ben").click()
    await expect(ben.pane).to_be_hidden()
    await tab(page, "Ana").click()
    await expect(ana.pane).to_be_visible()  # the last one stays
    await ana.composer.fill("hello")
    await page.keyboard.press("Enter")
    await expect(tab(page, "Ben")).to_have_accessible_name("Ben, unread")
    await tab(page, "Ben").click()
    await ben.sees("hello")
    await expect(tab(page, "Ben")).to_have_accessible_name("Ben")


async def test_three_people_can_play_a_match(house: House) -> None:
    page = await house.open("?people=Ana,Ben,Cem")
    ana, ben, cem = (Window(page, name) for name in ("Ana", "Ben", "Cem"))
    await ana.challenge_all("Ben", "Cem", cards=3)
    for window in (ben, cem):
        await window.sees("challenges you")
        await window.press("Accept")
    for window in (ana, ben, cem):
        await window.sees("round 1 of 3")
        await window.go("@GOPS")
    for number, cards in enumerate((("A", "2", "3"), ("2", "3", "A")), 1):
        for window, card in zip((ana, ben, cem), cards, strict=True):
            await window.sees(re.compile(rf"against.*round {number} of.*Your turn", re.DOTALL))
            await window.press(card)
    await cem.sees("Rematch")


async def test_match_survives_a_restart_of_the_playground(tmp_path: Path, browser: Browser) -> None:
    """With `--data`, the start after Ctrl-C in the middle of a round goes on with the sealed bid."""
    async with playing("--data", str(tmp_path)) as address, House(address, browser) as house:
        ana, ben = await house.pair()
        await ana.challenge("Ben", cards=3)
        await ben.sees("challenges you")
        await ben.press("Accept")
        await ana.sees("round 1 of 3")
        await ana.press("Bid")
        await ana.press("2")
        await ana.sees("2 is sealed")
    async with warmed("--data", str(tmp_path)) as address, House(address, browser) as house:
        ana, ben = await house.pair()
        await ana.sees(re.compile("Waiting (only )?for .?Ben"))
        await ben.press("Bid")
        await ben.press("3")
        await ana.sees("round 2 of 3")
