"""`gops move`: what is in one store is in the other, to the last row; or nothing has changed."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from bot.errors import DatabaseError, MovedDatabase
from bot.referee.model import changes as c
from bot.referee.model.daily import NewDailyDeal
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.jobs import Job
from data.cache import CachingStore
from data.moving import MoveResult, locate, move
from data.postgres.moving import ServerTransaction
from data.sql.schema import SqlTable, Values, load_migrations
from data.sqlite.migrate import APART, list_tables, migrate
from data.sqlite.moving import FileSource, FileTransaction
from tests import postgres
from tests.data import examples as ex
from tests.data.everything import everything
from tests.data.examples import GUILD
from tests.migrated import migrated
from tests.operate.commands import gops


def quiet(_: SqlTable, __: int) -> None:
    """Nobody listens."""


def held(path: Path) -> dict[str, list[str]]:
    """All that a file holds, and what its tables are."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").fetchall()
        names = [name for name, sql in found if sql.startswith("CREATE TABLE") and name != "migrations"]
        rows = {name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"'))) for name in names}
    return {"tables": [sql for _, sql in found], **rows}


async def filled(path: Path) -> Path:
    """Something in every table, and ids whose highest was given and taken back."""
    store = await CachingStore.open(migrated(path))
    async with store:
        await everything(store)
        await store.write((c.SaveNote("odd", "a\0b ♠ 'quoted'"), c.SaveRating(ex.rating(pool="bid"), None)))
        over = ex.over("FOLD", deals=ex.rich_match().deals, agreement=b'{"match":"FOLD","v":2}')
        await store.write((c.NewMatch(over),))
        live = ex.match("LIVE")
        await store.write((c.NewMatch(live), c.SetDeadline(ex.deadline("LIVE")), c.Heartbeat(ex.NOW)))
        await store.write((c.ShiftDeadlines(timedelta(seconds=60)),))
        await store.write((c.PutSeal("LIVE", live.prompt, ex.seal()), NewDailyDeal(ex.daily())))
        job = c.AskJob(Job(0, "pause 10"))
        await store.write((c.SaveGuild(GuildSettings(GUILD), None), c.NoteHandled(GUILD), job))
        (id,) = await store.write((c.PutSurface(ex.surface(match="OVER", message=9)),))
        await store.write((c.DropSurface(id),))
    return path


async def rows_on(address: str) -> int:
    link = await asyncpg.connect(address)
    try:
        return sum([await link.fetchval(f'SELECT count(*) FROM "{table.name}"') for table in list_tables()])
    finally:
        await link.close()


def test_every_table_is_known_after_those_it_refers_to() -> None:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrate(made, load_migrations())
        names = {row[0] for row in made.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert {table.name for table in list_tables()} == {one for one in names if one[:7] != "sqlite_"} - {*APART}
    place = {table.name: number for number, table in enumerate(list_tables())}
    assert place["matches"] < place["deals"] < place["decisions"]
    assert {table.name for table in list_tables() if table.numbered} == {"surfaces", "audit"}


async def test_there_and_back(tmp_path: Path, server: postgres.Server) -> None:
    there = await filled(tmp_path / "here.sqlite3")
    kept = held(there)
    address = await postgres.emptied(server)
    told: dict[str, int] = {}
    moved = await move(locate(there), locate(address), lambda table, count: told.update({table.name: count}))
    assert not moved.unmarked
    rows = moved.rows
    assert rows == sum(told.values()) == await rows_on(address)
    assert [name for name, count in told.items() if not count] == [], "the example fills every table"
    back = tmp_path / "new" / "back.sqlite3"
    assert await move(locate(address), locate(back), quiet) == MoveResult(rows, "")
    assert "('odd', \"a\\x00b ♠ 'quoted'\")" in kept["notes"]
    kept["notes"] = sorted(line.replace("\\x00", "") for line in kept["notes"])  # PostgreSQL takes none
    assert held(back) == kept
    async with await CachingStore.open(back) as store:
        found = await store.match("FOLD")
        assert found is not None
        assert found.deals == ex.rich_match().deals
    assert back.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("to_server", [True, False])
async def test_no_id_is_given_twice(tmp_path: Path, server: postgres.Server, to_server: bool) -> None:
    there = await filled(tmp_path / "here.sqlite3")
    with closing(sqlite3.connect(there)) as connection:
        given = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'surfaces'").fetchone()[0]
        assert given > connection.execute("SELECT max(id) FROM surfaces").fetchone()[0]
    target = await postgres.emptied(server) if to_server else tmp_path / "there.sqlite3"
    await move(locate(there), locate(target), quiet)
    async with await CachingStore.open(target) as store:
        assert await store.write((c.PutSurface(ex.surface(match="OVER", message=10)),)) == [given + 1]


@pytest.mark.parametrize("to_server", [True, False])
async def test_what_holds_something_is_left_alone(tmp_path: Path, server: postgres.Server, to_server: bool) -> None:
    there = await filled(tmp_path / "here.sqlite3")
    target = await postgres.emptied(server) if to_server else migrated(tmp_path / "there.sqlite3")
    async with await CachingStore.open(target) as store:
        await store.write((c.SaveNote("mine", "1"),))
    with pytest.raises(DatabaseError, match="There is something in the target already, in notes"):
        await move(locate(there), locate(target), quiet)
    async with await CachingStore.open(target) as store:
        assert await store.note("mine") == "1"
        assert await store.match("OVER") is None


@pytest.mark.parametrize("to_server", [True, False])
async def test_a_copy_that_differs_does_not_count(
    tmp_path: Path, server: postgres.Server, to_server: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = await filled(tmp_path / "here.sqlite3")
    target = await postgres.emptied(server) if to_server else tmp_path / "there.sqlite3"
    end: Any = ServerTransaction if to_server else FileTransaction
    insert = end.insert

    async def otherwise(self: Any, table: SqlTable, rows: Sequence[Values]) -> None:
        await insert(self, table, [(*row[:-1], "other") for row in rows] if table.name == "notes" else rows)

    monkeypatch.setattr(end, "insert", otherwise)
    with pytest.raises(DatabaseError, match="The copy of notes differs from the original: nothing was moved"):
        await move(locate(there), locate(target), quiet)
    if isinstance(target, Path):
        assert os.listdir(tmp_path) == [there.name]
    else:
        assert await rows_on(target) == 0


async def test_nobody_else_has_either_of_them(tmp_path: Path, server: postgres.Server) -> None:
    there = await filled(tmp_path / "here.sqlite3")
    address = await postgres.emptied(server)
    async with await CachingStore.open(there):  # another process than the command's
        said = await gops({}, "move", str(there), address)
    assert (said.code, said.out) == (1, "")
    assert said.err == f"gops move: A bot has {there} open: stop it first.\n"
    async with await CachingStore.open(address, alone=True):
        with pytest.raises(DatabaseError, match="A bot runs on the PostgreSQL database: stop it first"):
            await move(locate(there), locate(address), quiet)
    said = await gops({}, "move", str(there), address)
    assert said.code == 0, said
    assert "  matches\n" in said.out
    assert said.out.endswith(
        f"Set GOPS_DATABASE={address} in .env, and start the bot.\n"
        "If the database has a password, add it there, as in postgresql://gops:password@host/gops.\n"
    )
    said = await gops({}, "move", str(there), address)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(
        f"gops move: Everything in {there} was moved to {address}: set GOPS_DATABASE to that database."
    )
    with pytest.raises(DatabaseError, match="A bot runs on the PostgreSQL database: stop it first"):
        async with await CachingStore.open(address, alone=True):
            await move(locate(address), locate(tmp_path / "back.sqlite3"), quiet)
    assert not (tmp_path / "back.sqlite3").exists()


@pytest.mark.usefixtures("second_migration")
async def test_what_cannot_be_read_is_one_sentence(tmp_path: Path, server: postgres.Server) -> None:
    older = tmp_path / "older.sqlite3"
    with closing(sqlite3.connect(older, isolation_level=None)) as connection:
        migrate(connection, load_migrations(), upto=1)
    broken = tmp_path / "broken.sqlite3"
    broken.write_bytes(b"nothing of the kind" * 100)
    empty = await postgres.emptied(server, fresh=True)
    target = tmp_path / "target.sqlite3"
    for source, says in (
        (tmp_path / "none", "There is no database at"),
        (older, "The database has version 1, and this bot needs version"),
        (broken, "cannot be used: file is not a database."),
        (empty, "it has no tables"),
    ):
        with pytest.raises(DatabaseError, match=says):
            await move(locate(source), locate(target), quiet)
        assert not target.exists()
    said = await gops({}, "move", f"postgresql://gops:secret@/gops?host={tmp_path}", str(target))
    assert (said.code, said.err.count("\n")) == (1, 1)
    assert said.err.startswith("gops move: the PostgreSQL server does not answer")
    assert "secret" not in said.err
    assert not target.exists()


async def test_what_the_server_refuses_is_said_with_its_address(tmp_path: Path, server: postgres.Server) -> None:
    """`GOPS_DATABASE` names the old file still."""
    address = (await postgres.emptied(server)).replace("gops@", "nobody:secret@")
    said = await gops({}, "move", str(await filled(tmp_path / "here.sqlite3")), address)
    assert (said.code, said.out) == (1, "")
    named = address.replace(":secret", "")
    assert said.err == f'gops move: {named}: the server says: role "nobody" does not exist\n'


# --- the old database --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("to_server", [True, False])
async def test_what_was_moved_away_is_led_by_nobody(tmp_path: Path, server: postgres.Server, to_server: bool) -> None:
    old: Path | str = await filled(tmp_path / "old.sqlite3")
    new: Path | str = await postgres.emptied(server)
    if not to_server:
        await move(locate(old), locate(new), quiet)
        old, new = new, tmp_path / "new.sqlite3"
    await move(locate(old), locate(new), quiet)
    with pytest.raises(MovedDatabase, match=f"was moved to .*{'postgresql' if to_server else 'new.sqlite3'}"):
        await CachingStore.open(old, alone=True)
    async with await CachingStore.open(new, alone=True) as store:
        assert await store.match("OVER") is not None
    again = tmp_path / "again.sqlite3"  # the way back: a copy that counts
    await move(locate(old), locate(again), quiet)
    async with await CachingStore.open(again, alone=True) as store:
        assert await store.match("OVER") is not None


async def test_no_process_joins_a_database_that_was_moved(tmp_path: Path, server: postgres.Server) -> None:
    address = await postgres.emptied(server)
    await move(locate(await filled(tmp_path / "old.sqlite3")), locate(address), quiet)
    await move(locate(address), locate(tmp_path / "new.sqlite3"), quiet)
    with pytest.raises(MovedDatabase):
        await CachingStore.join(address)


async def test_commands_refuse_what_was_moved_away(tmp_path: Path) -> None:
    """The setting still names the old file, as under a unit that overrules the file with the settings."""
    old, new = await filled(tmp_path / "old.sqlite3"), tmp_path / "new.sqlite3"
    written = tmp_path / "env"
    written.write_text(f"DISCORD_TOKEN=x\nGOPS_DATABASE={old}\n", encoding="utf-8")
    written.chmod(0o600)
    said = await gops({}, "move", str(old), str(new), "--env", str(written))
    assert said.out.endswith(f"Set GOPS_DATABASE={new} in {written}, and start the bot.\n")
    before = held(old)
    sentence = f"Everything in {old} was moved to {new}: set GOPS_DATABASE to that database."
    for command, code in (("run", 78), ("backup", 1), ("erase", 1)):
        user = ["7"] if command == "erase" else []
        said = await gops({}, command, *user, "--env", str(written))
        assert (said.code, said.out) == (code, "")
        *version, refusal = said.err.splitlines()
        assert refusal.startswith(f"gops {command}: {sentence}")
        assert len(version) == (1 if command == "run" else 0)
    assert held(old) == before
    said = await gops({}, "doctor", "--run", "database", "--env", str(written))
    assert (said.code, said.err) == (1, "")
    assert f"everything in it was moved to {new}, so the bot refuses it" in said.out
    assert f"set GOPS_DATABASE to that database in {written}" in said.out


async def test_it_is_said_which_setting_overrules_which(tmp_path: Path) -> None:
    written, named_there, used = tmp_path / "env", tmp_path / "named.sqlite3", tmp_path / "used.sqlite3"
    written.write_text(f"GOPS_DATABASE={named_there}\n", encoding="utf-8")
    written.chmod(0o600)
    overruled = {"GOPS_DATABASE": str(used)}
    said = await gops(overruled, "run", "--env", str(written))
    assert f"GOPS_DATABASE in the environment overrules GOPS_DATABASE in {written}" in said.err
    said = await gops(overruled, "doctor", "--run", "database", "--env", str(written))
    assert said.out.startswith(f"warning  database: {used}, as set in the environment; GOPS_DATABASE in {written}")
    await filled(used)
    said = await gops(overruled, "move", str(used), str(named_there), "--env", str(written))
    assert said.out.endswith(f"Set GOPS_DATABASE={named_there} in the environment, and start the bot.\n")
    said = await gops({}, "doctor", "--run", "database", "--env", str(written))
    assert said.out == f"ok       database: {named_there}, as set in {written}\n"


async def test_a_source_that_cannot_be_marked_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = await filled(tmp_path / "old.sqlite3")

    async def fails(_: object, __: str) -> None:
        raise DatabaseError("it cannot be written")

    monkeypatch.setattr(FileSource, "retire", fails)
    moved = await move(locate(old), locate(tmp_path / "new.sqlite3"), quiet)
    assert moved.unmarked == "it cannot be written"
    assert moved.rows
