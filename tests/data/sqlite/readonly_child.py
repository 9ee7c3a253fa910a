"""A disk that cannot be written, seen by somebody who is not root: root may write anywhere.

python -m tests.data.sqlite.readonly_child FOLDER
"""

import asyncio
import logging
import os
import shutil
import sys
from pathlib import Path

from bot.referee.model import changes as c
from data.store import Store
from tests.data import examples as ex
from tests.sqlite_store import SqliteStore

NOBODY = 65534


async def is_read_only(store: Store) -> None:
    for _ in range(2):
        try:
            await store.write((c.SaveNote("after", "x"),))
        except c.StoreReadOnly:
            pass
        else:
            raise AssertionError("it was written")
    assert await store.match("K7Q2") == ex.match()
    assert await store.note("after") is None


def lock(folder: Path, file: int, inside: int) -> None:
    for path in folder.iterdir():
        path.chmod(file)
    folder.chmod(inside)


async def main(folder: Path) -> None:
    path = folder / "a" / "gops.sqlite3"
    async with await SqliteStore.open(path) as store:
        await store.write((c.NewMatch(ex.match()),))
        crashed = folder / "crashed"
        shutil.copytree(path.parent, crashed)  # as a killed process would have left it, with its log

    # a file that cannot be written, in a folder that can
    lock(path.parent, 0o444, 0o755)
    async with await SqliteStore.open(path) as store:
        await is_read_only(store)

    # neither can be written, and there is no log; when that is mended, the open store goes on
    for rest in path.parent.glob("*-*"):
        assert rest.name.endswith("-shm") or not rest.stat().st_size
        rest.unlink()
    lock(path.parent, 0o444, 0o555)
    async with await SqliteStore.open(path) as store:
        await is_read_only(store)
        lock(path.parent, 0o600, 0o755)
        await store.write((c.SaveNote("after", "x"),))
        assert await store.note("after") == "x"
        assert await store.match("K7Q2") == ex.match()

    # what a crash left behind is readable as well
    lock(crashed, 0o444, 0o555)
    async with await SqliteStore.open(crashed / path.name) as store:
        await is_read_only(store)

    # nothing to read
    try:
        await SqliteStore.open(crashed / "none" / "gops.sqlite3")
    except c.StoreReadOnly:
        pass
    else:
        raise AssertionError("it was opened")


if __name__ == "__main__":
    logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
    if os.geteuid() == 0:
        os.chown(sys.argv[1], NOBODY, NOBODY)
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    asyncio.run(main(Path(sys.argv[1])))
