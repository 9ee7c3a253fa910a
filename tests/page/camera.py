"""Screenshots of the page as small files, for the pictures of the papers."""

from __future__ import annotations

import asyncio
import base64
import re
from typing import Any, Literal

from playwright.async_api import Page, ViewportSize, expect

from tests.conftest import ROOT
from tests.page.gif import make_gif
from tests.page.house import Window, drawer
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
TO_THE_END = "document.querySelectorAll('.log').forEach((one) => one.scrollTo(0, 1e6))"

PHONE: ViewportSize = {"width": 390, "height": 640}
SHELL = """<body style="margin: 0; background: transparent"><div style="display: inline-block; padding: 11px;
border-radius: 46px; background: #1b1d22"><img src="data:image/png;base64,{}" style="display: block; width: 390px;
border-radius: 36px"></div>"""
"""a phone around a screenshot"""


class Camera:
    """Takes pictures of what Ana and Ben see side by side."""

    def __init__(self, ana: Window) -> None:
        self.ana = ana

    async def page(self, name: str, height: int = 620) -> None:
        """Both windows, at their newest messages."""
        await self.ana.page.set_viewport_size({"width": 1280, "height": height})
        await self._still()
        await self.ana.page.wait_for_function(LOADED)
        await self.ana.page.evaluate(TO_THE_END)
        await keep(name, await self.ana.page.screenshot())

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
        await keep(name, await window.page.screenshot(clip=clip))
        await window.page.set_viewport_size({"width": 1280, "height": 900})

    async def drawer(self, name: str) -> None:
        """The control drawer."""
        await self.ana.page.set_viewport_size({"width": 1280, "height": 900})
        tools = await drawer(self.ana.page)
        await expect(tools.get_by_role("row").nth(5)).to_be_visible()
        await self.ana.page.evaluate("document.activeElement.blur()")
        await self._still()
        await keep(name, await tools.screenshot())

    async def _still(self) -> None:
        """Hide all hints and move the pointer away."""
        await self.ana.page.evaluate(QUIET)
        await self.ana.page.mouse.move(0, 0)
        await asyncio.sleep(0.3)


class Film:
    """Frames of one person's window on a phone, and a picture of the phone."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self._frames: list[tuple[bytes, float]] = []

    async def frame(self, seconds: float) -> None:
        """Show the newest messages for so long."""
        self._frames.append((await self._shot("css"), seconds))

    async def keep(self, name: str) -> None:
        (FOLDER / f"{name}.gif").write_bytes(await asyncio.to_thread(make_gif, self._frames))

    async def phone(self, name: str, empty: Page) -> None:
        """Draw a phone with this window, on an empty page."""
        await empty.set_content(SHELL.format(base64.b64encode(await self._shot("device")).decode()))
        png = await empty.locator("div").screenshot(omit_background=True)
        (FOLDER / f"{name}.png").write_bytes(png)

    async def _shot(self, scale: Literal["css", "device"]) -> bytes:
        page = self.window.page
        await page.evaluate(QUIET.replace(".more {", ".more, .bar, .side .me {"))
        await page.wait_for_function(LOADED)
        await page.evaluate(TO_THE_END)
        await asyncio.sleep(0.2)
        return await page.screenshot(scale=scale)


async def keep(name: str, png: bytes) -> None:
    """Write a picture with few colours."""
    (FOLDER / f"{name}.png").write_bytes(await asyncio.to_thread(shrunk, png))
