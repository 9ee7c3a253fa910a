"""The contract of every store: people, servers and ratings."""

import random
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from bot.ratings.pool import rank_standings
from bot.ratings.skill import SIGMA, WEEK, WIDENING
from bot.referee.model import changes as c
from bot.referee.model.guild_settings import Band, GuildSettings
from bot.referee.model.people import Height, Import, OwedRoles, Player, RoleOf
from bot.referee.repository.standings import find_rank, standing_of
from data.store import Store
from tests.data import examples as ex
from tests.data.checks import refuses
from tests.data.everything import everything
from tests.data.examples import ANA, BEN, CEM, CHANNEL, GUILD, at


async def test_people_and_servers_have_defaults(store: Store) -> None:
    assert await store.player(ANA) == Player(ANA)
    assert await store.guild(GUILD) == GuildSettings(GUILD)
    assert await store.name_of(GUILD, ANA) is None
    player = Player(ANA, "dm", False, False, False, True, "faces", True, False, 5, at(3), True)
    guild = GuildSettings(
        *(GUILD, "bid", 15, False, "board", 1, 2, (3, CHANNEL), (4,), False, "letters", "blind", 7, 3),
        *("monthly", CHANNEL, (Band(1400, 2**62), Band(1200, 5)), True),
    )
    await store.write((c.SavePlayer(player), c.SaveGuild(guild), c.NameMember(GUILD, ANA, "Ana")))
    assert (await store.player(ANA), await store.guild(GUILD)) == (player, guild)
    await store.write((c.SavePlayer(Player(ANA)), c.SaveGuild(GuildSettings(GUILD)), c.NameMember(GUILD, ANA, "Änne")))
    assert (await store.player(ANA), await store.guild(GUILD)) == (Player(ANA), GuildSettings(GUILD))
    assert await store.name_of(GUILD, ANA) == "Änne"
    assert await store.name_of(5, ANA) is None


async def test_settings_are_saved_only_over_the_version_before(store: Store) -> None:
    await store.write((c.SaveGuild(GuildSettings(GUILD, clock=15, version=1), 0),))
    await refuses(store, (c.SaveGuild(GuildSettings(GUILD, clock=300, version=1), 0),))
    await refuses(store, (c.SaveGuild(GuildSettings(GUILD, clock=300, version=3), 2),))
    await store.write((c.SaveGuild(GuildSettings(GUILD, clock=300, version=2), 1),))
    assert await store.guild(GUILD) == GuildSettings(GUILD, clock=300, version=2)


async def test_what_moderators_did_comes_newest_first(store: Store) -> None:
    first, second = ex.audit("clock", 1, 1), ex.audit("game", 2, 1)
    stopped = ex.audit("stop", 0, 3, match="K7Q2", before="", after="spam")
    elsewhere = ex.audit("boards", 9, guild=5)
    await store.write(tuple(c.AddAudit(one) for one in (first, second, elsewhere, stopped)))
    assert await store.audits(GUILD, 9) == [stopped, second, first]
    assert await store.audits(GUILD, 1, 1) == [second]
    assert await store.changed_since(GUILD, 0) == ["clock", "game"]
    assert await store.changed_since(GUILD, 1) == ["game"]
    assert await store.changed_since(GUILD, 2) == await store.changed_since(6, 0) == []


async def test_who_may_not_play(store: Store) -> None:
    await store.write((c.PutBan(ex.ban(CEM)), c.PutBan(ex.ban(BEN)), c.PutBan(ex.ban(BEN, guild=5))))
    await store.write((c.PutBan(ex.ban(BEN, 99, reason="again")),))
    assert await store.ban(GUILD, BEN) == ex.ban(BEN, 99, reason="again")
    assert await store.bans(GUILD) == [ex.ban(BEN, 99, reason="again"), ex.ban(CEM)]
    await store.write((c.DropBan(GUILD, BEN), c.DropBan(GUILD, ANA)))
    assert (await store.ban(GUILD, BEN), await store.bans(5)) == (None, [ex.ban(BEN, guild=5)])


