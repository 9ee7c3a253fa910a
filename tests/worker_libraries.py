"""The libraries of a worker process of the house, compiled: imported once, before the first worker starts."""

import gc

import resvg_py  # noqa: F401 - imported for those who come after

from bot.referee.house import coach, thinking  # noqa: F401
from bot.solver.exact.position import Position
from bot.solver.tables import BUILT
from bot.solver.tables.library import Library

library = Library((BUILT,))  # not the one of minds: a new process has solved nothing yet
for ties in ("discard", "carry"):
    library.judge(Position((1, 2, 4), (1, 3, 4), (1, 2, 3), 3, ties=ties))
gc.collect()
gc.freeze()
