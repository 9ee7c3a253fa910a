"""Which tables these are, as the server itself tells it: those that `pg_restore` makes are others."""

from __future__ import annotations

from contextlib import suppress

from data.postgres.driver import ANY, Link

ORIGIN = "origin"
"""Key of the note that names the tables in which it was written."""

NOTE_ORIGIN = "INSERT INTO notes (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"

TABLES = """SELECT pg_database.oid || ' ' || pg_class.oid FROM pg_database, pg_class
    WHERE datname = current_database() AND pg_class.oid = 'matches'::regclass"""
CLUSTER = "SELECT system_identifier FROM pg_control_system()"
TIMELINE = "SELECT substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)"
"""Another one after a standby was promoted, or a base backup was recovered up to some time."""


async def origin(link: Link) -> str:
    """Name the tables: server, timeline, database and table. A host may forbid the first two."""
    parts = [str(await link.fetchval(TABLES))]
    for sql in (CLUSTER, TIMELINE):
        with suppress(*ANY):
            parts.append(str(await link.fetchval(sql)))
    return " ".join(parts)
