"""The contract of every store: matches, what is sealed and decided in them, and lists of them."""

from dataclasses import replace

import pytest

from bot.referee.model import changes as c
from bot.referee.model.model import HOUSE, StoredDeal
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import ids, refuses
from tests.data.examples import ANA, BEN, CEM, CHANNEL, GUILD, at

# --- matches ------------------------------------------------------------------------------------------------


async def test_a_match_comes_back_as_it_was(store: Store) -> None:
    assert await store.match("K7Q2") is None
    for one in (ex.match(), ex.rich_match()):
        id = f"M{one.version}"
        await store.write((c.NewMatch(replace(one, id=id)),))
        assert await store.match(id) == replace(one, id=id)


async def test_a_match_is_saved_without_deals_and_seals(store: Store) -> None:
    await store.write(
        (c.NewMatch(ex.match()), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES)), c.PutSeal("K7Q2", 1, ex.seal()))
    )
    rich = ex.rich_match()
    await store.write((c.SaveMatch(replace(rich, nonce=b"other", started=at(9), guild=5, live=False, prompt=1), 1),))
    kept = {"deals": (StoredDeal(0, ex.ZONES),), "sealed": (ex.seal(),), "setup": ex.match().setup}
    kept |= {"agreement": b""}
    assert await store.match("K7Q2") == replace(rich, live=False, prompt=1, **kept)


async def test_the_agreement_of_a_match_never_changes(store: Store) -> None:
    await store.write((c.NewMatch(ex.match(agreement=b"agreed")), c.NewLobby(ex.lobby("LOBB"))))
    await store.write((c.SaveMatch(ex.match(version=2), 1), c.SaveLobby(ex.lobby("LOBB", version=2), 1)))
    assert await store.match("K7Q2") == ex.match(version=2, agreement=b"agreed")
    assert await store.lobby("LOBB") == ex.lobby("LOBB", version=2)


async def test_seals_that_are_not_played_are_kept_by_place(store: Store) -> None:
    await refuses(store, (c.KeepSeal("NONE", ex.earlier()),))
    await store.write((c.NewMatch(ex.match()), c.NewMatch(ex.match("OTHR"))))
    first, second, other = ex.earlier(0, 1), ex.earlier(1, 1), ex.earlier(5, 0)
    await store.write((c.KeepSeal("K7Q2", second), c.KeepSeal("K7Q2", first), c.KeepSeal("K7Q2", other)))
    await store.write((c.KeepSeal("K7Q2", first), c.KeepSeal("OTHR", first)))
    assert list(await store.earlier_seals("K7Q2")) == [other, first, second]
    assert list(await store.earlier_seals("NONE")) == []


async def test_a_match_is_saved_only_over_the_version_before(store: Store) -> None:
    await refuses(store, (c.SaveMatch(ex.match(version=2), 1),))
    await store.write((c.NewMatch(ex.match()),))
    await store.write((c.SaveMatch(ex.match(version=2), 1),))
    await refuses(store, (c.SaveMatch(ex.match(version=2, away=5), 1),))
    assert await store.match("K7Q2") == ex.match(version=2)
    with pytest.raises(ValueError, match="keeps its version"):
        await store.write((c.SaveMatch(ex.match(version=2), 2),))


async def test_where_the_match_before_is_at_hand_all_that_differs_is_saved(store: Store) -> None:
    """Each field by itself, and then all of them."""
    rich, known = ex.rich_match(), replace(ex.match(), version=1)
    await store.write((c.NewMatch(known),))
    fields = (
        "channel",
        "prompt",
        "opened",
        "deadline",
        "live",
        "left",
        "ending",
        "draw",
        "away",
        "ended",
        "termination",
    )
    fields += ("winner", "placings", "totals", "changes", "unrated", "void", "reason", "paused")
    ana, ben = known.seats
    changes = [{name: getattr(rich, name)} for name in fields] + [{"live": False}]
    changes += [{"seats": (replace(ana, seen=at(5)), ben)}, {"seats": (replace(ana, misses=1, draw_from=4), ben)}]
    changes += [{"seats": (ana, replace(ben, name="Benno"))}, {"seats": (ana, rich.seats[1])}]
    for change in [*changes, {**{name: getattr(rich, name) for name in fields}, "seats": rich.seats, "live": False}]:
        moved = replace(known, version=known.version + 1, **change)
        await store.write((c.SaveMatch(moved, known.version, known),))
        assert await store.match("K7Q2") == moved
        assert await store.live_count(BEN) == (moved.live and moved.seats[1].user == BEN)
        known = moved


