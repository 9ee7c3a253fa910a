"""Whatever is written, the store with a cache answers as the one without."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.referee.model import changes as c
from bot.referee.model.counts import NoteJoined, NoteLeft
from bot.referee.model.daily import NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import DeadlineKind, Invite, LobbyState, Reply, StoredDeal
from bot.referee.model.people import Player
from bot.referee.model.surfaces import SurfaceKind, SurfaceState
from data.cache import STALE_AFTER, UNTOLD, CachingStore
from data.sql.statement import Read, Statement
from data.store import Store
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM, CHANNEL, GUILD, at
from tests.memory_store import MemoryDatabase
from tests.migrated import migrated
from tests.sqlite_store import SqliteStore

T = TypeVar("T")

IDS = st.sampled_from(["K7Q2", "ABCD"])
USERS = st.sampled_from([ANA, BEN, CEM])
SMALL = st.integers(0, 3)
CLOCKS = st.integers(1, 3)
TIMES = SMALL.map(at)
TABLES = st.sampled_from([(ANA, BEN), (BEN, ANA), (ANA, BEN, CEM), (CEM, 0)])
DEALS = st.builds(StoredDeal, SMALL, st.sampled_from([ex.ZONES, {"hands": []}]), SMALL.map(ex.decisions))
SEALS = st.builds(ex.seal, SMALL, st.one_of(SMALL, st.just({"pick": "QS"})))
DAYS = st.sampled_from([ex.DAY, date(1969, 12, 31)])
POOLS = st.sampled_from(["classic", "bid"])


@st.composite
def lobbies(draw: st.DrawFn) -> Any:
    people = tuple(Invite(user, str(user), draw(st.sampled_from(Reply))) for user in draw(TABLES) if user)
    state = draw(st.sampled_from(LobbyState))
    return ex.lobby(
        draw(IDS),
        state=state,
        host=draw(USERS),
        people=people,
        expires=draw(TIMES),
        created=draw(TIMES),
    )


@st.composite
def matches(draw: st.DrawFn) -> Any:
    made = draw(st.sampled_from([ex.match, ex.over]))
    seals = tuple({seal.seat: seal for seal in draw(st.lists(SEALS, max_size=2))}.values())
    changed: dict[str, Any] = {
        "prompt": draw(SMALL),
        "started": draw(TIMES),
        "sealed": seals,
        "void": draw(st.booleans()),
        "agreement": draw(st.binary(max_size=2)),
    }
    if made is ex.over:
        changed["ended"] = draw(TIMES)
    return replace(made(draw(IDS), draw(TABLES)), **changed)


def after(step: Any, name: str) -> Any:
    """A save over any version, in most cases the right one."""

    def save(one: Any, expect: int) -> Any:
        return step(replace(one, version=expect + 1), expect)

    return st.builds(save, matches() if name == "match" else lobbies(), st.sampled_from([1, 1, 2, 3]))


STEPS = st.one_of(
    st.builds(c.NewLobby, lobbies()),
    after(c.SaveLobby, "lobby"),
    st.builds(c.NewMatch, matches()),
    after(c.SaveMatch, "match"),
    st.builds(c.NewDeal, IDS, DEALS),
    st.builds(c.AddDecisions, IDS, SMALL, SMALL, SMALL.map(ex.decisions)),
    st.builds(c.PutSeal, IDS, SMALL, SEALS),
    st.builds(c.DropSeals, IDS, st.none() | SMALL),
    st.builds(c.KeepSeal, IDS, st.builds(ex.earlier, SMALL, SMALL)),
    st.builds(c.SetDeadline, st.builds(ex.deadline, IDS, st.sampled_from(DeadlineKind), SMALL, SMALL)),
    st.builds(
        c.DropDeadlines, IDS, st.sampled_from([None, *DeadlineKind]), st.none() | SMALL, st.none() | SMALL.map(ex.at)
    ),
    st.builds(
        c.ShiftDeadlines,
        SMALL.map(lambda number: timedelta(seconds=number / 2 - 9)),
        st.booleans(),
        st.booleans(),
        st.none() | TIMES,
    ),
    st.builds(c.MarkBehind, IDS),
    st.builds(c.EndMarking, st.tuples(st.tuples(SMALL, SMALL))),
    st.builds(
        c.PutSurface,
        st.builds(
            ex.surface,
            IDS,
            st.sampled_from(SurfaceKind),
            SMALL,
            id=SMALL,
            state=st.sampled_from([SurfaceState.LIVE, SurfaceState.STUCK, SurfaceState.GONE]),
        ),
    ),
    st.builds(c.SurfaceShown, SMALL, st.sampled_from([555, 556]), SMALL, IDS),
    st.builds(c.DropSurface, SMALL),
    st.builds(c.MoveDeadlines, IDS, SMALL.map(lambda number: timedelta(seconds=number))),
    st.builds(c.PutOff, st.builds(ex.deadline, IDS, st.sampled_from(DeadlineKind), SMALL, SMALL)),
    st.builds(c.SavePlayer, st.builds(Player, USERS, bids=st.booleans(), reminders=st.sampled_from([(), (480, 60)]))),
    st.builds(c.NewPause, st.builds(ex.pause, USERS, SMALL, SMALL)),
    st.builds(c.EndPause, st.builds(ex.pause, USERS, SMALL, SMALL), TIMES),
    st.builds(c.SaveGuild, st.builds(GuildSettings, st.just(GUILD), clock=CLOCKS, version=SMALL), st.none() | SMALL),
    st.builds(NoteJoined, st.just(GUILD), st.none() | TIMES),
    st.builds(NoteLeft, st.just(GUILD)),
    st.builds(c.AddAudit, st.builds(ex.audit, st.sampled_from(["game", "clock"]), SMALL, SMALL)),
    st.builds(c.PutBan, st.builds(ex.ban, USERS, SMALL)),
    st.builds(c.DropMatch, IDS),
    st.builds(c.DropServer, st.just(GUILD)),
    st.builds(c.DropBan, st.just(GUILD), USERS),
    st.builds(c.DropBans, st.just(GUILD), TIMES),
    st.builds(c.NameMember, st.just(GUILD), USERS, st.text(max_size=3), st.booleans()),
    st.builds(c.Block, USERS, USERS, st.booleans()),
    st.builds(
        c.SaveRating,
        st.builds(ex.rating, USERS, pool=POOLS, played=SMALL, name=st.text(max_size=3)),
        st.one_of(st.none(), SMALL),
        st.sampled_from([None, 25.123456789, 26.0]),
    ),
    st.builds(c.DropRating, st.just(GUILD), POOLS, USERS, SMALL, st.just(25.123456789)),
    st.builds(c.AddRatingEntry, st.builds(ex.entry, IDS, USERS, SMALL, pool=POOLS, seat=SMALL)),
    st.builds(
        c.SaveRating, st.builds(ex.rating, USERS, pool=POOLS, played=SMALL), st.none() | SMALL, season=st.just(True)
    ),
    st.builds(c.NewSeason, st.builds(ex.season, st.integers(1, 2))),
    st.builds(c.SaveSeason, st.builds(ex.season, st.just(1), over=st.booleans(), version=SMALL), SMALL),
    st.builds(c.SeasonMoves, st.just(GUILD), st.integers(1, 2)),
    st.builds(c.FreezeSeason, st.just(GUILD), st.integers(1, 2), st.tuples(st.builds(ex.frozen, USERS, pool=POOLS))),
    st.builds(c.MarkSeason, st.just(GUILD), st.integers(1, 2), POOLS),
    st.builds(c.Heartbeat, TIMES),
    st.builds(c.SaveNote, IDS, st.text(max_size=3)),
    st.builds(NewDailyDeal, st.builds(ex.daily, DAYS)),
    st.builds(SaveDailyBest, st.just(GUILD), DAYS, SMALL),
    st.builds(NewDailyTry, st.just(GUILD), DAYS, USERS, IDS),
    st.builds(ShareDaily, st.just(GUILD), DAYS, USERS, st.booleans()),
)


async def outcome(store: Store, change: c.Change) -> object:
    try:
        return await store.write(change)
    except c.Conflict:
        return "conflict"


async def everything(store: Store) -> list[object]:
    """All that can be asked."""
    found: list[object] = [
        await store.behind(),
        await store.unmarked(),
        await store.next_due(),
        await store.next_ban_end(GUILD),
        await store.due(at(2)),
        await store.heartbeat(),
    ]
    found += [await store.live_in(GUILD), await store.live_in(GUILD, CHANNEL), await store.live_in(5, 6)]
    found += [await store.boards_in(CHANNEL), await store.pools(GUILD), await store.guild(GUILD)]
    found += [await store.is_member(GUILD), await store.member_servers(), await store.joined_servers()]
    found += [await store.daily_deal(GUILD, ex.DAY), await store.daily_tries(GUILD, ex.DAY)]
    found += [await store.every_pool(), await store.season(GUILD), await store.seasons(GUILD)]
    found += [await store.season_pools(GUILD), await store.frozen_pools(GUILD, 1)]
    found += [await store.audits(GUILD, 9, 1), await store.changed_since(GUILD, 1), await store.bans(GUILD)]
    found += [await store.servers(), await store.ids_in(GUILD, 1), await store.deadlines_of("K7Q2")]
    for id in ("K7Q2", "ABCD"):
        found += [await store.lobby(id), await store.match(id), await store.known_id(id), await store.surfaces(id)]
        found += [await store.note(id), await store.earlier_seals(id)]
    for pool in ("classic", "bid"):
        found += [await store.ratings(GUILD, pool), await store.rating_history(GUILD, pool, 0)]
        found += [await store.ranking(GUILD, pool), await store.ranking(GUILD, pool, season=True)]
        found += [
            await store.ratings_of(GUILD, pool, (ANA, CEM)),
            await store.ratings_of(GUILD, pool, (BEN,), season=True),
        ]
        found += [await store.season_ratings(GUILD, pool), await store.season_rating(GUILD, pool, ANA)]
        found += [await store.frozen(GUILD, 1, pool, ANA, 1), await store.rated_since(GUILD, pool, at(1))]
        found += [await store.rating(GUILD, pool, ANA), await store.rating_history(GUILD, pool, ANA)]
    for user in (ANA, BEN, CEM):
        found += [await store.open_lobbies(GUILD, user), await store.live_of(user), await store.live_count(user)]
        found += [await store.finished_of(GUILD, user, 1), await store.finished_of(GUILD, user, 9, 1, against=ANA)]
        found += [await store.last_match(user), await store.last_match(user, CHANNEL, live=False)]
        found += [await store.player(user), await store.name_of(GUILD, user), await store.pools(GUILD, user)]
        found += [await store.blocks(user), await store.declined_since(GUILD, user, at(1))]
        found += [await store.hosted_since(user, at(1)), await store.daily_tries_of(GUILD, user)]
        found += [await store.ban(GUILD, user), await store.banned(user)]
        found += [await store.pauses((user, ANA), at(1))]
    for games in (("classic",), ("pico", "classic"), ("pico",), ()):
        tables = ((ANA, BEN), (ANA, BEN, CEM), (CEM, 0))
        found += [await store.rated_pairs_since(GUILD, table, at(1), games) for table in tables]
    return found


async def read_cached(store: Store) -> list[object]:
    """All that a store with a memory may keep."""
    found: list[object] = [await store.guild(GUILD), await store.is_member(GUILD), await store.match("K7Q2")]
    found += [await store.surfaces(id) for id in ("K7Q2", "ABCD")]
    return found + [await store.player(user) for user in (ANA, BEN, CEM)]


CHANGES = st.lists(st.lists(STEPS, max_size=3).map(tuple), max_size=25)


@settings(max_examples=60)
@given(CHANGES, st.booleans())
def test_cache_agrees_with_the_disk(changes: list[c.Change], often: bool) -> None:
    """Asked for after every change or only now and then, what is remembered is what is stored."""

    async def run(path: Path) -> None:
        async with await CachingStore.open(path) as caching, await SqliteStore.open(path) as sqlite:
            for number, change in enumerate(changes):
                await outcome(caching, change)
                if often or number % 3 == 0:
                    assert await read_cached(caching) == await read_cached(sqlite), change
            assert await everything(caching) == await everything(sqlite)

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(migrated(Path(folder) / "gops.sqlite3")))


class SlowDatabase(MemoryDatabase):
    """A database that commits, and answers to reads, only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.may_commit, self.may_answer = asyncio.Event(), asyncio.Event()
        self.may_commit.set()

    async def write(self, change: Sequence[Statement]) -> Sequence[int]:
        await self.may_commit.wait()
        return await super().write(change)

    async def read(self, read: Read[T]) -> T:
        answer = await super().read(read)
        await self.may_answer.wait()
        return answer


