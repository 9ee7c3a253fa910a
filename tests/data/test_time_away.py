"""Giving time back writes one row, whatever the number of live matches; what goes by it is moved all the same."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.referee.model import changes as c
from bot.referee.model.model import BY_CALENDAR, DeadlineKind, LobbyState
from bot.referee.model.partitions import PARTITIONS
from bot.referee.model.surfaces import SurfaceKind
from bot.referee.repository.surfaces import MARKED_AT_ONCE, Surfaces
from data import moving
from data.sql.statement import all_rows
from data.store import SqlStore, Store
from tests import postgres
from tests.data import examples as ex
from tests.data.checks import ids, refuses
from tests.data.examples import ANA, BEN, NOW, at
from tests.migrated import migrated
from tests.postgres import PostgresStore
from tests.sqlite_store import SqliteStore

SECONDS = 100
AWAY = c.ShiftDeadlines(timedelta(seconds=SECONDS))
TABLES = ("matches", "lobbies", "deadlines", "surfaces", "seats")


@pytest.fixture(params=["sqlite", "postgres"])
async def tables(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[SqlStore[Any]]:
    """A store whose rows can be looked at."""
    opened: Any
    if request.param == "postgres":
        opened = await PostgresStore.open(await postgres.emptied(request.getfixturevalue("server")))
    else:
        opened = await SqliteStore.open(migrated(tmp_path / "gops.sqlite3"))
    async with opened:
        yield opened


async def rows(store: SqlStore[Any]) -> list[tuple[Any, ...]]:
    """Every row of these tables; on PostgreSQL with who wrote and who locked it last."""
    hidden = ", xmin::text, xmax::text" if isinstance(store, PostgresStore) else ""
    found: list[tuple[Any, ...]] = []
    for table in TABLES:
        query = f"SELECT {table}.*{hidden} FROM {table}"
        found += await store.database.read(all_rows(query, (), lambda *row, table=table: (table, *row)))
    return sorted(found, key=repr)


async def play(store: Store, matches: int) -> None:
    """So many live matches and challenges, shown as they are."""
    for number in range(matches):
        id = f"M{number}"
        await store.write(
            (
                c.NewMatch(ex.match(id)),
                c.PutSurface(ex.surface(id, shown=1)),
                c.SetDeadline(ex.deadline(id, DeadlineKind.BID, 60)),
                c.NewLobby(ex.lobby(f"L{number}")),
                c.PutSurface(ex.surface(f"L{number}", SurfaceKind.LOBBY, 1)),
                c.SetDeadline(ex.deadline(f"L{number}", DeadlineKind.LOBBY, 60)),
            )
        )


@pytest.mark.parametrize("unseen", [True, False])
async def test_giving_time_back_touches_no_match_and_no_deadline(tables: SqlStore[Any], unseen: bool) -> None:
    await play(tables, 5)
    before = await rows(tables)
    await tables.write((replace(AWAY, unseen=unseen), c.Heartbeat(at(SECONDS))))
    assert await rows(tables) == before
    given = all_rows("SELECT DISTINCT given, told, times FROM time_away", (), lambda *row: row)
    assert await tables.database.read(given) == [(SECONDS * 1_000_000, SECONDS, 1)]
    for number in range(5):
        match, lobby = await tables.match(f"M{number}"), await tables.lobby(f"L{number}")
        assert match is not None
        assert lobby is not None
        assert (match.deadline, match.away, match.version) == (at(120 + SECONDS), SECONDS, 2)
        assert (lobby.expires, lobby.version) == (ex.lobby().expires + AWAY.by, 2)
    assert {one.due for one in await tables.due(at(999))} == {at(60 + SECONDS)}


async def test_what_is_set_after_it_is_not_moved(store: Store) -> None:
    await store.write((AWAY,))
    await store.write((c.NewMatch(ex.match("K7Q2")), c.NewLobby(ex.lobby("L7Q2"))))
    await store.write(tuple(c.SetDeadline(ex.deadline("K7Q2", kind, int(kind))) for kind in DeadlineKind))
    assert await store.match("K7Q2") == ex.match("K7Q2")
    assert await store.lobby("L7Q2") == ex.lobby("L7Q2")
    assert [one.due for one in await store.due(at(99))] == [at(int(kind)) for kind in sorted(DeadlineKind)]
    assert await store.next_due() == at(1)


async def test_a_deadline_moves_and_a_day_of_the_calendar_does_not(store: Store) -> None:
    due = {kind: ex.deadline("K7Q2", kind, 10) for kind in DeadlineKind}
    await store.write(tuple(map(c.SetDeadline, due.values())))
    await store.write((AWAY,))
    await store.write((AWAY,))
    there = {one.kind: one.due for one in await store.deadlines_of("K7Q2")}
    assert there == {kind: at(10) if kind in BY_CALENDAR else at(10 + 2 * SECONDS) for kind in DeadlineKind}
    assert {one.kind for one in await store.due(at(10))} == set(BY_CALENDAR)
    assert [one.kind for one in await store.due(at(10 + 2 * SECONDS))][: len(BY_CALENDAR)] == sorted(BY_CALENDAR)
    assert len(await store.due(at(999), limit=8)) == 8
    await store.write(tuple(c.DropDeadlines("K7Q2", kind) for kind in BY_CALENDAR))
    assert await store.next_due() == at(10 + 2 * SECONDS)


async def test_a_deadline_is_dropped_put_off_and_moved_by_the_time_that_is_seen(store: Store) -> None:
    bid, roles = (ex.deadline("K7Q2", kind, 10) for kind in (DeadlineKind.BID, DeadlineKind.ROLES))
    await store.write((c.SetDeadline(bid), c.SetDeadline(roles)))
    await store.write((AWAY,))
    await store.write(tuple(c.DropDeadlines("K7Q2", one.kind, due=one.due) for one in (bid, roles)))
    [moved] = await store.deadlines_of("K7Q2")
    assert moved == replace(bid, due=at(10 + SECONDS))
    await store.write((c.PutOff(replace(bid, due=at(500))), c.MoveDeadlines("K7Q2", timedelta(seconds=5))))
    assert await store.deadlines_of("K7Q2") == [replace(bid, due=at(505))]
    await store.write((c.DropDeadlines("K7Q2", due=at(505)),))
    assert await store.deadlines_of("K7Q2") == []


async def test_what_was_worked_out_before_it_is_refused(store: Store) -> None:
    """Else it would be stored with a deadline that takes the time back."""
    await store.write((c.NewMatch(ex.match("K7Q2")), c.NewLobby(ex.lobby("L7Q2"))))
    await store.write((AWAY,))
    await refuses(store, (c.SaveMatch(ex.match("K7Q2", version=2), 1),))
    await refuses(store, (c.SaveLobby(ex.lobby("L7Q2", version=2), 1),))
    match, lobby = await store.match("K7Q2"), await store.lobby("L7Q2")
    assert match is not None
    assert lobby is not None
    over = ex.over("K7Q2", version=3, away=7)
    done = replace(lobby, state=LobbyState.EXPIRED, version=3, expires=at(9))
    await store.write((c.SaveMatch(replace(match, version=3), 2, match), c.SaveLobby(replace(lobby, version=3), 2)))
    assert await store.match("K7Q2") == replace(match, version=3)
    await store.write((c.SaveMatch(replace(over, version=4), 3), c.SaveLobby(replace(done, version=4), 3)))
    await store.write((AWAY,))
    after = await store.match("K7Q2")
    assert after is not None
    assert (after.deadline, after.away, after.version, after.live) == (over.deadline, 7, 4, False)
    assert await store.lobby("L7Q2") == replace(done, version=4)


async def test_challenges_are_found_by_the_end_that_is_seen(store: Store) -> None:
    await store.write((c.NewLobby(ex.lobby("AAAA")), c.NewLobby(ex.lobby("BBBB", state=LobbyState.EXPIRED))))
    end = ex.lobby().expires
    await store.write((AWAY,))
    assert ids(await store.hosted_since(ANA, NOW - timedelta(1))) == ["AAAA", "BBBB"]
    assert ids(await store.hosted_since(ANA, end)) == ["AAAA"]
    assert ids(await store.hosted_since(ANA, end + AWAY.by)) == []


async def test_what_somebody_is_given_of_their_data_says_the_time_that_is_seen(store: Store) -> None:
    await store.write((c.NewMatch(ex.match("K7Q2")), c.NewLobby(ex.lobby("L7Q2"))))
    await store.write((AWAY,))
    own = await store.own(ANA)
    micros = SECONDS * 1_000_000
    [match], [lobby] = own["matches"], own["lobbies"]
    shown = (at(120) - at(0)) // timedelta(microseconds=1)
    assert match["deadline"] - match["opened"] == shown + micros
    assert (match["away"], match["version"], lobby["version"]) == (SECONDS, 2, 2)
    assert lobby["expires"] - lobby["created"] == 600_000_000 + micros


# --- what shows it --------------------------------------------------------------------------------------------


async def test_messages_are_marked_in_parts_and_a_later_start_goes_on(store: Store) -> None:
    """A process that ends between the two leaves no old time on a message for ever."""
    await play(store, 3)
    await store.write((AWAY,))
    left = await store.unmarked()
    assert left is not None
    assert set(left.owners) == {*(f"{one}{n}" for one in "ML" for n in range(3))}
    assert left.times == tuple((partition, 1) for partition in range(PARTITIONS))
    await store.write(tuple(map(c.MarkBehind, left.owners[:2])))
    assert {one.match for one in await store.behind()} == set(left.owners[:2])
    await store.write((c.ShiftDeadlines(timedelta(seconds=2), unseen=True),))  # of the next start
    await Surfaces(store).mark_behind()
    assert {one.match for one in await store.behind()} == set(left.owners)
    assert await store.unmarked() is None


async def test_time_that_is_given_back_while_messages_are_marked_is_not_forgotten(store: Store) -> None:
    await play(store, 1)
    await store.write((AWAY,))
    first = await store.unmarked()
    assert first is not None
    await store.write((AWAY,))
    await store.write((*map(c.MarkBehind, first.owners), c.EndMarking(first.times)))
    assert await store.unmarked() is not None
    await Surfaces(store).mark_behind()
    assert await store.unmarked() is None
    assert len(await store.behind()) == 2


async def test_more_matches_than_are_marked_at_once(sqlite: SqliteStore) -> None:
    change = tuple(
        step
        for number in range(MARKED_AT_ONCE + 1)
        for step in (c.NewMatch(ex.match(f"M{number}")), c.PutSurface(ex.surface(f"M{number}", shown=1)))
    )
    await sqlite.write((*change, AWAY))
    assert await sqlite.behind(9999) == []
    await Surfaces(sqlite).mark_behind()
    assert len(await sqlite.behind(9999)) == MARKED_AT_ONCE + 1


async def test_a_drawing_that_was_under_way_is_drawn_again(store: Store) -> None:
    """It shows the old time, and is noted after the time was given back."""
    await store.write((c.NewMatch(ex.match("K7Q2")),))
    early, late = await store.write(
        tuple(c.PutSurface(ex.surface("K7Q2", SurfaceKind.CONSOLE_DM, 0, user=user)) for user in (ANA, BEN))
    )
    await store.write((AWAY,))
    await store.write((c.SurfaceShown(early, 555, 1, "K7Q2"),))
    await Surfaces(store).mark_behind()
    await store.write((c.SurfaceShown(late, 555, 1, "K7Q2"),))
    assert ids(await store.behind()) == [early, late]
    await store.write((c.SurfaceShown(early, 555, 2, "K7Q2"),))
    assert ids(await store.behind()) == [late]


async def is_marked(store: Store, seconds: float) -> bool:
    """Give a short time back, and return True if the match is to be drawn again."""
    await store.write((c.ShiftDeadlines(timedelta(seconds=seconds), unseen=True),))
    await Surfaces(store).mark_behind()
    return [one.match for one in await store.behind()] != []


@pytest.mark.parametrize(("clock", "most"), [(30, 3), (120, 10), (86_400, 10)])
async def test_deadline_that_is_shown_too_early_is_drawn_again(store: Store, clock: int, most: int) -> None:
    """By more than a tenth of the clock, or 10 s if that is less. Short times add up until it is drawn."""
    await store.write((c.NewMatch(ex.match(setup=replace(ex.SETUP, clock=clock))),))
    [board] = await store.write((c.PutSurface(ex.surface(shown=1)),))
    assert not await is_marked(store, most - 1)
    assert not await is_marked(store, 1)
    assert await is_marked(store, 1)
    await store.write((c.SurfaceShown(board, 555, 4, "K7Q2"),))
    assert not await is_marked(store, most)


async def test_deadline_that_is_shown_too_late_is_drawn_again(store: Store) -> None:
    """No clock ends before the time that is shown."""
    await store.write((c.NewMatch(ex.match()),))
    await store.write((c.PutSurface(ex.surface(shown=1)),))
    assert await is_marked(store, -1)


async def test_soonest_deadline_is_drawn_first(store: Store) -> None:
    for id, seconds in (("M1", 90), ("M2", 30), ("M3", 60)):
        await store.write((c.NewMatch(ex.match(id, deadline=at(seconds))), c.PutSurface(ex.surface(id, shown=1))))
    await store.write((c.NewMatch(ex.over("M4", version=2)), c.PutSurface(ex.surface("M4", shown=1)), AWAY))
    await Surfaces(store).mark_behind()
    assert [one.match for one in await store.behind()] == ["M4", "M2", "M3", "M1"]


async def test_what_is_up_to_date_stays_so_until_it_is_marked(store: Store) -> None:
    await play(store, 1)
    await store.write((c.ShiftDeadlines(timedelta(seconds=2), unseen=True),))
    await Surfaces(store).mark_behind()
    [board] = await store.surfaces("M0")
    assert board.shown == 2
    await store.write((c.SaveMatch(ex.match("M0", version=3), 2),))
    assert [(one.shown, one.match) for one in await store.behind()] == [(2, "M0")]


# --- elsewhere ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("there", ["sqlite", "postgres"])
async def test_times_are_the_same_after_a_move(
    sqlite: SqliteStore, there: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    await play(sqlite, 1)
    await sqlite.write((AWAY,))
    match, due, left = await sqlite.match("M0"), await sqlite.due(at(999)), await sqlite.unmarked()
    await sqlite.close()
    target = tmp_path / "new.sqlite3"
    if there == "postgres":
        where: Any = await postgres.emptied(request.getfixturevalue("server"))
    else:
        where = target
    await moving.move(moving.locate(tmp_path / "gops.sqlite3"), moving.locate(where), lambda *_: None)
    kind: Callable[[Any], Any] = PostgresStore.open if there == "postgres" else SqliteStore.open
    async with await kind(where) as moved:
        assert (await moved.match("M0"), await moved.due(at(999)), await moved.unmarked()) == (match, due, left)
