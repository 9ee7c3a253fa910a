"""What is kept about a person: every column of every table is given to them or withheld for a reason, and all of it
goes when they ask for that."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bot.referee.model import changes as c
from bot.referee.model.model import FORMER
from data.sql import personal_data
from data.sqlite.database import SqliteDatabase
from tests.data import examples as ex
from tests.data.everything import everything
from tests.data.examples import ANA, BEN, CEM, GUILD, at
from tests.sqlite_store import SqliteStore

PARTITION = "it is computed from the code"

WITHHELD: Mapping[str, Mapping[str, str]] = {
    "lobbies": {
        "nonce": "it decides a deal that is still to come; under a finished match it stands in the record",
        "partition": PARTITION,
    },
    "matches": {
        "nonce": "it decides deals to come; once the match is over it stands in the record",
        "partition": PARTITION,
    },
    "seals": {"salt": "nobody is told one before the match is over"},
    "surfaces": {
        "token": "with it others could write in the bot's name, for a quarter of an hour",
        "partition": PARTITION,
    },
}
"""columns of theirs that they are not given, and why"""

NOBODYS: Mapping[str, str] = {
    "daily_deals": "what a server plays on a day",
    "guilds": "what servers decide for themselves, when the bot joined them, and if it is there",
    "daily_counts": "how often something happened in a server on a day",
    "search_posts": "which messages show who searches for an opponent",
    "seasons": "when a server's seasons begin and end",
    "season_tables": "which tables of seasons are kept, and what was taken out of the ratings since",
    "deals": "cards as they were dealt; those of finished matches stand in their records",
    "deadlines": "clocks of matches and challenges",
    "heartbeats": "when each process was last alive",
    "handled": "which interactions changed something lately",
    "jobs": "work that is done within seconds",
    "partitions": "which process owns what",
    "processes": "which processes run",
    "time_away": "for how long nobody could play",
    "migrations": "which versions made this database",
}
"""tables that hold nothing about a person"""

ERASED = c.Erased("OVER", b'{"hash": "0"}', "f" * 64)


def tables(connection: sqlite3.Connection) -> dict[str, list[str]]:
    names = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        if not name.startswith("sqlite_")
    ]
    return {name: [row[1] for row in connection.execute(f"PRAGMA table_info({name})")] for name in names}


async def test_no_column_is_forgotten(sqlite: SqliteStore) -> None:
    """A migration that adds a column or a table has to say here what becomes of it."""
    database: SqliteDatabase = sqlite.database
    found = await database.inspect(tables)
    assert found.keys() == personal_data.OWN.keys() | NOBODYS.keys()
    for table, columns in found.items():
        if table in personal_data.OWN:
            given = personal_data.OWN[table].names
            assert {*given, *WITHHELD.get(table, ())} == set(columns), table
            assert len(given) + len(WITHHELD.get(table, ())) == len(columns), table


async def test_a_person_is_given_what_is_theirs_and_nothing_of_others(sqlite: SqliteStore) -> None:
    await everything(sqlite)
    kept = await sqlite.own(ANA)
    assert [table for table, rows in kept.items() if not rows] == ["seals"]  # of a live match only
    for table in ("players", "members", "seats", "ratings", "imports"):
        assert {row["user"] for row in kept[table]} == {ANA}
    assert [row["key"] for row in kept["notes"]] == [f"exported {ANA}", f"mute OVER {ANA}", f"stopped {ANA}"]
    assert [row["user"] for row in kept["blocks"]] == [BEN]  # who blocked her is theirs to know
    assert {row["seat"] for row in kept["decisions"]} == {0}
    assert kept["matches"][0]["agreement"] == json.dumps({"players": [str(ANA), str(BEN)]}).encode().hex()
    json.dumps(kept)
    assert not any((await sqlite.own(12345)).values())


async def test_a_sealed_bid_is_given_to_its_own_seat_alone(sqlite: SqliteStore) -> None:
    await sqlite.write((c.NewMatch(ex.match("LIVE", (ANA, BEN), sealed=(ex.seal(0), ex.seal(1)))),))
    [seal] = (await sqlite.own(ANA))["seals"]
    assert seal["seat"] == 0
    assert "salt" not in seal


def with_id(connection: sqlite3.Connection, user: int) -> Iterator[str]:
    """Every cell in which somebody's id stands, as a number or within a text."""
    for table, columns in tables(connection).items():
        for row in connection.execute(f"SELECT * FROM {table}"):
            for column, value in zip(columns, row, strict=True):
                text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
                if value == user or (not isinstance(value, int | float) and str(user) in text):
                    yield f"{table}.{column}"


