"""`gops house`: print the chance with which a level of the house bids each card."""

import argparse
import json
import sys
from typing import Any

from bot.solver.players.levels import LEVELS, find_level

NAME = "house"
HELP = "print how often a level of the house bids each card of a position"
EXAMPLE = "gops house sage --positions positions.jsonl"

NOTES = """\
A line is a position as `gops solve --positions` takes it, for the seat that holds `mine`; `game` and `options` are
those of a record (Classic with 13 cards), `lead` and `pot` what stands so far. For each line, in their order, comes
the chance of each card. With the option "order": "random-public", prizes are in the order in which they come:

  {"mine": [1, 3], "theirs": [2, 3], "prizes": [1, 3], "up": 1, "lead": 2, "options": {"cards": 3}}
  {"mix": {"1": 1.0, "3": 0.0}, "basis": "win"}

By `win` the win chance is the best possible, by `near` nearly; with "objective": "points" (a series that adds up
points) `points` is exact and `rough` is not; by `even` any card will do. A level that draws lots in no
simple way is asked 256 times. Nothing is known of bids before: every level plays as at its first bid."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("level", choices=[level.key for level in LEVELS], metavar="LEVEL", help=_levels())
    parser.add_argument(
        "--positions", required=True, metavar="FILE", help="positions as JSON, one per line; - reads standard input"
    )
    parser.description = f"{parser.description}\n\n{NOTES}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter


def _levels() -> str:
    return ", ".join(level.key for level in LEVELS)


def run(args: argparse.Namespace) -> int:
    """Print one JSON object per line, in the order of the file. Print nothing if a line is wrong."""
    from bot.commands.solver.solve import read_lines
    from bot.solver.exact.induction import count_cores
    from bot.solver.exact.written_position import read_written_position
    from bot.solver.players.mixes import find_mixes

    stands: list[Any] = read_lines(args.positions, read_written_position)
    level = find_level(args.level)
    assert level is not None
    for told in find_mixes(level, stands, count_cores()):
        print(json.dumps(told.data()))
    sys.stdout.flush()
    return 0
