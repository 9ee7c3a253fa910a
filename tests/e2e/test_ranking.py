"""A ranking of people whom the bot has not seen for long: it is there at once, and right at the next look."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing

import pytest

from tests.driver import Person
from tests.e2e.house import House, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

MEMBER = "GET /guilds/*/members/*"


def rated(scene: House, people: Sequence[Person]) -> None:
    """Everybody has a rating, the first the best, and a name of long ago."""
    guild = int(scene.server.id)
    with closing(sqlite3.connect(scene.bot.database)) as connection, connection:
        for place, person in enumerate(people):
            user = int(person.id)
            connection.execute(
                "INSERT INTO ratings (guild, pool, user, mu, sigma, played, won, drawn, lost, last) "
                "VALUES (?, 'classic', ?, ?, 2.0, 9, 5, 0, 4, 1)",
                (guild, user, 40.0 - place),
            )
            connection.execute(
                "INSERT INTO members (guild, user, name, here) VALUES (?, ?, ?, 1)", (guild, user, f"Old {place}")
            )


async def test_ten_people_are_asked_for_behind_the_answer(scene: House) -> None:
    people = [await scene.person(f"New {number}") for number in range(10)]
    rated(scene, people)
    await scene.stage.leave(scene.server, people[3])
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", MEMBER, seconds=0.3, times=10)
    first = told(await scene.ana.slash("/gops leaderboard"))
    assert [f"Old {number}" in first for number in range(10)] == [True] * 10
    await scene.stage.called(MEMBER, times=10)
    async with asyncio.timeout(60):
        while "Old" in (now := told(await scene.ana.slash("/gops leaderboard"))):
            pass
    assert [f"New {number}" in now for number in range(10)] == [number != 3 for number in range(10)]
    assert (await scene.stage.calls()).of(MEMBER) == 10  # and what was said is believed for a while
