"""Take the pictures of the documents by playing matches: `make pictures`.

It also prints how soon a person who opens the page can make the first bid.
"""

import asyncio
import re
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from playwright.async_api import async_playwright, expect

from tests.conftest import ROOT
from tests.page.browser import OPTIONS
from tests.page.house import CHROMIUM, House, Window, drawer, playing
from tests.page.shrink import shrunk

FOLDER = ROOT / "docs" / "pictures"
QUIET = """
() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".toast, .more { display: none !important; }");
  document.adoptedStyleSheets = [sheet];
}
"""
LOADED = "() => [...document.images].every((one) => one.complete)"
DARING = {"A": "7", "2": "4", "3": "3", "4": "A", "5": "6", "6": "2", "7": "5"}
SOUND = {"A": "A", "2": "3", "3": "2", "4": "4", "5": "5", "6": "6", "7": "7"}
"""bids for each of seven prizes that leave something to review in every order"""

LABELS = {1: "A", 11: "J", 12: "Q", 13: "K"}


def label(card: int) -> str:
    return LABELS.get(card, str(card))


class Camera:
    def __init__(self, ana: Window, ben: Window) -> None:
        self.ana = ana
        self.ben = ben

    async def page(self, name: str, height: int = 620) -> None:
        """Both windows, at their newest messages."""
        await self.ana.page.set_viewport_size({"width": 1280, "height": height})
        await self._still()
        await self.ana.page.evaluate("document.querySelectorAll('.log').forEach((one) => one.scrollTo(0, 1e6))")
        await self._keep(name, await self.ana.page.screenshot())

    async def message(self, name: str, window: Window, text: str | re.Pattern[str]) -> None:
        """One message, whole, and without the edge of the one above it."""
        await window.page.set_viewport_size({"width": 1280, "height": 1500})
        found = await window.sees(text)
        await self._still()
        await window.page.wait_for_function(LOADED)
        await found.evaluate("one => one.scrollIntoView({ block: 'center' })")
        box = await found.bounding_box()
        assert box is not None
        clip: Any = {"x": box["x"] + 4, "y": box["y"] + 2, "width": box["width"] - 4, "height": box["height"] - 2}
        await self._keep(name, await window.page.screenshot(clip=clip))
        await window.page.set_viewport_size({"width": 1280, "height": 900})

    async def _keep(self, name: str, png: bytes) -> None:
        small = await asyncio.to_thread(shrunk, png)
        (FOLDER / f"{name}.png").write_bytes(small)

    async def drawer(self, name: str) -> None:
        """The control drawer."""
        await self.ana.page.set_viewport_size({"width": 1280, "height": 900})
        tools = await drawer(self.ana.page)
        await expect(tools.get_by_role("row").nth(5)).to_be_visible()
        await self.ana.page.evaluate("document.activeElement.blur()")
        await self._still()
        await self._keep(name, await tools.screenshot())

    async def _still(self) -> None:
        """Hide all hints and move the pointer away."""
        await self.ana.page.evaluate(QUIET)
        await self.ana.page.mouse.move(0, 0)
        await asyncio.sleep(0.3)


async def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for scene in (_play, _draft, _welcome):
        await taken(scene)
    for picture in sorted(FOLDER.glob("*.png")):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size / 1000:.0f} kB")


async def taken(scene: Callable[[Window, Window, Camera], Awaitable[None]]) -> None:
    """One scene, in a playground of its own."""
    with tempfile.TemporaryDirectory() as folder:
        async with playing("--data", str(Path(folder))) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
            log = Path(folder) / "bot.log"
            async with asyncio.timeout(120):
                while "card faces" not in await asyncio.to_thread(log.read_text, "utf-8"):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)  # a file tells nobody that it has grown
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
    await expect((await ana.sees("rounds in")).locator(".gallery img")).to_be_visible()
    await camera.message("result", ana, "rounds in")
    await ana.composer.click()
    await ana.type("/gops leaderboard ")
    await ana.page.keyboard.press("Enter")
    await camera.message("leaderboard", ana, "used /gops leaderboard")
    await camera.drawer("drawer")


async def _draft(ana: Window, ben: Window, camera: Camera) -> None:
    """Picture an open draft, where the higher bid picks first, and the review of a match of seven cards."""
    await ana.challenge("Ben", game="open-draft")
    await (await ben.sees("challenges you")).get_by_role("button", name="Accept").click()
    for window, card in ((ana, "J"), (ben, "8")):
        await window.press("Bid")
        await window.sees(re.compile(r"against.*Your bid is open", re.DOTALL))
        await window.press(card)
    await camera.message("draft", ana, re.compile("Your pick is open"))
    await ana.challenge("Ben", cards=7)
    await (await ben.sees("7 cards, ties discarded")).get_by_role("button", name="Accept").click()
    for window in (ana, ben):
        await window.press("Bid")
    for number in range(1, 7):
        for window, plan in ((ana, DARING), (ben, SOUND)):
            console = await window.sees(re.compile(rf"against.*round {number} of 7.*Your bid is open", re.DOTALL))
            [prize] = re.findall(r"Prize\W+(\w)\b", await console.inner_text())
            await window.press(plan[prize])
    await ana.sees("rounds in")
    await ana.press("Review")
    await ana.sees("· review")
    await ana.press("Dearest")
    await ana.sees(re.compile("blunder"))
    await camera.message("review", ana, "· review")


async def _welcome(ana: Window, ben: Window, camera: Camera) -> None:
    """The first minute, and a reason to come back: in a playground of its own, which begins with the home card."""
    begun = time.perf_counter()
    await ana.page.reload()
    await ana.sees("sealed bids for prizes")
    for presses, (button, text) in enumerate((("Play the house", "round 1 of 13"), ("7", "round 2 of 13")), 1):
        await ana.press(button)
        await ana.sees(text)
        print(f"{text} after {time.perf_counter() - begun:.1f} s and {presses} presses")
    await ana.page.reload()
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
    await ben.sees("rounds in")
    for _ in range(60):  # the best of a day is looked for by a worker, behind everything else
        await ben.composer.click()
        await ben.type("/gops daily ")
        await ben.page.keyboard.press("Enter")
        await ben.sees("Daily deal ·")
        if await ben.messages.filter(has_text="The best that there was").count():
            break
        await asyncio.sleep(2)
    await camera.message("daily", ben, "Daily deal ·")
    await _rated(ana, ben)
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
