"""A process that writes as fast as it can and says after each commit what it was promised. It is killed, not ended.

python -m tests.data.sqlite.crash_child FILE
"""

import asyncio
import sys
from pathlib import Path

from bot.referee.model import changes as c
from bot.referee.model.model import StoredDeal
from data.store import Store
from tests.data import examples as ex
from tests.sqlite_store import SqliteStore

MATCHES = ("M0", "M1", "M2", "M3")


async def play(store: Store, id: str) -> None:
    match = await store.match(id)
    if match is None:
        await store.write((c.NewMatch(ex.match(id)), c.NewDeal(id, StoredDeal(0, ex.ZONES))))
    version = 1 if match is None else match.version
    while True:
        await store.write(
            (
                c.AddDecisions(id, 0, version - 1, ex.decisions(1)),
                c.PutSeal(id, 1, ex.seal(choice=version)),
                c.SaveMatch(ex.match(id, version=version + 1), version),
                c.SetDeadline(ex.deadline(id, due=version)),
            )
        )
        version += 1
        sys.stdout.write(f"{id} {version}\n")
        sys.stdout.flush()


async def main(path: Path) -> None:
    async with await SqliteStore.open(path) as store:
        await asyncio.gather(*(play(store, id) for id in MATCHES))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
