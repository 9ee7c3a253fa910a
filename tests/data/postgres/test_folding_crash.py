"""A server that loses whoever folds a match: it is there as it was, and the next try folds it."""

from __future__ import annotations

import asyncpg
import pytest

from bot.referee.ports import changes as c
from data.postgres.dialect import numbered
from data.sql.writes import statements
from tests import postgres
from tests.data import examples as ex
from tests.postgres import PostgresStore

OVER = ex.over("OVER", deals=ex.rich_match().deals)
FOLDED = (c.FoldMatch(OVER, (ex.earlier(),)),)


@pytest.mark.parametrize("done", [1, 4])
async def test_cut_before_the_commit(server: postgres.Server, done: int) -> None:
    address = await postgres.emptied(server)
    store = await PostgresStore.open(address)
    try:
        await store.write((c.NewMatch(OVER), c.KeepSeal("OVER", ex.earlier())))
        link = await asyncpg.connect(address)
        await link.execute("BEGIN")
        for step in statements(FOLDED)[:done]:
            await link.execute(numbered(step.sql), *step.params)
        link.terminate()
        assert await store.match("OVER") == OVER
        assert list(await store.earlier_seals("OVER")) == [ex.earlier()]
        await store.write(FOLDED)
        assert await store.match("OVER") == OVER
        assert list(await store.unfolded(ex.at(9), 9)) == []
    finally:
        await store.close()
