"""What a layer costs, a game: points, carried ties and the chance to win. Processor time.

With OLD=/path/to/checkout the layers of another version beside it, in turns, in a process of their own: how many times
as fast ours are, and by how much values differ at most. TURNS says how many.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from bot.solver.induction import LayerWork, Workers, layer
from bot.solver.solve import frame, whole_game

LAYERS = (
    (9, 6, "discard", "points"),
    (10, 7, "discard", "points"),
    (8, 5, "carry", "points"),
    (9, 6, "carry", "points"),
    (7, 4, "discard", "win"),
    (8, 5, "discard", "win"),
)
"""The costliest of each game: cards of the game, cards of the layer."""
OLD = os.environ.get("OLD")
TURNS = int(os.environ.get("TURNS", "9"))
HOME = Path(__file__).parents[2]


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        homes = {"ours": HOME} | ({"old": Path(OLD).resolve()} if OLD else {})
        running = {name: _start(home, Path(folder) / f"{name}.npy") for name, home in homes.items()}
        for at, (cards, count, ties, objective) in enumerate(LAYERS):
            took: dict[str, list[float]] = {name: [] for name in running}
            for turn in range(TURNS + 1):
                for name in sorted(running, reverse=turn % 2 == 0):
                    nanoseconds = _ask(running[name], at)
                    if turn:  # the first one makes the layers below, too
                        took[name].append(nanoseconds)
            told = f"{statistics.median(took['ours']):.0f} ns a game"
            if "old" in running:
                ratios = [old / ours for old, ours in zip(took["old"], took["ours"], strict=True)]
                values = [np.load(Path(folder) / f"{name}.npy") for name in running]
                told += f", {statistics.median(ratios):.2f} times as fast ({min(ratios):.2f} to {max(ratios):.2f})"
                told += f", values within {float(abs(values[0] - values[1]).max()):.0e}"
            print(f"  {count} of {cards} cards, {ties}, {objective}: {told}", flush=True)
        for process in running.values():
            process.communicate()


def _start(home: Path, values: Path) -> subprocess.Popen[str]:
    line = [sys.executable, "-P", "-u", str(Path(__file__)), str(values)]
    environment = os.environ | {"PYTHONPATH": str(home)}
    return subprocess.Popen(line, cwd=home, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ask(process: subprocess.Popen[str], at: int) -> float:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{at}\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def _answer(values: str) -> None:
    """In a process with either checkout: what the layers cost that are asked for, in nanoseconds a game."""
    made = dict[int, LayerWork]()
    for line in sys.stdin:
        at = int(line)
        work = made[at] = made.get(at) or _made(*LAYERS[at])
        begin = time.process_time_ns()
        found = layer(work, Workers())
        taken = time.process_time_ns() - begin
        np.save(values, found.values)
        print(taken / found.games, flush=True)


def _made(cards: int, count: int, ties: str, objective: str) -> LayerWork:
    shape = frame(whole_game(cards, ties, objective))
    below = shape.ground
    for lower in range(1, count):
        below = layer(shape.work(below, lower), Workers()).values
    return shape.work(below, count)


if __name__ == "__main__":
    _answer(sys.argv[1])
