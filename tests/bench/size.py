"""What a finished match takes on the disk, and a start with 100,000 of them in the store.

Matches of 13 cards are played by the referee, with a board and two consoles by DM each; then their rows are copied
under other ids and for other people. MATCHES_OF_SIZE names another number. The baseline of the start is an empty store.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from data.store import SqliteStore
from tests.bench.processes import BOT, town
from tests.referee.stage import Table

PLAYED = 40
MATCHES = int(os.environ.get("MATCHES_OF_SIZE", "100000"))
PEOPLE = 5000
"""pairs, each of which plays as often as the others"""
STARTS = 3

TABLES = {
    "lobbies": "id",
    "lobby_people": "lobby_id",
    "matches": "id",
    "seats": "match_id",
    "deals": "match_id",
    "decisions": "match_id",
    "earlier_seals": "match_id",
    "surfaces": "owner",
    "rating_history": "match_id",
}
"""where the rows of a match are, and the column that says whose they are"""


def run() -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("PATH_OF_STORE")) as folder:
        full, empty = Path(folder) / "full", Path(folder) / "empty"
        full.mkdir()
        empty.mkdir()
        database = full / "gops.sqlite3"
        asyncio.run(played(database))
        before = bytes_of(database)
        copied(database)
        each = (bytes_of(database) - before) / (MATCHES - PLAYED)
        print(f"{MATCHES} finished matches of 13 cards: {bytes_of(database) / 1e6:.0f} MB, {each:.0f} B each")
        told(database)
        for name, where in (("an empty store", empty), (f"{MATCHES} finished matches", full)):
            for _ in range(STARTS):
                print(asyncio.run(started(where, name)))


async def played(database: Path) -> None:
    chance = random.Random(1)
    async with await SqliteStore.open(database) as store:
        table = Table(store)
        for _ in range(PLAYED):
            hands = [chance.sample(range(1, 14), 13) for _ in range(2)]
            view = await table.play_out(await table.start(), *hands)
            assert view.over
            table.clock.forward(6 * 3600)  # as often as two people may meet and be rated
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE surfaces SET shown = wanted, message = 1234567890123456789 + id")
        connection.execute("DELETE FROM deadlines")


def copied(database: Path, matches: int = MATCHES) -> None:
    """The rest of the matches, of those that were played."""
    with closing(sqlite3.connect(database)) as connection, connection:
        played = [id for (id,) in connection.execute("SELECT id FROM matches WHERE live = 0 ORDER BY id")]
        connection.execute("CREATE TEMP TABLE copies (old TEXT, new TEXT, pair INTEGER)")
        rows = ((played[n % PLAYED], f"X{n:05X}", 2 * (n % PEOPLE)) for n in range(matches - PLAYED))
        connection.executemany("INSERT INTO copies VALUES (?, ?, ?)", rows)
        connection.execute("CREATE INDEX temp.of_old ON copies (old)")
        for table, of in TABLES.items():
            names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
            if table == "surfaces":
                names.remove("id")
            values = {name: f"t.{name}" for name in names} | {of: "copies.new"}
            if "user" in values:
                values["user"] = "CASE t.user WHEN 0 THEN 0 ELSE t.user + copies.pair END"
            wanted = ", ".join(values[name] for name in names)
            into = f"INSERT INTO {table} ({', '.join(names)})"
            connection.execute(f"{into} SELECT {wanted} FROM copies JOIN {table} t ON t.{of} = copies.old")


def bytes_of(database: Path) -> int:
    """All of it in the file, nothing in the log."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.stat().st_size


def told(database: Path, matches: int = MATCHES) -> None:
    """What of it lies where."""
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(
            """SELECT m.tbl_name, sum(s.pgsize) FROM dbstat('main', 1) s JOIN sqlite_schema m ON m.name = s.name
            GROUP BY 1 ORDER BY 2 DESC LIMIT 6"""
        ).fetchall()
    print("  " + ", ".join(f"{table} {size / matches:.0f} B" for table, size in rows))


async def started(folder: Path, what: str) -> str:
    async with town(folder) as place:
        begun = time.perf_counter()
        bot = await place.bot_begun()
        await place.stage.bot_ready(BOT, patience=300)
        took, computed, resident = time.perf_counter() - begun, bot.cpu, bot.resident
        await bot.stop()
    return f"start with {what}: connected after {took:.2f} s, {computed:.2f} s of processor time, {resident:.0f} MB"
