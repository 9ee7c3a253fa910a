from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
import pytest_asyncio

from tests.e2e.house import House, newcomer, opened, transports
from tests.e2e.stuck import SCENES


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """A test that failed or hangs tells where everybody stands, as long as they do."""
    report: pytest.TestReport = yield  # pyright: ignore[reportAssignmentType]
    if report.failed:
        report.sections += [("where everybody stands", scene.explain()) for scene in list(SCENES)]
    return report  # pyright: ignore[reportReturnType]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if metafunc.definition.get_closest_marker("by_http") is not None:
        metafunc.parametrize("transport", ["gateway", "HTTP"], ids=["by gateway", "by HTTP"], indirect=True)


@pytest.fixture(scope="module", autouse=True)
def transport(request: pytest.FixtureRequest) -> Iterator[None]:
    """How interactions come: in both ways for tests marked `by_http`, else by the gateway."""
    transports.append(getattr(request, "param", "gateway"))
    yield
    transports.pop()


def paced(folder: Path, module: object, others: tuple[str, ...] = ()) -> AbstractAsyncContextManager[House]:
    """Where a module `ANNOUNCES`, the bot says after 1.8 s that an answer takes long; where it is `IN_TIME`, Discord's
    three seconds hold, too."""
    in_time, announces = getattr(module, "IN_TIME", False), getattr(module, "ANNOUNCES", False)
    return opened(folder, others=others, in_time=in_time, announces=announces)


@pytest.fixture
async def house(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    async with paced(tmp_path, request.module) as house:
        yield house
        assert house.bot.trouble() == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def hall(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest, transport: None
) -> AsyncGenerator[House]:
    """One bot for a whole module."""
    async with paced(tmp_path_factory.mktemp("hall"), request.module, ("Rival",)) as house:
        yield house
        assert house.bot.trouble() == []


@pytest_asyncio.fixture(loop_scope="module")
async def scene(hall: House) -> AsyncGenerator[House]:
    """A server and people of this test's own, with the module's bot."""
    stage = hall.stage
    server = await stage.server("Club", ["games", "talk"])
    ana, ben = await newcomer(stage, "Ana", server), await newcomer(stage, "Ben", server)
    await stage.reset_calls()
    yield House(stage, hall.bot, ana, ben, server)
    await stage.clear_faults()


@pytest.fixture(scope="session")
def kernels() -> None:
    """What Sage and the coach compute with, compiled: where they never ran before, that would go off their time."""
    from bot.solver.exact.position import Position
    from bot.solver.players.sage import get_library

    for ties in ("discard", "carry"):
        get_library().judge(Position((1, 2, 4), (1, 3, 4), (1, 2, 3), 3, ties=ties))
