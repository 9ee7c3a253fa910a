"""`gops solve`: compute exact values and mixes of first moves or any position."""

import argparse
import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from bot.commands.common import read_text, report_file_errors
from bot.solver.exact.position import Position, PositionError, read_position
from bot.solver.tables import BUILT

NAME = "solve"
HELP = "compute exactly how a position is played best"
EXAMPLE = "gops solve --mine 1,3,5 --theirs 2,3,4 --prizes 2,4,5 --up 4"

TOO_MANY = 13

Found = TypeVar("Found")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_argument_group("what to solve")
    what.add_argument(
        "--cards", type=whole_number, metavar="N", help="the first move of a whole game with N cards, for every prize"
    )
    what.add_argument("--mine", type=_numbers, metavar="A,B,…", help="my hand")
    what.add_argument("--theirs", type=_numbers, metavar="A,B,…", help="their hand")
    what.add_argument(
        "--prizes", type=_numbers, metavar="A,B,…", help="the prizes to come, the upturned one among them"
    )
    what.add_argument("--up", type=whole_number, metavar="P", help="the upturned prize; every prize in turn without it")
    what.add_argument("--order", type=_numbers, metavar="A,B,…", help="the prizes in an order that both know")
    what.add_argument("--positions", metavar="FILE", help="positions as JSON, one per line; - reads standard input")
    what.add_argument("--kerr", action="store_true", help="Kerr's tables beside the exact ones")
    rules = parser.add_argument_group("under which rules")
    rules.add_argument(
        "--ties", choices=("discard", "split", "carry"), default="discard", help="what ties do (discard)"
    )
    rules.add_argument(
        "--pot", type=whole_number, default=0, metavar="N", help="carried so far, without the upturned prize"
    )
    rules.add_argument("--objective", choices=("points", "win"), default="points", help="points, or the win chance")
    rules.add_argument(
        "--lead", type=whole_number, default=0, metavar="N", help="my points less theirs so far (objective win)"
    )
    how = parser.add_argument_group("how to show it")
    how.add_argument("--json", action="store_true", help="as JSON")
    how.add_argument("--csv", action="store_true", help="as CSV")
    how.add_argument("--chart", type=Path, metavar="FILE", help="draw the mixes into FILE, .svg or .png")
    how.add_argument("--exact", action="store_true", help="solve large positions too in place of asking the tables")
    how.add_argument("--tables", type=Path, default=BUILT, metavar="FOLDER", help=f"where built tables are ({BUILT})")


@report_file_errors()
def run(args: argparse.Namespace) -> int:
    _check_flags(args)
    if args.kerr:
        return _print_kerr(args)
    if args.positions:
        return _solve_file(args)
    return _solve_position(args)


def _check_flags(args: argparse.Namespace) -> None:
    """Raise `PositionError` for flags that do not go together."""
    hand = args.mine is not None or args.theirs is not None or args.prizes is not None
    asked = [args.kerr, args.positions is not None, args.cards is not None, hand]
    if sum(asked) > 1:
        raise PositionError("choose one of --kerr, --positions, --cards, and a position")
    if sum(asked) == 0 and args.order is None:
        raise PositionError("say what to solve: --cards, a position, --order, --positions or --kerr")
    if args.order is not None and (args.kerr or args.positions is not None or args.prizes is not None):
        raise PositionError("--order goes with --cards, or with --mine and --theirs in place of --prizes")
    if args.chart and args.chart.suffix not in (".svg", ".png"):
        raise PositionError("a chart is a file that ends in .svg or .png")
    if args.json and args.csv:
        raise PositionError("choose one of --json and --csv")
    if (args.kerr or args.positions is not None) and (args.csv or args.chart):
        raise PositionError("--csv and --chart go with --cards or a position")


def _read_position(args: argparse.Namespace) -> tuple[Position, list[int]]:
    """Return the position, and the prizes that may be up."""
    rules = {"ties": args.ties, "pot": args.pot, "objective": args.objective, "lead": args.lead}
    cards = args.cards if args.cards is not None else len(args.order or ())
    if args.mine is None and args.theirs is None and args.prizes is None:
        if not 1 <= cards <= TOO_MANY:
            raise PositionError(f"whole games have 1 to {TOO_MANY} cards")
        mine = theirs = tuple(range(1, cards + 1))
    elif args.mine is None or args.theirs is None or (args.prizes is None and args.order is None):
        raise PositionError("a position needs --mine, --theirs and --prizes")
    else:
        mine, theirs = tuple(sorted(args.mine)), tuple(sorted(args.theirs))
    prizes = tuple(args.order or sorted(args.prizes or mine))
    if not mine:
        raise PositionError("mine has no card")
    ordered = args.order is not None
    position = Position(mine, theirs, prizes, args.up, ordered=ordered, **rules)
    return position, [prizes[0]] if ordered else [args.up] if args.up is not None else list(prizes)


def _solve_position(args: argparse.Namespace) -> int:
    from bot.solver.coach.study import study_turns
    from bot.solver.exact.induction import count_cores
    from bot.solver.tables.library import Library

    position, ups = _read_position(args)
    library = Library([args.tables], count_cores())
    studies = study_turns(position, ups, library, quick=not args.exact)
    if args.chart:
        _draw(args.chart, _title(args, position), studies)
    if args.json:
        single = args.up is not None or position.ordered
        found = [study.data() for study in studies]
        whole = {"value_before_reveal": studies[0].before_reveal, "positions": found}
        print(json.dumps(found[0] if single else whole))
    elif args.csv:
        print(_csv(studies), end="")
    else:
        print(_title(args, position))
        print("\n\n".join(_text(study) for study in studies))
    return 0


