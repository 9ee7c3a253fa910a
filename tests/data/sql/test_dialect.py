"""What is asked and written is SQL that another database takes as well, and every list has one order only."""

import inspect
import re
import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest

from bot.referee.model import changes as c
from bot.referee.model.counts import CountDaily, DailyCount, NoteJoined, NoteLeft
from bot.referee.model.daily import NewDailyDeal, NewDailyTry, SaveDailyBest, ShareDaily
from bot.referee.model.guild_settings import Band, GuildSettings
from bot.referee.model.jobs import Job
from bot.referee.model.model import DeadlineKind, StoredDeal
from bot.referee.model.people import Height, Import, Player
from bot.referee.model.people_check import CheckPeople
from bot.referee.model.searches import DropSearch, FreeSearch, NewSearch, SaveSearch, SaveSearchPost, SearchPost
from bot.referee.model.surfaces import SurfaceKind
from data.sql import (
    counts,
    daily,
    deadlines,
    lobbies,
    match_lists,
    matches,
    people,
    personal_data,
    ratings,
    seasons,
    server,
    surfaces,
)
from data.sql.schema import load_migrations
from data.sql.statement import Query, Read, Statement
from data.sql.steps import STEPS, build_statements
from data.sqlite.migrate import migrate
from tests.data import examples as ex
from tests.data.examples import ANA, BEN, CHANNEL, GUILD, NOW

MODULES = (
    *(counts, daily, deadlines, lobbies, matches, match_lists, people, personal_data),
    *(ratings, seasons, server, surfaces),
)

# What each parameter of a read may be, by its name; a read is looked at with the first values, and with the second.
ASKED: dict[str, tuple[Any, Any]] = {
    "id": ("K7Q2", "K7Q2"),
    "owner": ("K7Q2", "K7Q2"),
    "match": ("K7Q2", "K7Q2"),
    "season": (True, False),
    "guild": (GUILD, GUILD),
    "interaction": (GUILD, 0),
    "channel": (CHANNEL, 0),
    "user": (ANA, 0),
    "users": ((ANA, BEN), ()),
    "games": (("classic", "sops"), ()),
    "host": (ANA, ANA),
    "by": (ANA, ANA),
    "against": (BEN, 0),
    "game": ("classic", ""),
    "known": (ex.match(), ex.rich_match()),
    "result": ("won", ""),
    "span": ((NOW, NOW), ()),
    "height": (Height(10.5, NOW, 0.6, 8.3), Height(-10.5, NOW, 0.6, 8.3)),
    "bands": ((Band(1400, 6), Band(1200, 5)), ()),
    "without": ((6,), ()),
    "number": (1, 1),
    "live": (True, None),
    "limit": (10, 10),
    "offset": (0, 10),
    "since": (NOW, NOW),
    "before": (NOW, NOW),
    "now": (NOW, NOW),
    "until": (NOW, NOW),
    "pool": ("classic", "classic"),
    "key": ("commands", "commands"),
    "version": (1, 1),
    "day": (ex.DAY, ex.DAY),
    "usual": (GuildSettings(0), GuildSettings(0, clock=900, place="board")),
    "weeks": (8, 1),
    "process": (0, 7),
}

