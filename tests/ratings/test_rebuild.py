"""`gops ratings rebuild` finds the same ratings to the last digit, or names and repairs the differences."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.referee.stage import ANA, BEN, CEM, HERE, Table
from tests.sqlite_store import SqliteStore


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six rated matches in two pools."""
    path = tmp_path / "gops.sqlite3"

    async def fill() -> None:
        async with await SqliteStore.open(path) as store:
            table = Table(store)
            for pair in ((ANA, BEN), (BEN, CEM), (CEM, ANA)):
                for game in ("classic", "sops"):
                    id = await table.start(pair, cards=2, game=game)
                    await table.seal(id, pair[0].user, 1)
                    await table.seal(id, pair[1].user, 2)
                    table.clock.forward(60)

    asyncio.run(fill())
    monkeypatch.setenv("GOPS_DATABASE", str(path))
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    monkeypatch.chdir(tmp_path)
    return path


def dumped(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [line for line in connection.iterdump() if "rating" in line]


def test_rebuild_of_correct_ratings_changes_nothing(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = dumped(database)
    assert main(["ratings", "rebuild"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [
        f"{pool} in server {HERE.guild}: matches 3, people 3, nothing changed" for pool in ("classic", "sops")
    ]
    assert dumped(database) == before


def test_rebuild_names_and_repairs_wrong_ratings(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = dumped(database)
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE ratings SET mu = 40.0 WHERE pool = 'sops' AND user = ?", (BEN.user,))
    assert main(["ratings", "rebuild", "--check"]) == 1
    assert capsys.readouterr().out.splitlines()[1].endswith("people 3, ratings changed: 1")
    assert dumped(database) != before
    assert main(["ratings", "rebuild"]) == 0
    assert dumped(database) == before
    assert main(["ratings", "rebuild", "--check"]) == 0


def test_erased_player_keeps_a_number_and_changes_no_rating(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["erase", str(BEN.user)]) == 0
    before = dumped(database)
    capsys.readouterr()
    assert main(["ratings", "rebuild"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert all(line.endswith("nothing changed") for line in said), said
    assert dumped(database) == before


def test_rebuild_without_a_database_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOPS_DATABASE", str(tmp_path / "none.sqlite3"))
    monkeypatch.setenv("DISCORD_TOKEN", "x")
    assert main(["ratings", "rebuild"]) == 1
    assert "there is no database" in capsys.readouterr().err
    assert not (tmp_path / "none.sqlite3").exists()
