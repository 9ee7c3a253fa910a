"""A day of 1,000,000 players in virtual time, with the real code for routing, leases, fences and the share of calls.

It is a simulation: store, network, Discord and the game are fake (`tests/simulation`), and computing takes no time. It
shows that no bid is lost and no call is too many, and how long players wait when processes fail; it says nothing of the
load that a machine carries. The peak hour is simulated whole, and of each other hour one part in 50: 72 seconds at the
rate of that hour. SEED names other chances.
"""

from __future__ import annotations

import logging
import os
import sys

from tests.simulation.world import Plan, simulate

PLAYERS = 1_000_000
PEAK = 1350.0
"""Bids a second in the peak hour."""

HOURS = (22, 13, 8, 6, 5, 6, 8, 12, 16, 19, 22, 24, 27, 28, 29, 31, 35, 42, 55, 75, 100, 90, 66, 40)
"""Bids in each hour of the day, in percent of the peak hour."""

SAMPLE = 50
"""Of the other hours, one part of so many is simulated."""

HOUR = 3600.0


def run() -> None:
    logging.disable(logging.CRITICAL)  # troubles are wanted
    each = sum(HOURS) / 100 * PEAK * HOUR / PLAYERS
    print(f"simulation: {PLAYERS:,} players with {each:.0f} bids each, {PEAK:,.0f} bids a second in the peak hour")
    parts = [(HOUR if percent == 100 else HOUR / SAMPLE, PEAK * percent / 100) for percent in HOURS]
    report = simulate(Plan(int(os.environ.get("SEED", "1")), parts, tell=lambda line: print(line, flush=True)))
    for line in (*report.lines(), *report.find_failures()):
        print(f"  {line}")
    if report.find_failures():
        sys.exit(1)