WRITTEN: c.Change = (
    c.NewLobby(ex.lobby()),
    c.SaveLobby(ex.lobby(version=2), 1),
    c.NewMatch(ex.rich_match()),
    c.SaveMatch(ex.match(version=2), 1),
    c.NewDeal("K7Q2", StoredDeal(0, ex.ZONES)),
    c.AddDecisions("K7Q2", 0, 0, ex.decisions(2)),
    c.PutSeal("K7Q2", 1, ex.seal()),
    c.DropSeals("K7Q2"),
    c.KeepSeal("K7Q2", ex.earlier()),
    c.SetDeadline(ex.deadline()),
    c.DropDeadlines("K7Q2"),
    c.DropDeadlines("K7Q2", DeadlineKind.BID),
    c.ShiftDeadlines(timedelta(seconds=1)),
    c.ShiftDeadlines(timedelta(seconds=-1)),
    c.ShiftDeadlines(timedelta(seconds=1), unseen=True),
    c.ShiftDeadlines(timedelta(seconds=1), unseen=True, doubted=NOW),
    c.MarkBehind("K7Q2"),
    c.EndMarking(((0, 1),)),
    *(c.PutSurface(ex.surface("K7Q2", kind, id=id)) for kind in SurfaceKind for id in (0, 1)),
    c.SurfaceShown(1, 1, 1, "K7Q2"),
    c.ReserveDm(NOW, timedelta(seconds=1), NOW, NOW),
    c.DropSurface(1),
    c.MoveDeadlines("K7Q2", timedelta(seconds=1)),
    c.PutOff(ex.deadline()),
    c.PutOff(ex.deadline(), was=NOW),
    c.SavePlayer(Player(ANA)),
    c.NewPause(ex.pause()),
    c.EndPause(ex.pause(), ex.at(60)),
    *(c.SaveGuild(GuildSettings(GUILD), expect) for expect in (None, 1)),
    c.AddAudit(ex.audit()),
    c.DropMatch("K7Q2"),
    c.DropServer(GUILD),
    c.PutBan(ex.ban()),
    c.DropBan(GUILD, ANA),
    c.DropBans(GUILD, NOW),
    c.AskJob(Job(1, "pause 10")),
    c.EndJob(Job(1, "pause 10")),
    NewSearch(ex.search()),
    SaveSearch(ex.search(waited=1), ex.search()),
    FreeSearch(ANA, "K7Q2"),
    DropSearch(ANA),
    DropSearch(ANA, "K7Q2"),
    *(SaveSearchPost(SearchPost(6, GUILD, 7, NOW, NOW), was) for was in (None, NOW)),
    CheckPeople(GUILD, (ANA,), 3, NOW, ANA, 1, NOW),
    c.NoteRole(GUILD, ANA, 5, True),
    c.DropRole(GUILD, ANA, 5),
    c.NameMember(GUILD, ANA, "Ana"),
    CountDaily(GUILD, ex.DAY, DailyCount.LESSON_BEGUN),
    NoteJoined(GUILD, NOW),
    NoteJoined(GUILD, NOW, first=True),
    NoteLeft(GUILD),
    c.Block(ANA, BEN, True),
    c.Block(ANA, BEN, False),
    *(c.SaveRating(ex.rating(played=1), expect) for expect in (None, 0, 1)),
    c.SaveRating(ex.rating(played=1), 1, 25.0),
    c.DropRating(GUILD, "classic", ANA, 1, 25.0),
    c.AddRatingEntry(ex.entry()),
    *(c.SaveRating(ex.rating(played=1), expect, season=True) for expect in (None, 0, 1)),
    c.DropRating(GUILD, "classic", ANA, 1, 25.0, season=True),
    c.NewSeason(ex.season()),
    c.SaveSeason(ex.season(version=2), 1),
    c.SeasonMoves(GUILD, 1),
    c.FreezeSeason(GUILD, 1, (ex.frozen(),)),
    c.MarkSeason(GUILD, 1, "classic"),
    c.Heartbeat(NOW),
    c.SaveNote("a", "b"),
    c.NoteHandled(2**62),
    NewDailyDeal(ex.daily()),
    SaveDailyBest(GUILD, ex.DAY, 16),
    NewDailyTry(GUILD, ex.DAY, ANA, "K7Q2"),
    ShareDaily(GUILD, ex.DAY, ANA),
    c.Erase(ANA, -1, (c.Erased("K7Q2", b"{}", ""),), NOW, NOW, ("LIVE",)),
    c.EraseAgreement(c.Erased("K7Q2", b"{}", "")),
    c.KeepImport(Import("MP2K", ANA, NOW, "{}"), 10),
)


def reads() -> Iterator[tuple[str, Read[Any]]]:
    """Every read of every module, in both ways."""
    for module in MODULES:
        for name, read in _functions(module):
            for way in (0, 1):
                yield f"{name} {way}", read(**{one: ASKED[one][way] for one in inspect.signature(read).parameters})


def _functions(module: ModuleType) -> list[tuple[str, Any]]:
    found = inspect.getmembers(module, inspect.isfunction)
    own = [(name, one) for name, one in found if one.__module__ == module.__name__ and not name.startswith("_")]
    return [(name, one) for name, one in own if "Read[" in str(inspect.signature(one).return_annotation)]


READS = dict(reads())
QUERIES = [query for read in READS.values() for query in read.queries]

OURS_ALONE = re.compile(
    r"\b(OR REPLACE|OR IGNORE|REPLACE INTO|rowid|last_insert_rowid|ifnull|iif|GLOB|MATCH|PRAGMA|datetime|strftime"
    r"|total|json|INDEXED BY)\b|\bIS (NOT )?(\?|\d|TRUE|FALSE)|==|&&|`|\[",
    re.IGNORECASE,
)
"""What SQLite takes and others do not, or not alike."""
THEIR_WORDS = re.compile(r"""(?<!["\w])(user|only|order by \d)\b""", re.IGNORECASE)
"""Names of columns that are words of the language elsewhere: there `user` without quotes is who is logged in."""


def test_every_step_is_looked_at() -> None:
    assert {type(step) for step in WRITTEN} == set(STEPS)