@pytest.mark.parametrize("step", [c.SavePlayer(Player(ANA, bids=False)), c.PutSurface(ex.surface("K7Q2"))], ids=repr)
@pytest.mark.parametrize("is_read_first", [True, False])
@pytest.mark.parametrize(
    "reads_of",
    [lambda store: (store.player(ANA), store.surfaces("K7Q2")), lambda store: (store.match("K7Q2"),)],
    ids=["each", "match"],
)
async def test_what_was_read_before_a_commit_is_not_remembered_after_it(
    step: Any, is_read_first: bool, reads_of: Any
) -> None:
    database: Any = SlowDatabase()
    store = CachingStore(database)
    await store.write((c.NewMatch(ex.match()),))
    database.may_commit.clear()
    write = None if is_read_first else asyncio.create_task(store.write((step,)))
    reads = [asyncio.create_task(read) for read in reads_of(store)]
    write = write or asyncio.create_task(store.write((step,)))
    await asyncio.sleep(0)  # each of them has begun
    database.may_commit.set()
    await write
    database.may_answer.set()
    await asyncio.gather(*reads)
    fresh = CachingStore(database)
    assert await store.player(ANA) == await fresh.player(ANA)
    assert await store.surfaces("K7Q2") == await fresh.surfaces("K7Q2")


