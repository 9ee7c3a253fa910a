"""What a pooler costs: bids through two workers and a keeper that reach PostgreSQL directly, and through a PgBouncer
before it (transaction mode, 20 sessions a database), in turns, each with live matches of its own.

The figure to go by is the ratio within a round. MATCHES, ROUNDS and AT_ONCE change the size as in the bench `workers`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp

from tests import pgbouncer, postgres
from tests.bench.wire import listening
from tests.bench.workers import ROUNDS, Taken, begun, heat, median, prepared, tell

WORKERS = 2
SESSIONS = 20
"""what PgBouncer itself takes where nobody says otherwise"""


def run() -> None:
    asyncio.run(measure())


async def measure() -> None:
    async with prepared("rounds") as (folder, filled, server):
        with pgbouncer.before(server, SESSIONS, turns=False) as bouncer:
            await in_turns(folder, filled, server, bouncer)


async def in_turns(folder: Path, filled: Path, server: postgres.Server, bouncer: pgbouncer.PgBouncer) -> None:
    async with (
        listening() as discord,
        aiohttp.ClientSession() as session,
        begun(discord, folder, filled, server, WORKERS) as direct,
        begun(discord, folder, filled, server, WORKERS, bouncer) as pooled,
    ):
        both = (direct, pooled)
        for one in both:
            one.app.session = session
            await heat(one, 0)  # to warm up
        taken: dict[str, list[Taken]] = {one.name: [] for one in both}
        for number in range(1, ROUNDS + 1):
            for one in both if number % 2 else both[::-1]:
                taken[one.name].append(await heat(one, number))
        for one in both:
            tell(one, taken[one.name])
        pairs = list(zip(taken[pooled.name], taken[direct.name], strict=True))
        told = ", ".join(
            f"{what} {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
            for what, ratios in (
                ("bids a second", [through.rate / past.rate for through, past in pairs]),
                ("CPU a bid", [through.together / past.together for through, past in pairs]),
            )
        )
        print(f"through the pooler beside directly: {told}")
