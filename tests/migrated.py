"""A store that is migrated already: a file that is made once is copied, where only what is written into it counts."""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from datetime import timedelta
from functools import cache
from pathlib import Path

from data.sql.schema import load_migrations
from data.sqlite.connection import connect_writer

OWN = 0o600


@cache
def _made() -> bytes:
    """Create a database with every migration and no data."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gops.sqlite3"
        with closing(connect_writer(path, timedelta(seconds=5), load_migrations())):
            pass
        return path.read_bytes()


def migrated(path: Path) -> Path:
    """The file of this name, ready to be opened; one that is there stays as it is."""
    if not path.exists():
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN), "wb") as file:
            file.write(_made())
    return path
