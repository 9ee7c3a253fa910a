"""The numbered files that make the schema, the same for every database."""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "sqlite" / "migrations"
RECORD = """
CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT
"""
"""which file made a database, and when"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file."""

    number: int
    name: str
    sql: str = field(repr=False)

    @property
    def checksum(self) -> str:
        return hashlib.sha256("\n".join(self.sql.splitlines()).encode()).hexdigest()


def load(folder: Path = FOLDER) -> tuple[Migration, ...]:
    """Every migration of a folder, in order. Their numbers are 1, 2, 3 and so on."""
    found: list[Migration] = []
    for path in sorted(folder.glob("*.sql")):
        match = re.fullmatch(r"(\d{4})_(\w+)", path.stem)
        if match is None or int(match[1]) != len(found) + 1:
            raise ValueError(f"{path.name}: the next migration is called {len(found) + 1:04}_what_it_does.sql")
        found.append(Migration(int(match[1]), match[2], path.read_text(encoding="utf-8")))
    return tuple(found)
