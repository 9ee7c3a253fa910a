"""No read or write of every day goes through a whole table: what is asked of a full database is found by an index."""

import sqlite3
from datetime import timedelta

import pytest

from bot.referee.model import changes as c
from bot.referee.model.counts import CountDaily, DailyCount, NoteJoined, NoteLeft
from bot.referee.model.daily import NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from bot.referee.model.guild_settings import Band, GuildSettings
from bot.referee.model.model import StoredDeal
from bot.referee.model.people import Height, Import, Player
from bot.referee.model.searches import DropSearch, FreeSearch, NewSearch, SaveSearch, SaveSearchPost, SearchPost
from data.sqlite.database import SqliteThread
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CEM, CHANNEL, GUILD, NOW
from tests.sqlite_store import SqliteStore

SMALL = {"heartbeats", "partitions", "time_away", "mine", "deadlines", "found"}
"""What stays small: one row for each process or partition, what is under way just now, or one page of a list."""

SHORT = ("surfaces_pending", "matches_live", "lobbies_open")


class Watched:
    """What a connection carries out, and how."""

    def __init__(self, worker: SqliteThread) -> None:
        self.worker = worker
        self.asked: list[str] = []

    async def start(self) -> None:
        await self.worker.set_trace_callback(self.asked.append)

    async def scans(self) -> list[str]:
        """Statements that go through a whole table."""
        await self.worker.set_trace_callback(None)  # pyright: ignore[reportArgumentType]
        return [f"{plan}: {sql}" for sql in self.asked for plan in await self.worker.call(whole_tables, sql)]


def whole_tables(connection: sqlite3.Connection, sql: str) -> list[str]:
    """What is read from end to end; indexes of what is behind, live or open are short, so they may be."""
    if sql.split()[0] not in ("SELECT", "INSERT", "UPDATE", "DELETE"):
        return []
    steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}")]
    scans = [
        step.split()
        for step in steps
        if step.startswith("SCAN ") and "CONSTANT" not in step and not any(index in step for index in SHORT)
    ]
    return [" ".join(step) for step in scans if step[1] not in SMALL]


@pytest.fixture
async def reader(sqlite: SqliteStore) -> Watched:
    await sqlite.write((c.NewLobby(ex.lobby()), c.NewMatch(ex.rich_match()), c.NewMatch(ex.over("OVER"))))
    worker = sqlite.database._reader  # pyright: ignore[reportPrivateUsage]
    assert worker is not None
    return Watched(worker)


async def test_reads(sqlite: SqliteStore, reader: Watched) -> None:
    await reader.start()
    await sqlite.lobby("K7Q2")
    await sqlite.match("K7Q2")
    await sqlite.earlier_seals("K7Q2")
    await sqlite.known_id("K7Q2")
    await sqlite.open_lobbies(GUILD, ANA)
    await sqlite.declined_since(GUILD, ANA, NOW)
    await sqlite.hosted_since(ANA, NOW)
    await sqlite.live_of(ANA)
    await sqlite.live_count(ANA)
    await sqlite.boards_in(CHANNEL)
    await sqlite.live_in(GUILD, CHANNEL)
    await sqlite.finished_of(GUILD, ANA, 10, against=BEN, game="classic")
    await sqlite.finished_ids(ANA)
    await sqlite.imported(ANA, "K7Q2")
    await sqlite.finished_of(GUILD, ANA, 10, against=BEN, result="won")
    await sqlite.last_match(ANA, CHANNEL, live=True)
    await sqlite.last_match(ANA, live=False, guild=GUILD)
    await sqlite.has_finished(GUILD, ANA)
    await sqlite.is_played(GUILD, NOW)
    await sqlite.rated_pairs_since(GUILD, (ANA, BEN), NOW, ("classic",))
    await sqlite.due(NOW)
    await sqlite.next_due()
    await sqlite.behind()
    await sqlite.unmarked()
    await sqlite.surfaces("K7Q2")
    await sqlite.player(ANA)
    await sqlite.guild(GUILD)
    await sqlite.audits(GUILD, 10)
    await sqlite.changed_since(GUILD, 1)
    await sqlite.search(ANA)
    await sqlite.searches_in(GUILD)
    await sqlite.search_posts(GUILD)
    await sqlite.ban(GUILD, ANA)
    await sqlite.bans(GUILD)
    await sqlite.banned(ANA)
    await sqlite.next_ban_end(GUILD)
    await sqlite.ids_in(GUILD, 10)
    await sqlite.deadlines_of("K7Q2")
    await sqlite.name_of(GUILD, ANA)
    await sqlite.blocked(ANA, BEN)
    await sqlite.blocks(ANA)
    await sqlite.rating(GUILD, "classic", ANA)
    await sqlite.ratings(GUILD, "classic")
    await sqlite.pools(GUILD)
    await sqlite.pools(GUILD, ANA)
    await sqlite.rating_history(GUILD, "classic", ANA)
    await sqlite.rating_history(GUILD, "classic", 0)
    await sqlite.season_rating(GUILD, "classic", ANA)
    await sqlite.season_ratings(GUILD, "classic")
    await sqlite.season_pools(GUILD)
    await sqlite.season(GUILD)
    await sqlite.seasons(GUILD)
    await sqlite.frozen_pools(GUILD, 1)
    await sqlite.frozen(GUILD, 1, "classic", ANA, 10, 10)
    await sqlite.rated_since(GUILD, "classic", NOW)
    await sqlite.ranking(GUILD, "classic")
    await sqlite.above(GUILD, "classic", Height(10.5, NOW, 0.6, 8.3))
    for season in (True, False):
        await sqlite.owed_roles(GUILD, "classic", (Band(1400, 6), Band(1200, 5)), season=season, without=(5,), limit=9)
    await sqlite.ratings_of(GUILD, "classic", (ANA, BEN))
    await sqlite.pauses((ANA, BEN), NOW)
    await sqlite.finished_of(GUILD, ANA, 10, span=(NOW, NOW))
    await sqlite.heartbeat()
    await sqlite.note("commands")
    await sqlite.daily_deal(GUILD, ex.DAY)
    await sqlite.daily_tries(GUILD, ex.DAY)
    await sqlite.daily_tries_of(GUILD, ANA)
    assert len(reader.asked) > 40
    assert await reader.scans() == []


