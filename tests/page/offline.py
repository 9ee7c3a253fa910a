"""A page that is opened from a file, without network, as somebody keeps it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Page, Request


@asynccontextmanager
async def opened_offline(browser: Browser, file: Path) -> AsyncGenerator[Page]:
    """Open a file; at the end it has asked for nothing else, and nothing went wrong in it."""
    context = await browser.new_context(offline=True)
    page = await context.new_page()
    asked: list[str] = []
    wrong: list[str] = []

    def request(one: Request) -> None:
        asked.append(one.url)

    page.on("request", request)
    page.on("console", lambda one: wrong.append(one.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    await page.goto(file.as_uri())
    yield page
    assert [one for one in asked if not one.startswith("data:")] == [file.as_uri()]
    assert wrong == []
    await context.close()
