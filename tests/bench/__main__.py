"""`python -m tests.bench [NAME ...]`: every figure but those that take an hour, or only those of the named benches."""

import sys

from tests.bench import (
    apart,
    away,
    calls,
    fleet,
    functions,
    house,
    house_tables,
    instructions,
    load,
    memory,
    peers,
    serial,
    simulation,
    solver,
    store,
    takeover,
    thinking,
)

BENCHES = {
    "house": house.run,
    "house-tables": house_tables.run,
    "thinking": thinking.run,
    "store": store.run,
    "away": away.run,
    "calls": calls.run,
    "fleet": fleet.run,
    "apart": apart.run,
    "functions": functions.run,
    "load": load.run,
    "instructions": instructions.run,
    "memory": memory.run,
    "peers": peers.run,
    "serial": serial.run,
    "simulation": simulation.run,
    "solver": solver.run,
    "theory": solver.run_long,
    "table-losses": solver.run_losses,
    "takeover": takeover.run,
}

ALONE = {"house-tables", "table-losses"}
"""benches that run only by name: one takes hours, the other is part of `theory`"""


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
