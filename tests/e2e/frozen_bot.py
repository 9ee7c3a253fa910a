"""The bot on a machine whose steady clock goes on while its process stands still, as any does: it goes by the clock
file, which a test moves while the process is stopped. Run as `python -m tests.e2e.frozen_bot run`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from bot import app
from bot.process.base.clock import read_offset, steady


def going_on(file: Path) -> Callable[[], float]:
    return lambda: steady() + read_offset(file).total_seconds()


if __name__ == "__main__":
    from bot.__main__ import main

    app.steady = going_on(Path(os.environ["GOPS_CLOCK_FILE"]))
    sys.exit(main())