async def test_bans_that_have_run_out_go(store: Store) -> None:
    await store.write((c.PutBan(ex.ban(CEM, 5)), c.PutBan(ex.ban(BEN, 6)), c.PutBan(ex.ban(BEN, 7, guild=5))))
    assert await store.next_ban_end(GUILD) == ex.at(5)
    await store.write((c.DropBans(GUILD, ex.at(7)),))
    assert (await store.bans(GUILD), await store.banned(BEN)) == ([], [ex.ban(BEN, 7, guild=5)])
    assert (await store.next_ban_end(GUILD), await store.next_ban_end(5)) == (None, ex.at(7))
    await store.write((c.DropBans(5, ex.at(7)),))
    assert await store.next_ban_end(5) is None


async def test_a_rating_that_was_worked_out_anew_meanwhile_is_a_conflict(store: Store) -> None:
    """It has been moved, though no more matches were played."""
    was = ex.rating(played=3)
    await store.write((c.SaveRating(was, None), c.SaveRating(replace(was, mu=20.5), 3, was.mu)))
    await refuses(store, (c.SaveRating(replace(was, mu=30.0, played=4), 3, was.mu),))
    await store.write((c.SaveRating(replace(was, mu=30.0, played=4), 3, 20.5),))


async def test_a_place_is_the_one_that_the_ranking_has(store: Store) -> None:
    """Counted without sorting anybody: with numbers that many share, time away, people who left, and newcomers."""
    chance = random.Random(17)
    everybody = [
        ex.rating(
            user,
            mu=chance.choice((25.0, 25.025, 30.0, chance.gauss(25, 5))),
            sigma=chance.choice((2.0, 3.0, SIGMA, chance.uniform(1, SIGMA))),
            played=chance.choice((0, 1, 9)),
            last=chance.choice((None, at(0), at(-1) - chance.randrange(150) * WEEK, at(0) - WEEK, at(5))),
        )
        for user in range(1, 200)
    ]
    gone = {user: c.NameMember(GUILD, user, "Gone", here=False) for user in range(150, 170)}
    await store.write((*(c.SaveRating(one, None) for one in everybody), *gone.values()))
    here = [standing_of(one) for one in everybody if one.user not in gone]
    lines = rank_standings(here, at(0))
    assert len({line.place for line in lines}) < len(lines), "some share a place"
    for line in lines:
        assert await find_rank(store, GUILD, "classic", line.skill, at(0)) == (line.place, len(lines)), line
    level = lines[50].skill
    found = await store.above(GUILD, "classic", Height(level.mu - 3 * level.sigma, at(0), WIDENING, SIGMA))
    assert lines[50].standing.user in {one.user for one in found.close}, "at the very height the arithmetic has to tell"


async def test_which_roles_are_owed(store: Store) -> None:
    """Whoever is in a band and was not given its role; whoever was given one and is in no such band, or has left."""
    high, middle = Band(1400, 2**62 + 1), Band(1000, 5)
    dee, eli = 104, 105

    async def owed(*bands: Band, season: bool = False, without: tuple[int, ...] = (), limit: int = 9) -> OwedRoles:
        return await store.owed_roles(GUILD, "classic", bands, season=season, without=without, limit=limit)

    shown = {ANA: 1400, BEN: 1399, CEM: 999, dee: 1000, eli: 2000}
    await store.write(
        tuple(
            c.SaveRating(ex.rating(user, mu=(points - 1000) / 20 + 6, sigma=2.0), None)
            for user, points in shown.items()
        )
    )
    await store.write((c.NameMember(GUILD, eli, "Eli", here=False), c.NoteRole(5, ANA, 5, True)))
    assert await owed() == OwedRoles([], [])
    assert await owed(middle, high) == OwedRoles([RoleOf(ANA, high.role), RoleOf(BEN, 5), RoleOf(dee, 5)], [])
    assert (await owed(middle, high, limit=1)).give == [RoleOf(ANA, high.role)]
    assert (await owed(middle, high, without=(5,))).give == [RoleOf(ANA, high.role)]
    assert await owed(middle, high, season=True) == OwedRoles([], [])
    given = [(ANA, 5, True), (BEN, 5, False), (CEM, 5, True), (dee, 5, True), (eli, high.role, True)]
    await store.write(tuple(c.NoteRole(GUILD, *one) for one in given))
    take = [RoleOf(ANA, 5), RoleOf(eli, high.role), RoleOf(CEM, 5)]
    assert await owed(high, middle) == OwedRoles([RoleOf(ANA, high.role), RoleOf(BEN, 5)], take)
    assert (await owed(high, middle, without=(5,))).take == [RoleOf(eli, high.role)]
    await store.write(
        (c.NoteRole(GUILD, ANA, high.role, True), c.DropRole(GUILD, ANA, 5), c.NoteRole(GUILD, BEN, 5, True))
    )
    assert await owed(high, middle) == OwedRoles([], take[1:])
    assert len((await owed(season=True)).take) == 5, "a season in which nobody has played yet"


