"""`python -m tests.bench [NAME ...]`: every figure, or only those of the named benches."""

import sys

from tests.bench import calls, conjectures, engine, house, load, memory, sage, solver, store, thinking

BENCHES = {
    "engine": engine.run,
    "house": house.run,
    "thinking": thinking.run,
    "store": store.run,
    "calls": calls.run,
    "load": load.run,
    "memory": memory.run,
    "solver": solver.run,
    "theory": solver.run_long,
    "sage": sage.run,
    "conjectures": conjectures.run,
}


def main(names: list[str]) -> int:
    for name in names or list(BENCHES):
        if name not in BENCHES:
            print(f"there is no bench {name}; there are {', '.join(BENCHES)}", file=sys.stderr)
            return 2
        print(f"== {name}")
        BENCHES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
