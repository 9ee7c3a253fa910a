"""Take the pictures of the documents by playing matches: `make pictures`.

It also prints how soon a person who opens the page can make the first bid.
"""

import asyncio
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, async_playwright, expect

from bot.pictures.card_backs import draw_icon
from bot.pictures.render import render_png
from tests.conftest import ROOT
from tests.page.browser import OPTIONS
from tests.page.camera import FOLDER, PHONE, Camera, Film
from tests.page.house import CHROMIUM, House, Window, drawer, playing
from tests.page.test_games import afar, play_on

DARING = {"A": "7", "2": "4", "3": "3", "4": "A", "5": "6", "6": "2", "7": "5"}
SOUND = {"A": "A", "2": "3", "3": "2", "4": "4", "5": "5", "6": "6", "7": "7"}
"""bids for each of seven prizes that leave something to review in every order"""

PAIRS = ("23", "45", "67", "89", ("10", "J"), "QK")
SWAPPED = {one: other for pair in PAIRS for one, other in (tuple(pair), tuple(pair)[::-1])}
"""Ben's bid for each prize: he takes the lower prize of each pair, and Ana, who bids the prize's rank, the higher"""

ONE_MORE = dict(zip("A234567", "234567A", strict=True))
PRIZE = r"Prize\W+(10|[A2-9JQK])\b"
HOME = "One prize, one hidden card each."
DAILY_RESULT = re.compile(r"Daily \d+ · you")

GAMES = {
    "classic": "cards:7",
    "parlett": "house:1 series:one",
    "throps": "house:1 series:one",
    "vultures": "",
    "pico": "series:one",
    "psych": "series:one",
    "sops": "",
    "bid": "series:one",
    "welsh": "house:2",
}
"""what a pair writes to play each game"""

CLOCK = "5 minutes"
"""of these games: on a slower clock a nudge takes the place of a console while both are thinking"""

LABELS = {1: "A", 11: "J", 12: "Q", 13: "K"}


def label(card: int) -> str:
    return LABELS.get(card, str(card))


def draw_icons() -> dict[Path, bytes]:
    """Draw the icon of the bot for its owner to upload, and for the page of the playground."""
    svg = draw_icon()
    return {FOLDER / "icon.png": render_png(svg), ROOT / "bot/playground/page/icon.svg": svg.encode()}


CHARTS = {
    "mix-13": "--cards 13",
    "mix-7-points": "--cards 7",
    "mix-7-win": "--cards 7 --objective win",
    "mix-8-carry": "--cards 8 --ties carry",
    "mix-13-carry": "--cards 13 --ties carry",
}
"""charts of docs/theory.md, with the options of `gops solve`"""


def draw_charts() -> None:
    for name, options in CHARTS.items():
        command = (sys.executable, "-m", "bot", "solve", *options.split(), "--chart", str(FOLDER / f"{name}.svg"))
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


async def main() -> None:
    draw_charts()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, drawn in draw_icons().items():
        path.write_bytes(drawn)
    for scene in (_play, _draft, _welcome):
        async with started() as (address, browser):
            ana, ben = await House(address, browser).pair()
            await scene(ana, ben, Camera(ana))
    async with started() as (address, browser):
        await _phone(address, browser)
    for game, options in GAMES.items():
        async with started() as (address, browser):
            await _game(House(address, browser), game, options)
    for picture in sorted((*FOLDER.glob("*.png"), *FOLDER.glob("*.gif"))):
        print(f"{picture.relative_to(ROOT)}: {picture.stat().st_size / 1000:.0f} kB")


@asynccontextmanager
async def started() -> AsyncGenerator[tuple[str, Browser]]:
    """A playground of its own, with all card faces, and a browser."""
    with tempfile.TemporaryDirectory() as folder:
        async with playing("--data", str(Path(folder))) as address, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
            log = Path(folder) / "bot.log"
            async with asyncio.timeout(120):
                while "card faces" not in await asyncio.to_thread(log.read_text, "utf-8"):  # noqa: ASYNC110
                    await asyncio.sleep(0.1)  # a file tells nobody that it has grown
            yield address, browser
            await browser.close()


async def forward(window: Window) -> None:
    """Let both think for a while, so that the match does not look played by a machine."""
    await window.page.evaluate("fetch('/play/clock', { method: 'PUT', body: '{\"forward\": 45}' })")


