"""Cards as pictures, which a screen reader reads by the names of their emojis."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.page.house import opened
from tests.page.test_page import accepted

pytestmark = pytest.mark.asyncio(loop_scope="session")

DRAWN = "all => Promise.all(all.map(one => one.decode().then(() => one.naturalWidth > 0)))"
"""waits until each picture has come"""


async def test_cards_are_drawn_and_read_in_words(tmp_path: Path, browser: Browser) -> None:
    async with opened(tmp_path, browser, faces=True) as house:
        ana, ben = await house.pair()
        async with asyncio.timeout(60):
            while "card faces" not in (tmp_path / "bot.log").read_text(encoding="utf-8"):  # noqa: ASYNC110
                await asyncio.sleep(0.05)  # a file tells nobody that it has grown
        await accepted(ana, ben, 3)
        await ana.go("@GOPS")
        console = await ana.sees("Your turn")
        for rank, words in (("A", "ace"), ("2", "two"), ("3", "three")):
            key = console.get_by_role("button", name=f":{words}_of_spades: {rank}", exact=True)
            await expect(key.locator("img.emoji")).to_have_count(1)
        await expect(console.locator("h2")).to_have_accessible_name(re.compile(":(ace|two|three)_of_diamonds:"))
        drawn = await console.locator("img.emoji.custom").evaluate_all(DRAWN)
        assert drawn == [True] * 4  # three keys and the prize
        assert house.errors == []
