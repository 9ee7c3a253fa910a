"""The contract of every store: a match that is over for long takes little room, and reads as before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.referee.ports import Store
from bot.referee.ports import changes as c
from bot.referee.ports.model import FORMER, StoredDeal, StoredMatch
from tests.data import examples as ex
from tests.data.checks import ids, refuses
from tests.data.everything import everything
from tests.data.examples import ANA, BEN, GUILD, at


def played(id: str = "OVER", **changed: Any) -> StoredMatch:
    """Over, with two deals, and whatever else a match may have."""
    rich = {"deals": ex.rich_match().deals, "left": ex.rich_match().left, "draw": None, "proof": 2}
    agreement = b'{"match":"OVER","players":["101","102"],"v":2}'
    return ex.over(id, **{**rich, "agreement": agreement, "seats": ex.rich_match().seats, **changed})


async def folded(store: Store, id: str) -> None:
    match = await store.match(id)
    assert match is not None
    await store.write((c.FoldMatch(match, tuple(await store.earlier_seals(id))),))


async def test_it_reads_as_before(store: Store) -> None:
    first = ex.rich_match().deals[0]
    long = StoredDeal(2, {"hands": [["♠", "10H"]], "odd": {"a": [None, 1.5]}}, ex.decisions(40))
    matches = (
        played("MANY", deals=(first, long)),
        played("NONE", deals=()),
        played("BARE", deals=(StoredDeal(0, ex.ZONES),), agreement=b""),
        played("OLD1", proof=1, agreement=b"", nonce=b""),
        played("GONE", agreement=b'{"hash": "00"}'),
        played("DAYS", agreement=b'{"match":"D20261121-5","v":2}'),
        played("ODD1", agreement=b"\1"),
    )
    for number, one in enumerate(matches):
        await store.write((c.NewMatch(one),))
        await store.write(tuple(c.KeepSeal(one.id, ex.earlier(n, seat)) for n, seat in ((3, 1), (0, 0), (1, 1))))
        if number % 2:
            await store.write((c.KeepSeal(one.id, replace(ex.earlier(), deal=9)),))
    before = await asked(store, matches)
    assert [one for one, _ in before[0]] == [*matches]
    for one in matches:
        await folded(store, one.id)
    assert await asked(store, matches) == before


async def asked(store: Store, matches: Sequence[StoredMatch]) -> list[Any]:
    """Whatever tells of matches that are over."""
    found = [(await store.match(one.id), list(await store.earlier_seals(one.id))) for one in matches]
    lists = [await store.finished_of(GUILD, ANA, 9), await store.finished_ids(ANA), await store.last_match(ANA)]
    return [found, lists, await store.own(ANA), await store.own(BEN)]


async def test_everything_of_a_person_reads_as_before(store: Store) -> None:
    await everything(store)
    before = {user: await store.own(user) for user in (ANA, BEN)}
    assert before[ANA]["decisions"]
    assert before[ANA]["earlier_seals"]
    await folded(store, "OVER")
    assert {user: await store.own(user) for user in (ANA, BEN)} == before


async def test_only_what_is_over_and_as_it_was_read(store: Store) -> None:
    over, live = played(), ex.match("LIVE", deals=(StoredDeal(0, ex.ZONES),), sealed=(ex.seal(),))
    await store.write((c.NewMatch(over), c.NewMatch(live), c.KeepSeal("OVER", ex.earlier())))
    await refuses(store, (c.FoldMatch(played("NONE"), ()),))
    await refuses(store, (c.FoldMatch(live, ()),))
    seals = (ex.earlier(),)
    await refuses(store, (c.FoldMatch(replace(over, version=2), seals),))
    await refuses(store, (c.FoldMatch(over, ()),))  # a seal more than was read
    await refuses(store, (c.FoldMatch(replace(over, deals=over.deals[:1]), seals),))
    await refuses(store, (c.FoldMatch(replace(over, deals=(replace(over.deals[0], decisions=()),)), seals),))
    assert (await store.match("OVER"), await store.match("LIVE")) == (over, live)
    assert list(await store.earlier_seals("OVER")) == [ex.earlier()]
    await store.write((c.FoldMatch(over, seals),))
    await refuses(store, (c.FoldMatch(over, seals),))  # it is
    assert await store.match("OVER") == over


async def test_a_choice_that_waits_for_its_reveal_is_never_folded(store: Store) -> None:
    over = played(sealed=(ex.seal(),))
    await store.write((c.NewMatch(over),))
    await refuses(store, (c.FoldMatch(over, ()),))
    await refuses(store, (c.FoldMatch(replace(over, sealed=()), ()),))
    assert await store.match("OVER") == over


async def test_with_other_steps_all_or_nothing(store: Store) -> None:
    await store.write((c.NewMatch(played()),))
    await refuses(store, (c.FoldMatch(played(), ()), c.SaveNote("a", "b"), c.SaveMatch(ex.match("NONE"), 0)))
    assert (await store.match("OVER"), await store.note("a")) == (played(), None)
    assert await store.unfolded(at(9), 9) == ["OVER"]


async def test_nothing_more_happens_in_it(store: Store) -> None:
    await store.write((c.NewMatch(played()),))
    await folded(store, "OVER")
    await refuses(store, (c.NewDeal("OVER", StoredDeal(7, ex.ZONES)),))
    await refuses(store, (c.NewDeal("OVER", StoredDeal(0, ex.ZONES)),))
    await refuses(store, (c.AddDecisions("OVER", 0, 4, ex.decisions(1, 4)),))
    await refuses(store, (c.AddDecisions("OVER", 0, 0, ex.decisions(1)),))
    await refuses(store, (c.KeepSeal("OVER", ex.earlier()),))
    assert await store.match("OVER") == played()
    assert list(await store.earlier_seals("OVER")) == []


async def test_which_are_to_be_folded(store: Store) -> None:
    for id, ended in (("NEW1", 9), ("SAME", 2), ("OLD1", 1), ("ALSO", 2)):
        await store.write((c.NewMatch(played(id, ended=ended)),))
    await store.write((c.NewMatch(ex.match("LIVE")),))
    assert [list(await store.unfolded(at(when), 9)) for when in (1, 2, 9)] == [[], ["OLD1"], ["OLD1", "ALSO", "SAME"]]
    assert list(await store.unfolded(at(99), 2)) == ["OLD1", "ALSO"]
    for id in ("ALSO", "OLD1"):
        await folded(store, id)
    assert list(await store.unfolded(at(99), 9)) == ["SAME", "NEW1"]


async def test_it_is_taken_out_of_the_ratings(store: Store) -> None:
    await store.write((c.NewMatch(played()),))
    await folded(store, "OVER")
    voided = played(version=2, void=True, unrated="void", reason="spam")
    await store.write((c.SaveMatch(voided, 1),))
    assert await store.match("OVER") == voided
    [found] = await store.finished_of(GUILD, ANA, 9)
    assert (found.id, found.rated) == ("OVER", False)


@pytest.mark.parametrize("first", [True, False])
async def test_somebody_leaves_before_or_after(store: Store, first: bool) -> None:
    await store.write((c.NewMatch(played(seats=ex.match().seats)), c.KeepSeal("OVER", ex.earlier())))
    before = await store.match("OVER")
    assert before is not None
    leaves = c.Erase(ANA, -1, (c.Erased("OVER", b'{"hash": "0"}', "f" * 64),), at(0), at(0))
    if first:
        await folded(store, "OVER")
    await store.write((leaves,))
    if not first:
        await folded(store, "OVER")
    changed = {"agreement": b'{"hash": "0"}', "record": "f" * 64, "version": 2}
    seats = (replace(before.seats[0], user=-1, name=FORMER, seen=None), before.seats[1])
    assert await store.match("OVER") == replace(before, seats=seats, **changed)
    assert list(await store.earlier_seals("OVER")) == [ex.earlier()]
    assert not any((await store.own(ANA)).values())
    assert [row["seat"] for row in (await store.own(BEN))["decisions"]] == [1, 1]
    assert (await store.own(BEN))["matches"][0]["agreement"] == b'{"hash": "0"}'.hex()


async def test_it_is_dropped_like_any_other(store: Store) -> None:
    await store.write((c.NewMatch(played()),))
    await folded(store, "OVER")
    await store.write((c.DropMatch("OVER"),))
    assert await store.match("OVER") is None
    assert ids(await store.finished_of(GUILD, ANA, 9)) == []
    await store.write((c.NewMatch(played()),))  # its id is free again
    await store.write((c.KeepSeal("OVER", ex.earlier()),))
    assert await store.match("OVER") == played()
