"""A server that removed the bot keeps its data for 30 days; then the data is deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import RefereeError
from bot.referee.clock.presence import credit_downtime
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import StoreBusy
from bot.referee.model.participant import Person
from bot.referee.server import removal
from bot.solver.players.levels import SLY
from data.cache import CachingStore
from tests.referee.stage import ANA, BEN, CEM, HERE, Table

MOD = Person(99, "Mod")
GUILD = HERE.guild
ELSEWHERE = replace(HERE, guild=GUILD + 1)


async def lived_in(table: Table) -> tuple[str, str]:
    """Something of everything; a match that is over, and one that is played."""
    referee = table.referee
    over = await table.start(cards=3)
    await table.play_out(over, (1, 2, 3), (2, 3, 1))
    live = await table.start((BEN, CEM), cards=3)
    await table.seal(live, BEN.user, 3)
    await referee.challenges.open(HERE, ANA, (CEM,), Wish())
    await referee.practice.begin(HERE, ANA, SLY, Wish())
    await referee.people.toggle_mute(over, ANA.user)
    await referee.deciding.change(GUILD, MOD, 0, boards=2)
    await referee.moderating.ban(HERE, MOD, CEM, timedelta(days=99), "rude")
    await referee.challenges.open(ELSEWHERE, ANA, (BEN,), Wish())
    return over, live


def holding(path: Path, *wanted: object) -> set[str]:
    """Tables in which one of these stands."""
    found: set[str] = set()
    with closing(sqlite3.connect(path)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in connection.execute(f"SELECT * FROM {table}"):
                if any(one in wanted for one in row):
                    found.add(table)
    return found


async def test_no_data_of_a_removed_server_is_left_after_30_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(removal, "AT_ONCE", 2)
    path = tmp_path / "gops.sqlite3"
    async with await CachingStore.open(path) as store:
        table = Table(store)
        over, live = await lived_in(table)
        await store.guild(GUILD)
        before = set(await store.ids_in(GUILD, 99))
        assert {over, live} < before
        await table.referee.leaving.note_removed(GUILD)
        table.clock.forward(29 * 24 * 3600)
        await table.referee.leaving.note_servers({ELSEWHERE.guild})  # as after a restart: the time does not begin again
        await table.fire()
        assert await store.match(over) is not None
        assert (await store.guild(GUILD)).boards == 2
        table.clock.forward(24 * 3600)
        await table.fire()
        assert await store.servers() == [ELSEWHERE.guild]
        assert (await store.guild(GUILD)).boards == 8
        assert await store.audits(GUILD, 9) == await store.bans(GUILD) == []
        with pytest.raises(RefereeError, match="unknown-match"):
            await table.referee.live(over)
    assert holding(path, *before) == set()
    assert holding(path, f"mute {over} {ANA.user}") == set()


async def test_days_in_which_the_bot_is_off_count_towards_the_30(tmp_path: Path) -> None:
    """The promise is thirty calendar days. A server that invited the bot back keeps its data."""
    async with await CachingStore.open(tmp_path / "gops.sqlite3") as store:
        table = Table(store)
        over, _ = await lived_in(table)
        await table.referee.leaving.note_removed(GUILD)
        await table.referee.leaving.note_removed(ELSEWHERE.guild)
        for _ in range(2):  # starts
            now, table = table.clock.now(), Table(store)
            table.clock.time = now + timedelta(days=31)
            await credit_downtime(table.referee, timedelta(days=31))
            await table.fire()  # before Discord has said where the bot is
            assert await store.match(over) is not None
        await table.referee.leaving.note_servers({ELSEWHERE.guild})
        table.clock.forward(60)
        await table.fire()
        assert await store.servers() == [ELSEWHERE.guild]


async def test_seasons_of_a_removed_server_are_deleted(tmp_path: Path) -> None:
    """The current season, its ratings, the table of the past season and the deadline all go."""
    path = tmp_path / "gops.sqlite3"
    async with await CachingStore.open(path) as store:
        table = Table(store)
        await table.referee.deciding.change(GUILD, MOD, 0, seasons="monthly")
        await table.play_out(await table.start(cards=3), (1, 2, 3), (2, 3, 1))
        table.clock.forward(31 * 24 * 3600)
        await table.fire()
        await table.play_out(await table.start(cards=3), (1, 2, 3), (2, 3, 1))
        assert {"seasons", "season_ratings", "season_tables", "season_places"} <= holding(path, GUILD)
        await table.referee.leaving.note_servers(())
        table.clock.forward(30 * 24 * 3600)
        await table.fire()
        assert await store.seasons(GUILD) == []
        assert [one for one in await store.due(table.clock.now() + timedelta(days=400)) if "season" in one.owner] == []
    assert holding(path, GUILD) <= {"migrations", "partitions", "sqlite_sequence"}, "their numbers are no servers"


async def test_server_that_invites_the_bot_back_in_time_keeps_its_data(table: Table) -> None:
    over, live = await lived_in(table)
    await table.referee.leaving.note_removed(GUILD)
    table.clock.forward(29 * 24 * 3600)
    await table.referee.leaving.note_member(GUILD)
    table.clock.forward(99 * 24 * 3600)
    assert await table.store.deadlines_of(f"server {GUILD}") == []
    assert await table.store.match(over) is not None
    assert await table.store.match(live) is not None
    assert len(await table.store.ratings(GUILD, "classic")) == 2


async def test_servers_of_other_shards_are_not_removed(table: Table) -> None:
    """Each shard lists its own ones, at any time."""
    first, second = 10 << 22, 11 << 22
    for guild in (first, second):
        await table.referee.leaving.note_member(guild)
    await table.referee.leaving.note_servers((), 0, 2)
    assert [await table.referee.leaving.is_member(guild) for guild in (first, second)] == [False, True]
    await table.referee.leaving.note_removed(second)
    table.clock.forward(30 * 24 * 3600)
    await table.fire()
    assert await table.store.servers() == [second], "its shard has listed nothing yet"
    await table.referee.leaving.note_servers((), 1, 2)
    table.clock.forward(60)
    await table.fire()
    assert await table.store.servers() == []


async def test_member_is_noted_before_it_is_stored(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if it cannot be stored."""
    leaving = table.referee.leaving

    async def write(_: object) -> None:
        raise StoreBusy("locked")

    monkeypatch.setattr(table.store, "write", write)
    with pytest.raises(StoreBusy):
        await leaving.note_member(GUILD)
    assert await leaving.is_member(GUILD)
    with pytest.raises(StoreBusy):
        await leaving.note_removed(GUILD)
    assert not await leaving.is_member(GUILD)
    monkeypatch.undo()
    await leaving.note_member(GUILD)
    assert await table.store.is_member(GUILD)


async def test_removals_and_returns_during_downtime_are_noticed(table: Table) -> None:
    """One server removed the bot, and another invited it back."""
    await lived_in(table)
    await table.referee.leaving.note_removed(ELSEWHERE.guild)
    await table.referee.leaving.note_servers({ELSEWHERE.guild, 77})
    assert await table.store.deadlines_of(f"server {ELSEWHERE.guild}") == []
    [due] = await table.store.deadlines_of(f"server {GUILD}")
    assert due.due == table.clock.now() + removal.KEPT
