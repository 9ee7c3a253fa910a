"""Migrations: forward only, all or nothing, and from every version that ever was."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import ChangedMigration, DatabaseError, ForeignDatabase, NewerDatabase
from bot.referee.model import changes as c
from data.sql.schema import Migration, load_migrations
from data.sqlite.migrate import check_version, migrate, read_version, split_statements
from tests.data import examples as ex
from tests.sqlite_store import SqliteStore

REAL = load_migrations()
SEEDS = Path(__file__).with_name("seeds")
"""What a database of each version held: `0001.sql` and so on. A new migration brings the next one."""

MADE_UP = (
    Migration(
        1, "first", "CREATE TABLE cards (rank INTEGER);\n-- a remark; with a semicolon\nINSERT INTO cards VALUES (7);"
    ),
    Migration(2, "second", "ALTER TABLE cards ADD COLUMN suit TEXT;\n\nUPDATE cards SET suit = ';';\n"),
    Migration(3, "third", "CREATE TRIGGER late AFTER INSERT ON cards\nBEGIN\n  DELETE FROM cards;\nEND;\n"),
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "gops.sqlite3", isolation_level=None)
    yield opened
    opened.close()


def at_version(path: Path, number: int) -> None:
    """Make a database as a bot of that time left it."""
    if not number:
        return
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, REAL, upto=number)
    for statement in split_statements((SEEDS / f"{number:04}.sql").read_text(encoding="utf-8")):
        connection.execute(statement)
    connection.close()


def shape(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    return connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name").fetchall()


@pytest.mark.parametrize("number", range(len(REAL) + 1))
async def test_every_old_version_comes_up_to_date(tmp_path: Path, number: int) -> None:
    path = tmp_path / "gops.sqlite3"
    at_version(path, number)
    async with await SqliteStore.open(path) as store:
        assert await store.database.inspect(read_version) == len(REAL)
        seeded = bool(number)
        assert (await store.match("K7Q2") is not None) is seeded
        assert (await store.lobby("K7Q2") is not None) is seeded
        assert bool(await store.rating_history(ex.GUILD, "classic", ex.ANA)) is seeded
        if found := await store.match("K7Q2"):
            assert [len(deal.decisions) for deal in found.deals] == [2]
            await store.write((c.AddDecisions("K7Q2", 0, 2, ex.decisions(1)),))
        await store.write((c.NewMatch(ex.rich_match() if not seeded else ex.match("FRES")),))


@pytest.mark.parametrize("number", range(len(REAL) + 1))
def test_every_way_up_gives_the_same_tables(tmp_path: Path, number: int) -> None:
    found: list[list[tuple[str, str]]] = []
    for start in (0, number):
        path = tmp_path / f"from_{start}_{number}.sqlite3"
        at_version(path, start)
        connection = sqlite3.connect(path, isolation_level=None)
        assert migrate(connection, REAL) == len(REAL)
        found.append(shape(connection))
        connection.close()
    assert found[0] == found[1]


def test_every_version_has_a_seed() -> None:
    assert [path.stem for path in sorted(SEEDS.glob("*.sql"))] == [f"{one.number:04}" for one in REAL]


def test_step_by_step_and_once_only(connection: sqlite3.Connection) -> None:
    for upto in (1, 1, 2, 3, 3):
        assert migrate(connection, MADE_UP, upto) == upto
    recorded = connection.execute("SELECT number, name, checksum FROM migrations").fetchall()
    assert recorded == [(one.number, one.name, one.checksum) for one in MADE_UP]
    assert connection.execute("SELECT * FROM cards").fetchall() == [(7, ";")]


@pytest.mark.parametrize(
    "bad",
    ["INSERT INTO nowhere VALUES (1);", "COMMIT;", "SELECT 'it does not end", "INSERT INTO pairs VALUES (9);"],
)
def test_a_failure_leaves_the_version_before(connection: sqlite3.Connection, bad: str) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    first = "CREATE TABLE cards (id INTEGER PRIMARY KEY);\nCREATE TABLE pairs (card INTEGER REFERENCES cards (id));"
    before = (Migration(1, "first", first),)
    migrate(connection, before)
    broken = Migration(2, "broken", f"CREATE TABLE half (a);\nINSERT INTO cards VALUES (5);\n{bad}")
    with pytest.raises((sqlite3.Error, ValueError)):
        migrate(connection, (*before, broken))
    assert not connection.in_transaction
    if bad != "COMMIT;":  # that one cannot be undone any more, only noticed
        assert check_version(connection, before) == 1
        assert connection.execute("SELECT count(*) FROM cards").fetchone() == (0,)
        assert "half" not in dict(shape(connection))
        migrate(connection, (*before, Migration(2, "mended", "CREATE TABLE half (a);")))
        assert read_version(connection) == 2
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_foreign_keys_do_not_hinder_a_rebuilt_table(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    first = """CREATE TABLE cards (id INTEGER PRIMARY KEY);
CREATE TABLE pairs (card INTEGER REFERENCES cards (id));
INSERT INTO cards VALUES (5);
INSERT INTO pairs VALUES (5);"""
    rebuild = """CREATE TABLE new_cards (id INTEGER PRIMARY KEY, suit TEXT);
