"""The first minute on the page: the home card of an empty channel, and a first bid by presses alone."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.page.house import House, Window, opened

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

HOME = "One prize, one hidden card each."


async def test_empty_page_leads_to_the_first_bid(tmp_path: Path, browser: Browser) -> None:
    async with opened(tmp_path, browser, home=True) as house:
        ana, ben = await house.pair()
        await ana.sees(HOME)
        await ben.sees(HOME)
        await expect(ana.page).to_have_title("GOPS")
        await expect(ana.page.get_by_text("You are both people: play Ana against Ben.")).to_be_visible()
        avatar = (await ana.sees(HOME)).locator(".avatar")
        assert "icon.svg" in await avatar.evaluate("one => getComputedStyle(one).backgroundImage")
        await ana.press("Play the house")
        await ana.sees("round 1 of 13")
        await ana.press("7")
        await ana.sees("round 2 of 13")
        await expect(ana.messages.filter(has_text=HOME)).to_have_count(1)
        await ana.page.reload()
        await ana.sees(HOME)
        await ana.challenge("Ben")
        await ben.sees("15 minutes a bid")
        await ana.page.reload()
        await ana.sees("challenges you")
        await expect(ana.messages.filter(has_text=HOME)).to_have_count(0)
        assert house.errors == []


async def test_pictures_are_shown_at_the_other_name_of_this_machine(tmp_path: Path, browser: Browser) -> None:
    async with opened(tmp_path, browser, faces=True, home=True) as house:
        house.address = house.address.replace("127.0.0.1", "localhost")
        ana, _ = await house.pair()
        fan = (await ana.sees(HOME)).get_by_role("img", name="A fan of seven cards")
        await expect(fan).to_be_visible()
        assert await fan.evaluate("async one => (await one.decode(), one.naturalWidth)") > 0
        assert house.errors == []


async def test_browser_back_leads_to_the_channel_before(house: House) -> None:
    ana, ben = await house.pair()
    await ana.challenge("Ben")
    await ben.press("Accept")
    await ana.go("@GOPS")
    await ben.go("@GOPS")

    async def here(window: Window, name: str) -> None:
        entry = window.pane.get_by_role("button", name=re.compile(rf"^{name}(, .*)?$")).first
        await expect(entry).to_have_attribute("aria-current", "page")

    await ana.page.go_back()
    await here(ana, "@GOPS")
    await here(ben, "#games")
    await ana.page.go_back()
    await here(ana, "#games")
    await ana.page.go_forward()
    await here(ana, "@GOPS")


async def test_commands_are_listed_in_order_of_need(house: House) -> None:
    """Enter on the group lists its commands; nobody is offered as their own opponent."""
    ana, _ = await house.pair()
    offered = ana.pane.get_by_role("option")
    await ana.composer.click()
    await ana.type("/gops")
    await expect(offered.first).to_contain_text("/gops challenge")
    await ana.page.keyboard.press("Enter")
    await expect(ana.composer).to_have_value("/gops ")
    await expect(offered.first).to_have_attribute("aria-selected", "true")
    assert await offered.count() > 15
    await ana.page.keyboard.press("Enter")
    await expect(offered.first).to_have_text("Ben")
    await expect(offered.first).to_have_attribute("aria-selected", "true")
    await ana.page.keyboard.press("Enter")
    await ana.page.keyboard.press("Enter")
    await ana.sees("challenges you")
