"""Which worker runs which tests: as many workers as cores for what computes, and more for what waits.

More than half of the time of an end-to-end test is waiting: for a clock, a backoff, an answer. So several of them share
a core, while the tests that only compute keep the cores busy beside them.
"""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

ROOT = Path(__file__).parents[1]

WAITS = (
    "tests/e2e/",
    "tests/page/",
    "tests/playground/",
    "tests/screens/",
    "tests/operate/",
    "tests/soak/",
    "tests/data/sqlite/test_crash.py",
    "tests/cogs/test_memory_leaks.py",
    "tests/test_contributing.py",
)
"""tests with several processes, and tests that wait for a clock"""

FIRST = (
    "tests/soak/",
    "tests/e2e/test_kill.py",
    "tests/e2e/games/",
    "tests/e2e/test_leaks.py",
    "tests/e2e/test_concurrency.py",
    "tests/cogs/test_memory_leaks.py",
    "tests/test_contributing.py",
    "tests/page/",
)
"""the longest tests, so that no worker runs one of them alone at the end"""

STAND_BACK = 5
"""the niceness of the computing workers: the waiting tests have to answer in time"""


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers() -> int:
    """For two cores two that compute, and four that wait: one more costs five seconds of a processor to begin with."""
    return 2 * cores() + 2


def computes(worker: str) -> bool:
    """Whether this worker (`gw0`, `gw1` ...) takes tests that compute, as long as there are any."""
    return int(worker.removeprefix("gw")) < cores()


@cache
def _together(path: str) -> bool:
    """Whether the tests of a module share one bot."""
    return re.search(r'loop_scope="module"|scope="module"', (ROOT / path).read_text(encoding="utf-8")) is not None


class ByKind(LoadScopeScheduling):
    """Give a module with a shared fixture to one worker as a whole, for each transport, and every other test
    separately."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        return f"{path} {'[by HTTP' in nodeid}" if _together(path) else nodeid

    def _assign_work_unit(self, node: WorkerController) -> None:
        """The next of the worker's own kind; of the other, once there is none left."""
        if computes(node.gateway.id):
            unit = next((one for one in self.workqueue if not one.startswith(WAITS)), None)
        else:
            unit = min((one for one in self.workqueue if one.startswith(WAITS)), key=_rank, default=None)
        if unit is not None:
            self.workqueue.move_to_end(unit, last=False)
        super()._assign_work_unit(node)


def _rank(unit: str) -> int:
    return next((place for place, name in enumerate(FIRST) if unit.startswith(name)), len(FIRST))
