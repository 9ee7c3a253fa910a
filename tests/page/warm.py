"""`-m tests.page.warm play ...`: `gops play` with a bot from the fork server at every start."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from bot.__main__ import main
from bot.commands import play
from bot.playground import local, supervisor
from tests import forkserver
from tests.e2e.house import SLOW
from tests.forked import Forked

HOME = "TESTS_HOME"
"""on where an empty window is to begin with the home card; most tests count what is in it"""

FACES = "TESTS_FACES"
"""on where cards are to be pictures, too: uploading them takes as long as many a test"""


PAUSES = (2.0,) * 4
"""seconds before a bot is started again: what the page says meanwhile can be read on a busy machine, too"""


class Supervisor(local.Supervisor):
    """Saves its bot the imports; what it starts is a process like any other."""

    program = "bot"

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], log: Path, *more: Any, **named: Any
    ) -> None:
        faces = {"GOPS_FACES": (on := os.environ.get(FACES, "on")), "GOPS_PICTURES": on}
        unhurried = {forkserver.UNHURRIED: str(SLOW)}
        super().__init__(command, {**environment, **faces, **unhurried}, log, *more, **named)

    async def _spawn(self, log: IO[bytes]) -> Any:
        (_, flag, module, *rest) = self._command
        ours, its = _pipe()
        module = self.program if module == "bot" else module
        process = Forked((flag, module, *rest), (its, log.fileno(), log.fileno()), self._environment)
        os.close(its)
        process.watch(lambda: os.close(ours))
        return process


def _pipe() -> tuple[int, int]:
    """The end that is kept open as long as the process runs, and its standard input."""
    its, ours = os.pipe()
    return ours, its


def start(program: str = "bot", arguments: Sequence[str] = sys.argv[1:]) -> int:
    """Whatever the command, with the supervisor swapped."""
    Supervisor.program = program
    local.Supervisor, supervisor.PAUSES = Supervisor, PAUSES
    if os.environ.get(HOME) != "on":
        play.HOME = ""
    return main(arguments)


if __name__ == "__main__":
    sys.exit(start())
