"""The playground as `gops play` starts it, and people who use its page in Chromium and nothing else."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import ClassVar, Self
from weakref import WeakKeyDictionary

from playwright.async_api import Browser, ConsoleMessage, Error, Locator, Page, WebSocket, expect

from tests.driver import Stage
from tests.e2e.house import UNHURRIED
from tests.forked import Forked, piped
from tests.page.browser import there
from tests.page.warm import FACES, HOME

SLOW = 30_000
"""milliseconds that something may take on a busy machine"""

expect.set_options(timeout=SLOW)

CHROMIUM = there()


class Window:
    """The actions and the view of one person, by the page alone."""

    def __init__(self, page: Page, name: str) -> None:
        self.page = page
        self.name = name
        self.pane = page.get_by_role("region", name=f"{name}'s window")
        self.composer = self.pane.get_by_role("combobox", name=re.compile("^Message "))
        self.messages = self.pane.locator("li.message")

    async def go(self, channel: str) -> None:
        """Open a channel: `#games`, or `@GOPS` for the bot's DM."""
        entry = self.pane.get_by_role("button", name=re.compile(rf"^{re.escape(channel)}(, .*)?$")).first
        await entry.click()
        await expect(entry).to_have_attribute("aria-current", "page")

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)

    async def press(self, button: str) -> None:
        """Press a button of the newest message that has it, with or without the picture of a card."""
        name = re.compile(rf"^(:\w+: ?)?(✔ |• )?{re.escape(button)}$")
        await self.messages.get_by_role("button", name=name).last.click()

    async def sees(self, text: str | re.Pattern[str]) -> Locator:
        found = self.messages.filter(has_text=text).last
        await found.wait_for(timeout=SLOW)  # looks more often than expect() does
        return found

    async def challenge(self, opponent: str, **options: object) -> None:
        """By a line put into the composer, as far as the message is sent; typing it is tried in `test_page`."""
        await self.composer.click()
        given = "".join(f" {name}:{value}" for name, value in options.items())
        await self.page.keyboard.insert_text(f"/gops challenge {opponent}{given}")
        await self.page.keyboard.press("Enter")

    async def challenge_all(self, *opponents: str, **options: object) -> None:
        """By the set-up card, which opens for a game of three, and its menu of players."""
        await self.challenge(opponents[0], game="three-handed", **options)
        card = await self.sees("Add them below")
        await card.get_by_role("combobox", name=re.compile("^Game")).click()
        await card.get_by_role("option", name=re.compile("^Classic GOPS")).click()
        await self.messages.filter(has_text="Add them below").wait_for(state="hidden", timeout=SLOW)  # edited by now
        card = await self.sees("New match against")
        await card.get_by_role("combobox", name="Add players").click()
        for name in opponents[1:]:
            await card.get_by_role("option", name=name).click()
        await self.page.keyboard.press("Tab")
        heading = self.messages.get_by_role("heading", name=re.compile(f"New match against .*{opponents[-1]}"))
        await heading.last.wait_for(timeout=SLOW)  # the names in the menu stand there before the bot has added them
        await self.press("Send the challenge")


class Tabs:
    """The tabs of a browser. One is used again, empty: with a new window it would cost three times as much."""

    _known: ClassVar[WeakKeyDictionary[Browser, Tabs]] = WeakKeyDictionary()

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._empty: Page | None = None

    @classmethod
    def of(cls, browser: Browser) -> Tabs:
        return cls._known.setdefault(browser, cls(browser))

    async def one(self, width: int, height: int) -> Page:
        """In a profile that no other has, with nothing in it."""
        page, self._empty = self._empty, None
        if page is None:
            context = await self._browser.new_context(viewport={"width": width, "height": height})
            page = await context.new_page()
            page.set_default_timeout(SLOW)
        else:
            await page.set_viewport_size({"width": width, "height": height})
        return page

    async def back(self, page: Page, *, keep: bool) -> None:
        """Nothing of what was done in it is left."""
        if self._empty is not None or not keep:
            await page.context.close()
            return
        await page.evaluate("localStorage.clear(); sessionStorage.clear()")
        await page.emulate_media(media="null", color_scheme="null", forced_colors="null", reduced_motion="null")
        await page.goto("about:blank")
        await page.mouse.move(0, 0)
        self._empty = page


