"""Measure the speed of the page: `python -m tests.page.measure`.

From the start of `gops play` to a page whose bot is connected, and from a click to the repaint that it causes.
"""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from playwright.async_api import async_playwright

from bot.playground.front import FOLDER
from tests.page.browser import OPTIONS
from tests.page.house import CHROMIUM, House, playing

# From the click, in the browser, to the frame in which a key of the console shows that it is sealed.
CLICK = """
([card]) => new Promise((done) => {
  const keys = [...document.querySelectorAll("section[aria-label^=Ana] li.message:last-child .button")];
  const log = document.querySelector("section[aria-label^=Ana] .log");
  const start = performance.now();
  new MutationObserver((_, self) => {
    if (![...log.querySelectorAll(".button")].some((one) => one.textContent === `✔ ${card}`)) return;
    self.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  }).observe(log, { childList: true, subtree: true });
  keys.find((one) => one.textContent === card).click();
})
"""


async def start() -> float:
    """Seconds from the command to the page with a live bot, the browser being open already."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        begun = time.perf_counter()
        async with playing() as address:
            await House(address, browser).open()
            taken = time.perf_counter() - begun
            await browser.close()
    return taken


async def clicks(count: int) -> list[float]:
    """Milliseconds from a click on a card to the repaint."""
    with tempfile.TemporaryDirectory() as folder:
        async with playing("--data", str(Path(folder))) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
            house = House(address, browser)
            ana, ben = await house.pair()
            await ana.challenge("Ben")
            await ben.sees("challenges you")
            await ben.press("Accept")
            await ana.sees("round 1 of")
            await ana.go("@GOPS")
            await ana.sees("Your turn")
            # Slower than the limits of one channel, which are not what is measured.
            taken: list[float] = []
            for number in range(count):
                taken.append(await ana.page.evaluate(CLICK, [str(2 + number % 9)]))
                await asyncio.sleep(0.3)
            await browser.close()
    return taken


async def main() -> None:
    size = sum(one.stat().st_size for one in FOLDER.iterdir())
    print(f"size of the page: {size / 1000:.1f} kB")
    starts = [await start() for _ in range(3)]
    print(f"start to a live page: {', '.join(f'{one:.1f}' for one in starts)} s")
    taken = sorted(await clicks(60))
    print(f"click to repaint: p50 {statistics.median(taken):.0f} ms, p95 {taken[int(len(taken) * 0.95)]:.0f} ms")


if __name__ == "__main__":
    asyncio.run(main())
