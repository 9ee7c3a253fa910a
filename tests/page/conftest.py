"""One browser for all tests of a worker, in one loop; each test has profiles of its own in it."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.page.browser import MISSING, OPTIONS
from tests.page.house import CHROMIUM, House, opened
from tests.page.scene import Scene, staged


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncGenerator[Browser]:
    """`make test` gets one where it can. In CI a skipped test is a failure (`tests/conftest.py`)."""
    if CHROMIUM is None:
        pytest.skip(MISSING)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="session")
async def house(tmp_path: Path, browser: Browser) -> AsyncGenerator[House]:
    """Everything up; at the end nothing was logged that should not be, by the page or by the bot."""
    async with opened(tmp_path, browser) as house:
        yield house
        assert house.errors == []
    assert "Traceback" not in (tmp_path / "bot.log").read_text(encoding="utf-8")


@pytest_asyncio.fixture(loop_scope="session")
async def scene(browser: Browser) -> AsyncGenerator[Scene]:
    async with staged(browser) as scene:
        yield scene
