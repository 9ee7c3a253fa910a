"""`python -m tests.page.dealt play ...`: `gops play` with a stock that a test has laid out."""

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from bot.__main__ import main
from bot.engine.cards import Card
from bot.playground import local
from bot.referee.ports.model import StoredMatch
from bot.referee.proof import promises

STOCK = "TEST_STOCK"
"""the prizes from the top, as JSON, for whatever game shuffles just these"""


def laid_out(stored: StoredMatch, number: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    stock = json.loads(os.environ[STOCK])
    assert sorted(map(str, stock)) == sorted(map(str, pack))
    return tuple(stock)


class Supervisor(local.Supervisor):
    """Starts this module's bot in place of the ordinary one."""

    def __init__(self, command: tuple[str, ...], *rest: Any) -> None:
        super().__init__(tuple(__spec__.name if part == "bot" else part for part in command), *rest)


if __name__ == "__main__":
    if sys.argv[1] == "play":
        local.Supervisor = Supervisor
    else:
        promises.dealt = laid_out
    sys.exit(main(sys.argv[1:]))
