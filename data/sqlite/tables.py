"""What the migrations make, looked up in a database that is made for it: the same tables as in any other."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from data.sql.schema import load
from data.sql.table_copy import SqlTable
from data.sqlite.migrate import migrate


@cache
def tables() -> tuple[SqlTable, ...]:
    """Every table that the migrations make, each after those that it refers to."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrate(made, load())
        found = made.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
        ours = {name: sql for name, sql in found if name != "migrations" and not name.startswith("sqlite_")}
        needs = {name: {row[2] for row in made.execute(f"PRAGMA foreign_key_list({name})")} - {name} for name in ours}
        columns = {name: tuple(row[1] for row in made.execute(f"PRAGMA table_info({name})")) for name in ours}
    ordered: list[str] = []
    while len(ordered) < len(ours):
        ordered += [name for name in ours if name not in ordered and needs[name] <= set(ordered)]
    return tuple(SqlTable(name, columns[name], "AUTOINCREMENT" in ours[name]) for name in ordered)
