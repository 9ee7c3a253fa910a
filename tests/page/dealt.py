"""`python -m tests.page.dealt play ...`: `gops play` with a stock that a test has laid out."""

import json
import os
import sys
from collections.abc import Sequence

from bot.engine.cards import Card
from bot.referee.model.model import StoredMatch
from bot.referee.proof import promises
from tests.page.warm import start

STOCK = "TEST_STOCK"
"""the prizes from the top, as JSON, for any game that shuffles exactly these"""


def laid_out(stored: StoredMatch, number: int, pack: Sequence[Card]) -> tuple[Card, ...]:
    stock = json.loads(os.environ[STOCK])
    assert sorted(map(str, stock)) == sorted(map(str, pack))
    return tuple(stock)


if __name__ == "__main__":
    if sys.argv[1] != "play":
        promises.shuffle_pack = laid_out
    assert __spec__ is not None
    sys.exit(start(__spec__.name))
