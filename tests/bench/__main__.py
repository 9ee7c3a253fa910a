"""`python -m tests.bench [NAME ...]`: every figure but those that take an hour, or only those of the named benches."""

import sys

from tests.bench import (
    backup,
    boards,
    calls,
    conjectures,
    count,
    engine,
    guesses,
    hawk,
    house,
    house_tables,
    instructions,
    layers,
    load,
    memory,
    packed,
    past,
    printed,
    sage,
    size,
    slow_disk,
    solver,
    store,
    takeover,
    thinking,
    win,
    work,
)

BENCHES = {
    "engine": engine.run,
    "house": house.run,
    "house-tables": house_tables.run,
    "hawk": hawk.run,
    "thinking": thinking.run,
    "store": store.run,
    "slow-disk": slow_disk.run,
    "backup": backup.run,
    "calls": calls.run,
    "load": load.run,
    "instructions": instructions.run,
    "boards": boards.run,
    "memory": memory.run,
    "past": past.run,
    "size": size.run,
    "solver": solver.run,
    "theory": solver.run_long,
    "table-losses": solver.run_losses,
    "sage": sage.run,
    "carry": sage.run_long,
    "work": work.run,
    "guesses": guesses.run,
    "layers": layers.run,
    "packed": packed.run,
    "win": win.run,
    "printed": printed.run,
    "win-13": win.run_long,
    "conjectures": conjectures.run,
    "count": count.run,
    "takeover": takeover.run,
}

ALONE = {"carry", "win-13", "house-tables", "table-losses"}
"""Half an hour and more: only by name."""


def main(names: list[str]) -> int:
    for name in names or [name for name in BENCHES if name not in ALONE]:
        if name not in BENCHES:
            print(f"there is no bench {name}; there are {', '.join(BENCHES)}", file=sys.stderr)
            return 2
        print(f"== {name}")
        BENCHES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