async def test_nothing_with_their_id_or_name_stays(sqlite: SqliteStore) -> None:
    await everything(sqlite)
    assert len(set(await sqlite.database.inspect(lambda one: [*with_id(one, ANA)]))) > 12
    number = await sqlite.former_number()
    assert number == -1
    await sqlite.write((c.Erase(ANA, number, (ERASED,), at(0), at(60)),))
    assert await sqlite.database.inspect(lambda one: [*with_id(one, ANA)]) == []
    assert not any((await sqlite.own(ANA)).values())
    match = await sqlite.match("OVER")
    assert match is not None
    assert [(one.user, one.name) for one in match.seats] == [(-1, FORMER), (BEN, match.seats[1].name)]
    assert (match.agreement, match.record) == (ERASED.agreement, ERASED.record)
    assert await sqlite.former_number() == -2
    kept = {one.user: one for one in await sqlite.ratings(GUILD, "classic")}
    assert kept[BEN] == ex.rating(user=BEN, name="Ben")
    assert (kept[-1].name, kept[-1].here, kept[-1].mu) == (FORMER, False, ex.rating().mu)
    assert [one.user for one in await sqlite.rating_history(GUILD, "classic", 0)] == [-1, BEN]
    assert [user for user, _ in await sqlite.blocks(CEM)] == [BEN]
    assert await sqlite.note(f"mute OVER {BEN}") == "1"
    assert await sqlite.imported(BEN, "MP3K") is not None


async def test_a_ban_stays_with_the_id_that_it_needs_and_nothing_that_leads_from_it_to_their_seats(
    sqlite: SqliteStore,
) -> None:
    await everything(sqlite)
    await sqlite.write((c.Erase(ANA, -1, (ERASED,), at(0), at(59)),))
    assert await sqlite.database.inspect(lambda one: [*with_id(one, ANA)]) == ["bans.user"]
    assert await sqlite.ban(GUILD, ANA) == ex.ban(ANA, reason="", by=BEN)
    assert list(await sqlite.banned(ANA)) == [ex.ban(ANA, reason="", by=BEN)]
    assert [one.about for one in await sqlite.audits(GUILD, 9) if one.what == "ban"] == [0]
    [kept] = [rows for rows in (await sqlite.own(ANA)).values() if rows]
    assert kept == [{"guild": GUILD, "user": ANA, "until": kept[0]["until"], "reason": "", "by_user": BEN}]


async def test_boards_of_lately_are_drawn_anew(sqlite: SqliteStore) -> None:
    await everything(sqlite)
    assert await sqlite.behind() == []
    await sqlite.write((c.Erase(ANA, -1, (ERASED,), at(0), at(60)),))
    assert [one.message for one in await sqlite.behind()] == [77]


async def test_boards_of_long_ago_stay_as_they_are(sqlite: SqliteStore) -> None:
    await everything(sqlite)
    await sqlite.write((c.Erase(ANA, -1, (ERASED,), at(6), at(60)),))
    assert await sqlite.behind() == []


@pytest.mark.parametrize("why", ["live", "asked", "taken", "more"])
async def test_who_plays_on_is_not_erased(sqlite: SqliteStore, why: str) -> None:
    await everything(sqlite)
    number = -1
    if why == "live":
        await sqlite.write((c.NewMatch(ex.match("LIVE", (ANA, BEN))),))
    elif why == "asked":
        await sqlite.write((c.NewLobby(ex.lobby(id="L8Q2")),))
    elif why == "taken":
        await sqlite.write((c.NewMatch(ex.over("WITH", (-1, BEN))),))
    else:
        await sqlite.write((c.NewMatch(ex.over("MORE", (ANA, BEN))),))
    before = await sqlite.own(ANA)
    with pytest.raises(c.Conflict):
        await sqlite.write((c.Erase(ANA, number, (ERASED,), at(0), at(60)),))
    assert await sqlite.own(ANA) == before


async def test_it_is_found_by_indexes(sqlite: SqliteStore) -> None:
    await everything(sqlite)
    connection: Any = await sqlite.database.inspect(lambda one: scans(one))
    assert connection == []


def scans(connection: sqlite3.Connection) -> list[str]:
    from data.sql.steps import build_statements
    from tests.data.sqlite.test_query_plans import whole_tables

    asked = [query.sql for query in personal_data.own(ANA).queries]
    asked += [one.sql for one in build_statements((c.Erase(ANA, -1, (ERASED,), at(0), at(60)),))]
    return [f"{plan}: {sql}" for sql in asked for plan in whole_tables(connection, sql.replace("?", "1"))]
