"""The pictures of the README, taken by playing a match: `make pictures`."""

import asyncio
import re
import tempfile
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
    with tempfile.TemporaryDirectory() as folder:
        async with playing("--data", str(Path(folder))) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
            ana, ben = await House(address, browser).pair()
            await _play(ana, ben, Camera(ana, ben))
            await browser.close()
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size / 1000:.0f} kB")


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


if __name__ == "__main__":
    asyncio.run(main())
