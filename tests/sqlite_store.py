"""Store without a cache in one SQLite file."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Self

from data.sqlite.database import BUSY, SqliteDatabase
from data.store import SqlStore


class SqliteStore(SqlStore[SqliteDatabase]):
    """Nothing stands between a test and the file."""

    @classmethod
    async def open(cls, path: Path, busy: timedelta = BUSY) -> Self:
        return cls(await SqliteDatabase.open(path, busy))
