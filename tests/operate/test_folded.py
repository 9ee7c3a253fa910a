"""Whoever runs the bot, and matches that were folded: looked at, found damaged, and backed up."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.errors import BackupError
from bot.operate import backups
from bot.operate.doctor import rounds
from bot.operate.doctor.told import Severity, well
from bot.operate.examining import examine
from bot.operate.restoring import restore
from bot.referee.ports.changes import FoldMatch
from data.store import SqliteStore
from tests import postgres
from tests.migrated import migrated
from tests.operate.test_doctor import BY_NAME, look, patient
from tests.referee.stage import BEN, CEM, Table
from tests.referee.test_leaving import finish


def folded(path: Path) -> Path:
    """One match that is folded, one that is not, and one that goes on."""
    asyncio.run(_fold(path))
    return path


async def _fold(path: Path) -> None:
    async with await SqliteStore.open(migrated(path)) as store:
        await fold_one(store)


async def fold_one(store: Any) -> str:
    table = Table(store)
    ids = [await table.start(cards=4), await table.start((BEN, CEM), cards=4)]
    await table.start(cards=4)
    for id in ids:
        await finish(table, id)
    match = await store.match(ids[0])
    assert match is not None
    await store.write((FoldMatch(match, tuple(await store.earlier_seals(ids[0]))),))
    return ids[0]


def changed(path: Path, change: Callable[[bytes], bytes], column: str = "folded") -> str:
    """One column of the folded match is another one now; its id."""
    with closing(sqlite3.connect(path)) as connection, connection:
        asked = f"SELECT id, {column} FROM matches WHERE folded IS NOT NULL"
        id, was = connection.execute(asked).fetchone()
        connection.execute(f"UPDATE matches SET {column} = ? WHERE id = ?", (change(was), id))
    return id


def test_a_folded_match_is_gone_through_like_any_other(tmp_path: Path) -> None:
    examined = examine(folded(tmp_path / "gops.sqlite3"))
    assert (examined.finished, examined.live, examined.verified, examined.doubtful) == (2, 1, 3, ())
    _, again = backups.make(tmp_path / "gops.sqlite3", tmp_path / "backups")
    assert again == examined


@pytest.mark.parametrize("column", ["nonce", "agreement"])
def test_what_it_follows_from_was_changed(tmp_path: Path, column: str) -> None:
    path = folded(tmp_path / "gops.sqlite3")
    id = changed(path, lambda was: was[:-1] + bytes([was[-1] ^ 1]), column)
    assert examine(path).doubtful == (id,)


def test_damage_is_told_by_the_doctor_and_gives_no_backup(tmp_path: Path) -> None:
    of = patient(tmp_path)
    path = folded(of.settings.database)
    assert look("integrity", of) == [well("whole")]
    id = changed(path, lambda was: was[:-9] + b"\0" + was[-8:])
    [found] = look("integrity", of)
    assert found.severity is Severity.TROUBLE
    assert f"match {id} cannot be read, what is folded of it is damaged" in found.said
    assert "gops restore" in found.do
    with pytest.raises(BackupError, match=f"is damaged: match {id} cannot be read"):
        backups.make(path, tmp_path / "backups")


def test_a_backup_with_it_is_gone_back_to(tmp_path: Path) -> None:
    """It reads as before, and the referee verifies it there; what was live is stopped."""
    path, there = folded(tmp_path / "gops.sqlite3"), tmp_path / "there" / "gops.sqlite3"
    backup, _ = backups.make(path, tmp_path / "backups")
    assert restore(backup.path, there).matches == 1
    examined = examine(there)
    assert (examined.finished, examined.live, examined.verified, examined.doubtful) == (3, 0, 3, ())
    assert asyncio.run(_told(there)) == asyncio.run(_told(path))


async def _told(path: Path) -> Any:
    """The one that is folded, as it is read."""
    with closing(sqlite3.connect(path)) as connection:
        [(id,)] = connection.execute("SELECT id FROM matches WHERE folded IS NOT NULL")
    async with await SqliteStore.open(path) as store:
        return await store.match(id), await store.earlier_seals(id)


async def test_damage_on_a_server_is_told_by_the_doctor(tmp_path: Path, server: postgres.Server) -> None:
    address = await postgres.emptied(server)
    async with await postgres.PostgresStore.open(address) as store:
        id = await fold_one(store)
    of = patient(tmp_path, GOPS_DATABASE=address)
    assert [one.severity for one in await rounds.look(BY_NAME["integrity"], of)] == [Severity.WELL]
    postgres.rows(
        address, "UPDATE matches SET folded = set_byte(folded, 60, 255 - get_byte(folded, 60)) RETURNING 1", ()
    )
    [found] = await rounds.look(BY_NAME["integrity"], of)
    assert found.severity is Severity.TROUBLE
    assert f"match {id} cannot be read, what is folded of it is damaged" in found.said
