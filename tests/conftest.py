"""Fixtures and hooks for every test."""

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

for folder in ("e2e", "page", "playground", "soak"):
    pytest.register_assert_rewrite(f"tests.{folder}")  # what several tests assert by tells what it found, too

from bot.playground.protocol import schema  # noqa: E402
from data.sql import schema as schema_files  # noqa: E402
from tests import forked, scheduling, thinkers  # noqa: E402

if TYPE_CHECKING:
    from tests.postgres import Server

_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=200)
settings.register_profile("here", _COMMON)
settings.register_profile("ci", _COMMON, derandomize=True, max_examples=50)  # the same ones in every run
settings.register_profile("deep", _COMMON, max_examples=5000)  # pytest --hypothesis-profile deep
settings.load_profile("ci" if os.environ.get("CI") else "here")

ROOT = Path(__file__).parents[1]

DISCORD_SIDE = ("cogs", "bot/ui", "bot/rest", "bot/messages", "bot/interactions")
"""folders of the code that knows Discord"""

DESCRIPTION = ROOT / "tests" / "reference" / "discord-openapi.json.gz"
os.environ.setdefault(schema.ENVIRONMENT, str(DESCRIPTION))  # for every stand-in, in this process or its own


def discord_side_files() -> list[Path]:
    return sorted(path for folder in DISCORD_SIDE for path in (ROOT / folder).rglob("*.py"))


def pytest_configure() -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None and scheduling.computes(worker):
        os.nice(scheduling.STAND_BACK)


def pytest_collection_finish() -> None:
    """Exclude the imported and collected objects from garbage collection."""
    thinkers.use()
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    forked.end()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How much of the time of the tests was computing, theirs and that of every process they started."""
    reports = [one for kept in terminalreporter.stats.values() for one in kept if isinstance(one, pytest.TestReport)]
    took = sum(one.duration for one in reports)
    times = os.times()
    computed = times.user + times.system + times.children_user + times.children_system
    if took:
        share = max(0.0, 1 - computed / took)
        terminalreporter.write_line(f"tests took {took:.0f} s, processors {computed:.0f} s: {share:.0%} was waiting")


def pytest_xdist_auto_num_workers() -> int:
    return scheduling.workers()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> scheduling.ByKind | None:
    """Ours in place of xdist's `--dist loadscope`."""
    return scheduling.ByKind(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.fixture
def second_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> schema_files.Migration:
    """A migration of the future: from here on every database of this test has one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(schema_files.FOLDER, folder)
    number = len(schema_files.load_migrations()) + 1
    (folder / f"{number:04}_moods.sql").write_text("ALTER TABLE guilds ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';\n")
    monkeypatch.setattr(schema_files, "FOLDER", folder)
    return schema_files.load_migrations()[-1]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Server"]:
    """PostgreSQL, one for all workers of a run."""
    from tests import postgres  # only now: most need none

    base = tmp_path_factory.getbasetemp()
    with postgres.shared((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "postgres") as running:
        yield running


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """In CI nothing is skipped: a skip is a failure there, with its reason."""
    report: pytest.TestReport = yield  # pyright: ignore[reportAssignmentType]
    if report.skipped and os.environ.get("CI") and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {report.longrepr}"
    return report  # pyright: ignore[reportReturnType]
