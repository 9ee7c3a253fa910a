"""`make soak`: a bot under everything at once. The seed plays a run again, as far as the machine allows."""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from tests import forked, postgres
from tests.soak.games import soak_games
from tests.soak.run import soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="for how long there is trouble (120)")
    parser.add_argument("--people", type=int, default=200, help="how many play at once (200)")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds that each thinks about a bid (0)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="which run")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave database and log there")
    parser.add_argument("--postgres", action="store_true", help="on a PostgreSQL server of its own, not a file")
    parser.add_argument("--processes", type=int, default=1, help="how many share such a server (1)")
    parser.add_argument("--games", action="store_true", help="each game by both transports, with a kill at each answer")
    args = parser.parse_args()
    print(f"seed {args.seed}, {args.seconds:.0f} s", flush=True)
    with tempfile.TemporaryDirectory(prefix="gops-soak-", ignore_cleanup_errors=True) as scratch:
        folder = args.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        server = postgres.started() if args.postgres or args.processes > 1 else None
        try:
            if args.games:
                done = soak_games(folder, args.seed)
            else:
                done = soak(folder, args.seed, args.seconds, args.people, server, args.pace, args.processes)
            print(asyncio.run(done), flush=True)
        finally:
            forked.end()
            if server is not None:
                server.end()
    print("no finding", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