async def test_a_rating_of_which_nothing_is_left_goes(store: Store) -> None:
    was = ex.rating(played=3)
    await store.write((c.SaveRating(was, None), c.SaveRating(ex.rating(BEN), None)))
    await store.write((c.AddRatingEntry(ex.entry("ELSE", guild=5)),))
    await refuses(store, (c.DropRating(GUILD, "classic", ANA, 2, was.mu),))
    await refuses(store, (c.DropRating(GUILD, "classic", ANA, 3, 1.0),))
    await store.write((c.DropRating(GUILD, "classic", ANA, 3, was.mu),))
    assert await store.ratings(GUILD, "classic") == [ex.rating(BEN)]
    assert await store.every_pool() == [(5, "classic")]


async def test_records_from_elsewhere(store: Store) -> None:
    """The newest few of a person, and only theirs."""
    sent = [Import(f"MP{number}K", ANA, at(number), f"{{{number}}}") for number in range(2, 6)]
    other = Import("MP9K", BEN, at(0), "{}")
    await store.write((c.KeepImport(other, 3),))
    for one in sent:
        await store.write((c.KeepImport(one, 3),))
    assert [await store.imported(ANA, one.id) for one in sent] == [None, *sent[1:]]
    assert await store.imported(BEN, "MP9K") == other
    assert await store.imported(ANA, "MP9K") is None
    assert await store.known_id("MP9K")
    assert not await store.known_id("MP2K")
    await refuses(store, (c.KeepImport(other, 3),))


async def test_blocks(store: Store) -> None:
    await store.write((c.Block(ANA, CEM, True, "Cem"), c.Block(ANA, BEN, True, "Ben"), c.Block(ANA, BEN, True)))
    assert await store.blocks(ANA) == [(BEN, "Ben"), (CEM, "Cem")]
    assert (await store.blocked(ANA, BEN), await store.blocked(BEN, ANA)) == (True, False)
    await store.write((c.Block(ANA, BEN, False), c.Block(BEN, ANA, False)))
    assert await store.blocks(ANA) == [(CEM, "Cem")]


async def test_a_rating_is_saved_only_over_what_was_played(store: Store) -> None:
    assert await store.rating(GUILD, "classic", ANA) is None
    await refuses(store, (c.SaveRating(ex.rating(), 2),))
    await store.write((c.SaveRating(ex.rating(played=1), 0),))
    await refuses(store, (c.SaveRating(ex.rating(played=1), 0),))
    await store.write((c.SaveRating(ex.rating(played=2), 1),))
    assert await store.rating(GUILD, "classic", ANA) == ex.rating(played=2)
    fresh = ex.rating(played=0, won=0, drawn=0, lost=0, last=None, mu=25.0)
    await store.write((c.SaveRating(fresh, None),))
    assert await store.rating(GUILD, "classic", ANA) == fresh
    await store.write((c.SaveRating(ex.rating(played=1), 0),))
    assert await store.rating(GUILD, "classic", ANA) == ex.rating(played=1)


async def test_a_member_is_named_by_who_saw_them_last(store: Store) -> None:
    await store.write((c.NameMember(GUILD, BEN, "Benno", here=False), c.SaveRating(ex.rating(BEN), None)))
    await store.write((c.SaveRating(ex.rating(ANA), None),))
    assert await store.ratings(GUILD, "classic") == [ex.rating(), ex.rating(BEN, name="Benno", here=False)]
    await store.write((c.NameMember(GUILD, ANA, "Änne", here=False), c.NameMember(GUILD, BEN, "Ben")))
    found = {one.user: (one.name, one.here) for one in await store.ratings(GUILD, "classic")}
    assert found == {ANA: ("Änne", False), BEN: ("Ben", True)}
    assert await store.ratings(5, "classic") == await store.ratings(GUILD, "bid") == []


