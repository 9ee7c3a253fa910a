"""Nothing is lost on a PostgreSQL server either: bot and server are killed in turns, and connections are cut."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tests import postgres
from tests.e2e.hall import Hall, opened_hall
from tests.e2e.test_kill import NAMES, SEEDS, Play, holds, shows_the_store, soon, stopped

ROUNDS = 2
"""of each of the three; `make soak ARGS=--postgres` has as many as there is time for"""

ANY_TIME = 0.3
"""of the blows; the others come with a press"""


async def crashed(play: Play, server: postgres.Server) -> None:
    """`pg_ctl stop -m immediate` at some instant, and a start. The bot stays, unless it was just about to begin."""
    await struck(play, lambda: asyncio.to_thread(postgres.crash, server))


async def cut(play: Play, address: str) -> None:
    """`pg_terminate_backend` for every connection of the bot, at some instant."""
    await struck(play, lambda: postgres.cut(address))


async def struck(play: Play, blow: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """At some instant, and to its end."""
    begun: list[asyncio.Task[None]] = []
    await soon(play, play.rng.random() < ANY_TIME, lambda: begun.append(asyncio.create_task(blow())))
    await (begun[0] if begun else blow())


async def trouble(hall: Hall, play: Play, server: postgres.Server, address: str) -> None:
    for _ in range(ROUNDS):
        await stopped(hall, play)
        await hall.restart()
        await crashed(play, server)
        await cut(play, address)
    play.ended.set()


@pytest.mark.timeout(900)
async def test_nothing_is_lost_on_a_server(tmp_path: Path) -> None:
    print(f"seed {SEEDS[0]}")
    server = postgres.started()  # of its own: others use the one of this run
    try:
        address = await postgres.emptied(server)
        async with opened_hall(tmp_path, server=address) as hall:
            await hall.crowd(NAMES[:4])
            play = Play(hall, random.Random(SEEDS[0]))
            play.calm.set()
            play.still.set()
            tables = [asyncio.create_task(play.table()) for _ in range(2)]
            troubles = asyncio.create_task(trouble(hall, play, server, address))
            finished, _ = await asyncio.wait([troubles, *tables], return_when=asyncio.FIRST_EXCEPTION)
            for task in finished:
                task.result()
            await hall.down()
            await hall.restart()  # what could not be noted is shown once more
            await shows_the_store(hall, play)
            await hall.bot.stop()
            with redirect_stdout(StringIO()):  # it tells of kills that its own test makes
                await holds(hall, play)
            assert hall.bot.trouble() == []
    finally:
        server.end()