INSERT INTO new_cards (id) SELECT id FROM cards;
DROP TABLE cards;
ALTER TABLE new_cards RENAME TO cards;"""
    migrate(connection, (Migration(1, "first", first), Migration(2, "rebuild", rebuild)))
    assert connection.execute("SELECT id, suit FROM pairs JOIN cards ON id = card").fetchall() == [(5, None)]


async def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gops.sqlite3"
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, REAL)
    connection.execute(f"PRAGMA user_version = {len(REAL) + 4}")
    connection.close()
    with pytest.raises(NewerDatabase, match=f"version {len(REAL) + 4}, and this bot knows versions up to {len(REAL)}"):
        await SqliteStore.open(path)
    assert issubclass(NewerDatabase, DatabaseError)


async def test_database_from_before_the_first_release_is_refused_and_untouched(tmp_path: Path) -> None:
    """Its first migration was another one, and it had more of them."""
    path = tmp_path / "gops.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        migrate(connection, tuple(Migration(n, "tables", f"CREATE TABLE t{n} (a);") for n in range(1, 15)))
    path.chmod(0o644)
    before = path.read_bytes()
    with pytest.raises(ChangedMigration, match="made by another version of the bot"):
        await SqliteStore.open(path)
    assert path.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o644
    assert os.listdir(tmp_path) == [path.name]


async def test_database_of_another_program_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "songs.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(ForeignDatabase, match="is a database of another program"):
        await SqliteStore.open(path)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [path.name]


async def test_a_second_migration_keeps_what_was_stored(tmp_path: Path, second_migration: Migration) -> None:
    path = tmp_path / "gops.sqlite3"
    at_version(path, 1)
    async with await SqliteStore.open(path) as store:
        assert await store.database.inspect(read_version) == 2
        assert await store.match("K7Q2") is not None
        moods = await store.database.inspect(lambda one: one.execute("SELECT mood FROM guilds").fetchall())
        assert moods == [("calm",)]


def test_a_changed_migration_is_refused(connection: sqlite3.Connection) -> None:
    migrate(connection, MADE_UP, upto=2)
    changed = (Migration(1, "first", "CREATE TABLE cards (rank TEXT);"), *MADE_UP[1:])
    with pytest.raises(ChangedMigration, match="0001_first"):
        migrate(connection, changed)
    assert read_version(connection) == 2
    same = Migration(1, "first", MADE_UP[0].sql.replace("\n", "\r\n"))  # line ends are git's business
    assert migrate(connection, (same, *MADE_UP[1:])) == 3


def test_two_processes_migrate_at_once(connection: sqlite3.Connection, tmp_path: Path) -> None:
    """The second one finds the work done when its turn has come."""
    second = sqlite3.connect(tmp_path / "gops.sqlite3", isolation_level=None)
    asked: list[str] = []

    def overtake(sql: str) -> None:
        asked.append(sql)
        if sql == "BEGIN IMMEDIATE" and asked.count(sql) == 1:
            migrate(second, MADE_UP)

    connection.set_trace_callback(overtake)
    assert migrate(connection, MADE_UP) == 3
    connection.set_trace_callback(None)
    assert connection.execute("SELECT count(*) FROM migrations").fetchone() == (3,)
    second.close()


def test_files_are_numbered_without_gaps(tmp_path: Path) -> None:
    (tmp_path / "0001_first.sql").write_text("SELECT 1;\n")
    (tmp_path / "0003_third.sql").write_text("SELECT 3;\n")
    with pytest.raises(ValueError, match="the next migration is called 0002_"):
        load_migrations(tmp_path)
    (tmp_path / "0003_third.sql").rename(tmp_path / "0002_second.sql")
    assert [(one.number, one.name) for one in load_migrations(tmp_path)] == [(1, "first"), (2, "second")]
