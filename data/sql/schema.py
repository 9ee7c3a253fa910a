"""Migrations of the schema, the same files for every database, and its tables for `data.moving`."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from bot.errors import ChangedMigration, NewerDatabase

FOLDER = Path(__file__).parents[1] / "sqlite" / "migrations"
MIGRATIONS_TABLE = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT
"""
"""Table of the migrations that were applied."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file."""

    number: int
    name: str
    sql: str = field(repr=False)

    @property
    def checksum(self) -> str:
        return hashlib.sha256("\n".join(self.sql.splitlines()).encode()).hexdigest()


def load_migrations(folder: Path | None = None) -> tuple[Migration, ...]:
    """Read every migration of a folder (by default `FOLDER`), in order. Their numbers are 1, 2, 3 and so on."""
    migrations: list[Migration] = []
    for path in sorted((folder or FOLDER).glob("*.sql")):
        match = re.fullmatch(r"(\d{4})_(\w+)", path.stem)
        if match is None or int(match[1]) != len(migrations) + 1:
            raise ValueError(f"{path.name}: the next migration is called {len(migrations) + 1:04}_what_it_does.sql")
        migrations.append(Migration(int(match[1]), match[2], path.read_text(encoding="utf-8")))
    return tuple(migrations)


def check_applied(checksums: Mapping[int, str], reached: int, migrations: Sequence[Migration]) -> None:
    """Raise `ChangedMigration` or `NewerDatabase` for a database that these migrations did not make.

    `checksums` holds those of the migrations that were applied to it, by number, and `reached` is the highest number.
    """
    for migration in migrations[:reached]:
        if checksums.get(migration.number) != migration.checksum:
            raise ChangedMigration(f"{migration.number:04}_{migration.name}")
    if reached > len(migrations):
        raise NewerDatabase(reached, len(migrations))


Values: TypeAlias = Sequence[Any]

BATCH_SIZE = 1000
"""Rows of one batch."""

MOVED = "moved"
"""Key of the note in a database whose contents were moved away; the value names the new database."""


@dataclass(frozen=True, slots=True)
class SqlTable:
    """One table of the schema."""

    name: str
    columns: tuple[str, ...]
    numbered: bool
    """True if the database gives its ids, each only once."""

    def rows(self) -> str:
        """Build the query for all rows, with quoted names: PostgreSQL reserves some of them."""
        return f"SELECT {', '.join(map(quote, self.columns))} FROM {quote(self.name)}"


def quote(name: str) -> str:
    return f'"{name}"'
