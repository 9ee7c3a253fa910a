"""Killed at any instant: what was acknowledged is there, and nothing is there by half."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.data import examples as ex
from tests.data.sqlite.crash_child import MATCHES
from tests.forked import STDERR, Forked
from tests.sqlite_store import SqliteStore


def killed_after(path: Path, lines: int, *, in_earnest: bool) -> dict[str, int]:
    """Let the child write, kill it, and give the last version that it was promised of each match."""
    command = ("-m", "tests.data.sqlite.crash_child", str(path))
    ours, its = os.pipe()
    with open(ours, "rb") as out, open(its, "wb") as into, open(os.devnull, "rb") as nothing:
        if in_earnest:
            child = subprocess.Popen([sys.executable, *command], cwd=ROOT, stdout=into)
        else:
            child = Forked(command, (nothing.fileno(), into.fileno(), STDERR), folder=ROOT)
        into.close()
        said = [out.readline() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        said += out.readlines()
    ended = child.finish() if isinstance(child, Forked) else child.wait()
    assert ended == -9, "it ended before it was killed"
    promised = [line.split() for line in said if line.endswith(b"\n")]
    return {id.decode(): int(version) for id, version in promised}


def checked(connection: sqlite3.Connection) -> list[object]:
    checks = ("integrity_check", "foreign_key_check")
    return [connection.execute(f"PRAGMA {check}").fetchall() for check in checks]


@pytest.mark.parametrize("seed", range(5))
async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "gops.sqlite3"
    dice = random.Random(seed)
    for life in range(5):
        promised = killed_after(path, dice.randrange(1, 60), in_earnest=life == seed)
        async with await SqliteStore.open(path) as store:
            assert await store.database.inspect(checked) == [[("ok",)], []]
            due = {one.owner: one.due for one in await store.due(ex.at(1e9))}
            for id in MATCHES:
                match = await store.match(id)
                if match is None:
                    assert id not in promised
                    continue
                assert promised.get(id, 1) <= match.version <= promised.get(id, match.version) + 1
                assert len(match.deals[0].decisions) == match.version - 1
                assert [seal.choice for seal in match.sealed] == [match.version - 1][: match.version - 1]
                assert due.get(id) == (ex.at(match.version - 1) if match.version > 1 else None)
