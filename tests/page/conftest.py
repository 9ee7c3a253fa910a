from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser, async_playwright

from tests.page.browser import MISSING
from tests.page.house import CHROMIUM, OPTIONS, House, opened
from tests.page.scene import Scene, staged


def need_chromium() -> None:
    """`make test` gets one where it can. In CI a skipped test is a failure (`tests/conftest.py`)."""
    if CHROMIUM is None:
        pytest.skip(MISSING)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    need_chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        await browser.close()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Everything up; at the end nothing was logged that should not be, by the page or by the bot."""
    need_chromium()
    async with opened(tmp_path) as house:
        yield house
        assert house.errors == []
    assert "Traceback" not in (tmp_path / "bot.log").read_text(encoding="utf-8")


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    need_chromium()
    async with staged() as scene:
        yield scene
