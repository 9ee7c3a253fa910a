"""Matches that are over for a month: folded by the bot, one by one, and for everybody who looks back the same."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.engine.variants import GAMES
from bot.errors import DamagedMatch
from bot.referee.clock.folding import LONG_REST, REST, Folding
from bot.referee.clock.presence import Presence
from bot.referee.lobby.who import Person
from bot.referee.ports.changes import Change, Conflict, FoldMatch, SaveMatch, StoreBusy
from bot.referee.verify.check import verify
from data.sql.statement import Statement
from data.store import SqliteStore
from tests.referee.stage import ANA, BEN, CEM, HERE, Table, under_version
from tests.referee.test_daily import play as play_the_day
from tests.referee.test_leaving import PEOPLE, finish

MONTH = timedelta(days=30).total_seconds()
CROWD = (*PEOPLE, *(Person(20 + number, f"P{number}") for number in range(3)))


class Ended(Exception):
    """The test has seen enough."""


class Rests:
    """How long it rested each time; after so many it has rested enough."""

    def __init__(self, most: int = 1000) -> None:
        self.all: list[float] = []
        self.most = most

    async def __call__(self, seconds: float) -> None:
        self.all.append(seconds)
        if len(self.all) == self.most:
            raise Ended


def folding(table: Table, rests: Rests | None = None, store: Any = None) -> Folding:
    presence = Presence(table.referee, timedelta(), lambda: 0.0)
    presence.here.set()
    if store is not None:
        table = Table(store, table.clock, "again")
    return Folding(table.referee, presence, look=600, rest=rests or Rests())


async def is_folded(table: Table, id: str) -> bool:
    def look(connection: Any) -> list[int]:
        asked = [
            f"SELECT count(*) FROM {table} WHERE match_id = ?" for table in ("decisions", "deals", "earlier_seals")
        ]
        asked.append("SELECT folded IS NULL FROM matches WHERE id = ?")
        return [connection.execute(sql, (id,)).fetchone()[0] for sql in asked]

    found = await table.store.database.inspect(look)
    assert not found[-1] or found[1], "either the one or the other"
    return found == [0, 0, 0, 0]


async def looked_back(table: Table, id: str) -> dict[str, Any]:
    """All that anybody is told of a finished match, by a referee that remembers nothing of it."""
    fresh = Table(table.store, table.clock, "fresh").referee
    views, live = fresh.views, await fresh.live(id)
    tape = await views.tape(live)
    user = live.stored.seats[0].user
    record = json.dumps(await views.record(id))
    return {
        "stored": live.stored,
        "record": record,
        "held": verify(json.loads(record)).code,
        "digits": await views.digits(id),
        "seals": await views.seals(id),
        "views": [await views.of(id), await views.of(id, user)],
        "stills": [tape.still(at) for at in (0, tape.turning, len(tape) - 1)],
        "history": await fresh.people.history(HERE.guild, user, 0),
        "lines": await fresh.archive.history(user),
        "own": await table.store.own(user),
    }


def tables() -> list[Any]:
    """Every game with the fewest seats; one with the most, one in several deals, and one under the older proof."""
    single, two = {"mode": "single"}, {"mode": "deals", "deals": 2}
    found = [(game.key, game.seats[0], single, 2) for game in GAMES]
    found += [("classic", 8, single, 2), ("classic", 2, two, 2), ("classic", 3, single, 1)]
    return [pytest.param(*one, id=f"{one[0]}-{one[1]}-{one[2]['mode']}-{one[3]}") for one in found]


@pytest.mark.parametrize(("game", "seats", "series", "version"), tables())
async def test_every_game_is_looked_back_at_as_before(
    table: Table, game: str, seats: int, series: Any, version: int
) -> None:
    with under_version(version):
        id = await table.start(CROWD[:seats], game=game, series=series)
    table.clock.forward(7.5)
    live = await table.referee.live(id)
    first, prompt = live.stored.seats[0].user, live.prompts[0]
    if not prompt.forced and prompt.size == 1 and seats > 1:  # a seal that is not played
        await table.seal(id, first, prompt.options[-1])
    table.clock.forward(3.25)
    await finish(table, id)
    before = await looked_back(table, id)
    assert before["held"] == 0 or version == 1
    table.clock.forward(MONTH + 1)
    assert await folding(table).fold_some()
    assert await is_folded(table, id)
    assert await looked_back(table, id) == before


async def test_it_waits_for_a_month(table: Table) -> None:
    id = await table.start(cards=2)
    await finish(table, id)
    live = await table.start(cards=2, clock=0)
    table.clock.forward(MONTH)
    assert not await folding(table).fold_some()
    table.clock.forward(1)
    assert await folding(table).fold_some()
    assert await is_folded(table, id)
    assert not await is_folded(table, live)
    assert not await folding(table).fold_some()
    await finish(table, live)  # nothing of it was touched
    assert not await folding(table).fold_some()


async def test_it_rests_before_each_and_longer_while_somebody_plays(table: Table) -> None:
    for _ in range(3):
        await finish(table, await table.start(cards=2))
        table.clock.forward(6 * 3600)
    table.clock.forward(MONTH)
    rests = Rests(5)
    going = folding(table, rests)
    table.referee.listeners.append(going.stir)
    live = await table.start(cards=3, clock=0)
    with pytest.raises(Ended):
        await going.run()
    assert rests.all[:3] == [LONG_REST] * 3
    assert rests.all[3] == 600
    quiet = Rests(3)
    await finish(table, live)
    table.clock.forward(MONTH + 1)
    with pytest.raises(Ended):
        await folding(table, quiet).run()
    assert quiet.all[:2] == [REST, 600]


async def test_it_is_voided_and_its_ratings_are_worked_out_anew(table: Table) -> None:
    first = await table.start(cards=3)
    await finish(table, first)
    table.clock.forward(60)
    await table.play_out(await table.start(cards=3), [1, 2, 3], [2, 3, 1])
    table.clock.forward(MONTH + 1)
    await folding(table).fold_some()
    before = json.dumps(await table.referee.views.record(first))
    again = Table(table.store, table.clock, "again").referee
    await again.moderating.void(HERE.guild, first, CEM, "spam")
    fresh = Table(table.store, table.clock, "fresh").referee
    stored = (await fresh.live(first)).stored
    assert (stored.void, stored.reason) == (True, "spam")
    assert json.dumps(await fresh.views.record(first)) == before
    assert await is_folded(table, first)
    rating = await table.store.rating(HERE.guild, "classic", ANA.user)
    assert rating is not None
    assert rating.played == 1


async def test_who_leaves_is_gone_from_what_was_folded(table: Table) -> None:
    id = await table.start(cards=3)
    await finish(table, id)
    other = await table.start(cards=3)
    await finish(table, other)
    before = await table.referee.views.record(id)
    table.clock.forward(MONTH + 1)
    await folding(table).fold_some()
    again = Table(table.store, table.clock, "again").referee
    kept = await again.privacy.export(ANA.user)
    assert len(kept["decisions"]) == 12 // 2
    assert list((await again.privacy.erase(ANA.user)).matches) == [id, other]
    fresh = Table(table.store, table.clock, "fresh").referee
    for one in (id, other):
        assert await is_folded(table, one)
        record = await fresh.views.record(one)
        assert set(record["fairness"]["agreement"]) == {"hash"}
        assert "Ana" not in json.dumps(record)
        assert verify(record).code == 3
    record = await fresh.views.record(id)
    assert (record["deals"], record["fairness"]["seals"]) == (before["deals"], before["fairness"]["seals"])
    assert record["fairness"]["record"] == before["fairness"]["record"]
    assert not any((await table.store.own(ANA.user)).values())
    [agreement] = {row["agreement"] for row in (await table.store.own(BEN.user))["matches"] if row["id"] == id}
    assert set(json.loads(bytes.fromhex(agreement))) == {"hash"}


async def test_a_match_that_changes_meanwhile_is_left(table: Table) -> None:
    """Somebody's data is erased, say, between the look and the write."""

    class Changing:
        def __init__(self, store: SqliteStore) -> None:
            self.store = store
            self.refused = 0

        async def write(self, change: Change) -> Any:
            if isinstance(change[0], FoldMatch):
                match = await self.store.match(change[0].match.id)
                assert match is not None
                await self.store.write((SaveMatch(replace(match, version=match.version + 1), match.version),))
            try:
                return await self.store.write(change)
            except Conflict:
                self.refused += 1
                raise

        def __getattr__(self, name: str) -> Any:
            return getattr(self.store, name)

    id = await table.start(cards=2)
    await finish(table, id)
    table.clock.forward(MONTH + 1)
    store = Changing(table.store)
    going = folding(table, store=store)
    assert await going.fold_some()
    assert store.refused == 1
    assert not await is_folded(table, id)
    assert not await going.fold_some()  # it is not tried for ever
    assert await folding(table).fold_some()  # but once more after a start
    assert await is_folded(table, id)


