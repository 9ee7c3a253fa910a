"""What is looked up in a full store: 100,000 finished matches of 10,000 people, most of them of a few.

Each line is the median of so many looks, and counts processor time of the store alone: what its statements took, and
making values of their rows; not the ranking that is made of them.
"""

import asyncio
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from bot.clock import SystemEntropy
from bot.referee.ports.changes import StoreReadOnly
from bot.referee.referee import Referee
from data.sql.statement import Read, Statement
from data.sqlite.migrate import load, migrate
from data.store import SqlStore

T = TypeVar("T")

MATCHES, PEOPLE = 100_000, 10_000
GUILD = 7
LOOKS = 20
END = datetime(2026, 11, 22, 12, tzinfo=UTC)
YEAR = timedelta(days=365)


class Still:
    """A clock at the end of all that was played."""

    def now(self) -> datetime:
        return END


class Timed:
    """A database that adds up the processor time of what it is asked: of its statements, and of making rows values."""

    takes_rows = False

    def __init__(self, path: Path) -> None:
        self.lost = asyncio.Event()
        self._connection = sqlite3.connect(path, isolation_level=None)
        self.statements = self.values = 0.0

    async def read(self, read: Read[T]) -> T:
        before = time.thread_time()
        found = [self._connection.execute(query.sql, query.params).fetchall() for query in read.queries]
        there = time.thread_time()
        made = [[query.value(*row) for row in rows] for query, rows in zip(read.queries, found, strict=True)]
        self.statements += there - before
        self.values += time.thread_time() - there
        return read.made(*made)

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        raise StoreReadOnly("this database is only looked at")

    async def scrub(self) -> None: ...

    async def close(self) -> None:
        self._connection.close()


def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gops.sqlite3"
        fill(path)
        asyncio.run(measure(path))


def fill(path: Path, matches: int = MATCHES, people: int = PEOPLE) -> None:
    """One server: everybody has a name, a rating and a line for each match; person 1 has played by far the most."""
    chance = random.Random(17)
    users = range(1, people + 1)
    weights = [1 / (1 + user / 50) for user in users]
    began = END - YEAR
    pairs = [(one, two) for one, two in _pairs(chance, users, weights, matches) if one != two]
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, load())
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("BEGIN")
        rows: dict[str, list[tuple[Any, ...]]] = {"matches": [], "seats": [], "history": []}
        for number, (one, two) in enumerate(pairs):
            id, at = f"M{number}", _micros(began + YEAR * number / len(pairs))
            rows["matches"].append((id, at, at, chance.randrange(2)))
            for seat, user in enumerate((one, two)):
                rows["seats"].append((id, seat, user, f"P{user}", at, at))
                rows["history"].append((id, user, seat, seat + 1, at))
        connection.executemany(
            f"""INSERT INTO matches (id, guild, channel, game, options, seats, series, clock, rated, nonce, version,
                prompt, opened, started, live, leavers, away, ended, termination, winner, placings, totals, changes,
                unrated, void) VALUES (?, {GUILD}, 5, 'classic', '{{}}', 2, '{{"mode":"single"}}', 120, 1, X'00', 9, 13,
                0, ?, 0,
                '[]', 0, ?, 1, ?, '[1,2]', '["50","38"]', '[[0,1500.0,1510.0,9,1],[1,1400.0,1390.0,9,1]]', '', 0)""",
            rows["matches"],
        )
        connection.executemany(
            """INSERT INTO seats (match_id, seat, user, name, misses, draw_from, started, live, ended)
            VALUES (?, ?, ?, ?, 0, 0, ?, 0, ?)""",
            rows["seats"],
        )
        connection.executemany(
            f"""INSERT INTO rating_history (match_id, user, guild, pool, seat, place, mu_before, sigma_before, mu,
                sigma, at)
            VALUES (?, ?, {GUILD}, 'classic', ?, ?, 25.0, 4.0, 25.5, 3.9, ?)""",
            rows["history"],
        )
        connection.executemany(
            f"INSERT INTO members (guild, user, name, here) VALUES ({GUILD}, ?, ?, 1)",
            [(user, f"P{user}") for user in users],
        )
        connection.executemany(
            f"""INSERT INTO ratings (guild, pool, user, mu, sigma, played, won, drawn, lost, last)
            VALUES ({GUILD}, 'classic', ?, ?, 3.9, 20, 10, 0, 10, ?)""",
            [(user, chance.gauss(25, 5), _micros(END - YEAR * chance.random())) for user in users],
        )
        connection.execute("COMMIT")
        connection.execute("ANALYZE")


def _pairs(chance: random.Random, users: range, weights: list[float], matches: int) -> list[tuple[int, int]]:
    drawn = chance.choices(users, weights, k=2 * matches)
    return list(zip(drawn[::2], drawn[1::2], strict=True))


def _micros(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000)


async def measure(path: Path) -> None:
    database = Timed(path)
    async with SqlStore(database) as store:
        people = Referee(store, Still(), SystemEntropy()).people
        looks: dict[str, Callable[[], Awaitable[Any]]] = {
            "leaderboard, own line and movement": lambda: people.leaderboard(GUILD, 1),
            "leaderboard, one's own page": lambda: people.leaderboard(GUILD, 5000, page=None),
            "profile of who played most": lambda: people.profile(GUILD, 1, "P1", 2),
            "history, first page": lambda: people.history(GUILD, 1, 0),
            "history, page 50, won": lambda: people.history(GUILD, 1, 50, result="won"),
            "history of two people": lambda: people.history(GUILD, 1, 0, against=2),
            "head to head": lambda: people.head_to_head(GUILD, 1, 2),
        }
        for name, look in looks.items():
            await look()  # once, so that pages are in memory
            times: list[tuple[float, float]] = []
            for _ in range(LOOKS):
                database.statements = database.values = 0.0
                await look()
                times.append((database.statements, database.values))
            statements, values = (statistics.median(column) * 1000 for column in zip(*times, strict=True))
            print(f"{name:36} {statements:6.1f} ms in the database, {values:6.1f} ms for values of its rows")
