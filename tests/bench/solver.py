"""The solver: whole games, single positions on one core, and what the shipped table's play can be exploited for.

Times are CPU time over all threads, with the time on the clock beside it: on a machine that does nothing else, the
clock shows CPU time divided by the threads. Peak memory is that of a process of its own for each game.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np

from bot.engine.choices import Bid
from bot.engine.rules import Rules
from bot.engine.series import Series
from bot.engine.state import Deal, Round
from bot.engine.text.presets import find_offer
from bot.engine.view import observe
from bot.solver.coach.advice import list_moves
from bot.solver.coach.coach import judge_move
from bot.solver.exact.induction import Workers, count_cores, solve_layer
from bot.solver.exact.position import Position
from bot.solver.exact.solve import answer_position, build_frame, solve_position, start_whole_game
from bot.solver.kernels.jit import Floats
from bot.solver.players.chance import Chance
from bot.solver.players.sage import choose_sage_bid, get_library
from bot.solver.tables import SHIPPED, table_name
from bot.solver.tables.build import STEP, TablePlan, build_table, ship_table
from bot.solver.tables.table import ValueTable, open_table
from tests.solver.best_reply import Valuation, guaranteed

FROM = 10
"""the fewest cards of a layer of the shipped tables of the 13-card game"""

MINE = (1, 3, 4, 6, 7, 8, 9, 11, 12, 13)
THEIRS = (1, 2, 4, 5, 7, 8, 10, 11, 12, 13)
WHOLE = ((9, "discard", "points"), (11, "discard", "points"), (10, "carry", "points"), (9, "discard", "win"))
ONE = (
    ("discard", "points", (7, 8, 9, 10, 11)),
    ("carry", "points", (7, 8, 9)),
    ("discard", "win", (6, 7, 8)),
)


def run() -> None:
    """What takes a minute or two."""
    print("a process from nothing to its first answer, kernels kept from before")
    line = [sys.executable, "-m", "bot", "solve", "--mine", "1,3", "--theirs", "2,4", "--prizes", "1,2", "--up", "1"]
    empty = tempfile.mkdtemp()
    for name, folder in (("first ever", empty), ("later", empty)):
        begin = time.perf_counter()
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"XDG_CACHE_HOME": folder})
        print(f"  {name:<12} {time.perf_counter() - begin:6.2f} s")
    print("one position on one core, its prize up")
    for ties, objective, counts in ONE:
        solve_position(Position((1, 2), (1, 3), (1, 2), 1, ties, objective=objective))
        for cards in counts:
            if cards > len(MINE):
                mine = tuple(range(1, cards + 1))
                at = Position(mine, (*mine[:-1], cards + 1), mine, cards, ties, objective=objective)
            else:
                prizes = tuple(range(14 - cards, 14))
                at = Position(MINE[:cards], THEIRS[:cards], prizes, 13, ties, objective=objective)
            begin = time.process_time()
            solved = solve_position(at)
            taken = time.process_time() - begin
            found = answer_position(solved, at)
            assert found is not None
            assert found.gap < 1e-9
            print(f"  {cards:>2} cards, {ties}, {objective:<6} {taken * 1e3:9.1f} ms  {solved.games:>9} games")
    print("a process that thinks, over the first bids of a match of 13 cards that adds up points")
    for key in ("classic", "carry"):
        _alone("bids", key)
    print("the first review of a match of 13 cards")
    for key, deals in (("classic", 1), ("carry", 1), ("sops", 1), ("carry", 3)):
        _alone("review", key, str(deals))
    print(f"whole games on {count_cores()} threads")
    for cards, ties, objective in WHOLE:
        whole(cards, ties, objective)


def run_long() -> None:
    """Carry with 11 cards, all of 13 cards as a table is built, and the exploitability of the shipped table.

    What is built stays in FOLDER, if that is set, and is gone on with there.
    """
    whole(11, "carry", "points")
    kept = os.environ.get("FOLDER")
    with nullcontext(kept) if kept else tempfile.TemporaryDirectory() as folder:
        shipped_table(Path(folder))


def shipped_table(folder: Path) -> None:
    """The table of points, built and packed anew, and what play by the shipped one loses."""
    plan = TablePlan(13, "discard", FROM, folder)
    whole(13, "discard", "points", plan)
    packed_anew(plan, folder)
    _print_losses(np.fromfile(plan.workshop / f"layer-{FROM}.values"))


def run_losses() -> None:
    """What play by the shipped table of points loses. Only the exact layers below it are solved; no table is built."""
    shape = build_frame(start_whole_game(13))
    below = shape.ground
    for cards in range(1, FROM + 1):
        below = solve_layer(shape.work(below, cards), Workers(count_cores())).values
    _print_losses(np.ascontiguousarray(below).reshape(-1))


def _print_losses(values: Floats) -> None:
    """`values`: of the lowest layer of the table, as they were before rounding."""
    table = open_table(SHIPPED / table_name(13, "discard"))
    for cards in range(FROM + 1, 14):
        lost = _exploited(table, values, cards)
        print(f"  {cards} cards: {lost:.5f} points lost to the best answer at most", flush=True)


def packed_anew(plan: TablePlan, folder: Path) -> None:
    """Whether a table that was built here and packed is the one that comes along."""
    packed = open_table(ship_table(open_table(plan.path), FROM, STEP[plan.ties], folder / "packed" / plan.path.name))
    shipped = open_table(SHIPPED / plan.path.name)
    same = all(np.array_equal(packed.decode_layer(cards), shipped.decode_layer(cards)) for cards in range(FROM, 13))
    print(f"  the table built here and packed has every value of the shipped one: {'yes' if same else 'no'}")


def _exploited(table: ValueTable, values: Floats, cards: int) -> float:
    """By exact best response: from 10 cards down play is exact, and guarantees `values`, those of the 13-card game."""
    large, small = (build_frame(start_whole_game(count), FROM) for count in (table.head.cards, cards))

    def part(layer: int, whole_layer: Floats) -> Floats:
        """Of a layer of the large game what belongs to the small one: fewer words, and sets of the lowest prizes."""
        words, sets = large.ladder.at(layer).words, len(small.turns[layer - 1].sets)
        places = np.searchsorted(words, small.ladder.at(layer).words)
        return np.ascontiguousarray(whole_layer.reshape(len(words), -1)[places, :sets]).reshape(-1)

    def guide(layer: int) -> Valuation:
        return Valuation(part(layer, table.decode_layer(layer)))

    return -guaranteed(small, FROM, part(FROM, values), guide, Workers(count_cores()))


def whole(cards: int, ties: str, objective: str, plan: TablePlan | None = None) -> None:
    """One whole game, or the making of its table, in a process of its own, so that its memory is its own."""
    table = [str(plan.lowest), str(plan.folder)] if plan else []
    line = [sys.executable, "-m", "tests.bench.solver", str(cards), ties, objective, *table]
    done = subprocess.run(line, check=True, capture_output=True)
    found = json.loads(done.stdout)
    print(
        f"  {cards:>2} cards, {ties}, {objective:<6} {found['wall']:8.1f} s on the clock {found['cpu']:8.1f} s CPU"
        f" {found['memory']:6.0f} MB  {found['games']:>11} games, certified to {found['gap']:.1e}"
    )


def _measure(cards: int, ties: str, objective: str, lowest: str = "", folder: str = "") -> None:
    begin, cpu = time.perf_counter(), time.process_time()
    if folder:
        path = build_table(TablePlan(cards, ties, int(lowest), Path(folder)), count_cores(), tidy=False)
        shape = build_frame(start_whole_game(cards, ties), 1)
        games = sum(k * shape.size(k)[1] for k in range(1, cards))
        gap = max(each.gap for each in open_table(path).head.layers)
    else:
        solved = solve_position(start_whole_game(cards, ties, objective), Workers(count_cores()))
        games, gap = solved.games, solved.gap
    memory = _peak()
    wall = time.perf_counter() - begin
    print(json.dumps({"wall": wall, "cpu": time.process_time() - cpu, "memory": memory, "games": games, "gap": gap}))


def _alone(*words: str) -> None:
    """Something that a new process finds out and tells."""
    line = [sys.executable, "-m", "tests.bench.solver", *words]
    print(subprocess.run(line, check=True, capture_output=True, text=True).stdout, end="", flush=True)


def _review(key: str, deals: str) -> None:
    """A match of bids at random, each round held against perfect play."""
    rules, dice, played = _rules(key), random.Random(key), list[tuple[Deal, tuple[Round, ...]]]()
    for _ in range(int(deals)):
        deal = rules.deal(tuple(dice.sample(rules.pack(), len(rules.pack()))))
        state = rules.start(deal)
        while not state.over:
            bids = {seat: Bid((dice.choice(state.hands[seat]),)) for seat in state.awaited}
            state, _ = rules.resolve(state, bids)
        played.append((deal, state.rounds))
    moves, begin = list_moves(rules, played), time.process_time()
    for move in moves:
        judge_move(move)
    print(f"  {key:<8} of {deals} {'deals' if deals != '1' else 'deal'} {time.process_time() - begin:6.1f} s CPU")


def _rules(key: str) -> Rules:
    game, offer = find_offer(key)
    return game.rules(2, offer.options)


def _first_bids(key: str) -> None:
    """What Sage's first bids cost a new process, down to that which unpacks the layer of 10 cards."""
    get_library()
    print(f"  {key:<8} at its start {time.process_time():5.2f} s CPU, {_peak():4.0f} MB at its peak")
    rules = _rules(key)
    state = rules.start(rules.deal((7, 3, *(card for card in range(1, 14) if card not in (3, 7)))))
    for bids in ((3, 9), (13, 11), (1, 2)):
        seen, begin = observe(state, 0), time.process_time()
        choose_sage_bid(rules, seen, Chance(b""), Series("target", 500))
        taken = time.process_time() - begin
        print(f"  {key:<8} with {len(state.hands[0])} cards {taken:5.2f} s CPU, {_peak():4.0f} MB at its peak")
        state, _ = rules.resolve(state, {seat: Bid((card,)) for seat, card in enumerate(bids)})


def _peak() -> float:
    """Megabytes, of this program alone: getrusage counts in whoever started it, before it became this one."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


if __name__ == "__main__":
    if sys.argv[1] in ("bids", "review"):
        {"bids": _first_bids, "review": _review}[sys.argv[1]](*sys.argv[2:])
    else:
        _measure(int(sys.argv[1]), sys.argv[2], sys.argv[3], *sys.argv[4:])