def test_nothing_is_said_in_a_dialect() -> None:
    for asked in (*QUERIES, *build_statements(WRITTEN)):
        check_dialect(asked)


def check_dialect(asked: Query[Any] | Statement) -> None:
    said = re.sub(r"'[^']*'", "''", asked.sql)
    assert not OURS_ALONE.search(said)
    assert not THEIR_WORDS.search(said)
    assert set(re.findall(r'"(\w+)"', said)) <= {"user", "only"}
    assert asked.sql.count("?") == said.count("?") == len(asked.params)
    if "ON CONFLICT" in said:
        assert re.search(r"ON CONFLICT (\(.+\) DO UPDATE|DO NOTHING)", said)  # elsewhere an update says on which key
    for distinct in re.findall(r"SELECT DISTINCT .+?(?= LIMIT|$)", said, re.DOTALL):
        assert set(_order(distinct)) <= set(_columns(distinct))  # elsewhere it is ordered by what it shows only


def test_a_dialect_is_noticed() -> None:
    for sql in (
        'INSERT OR REPLACE INTO notes ("user") VALUES (1)',
        'SELECT "user" FROM seats WHERE live IS ?',
        "SELECT user FROM seats",
        "SELECT 1 FROM matches WHERE void IS NOT 1",
        "SELECT DISTINCT match_id FROM seats ORDER BY started, match_id",
        "INSERT INTO deals VALUES (1) ON CONFLICT DO UPDATE SET zones = 1",
    ):
        with pytest.raises(AssertionError):
            check_dialect(Statement(sql, ("x",) * sql.count("?")))


# --- orders -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def keys() -> dict[str, set[str]]:
    """The primary key of each table."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate(connection, load_migrations())
    found: dict[str, set[str]] = {
        "found": {"match_id"},
    }  # one row for each match
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
        found.setdefault(table, {name for _, name, _, _, _, place in columns if place})
    connection.close()
    return found


def _bare(names: str) -> list[str]:
    return [one.split()[0].split(".")[-1].strip('"') for one in names.split(",")]


def _order(sql: str) -> list[str]:
    found = re.findall(r"ORDER BY (?:(?!ORDER BY).)+?(?= LIMIT|$)", sql.strip(), re.DOTALL)
    return _bare(found[-1].removeprefix("ORDER BY ")) if found else []


def _columns(sql: str) -> list[str]:
    found = re.match(r"SELECT (?:DISTINCT )?(.+?) FROM", sql, re.DOTALL)
    assert found is not None
    return _bare(found[1])


def is_ordered(sql: str, keys: dict[str, set[str]]) -> bool:
    """Whether no two rows of a list may come in one order today and in another tomorrow."""
    if re.match(r"SELECT (count|min|max|EXISTS)\b", sql):
        return True  # one row
    outer, inner = sql, ""
    while outer != inner:  # from the innermost brackets on
        inner, outer = outer, re.sub(r"\((?:SELECT\b)?(?:(?!SELECT\b)[^()])*\)", " found", outer)
    table = re.findall(r"FROM +(?:found AS mine CROSS JOIN +)?(\w+)", outer)[0]
    fixed = {name.strip('"') for name in re.findall(r'([\w"]+) = \?', outer)}
    groups = re.search(r"GROUP BY ([\w, \"]+?)(?= ORDER BY|$)", outer)
    key = set(_columns(sql)) if sql.startswith("SELECT DISTINCT") else set(_bare(groups[1])) if groups else keys[table]
    return key <= {*fixed, *_order(outer)}


def test_every_order_is_complete(keys: dict[str, set[str]]) -> None:
    assert [query.sql for query in QUERIES if not is_ordered(query.sql, keys)] == []


def test_an_order_with_ties_is_noticed(keys: dict[str, set[str]]) -> None:
    assert not is_ordered("SELECT id FROM matches WHERE live = 1", keys)
    assert not is_ordered("SELECT owner, kind FROM deadlines WHERE due <= ? ORDER BY due, owner LIMIT ?", keys)
    assert not is_ordered("SELECT week, what, sum(number) FROM counts GROUP BY week, what ORDER BY week", keys)
    assert not is_ordered('SELECT match_id FROM seats WHERE "user" = ? ORDER BY started', keys)
    assert not is_ordered(f"SELECT seats.seat FROM ({matches.LIVE}) AS found JOIN seats ORDER BY found.ended", keys)


# --- secrets ----------------------------------------------------------------------------------------------


def test_what_is_written_or_asked_is_in_no_repr() -> None:
    for asked in (*build_statements((c.PutSeal("K7Q2", 1, ex.seal(choice="S3CRET")),)), people.note("S3CRET")):
        assert "S3CRET" not in repr(asked)
