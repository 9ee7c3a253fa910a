from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from tests.screens.recorder import Studio, studio


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Studio]:
    """One bot for every scene of a module."""
    async with studio(tmp_path_factory.mktemp("studio")) as made:
        yield made


@pytest.fixture(scope="session")
def kernels() -> None:
    """What the coach computes with, compiled: where it never ran before, that would go off its time."""
    from bot.solver.exact.position import Position
    from bot.solver.players.sage import get_library

    get_library().judge(Position((1, 2, 4), (1, 3, 4), (1, 2, 3), 3, ties="discard"))
