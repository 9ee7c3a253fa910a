"""A process whose event loop hangs ends, with a line that says where it stood."""

from __future__ import annotations

import subprocess
import sys
import threading

from bot.operate.watchdog import EXIT_HUNG, Watchdog
from tests.conftest import ROOT

HANGS = """
import itertools, threading
from bot.operate.watchdog import Watchdog
turns, hangs = itertools.count(1), threading.Event()
with Watchdog(lambda: 0.0 if hangs.is_set() else float(next(turns)), looks=3, apart=0.01):
    hangs.set() or threading.Event().wait()
"""


def test_hanging_process_ends_and_says_where_it_stood() -> None:
    done = subprocess.run([sys.executable, "-c", HANGS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == EXIT_HUNG
    assert "the event loop hangs for 0 s: ending the process" in done.stderr
    assert 'File "<string>", line 6 in <module>' in done.stderr


def test_watchdog_leaves_a_turning_loop_alone() -> None:
    """No three of the twenty looks find the same turn."""
    turns, enough = iter(range(1000)), threading.Event()

    def last_turn() -> float:
        turn = next(turns)
        if turn == 20:
            enough.set()
        return float(turn // 2)

    with Watchdog(last_turn, looks=2, apart=0.001):
        assert enough.wait(30)