async def _phone(address: str, browser: Browser) -> None:
    """Film a match on Ana's phone, from the challenge to the result, and picture the phone."""
    pages = {name: await browser.new_page(viewport=PHONE, device_scale_factor=2) for name in ("Ana", "Ben")}
    for name, page in pages.items():
        await page.goto(f"{address}/?as={name}")
    ana, ben = (Window(page, name) for name, page in pages.items())
    film = Film(ana)
    await ana.press("Dismiss message")
    await ben.challenge("Ana")
    await ana.sees("challenges you")
    await film.frame(1.4)
    await ana.press("Accept")
    await ana.sees("round 1 of 13")
    await film.frame(0.9)
    for window in (ana, ben):
        await window.go("@GOPS")
    for number in range(1, 13):
        console = await ana.sees(re.compile(rf"round {number} of 13(?!\d)"))
        await ben.sees(re.compile(rf"round {number} of 13(?!\d)"))
        prize: str = re.findall(PRIZE, await console.inner_text())[0]
        if number in (1, 2, 3, 6):
            await film.frame(1.2 if number == 1 else 1.0)
        if number == 6:
            await film.phone("phone", await browser.new_page(device_scale_factor=1.5))
        await ana.press(prize)
        if number in (1, 2):
            await ana.sees(f"{prize} is sealed")
            await film.frame(0.7)
        if number > 6:  # later no console is pictured that could say how late the board is
            await forward(ana)
        await ben.press(SWAPPED.get(prize, prize))
    await ana.go("#games")
    await expect((await ana.sees("Rematch")).locator(".gallery img")).to_be_visible()
    await film.frame(3.0)
    await film.keep("match")


async def _game(house: House, game: str, options: str) -> None:
    """Let a pair play a game to its end, with the house where it takes more players, and picture the result."""
    ana, ben = await house.pair()
    for window in (ana, ben):
        await window.press("Dismiss message")
    await ana.composer.click()
    await ana.page.keyboard.insert_text(f"/gops challenge Ben game:{game} {options} clock:{CLOCK}")
    await ana.page.keyboard.press("Enter")
    await ben.sees("challenges you")
    await ben.press("Accept")
    await ana.go("@GOPS")
    for _ in range(4):
        await forward(ana)
    async with afar(house, [ana, ben]) as people:
        await play_on(people, seed=len(game))
    await ana.go("#games")
    await expect((await ana.sees("Rematch")).locator(".gallery img")).to_be_visible()
    await Camera(ana).message(f"game-{game}", ana, "Rematch")


async def _play(ana: Window, ben: Window, camera: Camera) -> None:
    for window in (ana, ben):
        await window.press("Dismiss message")
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
            await window.sees(re.compile(rf"against.*round {number} of.*Your turn", re.DOTALL))
            if number == 6 and window is ben:
                await ana.sees(re.compile(" is sealed"))
                await camera.message("console", ana, re.compile(" is sealed"))
            await window.press(card)
        if number > 6:
            await forward(ana)
        if number == 6:
            await ana.go("#games")
            await camera.message("board", ana, re.compile("round 7 of 13"))
            await camera.page("page", 600)
    await ana.go("#games")
    await expect((await ana.sees("Rematch")).locator(".gallery img")).to_be_visible()
    await camera.message("result", ana, "Rematch")
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
        await window.sees(re.compile(r"against.*Your turn", re.DOTALL))
        await window.press(card)
    await camera.message("draft", ana, re.compile("Your turn to pick"))
    await ana.challenge("Ben", cards=7)
    await (await ben.sees("7 cards · ties: nobody gets the prize")).get_by_role("button", name="Accept").click()
    for window in (ana, ben):
        await window.press("Bid")
    for number in range(1, 7):
        for window, plan in ((ana, DARING), (ben, SOUND)):
            console = await window.sees(re.compile(rf"against.*round {number} of 7.*Your turn", re.DOTALL))
            [prize] = re.findall(r"Prize\W+(\w)\b", await console.inner_text())
            await window.press(plan[prize])
    await ana.sees("Rematch")
    await ana.press("Review")
    await ana.sees("· review")
    await ana.press("Worst round")
    await ana.sees(re.compile("blunder"))
    await camera.message("review", ana, "· review")


async def _welcome(ana: Window, ben: Window, camera: Camera) -> None:
    """The first minute, and a reason to come back: in a playground of its own, which begins with the home card."""
    await camera.message("home", ana, HOME)
    await ana.press("How it works")
    await ana.sees("round 1 of 5")
    await ana.press("4")
    await camera.message("guided", ana, "How it works · round 2 of 5")
    begun = time.perf_counter()
    await ana.page.reload()
    await ana.sees(HOME)
    for presses, (button, text) in enumerate((("Play the house", "round 1 of 13"), ("7", "round 2 of 13")), 1):
        await ana.press(button)
        await ana.sees(text)
        print(f"{text} after {time.perf_counter() - begun:.1f} s and {presses} presses")
    await ben.press("Daily deal")
    await ben.sees("one try")
    for number in range(1, 7):
        text = await (await ben.sees(f"round {number} of 7")).inner_text()
        await ben.press(ONE_MORE[re.findall(PRIZE, text)[0]])
        await forward(ben)
    await camera.message("daily", ben, DAILY_RESULT)
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
        await ana.go("@GOPS")
        await ben.go("@GOPS")
        for turn, (one, other) in enumerate(((mine[0], theirs[0]), (mine[1], theirs[1])), 1):
            for window, card in ((ana, one), (ben, other)):
                await window.sees(re.compile(rf"round {turn} of 3(?!\d)"))
                await window.press(card)
        await ana.sees(re.compile(r"Rematch"))
        if number % 4 == 3:
            tools = await drawer(ana.page)
            await tools.get_by_role("button", name="+1 day").click()
            await tools.press("Escape")
    await ana.go("#games")


if __name__ == "__main__":
    asyncio.run(main())
