"""The pictures of the README, taken by playing a match: `make pictures`."""

import asyncio
import re
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import async_playwright, expect

from tests.conftest import ROOT
from tests.page.browser import OPTIONS
from tests.page.house import CHROMIUM, House, Window, drawer, playing

FOLDER = ROOT / "docs" / "pictures"
QUIET = """
() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".toast, .more { display: none !important; }");
  document.adoptedStyleSheets = [sheet];
}
"""
LABELS = {1: "A", 11: "J", 12: "Q", 13: "K"}


def label(card: int) -> str:
    return LABELS.get(card, str(card))


class Camera:
    def __init__(self, ana: Window, ben: Window) -> None:
        self.ana = ana
        self.ben = ben

    async def page(self, name: str, height: int = 620) -> None:
        """Both windows."""
        await self.ana.page.set_viewport_size({"width": 1280, "height": height})
        await self._still()
        await self.ana.page.screenshot(path=FOLDER / f"{name}.png")

    async def message(self, name: str, window: Window, text: str | re.Pattern[str]) -> None:
        """One message."""
        found = await window.sees(text)
        await self._still()
        await found.screenshot(path=FOLDER / f"{name}.png")

    async def drawer(self, name: str) -> None:
        """The control drawer."""
        await self.ana.page.set_viewport_size({"width": 1280, "height": 900})
        tools = await drawer(self.ana.page)
        await expect(tools.get_by_role("row").nth(5)).to_be_visible()
        await self.ana.page.evaluate("document.activeElement.blur()")
        await self._still()
        await tools.screenshot(path=FOLDER / f"{name}.png")

    async def _still(self) -> None:
        """Nothing pops up, and nothing is pointed at."""
        await self.ana.page.evaluate(QUIET)
        await self.ana.page.mouse.move(0, 0)
        await asyncio.sleep(0.3)


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in (_play, _welcome):
        await taken(scene)
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size / 1000:.0f} kB")


async def taken(scene: Callable[[Window, Window, Camera], Awaitable[None]]) -> None:
    """One scene, in a playground of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with playing("--data", str(Path(folder))) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
            ana, ben = await House(address, browser).pair()
            await scene(ana, ben, Camera(ana, ben))
            await browser.close()


async def _play(ana: Window, ben: Window, camera: Camera) -> None:
    await ana.challenge("Ben")
    await ben.sees("challenges you")
    await camera.message("challenge", ben, "challenges you")
    await ben.press("Accept")
    await ana.sees("round 1 of")
    await ben.go("@GOPS")
    for number in range(1, 13):
        await ana.go("@GOPS")
        mine, theirs = label(number), label(number * 8 % 13 + 1)
        for window, card in ((ana, mine), (ben, theirs)):
            await window.sees(re.compile(rf"against.*round {number} of.*Your bid is open", re.DOTALL))
            if number == 6 and window is ben:
                await ana.sees(re.compile(" is sealed"))
                await camera.message("console", ana, re.compile(" is sealed"))
            await window.press(card)
        if number == 6:
            await ana.go("#games")
            await camera.message("board", ana, re.compile("round 7 of 13"))
            await camera.page("page", 600)
    await ana.go("#games")
    await camera.message("result", ana, re.compile(r"\d–\d"))
    await ana.composer.click()
    await ana.type("/gops leaderboard ")
    await ana.page.keyboard.press("Enter")
    await camera.message("leaderboard", ana, "used /gops leaderboard")
    await camera.drawer("drawer")


async def _welcome(ana: Window, ben: Window, camera: Camera) -> None:
    """The first minute, and a reason to come back: in a playground of its own, which begins with the home card."""
    await camera.message("home", ana, "sealed bids for prizes")
    await ana.press("How it works")
    await ana.sees("round 1 of 5")
    await ana.press("4")
    await camera.message("guided", ana, "How it works · round 2 of 5")
    await ben.press("Daily deal")
    await ben.sees("one try")
    for number, card in enumerate(("4", "7", "2", "6", "A"), 1):
        await ben.sees(f"round {number} of 7")
        await ben.press(card)
    await ben.sees("round 6 of 7")
    await ben.press("5")
    await ben.press("Table")
    await camera.message("daily", ben, "Daily deal ·")
    await _rated(ana, ben)
    await ana.page.set_viewport_size({"width": 1280, "height": 900})
    await ana.composer.click()
    await ana.type("/gops profile ")
    await ana.page.keyboard.press("Enter")
    await expect((await ana.sees("used /gops profile")).locator("img").first).to_be_visible()
    await camera.message("profile", ana, "used /gops profile")


async def _rated(ana: Window, ben: Window) -> None:
    """As many matches as a curve needs, of three cards each, four a day."""
    for number in range(10):
        await ana.go("#games")
        await ben.go("#games")
        await ana.challenge("Ben", cards=3)
        await (await ben.sees("challenges you")).get_by_role("button", name="Accept").click()
        mine, theirs = (("A", "2"), ("2", "3")) if number in (2, 5) else (("2", "3"), ("A", "2"))
        for turn, (one, other) in enumerate(((mine[0], theirs[0]), (mine[1], theirs[1])), 1):
            for window, card in ((ana, one), (ben, other)):
                await window.press("Bid")
                await window.sees(re.compile(rf"against.*round {turn} of 3", re.DOTALL))
                await window.press(card)
        await ana.sees(re.compile(r"Rematch"))
        if number % 4 == 3:
            tools = await drawer(ana.page)
            await tools.get_by_role("button", name="+1 day").click()
            await tools.press("Escape")


if __name__ == "__main__":
    asyncio.run(main())