class House:
    """The page of Ana and Ben, side by side."""

    def __init__(self, address: str, browser: Browser) -> None:
        self.address = address
        self.tabs = Tabs.of(browser)
        self.pages: dict[Page, Callable[[], None]] = {}
        """with what makes us deaf to each"""
        self.errors: list[str] = []
        self.frames: dict[Page, list[str]] = {}

    async def __aenter__(self) -> Self:
        """On a busy machine a bot may answer later than Discord lets it: that is not what these tests are about."""
        async with Stage.connect(self.address) as stage:
            await stage.settings(ack_seconds=UNHURRIED)
        return self

    async def __aexit__(self, failed: object, *_: object) -> None:
        """Every profile is forgotten."""
        for page, deaf in self.pages.items():
            deaf()
            await self.tabs.back(page, keep=failed is None)

    async def open(self, query: str = "", *, width: int = 1280, height: int = 860) -> Page:
        """A page in a browser profile of its own, once the bot is connected."""
        page = await self.tabs.one(width, height)
        frames = self.frames[page] = []

        def said(what: ConsoleMessage) -> None:
            if what.type in ("error", "warning"):
                self.errors.append(what.text)

        def failed(error: Error) -> None:
            self.errors.append(str(error))

        def heard(data: str | bytes) -> None:
            frames.append(data if isinstance(data, str) else data.decode())

        def opened(socket: WebSocket) -> None:
            socket.on("framereceived", heard)

        def deaf() -> None:
            page.remove_listener("console", said)
            page.remove_listener("pageerror", failed)
            page.remove_listener("websocket", opened)

        page.on("console", said)
        page.on("pageerror", failed)
        page.on("websocket", opened)
        self.pages[page] = deaf
        await page.goto(f"{self.address}/{query}")
        await self.connected(page)
        return page

    async def pair(self) -> tuple[Window, Window]:
        page = await self.open()
        return Window(page, "Ana"), Window(page, "Ben")

    async def connected(self, page: Page, *, up: bool = True) -> None:
        words = "is connected" if up else "is not connected"
        await expect(page.locator("#status")).to_contain_text(words, timeout=SLOW)


async def drawer(page: Page) -> Locator:
    """The control drawer, opened."""
    found = page.get_by_role("complementary", name="Control")
    if not await found.is_visible():
        await page.get_by_role("button", name="Control").click()
    await expect(found).to_be_visible()
    return found


@asynccontextmanager
async def playing(*arguments: str, program: str = "bot") -> AsyncGenerator[str]:
    """`gops play` as a process of an interpreter of its own, and so its bot; the address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-m", program, "play", "--no-browser", "--port", "0", *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    async with _until_ctrl_c(process, process.stdout) as address:
        yield address


@asynccontextmanager
async def warmed(
    *arguments: str, program: str = "tests.page.warm", faces: bool = False, home: bool = False
) -> AsyncGenerator[str]:
    """The same, from the fork server, and so its bot; most of the time of a test was importing both."""
    environment = {**os.environ, FACES: "on" if faces else "off", HOME: "on" if home else "off"}
    process, out = piped(("-m", program, "play", "--no-browser", "--port", "0", *arguments), environment)
    said = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(said), out)
    try:
        async with _until_ctrl_c(process, said) as address:
            yield address
    finally:
        transport.close()


@asynccontextmanager
async def _until_ctrl_c(
    process: asyncio.subprocess.Process | Forked, said: asyncio.StreamReader
) -> AsyncGenerator[str]:
    """One Ctrl-C must end it all."""
    try:
        line = (await asyncio.wait_for(said.readline(), 60)).decode()
        yield line.split()[-1]
    finally:
        process.send_signal(2)
        rest = await asyncio.wait_for(said.read(), 60)
        assert await process.wait() == 0, rest
        assert rest.decode().splitlines() == ["Ctrl-C ends everything.", "Stopping."]


@asynccontextmanager
async def opened(
    folder: Path, browser: Browser, program: str = "tests.page.warm", *, faces: bool = False, home: bool = False
) -> AsyncGenerator[House]:
    started = warmed("--data", str(folder), program=program, faces=faces, home=home)
    async with started as address, House(address, browser) as house:
        yield house