def _solve_file(args: argparse.Namespace) -> int:
    """Print one JSON object per line, in the order of the file. Print nothing if a line is wrong."""
    from bot.solver.coach.study import study_many
    from bot.solver.exact.induction import count_cores

    def read(found: Mapping[str, object]) -> Position:
        position = read_position(found)
        if position.up is None:
            raise PositionError("up is missing")
        return position

    for study in study_many(read_lines(args.positions, read), count_cores()):
        print(json.dumps(study.data()), flush=True)
    return 0


def read_lines(name: str, read: Callable[[Mapping[str, object]], Found]) -> list[Found]:
    """Read every line of a file or of standard input with `read`. Raises `PositionError` for a bad line."""
    positions: list[Found] = []
    for number, line in enumerate(read_text(name).split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
            if not isinstance(found, dict):
                raise PositionError("a position is an object in braces")
            positions.append(read(cast("dict[str, object]", found)))
        except (ValueError, RecursionError) as error:
            reason = "not JSON" if isinstance(error, (json.JSONDecodeError, RecursionError)) else str(error)
            raise PositionError(f"{name}, line {number}: {reason}") from None
    return positions


def _title(args: argparse.Namespace, position: Position) -> str:
    of = (
        f"{len(position.mine)} cards"
        if args.mine is None
        else f"{_cards(position.mine)} against {_cards(position.theirs)}"
    )
    parts = [of, "carried ties" if position.ties == "carry" else f"ties {position.ties}"]
    if position.pot:
        parts.append(f"pot {position.pot}")
    if position.aim.win:
        parts.append(f"win chance, lead {position.lead}" if position.lead else "win chance")
    if position.ordered:
        parts.append(f"order {_cards(position.prizes)}")
    return ", ".join(parts)


def _text(study: Any) -> str:
    """Return the value, mixes and payoffs of one prize as text."""
    at, found = study.position, study.answer
    lines = [
        f"Prize {at.up} is up: worth {_signed(found.value)} to me; {_signed(study.before_reveal)} before it was turned."
    ]
    payoffs = [[f"{round(entry, 4) + 0.0:.4f}" for entry in row] for row in found.matrix]
    wide = max(9, *(len(payoff) + 1 for row in payoffs for payoff in row))
    lines.append(f"{'bid':>6} {'chance':>8}  payoff against " + "".join(f"{card:>{wide}}" for card in at.theirs))
    for card, chance, row in zip(at.mine, found.mix, payoffs, strict=True):
        lines.append(f"{card:>6} {chance:>8.4f} {'':>16}" + "".join(f"{payoff:>{wide}}" for payoff in row))
    lines.append(f"{'they bid each with':>31} " + "".join(f"{chance:>{wide}.4f}" for chance in found.their_mix))
    note = "" if study.exact else "; from a table of rounded values, --exact solves it again"
    lines.append(f"Neither mix gives up more than {found.gap:.1e}{note}.")
    return "\n".join(lines)


def _signed(value: float) -> str:
    return f"{round(value, 6) + 0.0:+.6f}"  # a tiny negative is no "-0"


def _csv(studies: list[Any]) -> str:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    theirs = studies[0].position.theirs
    table.writerow(["up", "bid", "chance", "gives_up", *(f"against_{card}" for card in theirs)])
    for study in studies:
        found = study.answer
        for card, chance, cost, row in zip(study.position.mine, found.mix, found.costs(), found.matrix, strict=True):
            table.writerow([study.position.up, card, chance, cost, *row])
    return out.getvalue()


def _draw(path: Path, title: str, studies: list[Any]) -> None:
    from bot.pictures.heat_map import HeatMap, draw_heat_map
    from bot.pictures.render import render_png

    mine = studies[0].position.mine
    rows = [f"prize {study.position.up}" for study in studies]
    chart = HeatMap(f"How to bid: {title}", rows, [str(card) for card in mine], [study.answer.mix for study in studies])
    svg = draw_heat_map(chart)
    path.write_bytes(svg.encode() if path.suffix == ".svg" else render_png(svg))


def _print_kerr(args: argparse.Namespace) -> int:
    from bot.solver.coach.study import compare_with_kerr, read_kerr_source

    found = list(compare_with_kerr())
    if args.json:
        print(json.dumps({"source": read_kerr_source(), "first_moves": [each.data() for each in found]}))
        return 0
    print(read_kerr_source())
    for each in found:
        print(f"\n{each.cards} cards, prize {each.prize}")
        for name, his, ours in (("payoffs", each.his_matrix, each.matrix), ("mix", [each.his_mix], [each.mix])):
            for theirs, exact in zip(his, ours, strict=False):
                if theirs:
                    left = "".join(f"{entry:>8.3f}" for entry in theirs)
                    print(
                        f"  {name:<8} Kerr {left}   exact "
                        + "".join(f"{round(entry, 4) + 0.0:>9.4f}" for entry in exact)
                    )
        notes = [f"payoffs differ by up to {each.widest:.4f}"] if each.widest is not None else []
        if each.exploited is not None:
            notes.append(
                f"chances by up to {each.mix_difference:.4f}; his mix can be exploited for {each.exploited:.4f}"
            )
        print(f"  {'; '.join(notes)}")
    return 0


def _cards(cards: tuple[int, ...]) -> str:
    return " ".join(str(card) for card in cards)


def whole_number(text: str) -> int:
    """Parse the value of a flag that takes a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number such as 7") from None


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of whole numbers such as 1,3,5") from None
