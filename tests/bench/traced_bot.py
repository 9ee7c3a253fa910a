"""The bot, which writes down each of its functions that is called between two signals.

`python -m tests.bench.traced_bot OUT run`: the first SIGUSR2 begins a count, the next one writes OUT as JSON.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bot.__main__ import main

ROOT = str(Path(__file__).resolve().parents[2])
PRODUCT = tuple(f"{ROOT}/{folder}/" for folder in ("bot", "cogs", "data"))
ANONYMOUS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")
"""code that is a part of the function around it"""


class Trace:
    """The functions called while it is on."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._called: set[CodeType] | None = None

    def profile(self, frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and self._called is not None:
            self._called.add(frame.f_code)

    def toggle(self, *_: object) -> None:
        if self._called is None:
            self._called = set()
            return
        called, self._called = self._called, None
        own = [code for code in called if code.co_filename.startswith(PRODUCT) and code.co_name not in ANONYMOUS]
        names = sorted({(code.co_filename.removeprefix(f"{ROOT}/"), code.co_qualname) for code in own})
        self._out.write_text(json.dumps(names), encoding="utf-8")


if __name__ == "__main__":
    trace = Trace(Path(sys.argv[1]))
    signal.signal(signal.SIGUSR2, trace.toggle)
    threading.setprofile(trace.profile)
    sys.setprofile(trace.profile)
    sys.exit(main(sys.argv[2:]))