async def test_a_match_has_the_seats_it_began_with(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()),))
    for users in ((ANA, BEN, CEM), (ANA,)):
        await refuses(store, (c.SaveMatch(ex.match(users=users, version=2), 1),))
    await store.write((c.SaveMatch(ex.match(users=(ANA, 0), version=2), 1),))
    assert await store.live_count(BEN) == 0


async def test_deals_and_decisions(store: Store) -> None:
    first, second = StoredDeal(0, ex.ZONES), StoredDeal(1, {"hands": [[1], [1]]})
    await store.write((c.NewMatch(ex.match()), c.NewDeal("K7Q2", first)))
    await store.write((c.AddDecisions("K7Q2", 0, 0, ex.decisions(2)),))
    await store.write((c.AddDecisions("K7Q2", 0, 2, ex.decisions(4, 2)), c.NewDeal("K7Q2", second)))
    await store.write((c.AddDecisions("K7Q2", 1, 0, ex.decisions(1)),))
    found = await store.match("K7Q2")
    assert found is not None
    assert found.deals == (replace(first, decisions=ex.decisions(6)), replace(second, decisions=ex.decisions(1)))


async def test_nothing_is_decided_twice_or_out_of_order(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES))))
    await store.write((c.AddDecisions("K7Q2", 0, 0, ex.decisions(2)),))
    before = await store.match("K7Q2")
    for deal, first in ((0, 0), (0, 1), (0, 3), (1, 0)):
        await refuses(store, (c.AddDecisions("K7Q2", deal, first, ex.decisions(2)),))
    await refuses(store, (c.AddDecisions("NONE", 0, 0, ex.decisions(1)),))
    await refuses(store, (c.NewDeal("NONE", StoredDeal(0, ex.ZONES)),))
    assert await store.match("K7Q2") == before


async def test_the_same_deal_twice_is_one_deal(store: Store) -> None:
    deal = StoredDeal(0, ex.ZONES, ex.decisions(2))
    await store.write((c.NewMatch(ex.match(deals=(deal,))), c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES))))
    await refuses(store, (c.NewDeal("K7Q2", StoredDeal(0, {"hands": []})),))
    assert await store.match("K7Q2") == ex.match(deals=(deal,))


async def test_seals_are_replaced_and_dropped(store: Store) -> None:
    await store.write((c.NewMatch(ex.match()), c.PutSeal("K7Q2", 1, ex.seal(1)), c.PutSeal("K7Q2", 1, ex.seal(0))))
    await store.write((c.PutSeal("K7Q2", 1, ex.seal(1, choice=[9, 10])),))
    found = await store.match("K7Q2")
    assert found is not None
    assert found.sealed == (ex.seal(0), ex.seal(1, choice=[9, 10]))
    await store.write((c.DropSeals("K7Q2", 1), c.DropSeals("K7Q2", 2), c.DropSeals("NONE", 0)))
    assert await store.match("K7Q2") == ex.match(sealed=(ex.seal(0),))
    await store.write((c.DropSeals("K7Q2"), c.DropSeals("NONE")))
    assert await store.match("K7Q2") == ex.match()


async def test_a_seal_is_for_the_present_prompt(store: Store) -> None:
    await refuses(store, (c.PutSeal("K7Q2", 1, ex.seal()),))
    await store.write((c.NewMatch(ex.match(prompt=5)),))
    await refuses(store, (c.PutSeal("K7Q2", 4, ex.seal()),))
    await store.write((c.PutSeal("K7Q2", 5, ex.seal(0)),))
    turn = c.SaveMatch(ex.match(prompt=6, version=2), 1)
    await refuses(store, (turn, c.PutSeal("K7Q2", 6, ex.seal(1))))  # the old one is still there
    await store.write((c.PutSeal("K7Q2", 6, ex.seal(1)), turn, c.DropSeals("K7Q2"), c.PutSeal("K7Q2", 6, ex.seal(0))))
    assert await store.match("K7Q2") == ex.match(prompt=6, version=2, sealed=(ex.seal(0),))


