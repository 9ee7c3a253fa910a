"""Timing a function: the median of many runs, with the spread."""

import statistics
import time
from collections.abc import Callable


def seconds(work: Callable[[], object], runs: int) -> list[float]:
    """How long each run took, warm."""
    for _ in range(max(3, runs // 20)):
        work()
    taken: list[float] = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return taken


def row(name: str, taken: list[float], baseline: float | None = None) -> float:
    """Print one figure in milliseconds; give its median."""
    median = statistics.median(taken)
    ratio = f"  {median / baseline:8.1f} x baseline" if baseline else "            (baseline)"
    print(f"{name:<44} median {median * 1e3:8.3f} ms  min {min(taken) * 1e3:8.3f}{ratio}")
    return median
