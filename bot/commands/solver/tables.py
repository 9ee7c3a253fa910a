"""`gops tables`: build, pack, check and list tables of values."""

import argparse
import json
import sys
from pathlib import Path

from bot.commands.common import CommandError, report_file_errors
from bot.commands.solver.solve import whole_number
from bot.solver.tables import BUILT, SHIPPED

NAME = "tables"
HELP = "build, check or list the solver's tables"
EXAMPLE = "gops tables build --ties carry"

LOWEST = 9
LEAST_STEP, MOST_STEP = 0.0001, 1.0
"""range of the step to which `pack` rounds"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    build = what.add_parser("build", help="build a table, or continue an unfinished one")
    build.add_argument("--cards", type=whole_number, default=13, metavar="N", help="cards of the game (13)")
    build.add_argument(
        "--ties", choices=("discard", "carry"), default="discard", help="carry, or discard, which is split too"
    )
    build.add_argument(
        "--from",
        type=whole_number,
        dest="lowest",
        metavar="K",
        help=f"keep the layers from K cards up ({LOWEST}; 1 keeps all)",
    )
    build.add_argument("--threads", type=whole_number, metavar="N", help="threads (every core)")
    build.add_argument("--folder", type=Path, default=BUILT, help=f"where to ({BUILT})")
    pack = what.add_parser("pack", help="pack the upper layers of a built table into a few megabytes")
    pack.add_argument("file", type=Path, metavar="FILE", help="the table")
    pack.add_argument("--from", type=whole_number, dest="lowest", default=10, metavar="K", help="from K cards up (10)")
    pack.add_argument(
        "--step",
        type=float,
        metavar="S",
        help="round the lowest layer to multiples of S points (0.004, with carried ties 0.01)",
    )
    pack.add_argument("--folder", type=Path, required=True, help="folder for the packed table")
    check = what.add_parser("check", help="check hashes, and solve some positions again")
    check.add_argument("files", nargs="*", type=Path, metavar="FILE", help="tables (all that are found)")
    check.add_argument("--folder", type=Path, default=BUILT, help=f"where built tables are ({BUILT})")
    check.add_argument("--samples", type=whole_number, default=50, metavar="N", help="positions of each layer (50)")
    check.add_argument("--deep", action="store_true", help="also solve a large lowest layer again: a minute")
    listed = what.add_parser("list", help="list the tables that are found")
    listed.add_argument("--folder", type=Path, default=BUILT, help=f"where built tables are ({BUILT})")
    listed.add_argument("--json", action="store_true", help="as JSON")


@report_file_errors()
def run(args: argparse.Namespace) -> int:
    return {"build": _build, "pack": _pack, "check": _check, "list": _list}[args.what](args)


def _build(args: argparse.Namespace) -> int:
    from bot.solver.exact.induction import count_cores
    from bot.solver.tables.build import TablePlan, build_table
    from bot.solver.tables.table import open_table

    lowest = args.lowest if args.lowest is not None else min(LOWEST, args.cards - 1)
    if not 2 <= args.cards <= 13:
        raise CommandError("tables are for 2 to 13 cards")
    if not 1 <= lowest < args.cards:
        raise CommandError(f"--from is between 1 and {args.cards - 1}")
    if args.threads is not None and args.threads < 1:
        raise CommandError("--threads is at least 1")
    plan = TablePlan(args.cards, args.ties, lowest, args.folder)
    bar = _bar if sys.stderr.isatty() else None
    path = build_table(plan, args.threads or count_cores(), bar)
    if bar:
        print(file=sys.stderr)
    print(_line(open_table(path)))
    return 0


def _pack(args: argparse.Namespace) -> int:
    from bot.solver.tables.build import STEP, ship_table
    from bot.solver.tables.table import TableError, open_table

    path = args.folder / args.file.name
    if path.resolve() == args.file.resolve():
        raise CommandError("--folder is where the table itself lies")
    try:
        table = open_table(args.file)
    except TableError as error:
        raise CommandError(error) from error
    if not table.head.layers[0].cards <= args.lowest < table.head.cards:
        raise CommandError(f"--from is between {table.head.layers[0].cards} and {table.head.cards - 1} here")
    step = STEP[table.head.ties] if args.step is None else args.step
    if not LEAST_STEP <= step <= MOST_STEP:
        raise CommandError(f"--step is between {LEAST_STEP} and {MOST_STEP}")
    print(_line(open_table(ship_table(table, args.lowest, step, path))))
    return 0


def _bar(cards: int, done: int, total: int) -> None:
    """Redraw the progress bar in its line."""
    full = 40 * done // max(1, total)
    print(
        f"\r{cards:>3} cards [{'#' * full}{'.' * (40 - full)}] {done}/{total} words ",
        end="",
        file=sys.stderr,
        flush=True,
    )


def _found(folder: Path) -> list[Path]:
    return [path for place in (folder, SHIPPED) for path in sorted(place.glob("*.table"))]


def _check(args: argparse.Namespace) -> int:
    """Check every table. Return 1 if one is wrong."""
    from bot.solver.tables.build import recheck_table
    from bot.solver.tables.table import TableError, open_table

    wrong = False
    for path in args.files or _found(args.folder):
        try:
            table = open_table(path)
        except TableError as error:
            print(error)
            wrong = True
            continue
        print(_line(table))
        for each in recheck_table(table, args.samples, deep=args.deep):
            if each.checked:
                verdict = "fine" if each.is_fine else "WRONG"
                print(
                    f"  {each.cards} cards: {each.checked} computed again, off by {each.worst:.1e} at most: {verdict}"
                )
            else:
                print(
                    f"  {each.cards} cards: every byte is as it was built;"
                    " not computed again, which --deep does in a minute"
                )
            wrong |= not each.is_fine
    return 1 if wrong else 0


def _list(args: argparse.Namespace) -> int:
    from bot.solver.tables.table import TableError, open_table

    for path in _found(args.folder):
        try:
            table = open_table(path)
        except TableError as error:
            print(json.dumps({"path": str(path), "error": str(error)}) if args.json else error)
            continue
        if args.json:
            print(json.dumps({"path": str(path), **json.loads(table.head.text())}))
        else:
            print(_line(table))
    return 0


def _line(table: object) -> str:
    from bot.solver.tables.table import ValueTable

    assert isinstance(table, ValueTable)
    layers = table.head.layers
    size = table.path.stat().st_size / 1e6
    kind = "carried ties" if table.head.ties == "carry" else "points"
    error = max(section.error for section in layers)
    gap = max(section.gap for section in layers)
    return (
        f"{table.path}: {table.head.cards} cards, {kind}, layers {layers[0].cards} to {layers[-1].cards},"
        f" {sum(section.values for section in layers):,} values to within {error:.1e},"
        f" certified to {gap:.1e}, {size:.2f} MB"
    )
