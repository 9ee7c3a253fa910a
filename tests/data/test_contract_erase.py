"""The contract of every store: somebody's data goes."""

from __future__ import annotations

from bot.referee.model import changes as c
from bot.referee.model.model import FORMER
from data.store import Store
from tests.data.everything import everything
from tests.data.examples import ANA, BEN, GUILD, at


async def test_all_that_is_kept_about_somebody_goes(store: Store) -> None:
    await everything(store)
    assert all(rows for table, rows in (await store.own(ANA)).items() if table != "seals")
    number = await store.former_number()
    await store.write((c.Erase(ANA, number, (c.Erased("OVER", b'{"hash": "0"}', "f" * 64),), at(0), at(60)),))
    assert not any((await store.own(ANA)).values())
    assert {one.user: one.name for one in await store.ratings(GUILD, "classic")} == {number: FORMER, BEN: "Ben"}
    assert [one.user for one in await store.rating_history(GUILD, "classic", 0)] == [number, BEN]
    match = await store.match("OVER")
    assert match is not None
    assert [one.user for one in match.seats] == [number, BEN]
