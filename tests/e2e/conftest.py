from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.house import House, opened


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with opened(tmp_path) as house:
        yield house
        assert "Traceback" not in house.bot.logged()