async def test_one_that_cannot_be_read_stands_in_nobodys_way(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    ids = [await table.start(cards=2), await table.start((BEN, CEM), cards=2)]
    for id in ids:
        await finish(table, id)
        table.clock.forward(60)

    class Broken:
        async def match(self, id: str) -> Any:
            if id == ids[0]:
                raise ValueError("a page is missing")
            return await table.store.match(id)

        def __getattr__(self, name: str) -> Any:
            return getattr(table.store, name)

    table.clock.forward(MONTH + 1)
    going = folding(table, store=Broken())
    with caplog.at_level(logging.ERROR):
        assert await going.fold_some()
    assert f"match {ids[0]} cannot be folded" in caplog.text
    assert [await is_folded(table, id) for id in ids] == [False, True]
    assert not await going.fold_some()


async def test_a_store_that_is_busy_is_tried_again_later(table: Table) -> None:
    id = await table.start(cards=2)
    await finish(table, id)
    table.clock.forward(MONTH + 1)

    class Busy:
        times = 1

        async def write(self, change: Change) -> Any:
            if self.times:
                self.times -= 1
                raise StoreBusy("held")
            return await table.store.write(change)

        def __getattr__(self, name: str) -> Any:
            return getattr(table.store, name)

    rests = Rests(4)
    with pytest.raises(Ended):
        await folding(table, rests, Busy()).run()
    assert rests.all == [REST, 600, REST, 600]
    assert await is_folded(table, id)


async def test_a_days_deal_against_the_house(table: Table) -> None:
    """Its salts come from another name than its own."""
    id = (await play_the_day(table)).stored.id
    table.clock.forward(86400)
    before = await looked_back(table, id)
    assert before["held"] == 0
    table.clock.forward(MONTH + 1)
    assert await folding(table).fold_some()
    assert await is_folded(table, id)
    assert await looked_back(table, id) == before
    folded = await table.store.database.inspect(lambda one: one.execute("SELECT folded FROM matches").fetchone()[0])
    assert len(folded) < 150  # neither salts nor digests are in it


async def damaged(table: Table, id: str, column: str) -> None:
    """A byte of what is kept of a folded match is another one now."""
    [kept] = await table.store.database.inspect(
        lambda one: one.execute(f"SELECT {column} FROM matches WHERE id = ?", (id,)).fetchone()
    )
    changed = kept[:-9] + bytes([kept[-9] ^ 1]) + kept[-8:]
    await table.store.database.write((Statement(f"UPDATE matches SET {column} = ? WHERE id = ?", (changed, id), 1),))


@pytest.mark.parametrize("column", ["folded", "agreement"])
async def test_a_damaged_one_keeps_nobody_from_their_data(
    table: Table, column: str, caplog: pytest.LogCaptureFixture
) -> None:
    """All others are given and erased, and it is named."""
    ids = [await table.start(cards=3) for _ in range(2)]
    for id in ids:
        await finish(table, id)
    table.clock.forward(MONTH + 1)
    await folding(table).fold_some()
    await damaged(table, ids[0], column)
    again = Table(table.store, table.clock, "again").referee
    with caplog.at_level(logging.ERROR):
        kept = await again.privacy.export(ANA.user)
    assert f"Match {ids[0]} cannot be read" in caplog.text
    assert kept["damaged"] == ids[:1]
    assert {row["match_id"] for row in kept["decisions"]} == {ids[1]}
    assert {row["id"] for row in kept["matches"]} == {*ids}
    assert await again.privacy.erase(ANA.user) == ([ids[1]], [ids[0]])
    there = ids if column == "agreement" else ids[1:]  # without its agreement it can be read again
    parted = await again.privacy.erase(BEN.user)
    assert (sorted(parted.matches), [*parted.damaged]) == (sorted(there), [id for id in ids if id not in there])
    for person in (ANA, BEN):
        assert not any((await table.store.own(person.user)).values())
    assert verify(await Table(table.store, table.clock, "fresh").referee.views.record(ids[1])).code == 3
    rows = await table.store.database.inspect(
        lambda one: one.execute("SELECT agreement, record FROM matches").fetchall()
    )
    assert not any(str(person.user).encode() in agreement for agreement, _ in rows for person in (ANA, BEN))


async def test_what_a_newer_bot_has_folded_is_left_to_it(table: Table) -> None:
    id = await table.start(cards=3)
    await finish(table, id)
    table.clock.forward(MONTH + 1)
    await folding(table).fold_some()
    await table.store.database.write((Statement("UPDATE matches SET folded = ? WHERE id = ?", (b"\xff", id), 1),))
    again = Table(table.store, table.clock, "again").referee
    with pytest.raises(DamagedMatch, match="update the bot"):
        await again.privacy.erase(ANA.user)
    assert await table.store.finished_ids(ANA.user) == [id]