async def test_pools(store: Store) -> None:
    await store.write(tuple(c.SaveRating(ex.rating(ANA, pool=pool), 0) for pool in ("welsh", "bid")))
    await store.write((c.SaveRating(ex.rating(BEN, pool="classic"), 0), c.SaveRating(ex.rating(guild=5), 0)))
    assert await store.pools(GUILD) == ["bid", "classic", "welsh"]
    assert await store.pools(GUILD, ANA) == ["bid", "welsh"]
    assert await store.pools(GUILD, 999) == []


async def test_rating_entries_that_nothing_else_tells_apart_come_by_person(store: Store) -> None:
    """Two stores, and two runs of one, give the same order, whichever was written first."""
    first = [ex.entry(user=user) for user in (ANA, CEM, BEN)]
    second = [ex.entry("MID2", user) for user in (CEM, BEN, ANA)]
    await store.write(tuple(c.AddRatingEntry(one) for one in (*first, *second)))
    people = (ANA, BEN, CEM)
    wanted = [*(ex.entry(user=user) for user in people), *(ex.entry("MID2", user) for user in people)]
    assert await store.rating_history(GUILD, "classic", 0) == wanted


async def test_rating_history_is_in_order_and_without_voided_matches(store: Store) -> None:
    entries = [ex.entry("OLD1", when=1), ex.entry("MID2", when=2), ex.entry("NEW3", when=3)]
    await store.write((c.NewMatch(ex.over("MID2")), *(c.AddRatingEntry(one) for one in reversed(entries))))
    others = (ex.entry("MID2", BEN, 2, seat=1), ex.entry("ELSE", guild=5), ex.entry("POOL", pool="bid"))
    await store.write(tuple(c.AddRatingEntry(one) for one in others))
    assert await store.rating_history(GUILD, "classic", ANA) == entries
    assert await store.rating_history(GUILD, "classic", 0) == [*entries[:2], others[0], entries[2]]
    anew = ex.entry("NEW3", when=3, mu=24.0, mu_before=24.5)
    await store.write((c.SaveMatch(ex.over("MID2", void=True, version=2), 1), c.AddRatingEntry(anew)))
    assert await store.rating_history(GUILD, "classic", ANA) == [entries[0], anew]


async def test_what_is_kept_of_a_person(store: Store) -> None:
    """Rows by table, the same from every store: here of Ana, of Ben, and of nobody."""
    await everything(store)
    kept = await store.own(ANA)
    assert [table for table, rows in kept.items() if not rows] == ["seals"]  # of a live match only
    assert [row["name"] for row in kept["members"]] == ["Anna", "Ana"]
    assert [(row["guild"], row["match_id"]) for row in kept["daily_tries"]] == [(GUILD, "OVER")]
    assert [(row["match_id"], row["seat"]) for row in (await store.own(BEN))["seats"]] == [("OVER", 1)]
    assert not any((await store.own(12345)).values())


async def test_times_of_calls_that_open_dms_are_a_pace_apart(store: Store) -> None:
    now, pace = ex.at(0), timedelta(seconds=1)

    def reserve(at: datetime, latest: float = 2) -> c.ReserveDm:
        return c.ReserveDm(at, pace, at + timedelta(seconds=latest), at + timedelta(minutes=10))

    first = [(await store.write((reserve(now),)))[0] for _ in range(3)]
    assert [later - before for before, later in pairwise(first)] == [1_000_000] * 2
    with pytest.raises(c.Conflict):
        await store.write((reserve(now),))
    assert await store.write((reserve(now + timedelta(hours=1)),)) == [first[0] + 3600 * 1_000_000]
    assert await store.write((reserve(now),)) == [first[0]], "the clock was set back"


async def test_dms_are_opened_on_after_the_clock_was_set_back(store: Store) -> None:
    """A start with a clock that was five minutes slow let the consoles of all new matches wait for five minutes."""
    pace, slow = timedelta(seconds=1), timedelta(minutes=5)

    def reserve(at: datetime) -> c.ReserveDm:
        return c.ReserveDm(at, pace, at + 2 * pace, at + timedelta(minutes=10))

    [reserved] = await store.write((reserve(ex.at(0)),))
    await store.write((c.ShiftDeadlines(-slow),))
    [next_at] = await store.write((reserve(ex.at(0) - slow),))
    assert next_at == reserved + (pace - slow) // timedelta(microseconds=1)
    await store.write((c.ShiftDeadlines(slow),))
    [later] = await store.write((reserve(ex.at(0)),))
    assert later == reserved, "time that goes by lets nobody wait"
