"""Matches that end before their rules end them: the record says how, and gives the same result."""

from __future__ import annotations

import asyncio

import pytest

from bot.engine.variants import find_game
from tests.e2e.games.table import NAMES, Table, agrees, begin, games, pressed_is_recorded, reads_well
from tests.e2e.house import House, has, plain

pytestmark = pytest.mark.asyncio(loop_scope="module")

TABLES = games()
IDS = [f"{key}-{seats}" for key, seats in TABLES]
LONG = 300
"""so many prompts in a deal are too many for a test that plays on without somebody"""


def is_long(key: str, seats: int) -> bool:
    return find_game(key).rules(seats).facts.longest * seats >= LONG


async def leave_all_but_one(table: Table, gone: set[int]) -> None:
    """One seat after the other goes, the host stays."""
    for player in reversed(table.players[1:]):
        if player.seat not in gone:
            await table.resign(player.seat)


@pytest.mark.parametrize(("key", "seats"), TABLES, ids=IDS)
async def test_other_seat_wins_when_a_player_resigns(club: House, key: str, seats: int) -> None:
    """Of two seats the other one wins; of more, the seat is played on and cannot win (RULING C5)."""
    table = await begin(club, seats, f"leave {key}", game=key, by_dm=True)
    leaver = seats - 1
    await table.play(1)
    said = await table.resign(leaver)
    assert "Done" in said.text
    if seats > 2:
        board = await table.host.person.sees(has("left, lowest cards are played"), in_=table.result())
        assert "Rematch" not in board.text
        if not is_long(key, seats):
            await table.play(without=(leaver,))
        else:
            await table.play(2, without=(leaver,))
            await leave_all_but_one(table, {leaver})
    result = await table.over()
    record = await table.record()
    judged = await agrees(table, record, result)
    assert judged["termination"] == "resigned"
    assert judged["placings"][leaver] == seats
    assert judged["winner"] != leaver
    if seats == 2:
        assert record["ending"]["kind"] == "resigned"
        assert "Ana wins because Ben resigned" in plain(result.text)
    else:
        first = record["left"][0]
        assert (first["kind"], first["seat"], first["deal"]) == ("resigned", leaver, 0)
    pressed_is_recorded(table, record)
    reads_well(table)


@pytest.mark.parametrize(("key", "seats"), TABLES, ids=IDS)
async def test_three_missed_bids_forfeit_the_seat(club: House, key: str, seats: int) -> None:
    """Three misses in a row, and the seat is forfeited."""
    table = await begin(club, seats, f"silent {key}", game=key, by_dm=True)
    silent, long = table.players[-1], seats > 2 and is_long(key, seats)
    rounds = 3 if long else 1000  # of a long match only those that the silent seat misses
    busy = [asyncio.create_task(player.play(rounds)) for player in table.players[:-1]]
    name = NAMES[silent.seat]
    try:
        for miss in (1, 2, 3):
            await silent.board_says(f"Waiting {'only ' if seats > 2 else ''}for **{name}**")
            await club.stage.forward(125)
            await silent.board_says(f"missed {miss} of 3", "left, lowest", "missed three", "[Rematch]")
        if not long:
            await asyncio.gather(*busy)
    finally:
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
    if long:
        await leave_all_but_one(table, {silent.seat})
    result = await table.over()
    record = await table.record()
    judged = await agrees(table, record, result)
    assert judged["placings"][silent.seat] == seats
    first = record["ending"] if seats == 2 else record["left"][0]
    assert (first["kind"], first["seat"]) == ("timed-out", silent.seat)
    reads_well(table)


@pytest.mark.parametrize(("key", "seats"), TABLES, ids=IDS)
async def test_match_without_bids_is_abandoned_and_unrated(club: House, key: str, seats: int) -> None:
    """Everybody misses three: abandoned, and it does not count."""
    table = await begin(club, seats, f"nobody {key}", game=key, by_dm=True)
    host = table.host
    for miss in (1, 2, 3):
        await club.stage.forward(125)
        wanted = f"missed {miss} of 3" if miss < 3 else "abandoned"
        await host.board_says(wanted)
    result = await table.over()
    record = await table.record()
    judged = await agrees(table, record, result)
    assert (judged["termination"], judged["placings"], judged["winner"]) == ("abandoned", None, None)
    assert record["ending"]["kind"] == "abandoned"
    assert "It does not count for the ratings." in result.text


@pytest.mark.parametrize(("key", "seats"), [one for one in TABLES if one[1] == 2], ids=[i for i in IDS if i[-1] == "2"])
async def test_somebody_resigns_before_the_first_reveal(club: House, key: str, seats: int) -> None:
    table = await begin(club, seats, f"early {key}", game=key, by_dm=True)
    await table.resign(1)
    result = await table.over()
    record = await table.record()
    judged = await agrees(table, record, result)
    if key.startswith("pico"):  # a hand was looked at: giving it back counts as lost
        assert (judged["termination"], record["ending"]["kind"]) == ("resigned", "resigned")
        return
    assert (judged["termination"], record["ending"]["kind"]) == ("aborted", "aborted")
    assert "It ended before anything was revealed." in result.text