class CountedDatabase(MemoryDatabase):
    """A database that counts what is read."""

    reads = 0

    async def read(self, read: Read[T]) -> T:
        self.reads += 1
        return await super().read(read)


async def test_one_read_of_a_live_match_brings_what_shows_it() -> None:
    database: Any = CountedDatabase()
    store = CachingStore(database)
    await store.write((c.NewMatch(ex.match()), c.PutSurface(ex.surface("K7Q2")), c.SavePlayer(Player(BEN, bids=False))))
    await store.match("K7Q2")
    reads = database.reads
    assert [one.message for one in await store.surfaces("K7Q2")] == [ex.surface("K7Q2").message]
    assert ((await store.player(ANA)).bids, (await store.player(BEN)).bids) == (True, False)
    assert database.reads == reads


async def test_process_reads_shared_values_again_only_when_another_one_changed_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    database: Any = CountedDatabase()
    one, other = CachingStore(database), CachingStore(database)
    one._is_shared = other._is_shared = True
    one.on_changed = other.forget

    async def read(reads: int) -> tuple[bool, str]:
        before = database.reads
        found = (await other.player(ANA)).bids, (await other.guild(GUILD)).game
        assert database.reads - before == reads
        return found

    bids, game = await read(2)
    assert await read(0) == (bids, game)
    await one.write((c.SavePlayer(Player(ANA, bids=not bids)),))
    assert await read(1) == (not bids, game)
    await one.write((c.SaveGuild(GuildSettings(GUILD, game="goofspiel")),))
    assert await read(1) == (not bids, "goofspiel")
    await one.write((c.SavePlayer(Player(BEN)), c.SavePlayer(Player(ANA, bids=bids))))
    assert await read(2) == (bids, "goofspiel"), "after a change of several all are read again"
    one.on_changed = lambda _: None  # what it tells gets lost
    await one.write((c.SavePlayer(Player(ANA, bids=not bids)),))
    assert await read(0) == (bids, "goofspiel")
    later = time.monotonic() + STALE_AFTER
    monkeypatch.setattr(time, "monotonic", lambda: later)
    assert await read(2) == (not bids, "goofspiel")
    other.is_told = lambda: False  # the network between the two is cut
    await one.write((c.SavePlayer(Player(ANA, bids=bids)),))
    assert await read(0) == (not bids, "goofspiel")
    later += UNTOLD
    assert await read(2) == (bids, "goofspiel")