# --- lists of matches ---------------------------------------------------------------------------------------


async def test_live_matches_of_a_person_and_a_channel(store: Store) -> None:
    for one in (
        ex.match("LATE", started=at(9)),
        ex.rich_match(),
        ex.match("SOON", (BEN, ANA), started=at(1), guild=5, channel=6),
        ex.match("BENS", (BEN, CEM)),
        ex.match("HOUS", (CEM, HOUSE)),
        ex.over("OVER"),
    ):
        await store.write((c.NewMatch(one),))
    live = await store.live_of(ANA)
    assert [one.id for one in live] == ["K7Q2", "SOON", "LATE"]
    assert live[0] == ex.rich_match()
    assert [await store.live_count(user) for user in (ANA, BEN, CEM, 999)] == [2, 3, 1, 0]
    assert [await store.boards_in(channel) for channel in (CHANNEL, 6, 7)] == [4, 1, 0]
    await store.write((c.SaveMatch(ex.over("SOON", (BEN, ANA), version=2, guild=5, channel=6), 1),))
    assert (await store.live_count(ANA), await store.boards_in(6)) == (1, 0)


async def test_finished_matches_by_their_result(store: Store) -> None:
    await store.write(
        (
            c.NewMatch(ex.over("WON2", (ANA, BEN), 1, winner=0)),
            c.NewMatch(ex.over("WON3", (CEM, BEN, ANA), 2, winner=2, placings=(2, 3, 1))),
            c.NewMatch(ex.over("LOST", (ANA, BEN), 3, winner=1, placings=(2, 1))),
            c.NewMatch(ex.over("DRAW", (ANA, BEN), 4, winner=None, placings=(1, 1))),
            c.NewMatch(ex.over("LEFT", (BEN, CEM, ANA), 4, winner=None, placings=(1, 1, 3), termination=6)),
            c.NewMatch(ex.over("STOP", (ANA, BEN), 5, winner=None, placings=None, termination=4)),
        )
    )
    found = {one: ids(await store.finished_of(GUILD, ANA, 9, result=one)) for one in ("won", "lost", "drawn", "")}
    assert found == {
        "won": ["WON3", "WON2"],
        "lost": ["LEFT", "LOST"],
        "drawn": ["DRAW"],
        "": ["STOP", "LEFT", "DRAW", "LOST", "WON3", "WON2"],
    }
    assert ids(await store.finished_of(GUILD, BEN, 9, result="drawn")) == ["LEFT", "DRAW"], "as the profile counts them"
    assert ids(await store.finished_of(GUILD, BEN, 9, against=ANA, result="won")) == ["LOST"]


async def test_finished_matches_page_by_page(store: Store) -> None:
    for number in range(5):
        await store.write((c.NewMatch(ex.over(f"M{number}", ended=number)),))
    rest = ex.match("WITH", (CEM, ANA), setup=replace(ex.SETUP, game="bid"))
    await store.write((c.NewMatch(rest),))
    await store.write((c.NewMatch(ex.match("LIVE")), c.NewMatch(ex.over("AWAY", guild=5))))
    done = replace(rest, live=False, ended=at(9), termination=2, totals=("5/2", "1"), version=2, unrated="house")
    await store.write((c.SaveMatch(done, 1),))
    assert ids(await store.finished_of(GUILD, ANA, 3)) == ["WITH", "M4", "M3"]
    assert ids(await store.finished_of(GUILD, ANA, 3, 3)) == ["M2", "M1", "M0"]
    assert ids(await store.finished_of(GUILD, ANA, 3, 6)) == []
    assert await store.finished_ids(CEM) == ["WITH"]
    assert await store.finished_ids(5) == []
    assert ids(await store.finished_of(GUILD, ANA, 9, against=CEM)) == ["WITH"]
    assert ids(await store.finished_of(GUILD, ANA, 9, game="bid")) == ["WITH"]
    assert ids(await store.finished_of(GUILD, ANA, 9, against=BEN, game="bid")) == []
    first = (await store.finished_of(GUILD, CEM, 1))[0]
    assert (first.game, first.totals, first.termination, first.rated) == ("bid", ("5/2", "1"), 2, False)
    assert (first.seats, first.ended, first.placings) == (rest.seats, at(9), None)
    rated = (await store.finished_of(GUILD, BEN, 1))[0]
    assert (rated.rated, rated.placings) == (True, (1, 2))


