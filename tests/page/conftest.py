from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.page.house import CHROMIUM, House, opened


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """Everything up; at the end nothing was logged that should not be, by the page or by the bot."""
    if CHROMIUM is None:
        pytest.skip("Chromium is missing: install it, or name one in CHROMIUM")
    async with opened(tmp_path) as house:
        yield house
        assert house.errors == []
    assert "Traceback" not in (tmp_path / "bot.log").read_text(encoding="utf-8")
