from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from tests.e2e.house import House, opened


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def club(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    """One bot for everything in a module. Not for more: while other tests run, nobody would answer it."""
    async with opened(tmp_path_factory.mktemp("club")) as house:
        await house.stage.settings(dm_opens=None)  # a hundred strangers in ten minutes are no trouble here
        yield house
        assert house.bot.trouble() == []
