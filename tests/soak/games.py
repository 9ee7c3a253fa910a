"""Every game and preset by gateway and by HTTP, with a kill after each answer: two people, and the house where a game
takes three."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bot.engine.text.presets import find_offer
from tests.e2e.games.table import Table, begin, holds, smallest
from tests.e2e.games.test_house import MIXED
from tests.e2e.house import House, opened

CARDS = 5
"""of a hand, where a game lets people choose"""
MOST_KILLS = 40
"""of a match; a deal of Welsh Warfare may take a hundred answers"""


def list_matches() -> list[tuple[str, int, bool]]:
    """Return each game or preset with its house seats and its transport."""
    mixed = dict(MIXED)
    return [
        (key, mixed.get(key, seats) - 2, by_http)
        for key, seats in smallest()
        for by_http in (False, True)
        if key in mixed or seats == 2
    ]


async def soak_games(folder: Path, seed: int) -> str:
    """Raises an error if something does not hold. Else the last line says what was done."""
    matches = list_matches()
    kills = 0
    for number, (key, house, by_http) in enumerate(matches):
        own = folder / str(number)
        own.mkdir()
        async with opened(own, by_http=by_http) as club:  # a day has only so many sessions with Discord
            await club.stage.settings(dm_opens=None)
            few: dict[str, Any] = (
                {"cards": CARDS} if any(each.key == "cards" for each in find_offer(key)[0].options) else {}
            )
            table = await begin(club, 2, f"{seed} {key}", None, game=key, house=house, series="one", **few)
            killed = await play_killed(club, table)
            if not table.host.is_over():
                await table.play()
            await holds(table)
            assert club.bot.trouble() == []
        kills += killed
        print(f"{key}, {house} house seats, {'HTTP' if by_http else 'gateway'}: {killed} kills", flush=True)
    return f"{len(matches)} matches, {kills} kills"


async def play_killed(club: House, table: Table) -> int:
    """Let the people answer one after the other, and kill the bot after each answer. Return the number of kills."""
    for player in table.players:
        if player.console() is None:
            await player.open()
    for kills in range(MOST_KILLS):
        if not await answer_once(table):
            return kills
        await club.bot.kill()
        await club.bot.start()
    return MOST_KILLS


async def answer_once(table: Table) -> bool:
    """Let the player answer who is asked first. Return False if the match is over."""
    waiting = {asyncio.create_task(player.turn()): player for player in table.players}
    try:
        answered, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
    task = answered.pop()
    asked = task.result()
    if asked is None:
        return False
    await waiting[task].answer(asked)
    return True