async def test_last_finished_match_is_the_one_that_ended_last(store: Store) -> None:
    for one in (ex.over("LONG", started=at(1), ended=9), ex.over("BRIEF", started=at(2), ended=3)):
        await store.write((c.NewMatch(one),))
    assert await store.last_match(ANA, live=False) == "LONG"


async def test_matches_that_have_begun_since_a_time_count_in_their_server(store: Store) -> None:
    await store.write((c.NewMatch(ex.match("AAAA", (ANA, BEN), started=at(50))),))
    found = [await store.is_played(*asked) for asked in ((GUILD, at(49)), (GUILD, at(50)), (GUILD, at(51)), (6, at(0)))]
    assert found == [True, True, False, False]


async def test_a_match_that_is_over_counts_in_its_own_server(store: Store) -> None:
    over = {"live": False, "ended": at(0)}
    await store.write((c.NewMatch(ex.match("OVER", (ANA, BEN), **over)), c.NewMatch(ex.match("LIVE", (CEM, BEN)))))
    found = [(guild, user) for guild in (GUILD, 6) for user in (ANA, BEN, CEM) if await store.has_finished(guild, user)]
    assert found == [(GUILD, ANA), (GUILD, BEN)]


async def test_last_match(store: Store) -> None:
    for one in (
        ex.match("OLD1", started=at(1)),
        ex.over("OVER", started=at(2)),
        ex.match("ELSE", started=at(3), channel=6),
        ex.match("BENS", (BEN, CEM), started=at(4)),
    ):
        await store.write((c.NewMatch(one),))
    assert await store.last_match(ANA) == "ELSE"
    assert await store.last_match(ANA, CHANNEL) == "OVER"
    assert await store.last_match(ANA, CHANNEL, live=True) == "OLD1"
    assert await store.last_match(ANA, live=False) == "OVER"
    assert await store.last_match(ANA, 6, live=False) is None
    assert await store.last_match(999) is None
    assert await store.last_match(ANA, live=False, guild=GUILD) == "OVER"
    assert await store.last_match(ANA, live=False, guild=0) is None


async def test_rated_matches_of_the_same_people(store: Store) -> None:
    casual = replace(ex.SETUP, rated=False)
    for one in (
        ex.over("AAAA", ended=10),
        ex.over("BBBB", (BEN, ANA), ended=20),
        ex.over("SIXT", ended=21, unrated="farming"),
        ex.over("VOID", ended=22, void=True),
        ex.over("CASU", ended=23, setup=casual),
        ex.over("TRIO", (ANA, BEN, CEM), ended=24),
        ex.over("AWAY", ended=25, guild=5),
        ex.match("LIVE"),
    ):
        await store.write((c.NewMatch(one),))
    games = ("classic", "vultures")
    counts = [await store.rated_pairs_since(GUILD, (ANA, BEN), at(since), games) for since in (10, 10.000001, 20, 21)]
    assert counts == [2, 1, 1, 0]
    assert await store.rated_pairs_since(GUILD, (CEM, ANA, BEN), at(0), games) == 1
    assert await store.rated_pairs_since(GUILD, (ANA,), at(0), games) == 0
    assert await store.rated_pairs_since(GUILD, (ANA, BEN), at(0), ("pico",)) == 0
    assert await store.rated_pairs_since(GUILD, (ANA, BEN), at(0), ()) == 0
