"""The playground as `gops play` starts it, and people who use its page in Chromium and nothing else."""

import asyncio
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

from playwright.async_api import Browser, BrowserContext, Locator, Page, WebSocket, expect

from tests.page.browser import there

SLOW = 15_000
"""milliseconds that something may take on a busy machine"""

CHROMIUM = there()


class Window:
    """What one person does and sees, by the page only."""

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
        """Press a button of the newest message that has it."""
        name = re.compile(rf"^(✔ |• )?{re.escape(button)}$")
        await (
            self.messages.filter(has=self.page.get_by_role("button", name=name))
            .last.get_by_role("button", name=name)
            .click()
        )

    async def sees(self, text: str | re.Pattern[str]) -> Locator:
        found = self.messages.filter(has_text=text).last
        await found.wait_for(timeout=SLOW)  # looks more often than expect() does
        return found

    async def challenge(self, opponent: str, **options: object) -> None:
        """By the composer, as far as the message is sent."""
        await self.composer.click()
        await self.type("/gops challenge ")
        await self.type(opponent)
        await self.page.keyboard.press("Enter")
        for name, value in options.items():
            await self.type(f"{name}:")
            await self.type(str(value))
        await self.page.keyboard.press("Enter")


class House:
    """The page of Ana and Ben, side by side."""

    def __init__(self, address: str, browser: Browser) -> None:
        self.address = address
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self.frames: dict[Page, list[str]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Every profile is forgotten."""
        for context in self.contexts:
            await context.close()

    async def open(self, query: str = "", *, width: int = 1280, height: int = 860) -> Page:
        """A page in a browser profile of its own, once the bot is connected."""
        context = await self.browser.new_context(viewport={"width": width, "height": height})
        self.contexts.append(context)
        page = await context.new_page()
        page.set_default_timeout(SLOW)
        page.on("console", lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        frames = self.frames[page] = []

        def heard(data: str | bytes) -> None:
            frames.append(data if isinstance(data, str) else data.decode())

        def opened(socket: WebSocket) -> None:
            socket.on("framereceived", heard)

        page.on("websocket", opened)
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
    """`gops play` as a process; its address. One Ctrl-C must end it all."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-u", "-m", program, "play", "--no-browser", "--port", "0", *arguments),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), 60)).decode()
        yield line.split()[-1]
    finally:
        process.send_signal(2)
        rest = await asyncio.wait_for(process.stdout.read(), 60)
        assert await process.wait() == 0, rest
        assert rest.decode().splitlines() == ["Ctrl-C ends everything.", "Stopping."]


@asynccontextmanager
async def opened(folder: Path, browser: Browser, program: str = "bot") -> AsyncGenerator[House]:
    async with playing("--data", str(folder), program=program) as address, House(address, browser) as house:
        yield house