async def test_writes(sqlite: SqliteStore) -> None:
    worker = sqlite.database._writer  # pyright: ignore[reportPrivateUsage]
    assert worker is not None
    writer = Watched(worker)
    await writer.start()
    await sqlite.write((c.NewLobby(ex.lobby()), c.SaveLobby(ex.lobby(version=2), 1), c.NewMatch(ex.match())))
    await sqlite.write((c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES)), c.AddDecisions("K7Q2", 0, 0, ex.decisions(2))))
    await sqlite.write((c.PutSeal("K7Q2", 1, ex.seal()), c.DropSeals("K7Q2"), c.SaveMatch(ex.match(version=2), 1)))
    await sqlite.write((c.KeepSeal("K7Q2", ex.earlier()),))
    await sqlite.write((c.SetDeadline(ex.deadline()), c.DropDeadlines("K7Q2"), c.Heartbeat(NOW)))
    await sqlite.write(
        (
            c.ShiftDeadlines(timedelta(seconds=9)),
            c.MarkBehind("K7Q2"),
            c.EndMarking(((0, 1),)),
            c.MoveDeadlines("K7Q2", timedelta(1)),
        )
    )
    await sqlite.write((c.ShiftDeadlines(-timedelta(seconds=9)), c.PutOff(ex.deadline())))
    [id] = await sqlite.write((c.PutSurface(ex.surface()), c.SurfaceShown(1, 1, 1, "K7Q2")))
    await sqlite.write((c.ReserveDm(NOW, timedelta(seconds=1), NOW, NOW),))
    await sqlite.write((c.PutSurface(ex.surface(id=id)), c.DropSurface(id), c.SaveNote("a", "b")))
    await sqlite.write((c.SavePlayer(Player(ANA)), c.SaveGuild(GuildSettings(GUILD)), c.NameMember(GUILD, ANA, "Ana")))
    await sqlite.write((c.SaveGuild(GuildSettings(GUILD, version=1), 0), c.AddAudit(ex.audit())))
    await sqlite.write((c.NoteRole(GUILD, ANA, 5, True), c.DropRole(GUILD, ANA, 5)))
    await sqlite.write(
        (c.PutBan(ex.ban()), c.DropBan(GUILD, BEN), c.DropBans(GUILD, NOW), c.SaveRating(ex.rating(CEM), None))
    )
    await sqlite.write((c.SaveRating(ex.rating(CEM, mu=1.0), 3, ex.rating().mu),))
    await sqlite.write((c.DropRating(GUILD, "classic", CEM, 3, 1.0),))
    await sqlite.write((c.SaveRating(ex.rating(CEM), None, season=True),))
    await sqlite.write((c.SaveRating(ex.rating(CEM, mu=1.0), 3, ex.rating().mu, season=True),))
    await sqlite.write((c.DropRating(GUILD, "classic", CEM, 3, 1.0, season=True), c.NewSeason(ex.season())))
    await sqlite.write((c.SeasonMoves(GUILD, 1), c.SaveSeason(ex.season(version=3, over=True), 2)))
    await sqlite.write((c.FreezeSeason(GUILD, 1, (ex.frozen(),)), c.MarkSeason(GUILD, 1, "classic")))
    await sqlite.write((c.Block(ANA, BEN, True), c.Block(ANA, BEN, False), c.AddRatingEntry(ex.entry())))
    await sqlite.write((c.KeepImport(Import("MP2K", ANA, NOW, "{}"), 3),))
    await sqlite.write((c.SaveRating(ex.rating(played=1), 0), c.SaveRating(ex.rating(played=2), 1)))
    await sqlite.write((NewDailyDeal(ex.daily()), SaveDailyBest(GUILD, ex.DAY, 3)))
    await sqlite.write((NewDailyTry(GUILD, ex.DAY, ANA, "K7Q2"), ShareDaily(GUILD, ex.DAY, ANA)))
    await sqlite.write((CountDaily(GUILD, ex.DAY, DailyCount.CHALLENGE_SENT), NoteJoined(GUILD, NOW), NoteLeft(GUILD)))
    await sqlite.write((NewSearch(ex.search()), SaveSearch(ex.search(waited=1), ex.search()), FreeSearch(ANA, "K7Q2")))
    await sqlite.write((DropSearch(ANA), DropSearch(ANA, "K7Q2")))
    await sqlite.write(tuple(SaveSearchPost(SearchPost(6, GUILD, 7, NOW, NOW), was) for was in (None, NOW)))
    await sqlite.write((c.NewMatch(ex.over("OVER")),))
    await sqlite.write((c.DropMatch("K7Q2"), c.DropServer(5)))
    assert len(writer.asked) > 40
    assert await writer.scans() == []


async def test_a_match_is_read_in_five_statements(sqlite: SqliteStore, reader: Watched) -> None:
    await reader.start()
    await sqlite.match("K7Q2")
    assert reader.asked[0] == "BEGIN"
    assert reader.asked[-1] == "ROLLBACK"
    assert len(reader.asked) == 7
    assert await reader.scans() == []
