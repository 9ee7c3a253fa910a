"""Several processes on one database: nothing is decided twice, nothing that was told is lost, nobody waits for ever."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import asyncpg
import pytest

from bot.referee.model import changes as c
from bot.referee.model.changes import Change, Conflict, StoreBusy
from bot.referee.model.partitions import PARTITIONS
from bot.referee.model.surfaces import SurfaceKind
from data.postgres.database import PostgresDatabase
from data.sql.statement import Statement
from tests import postgres
from tests.data import examples as ex
from tests.postgres import PostgresStore


@pytest.fixture
async def two(server: postgres.Server) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    """Two processes, as far as the database can tell."""
    address = await postgres.emptied(server)
    async with await PostgresStore.open(address) as one, await PostgresStore.open(address) as other:
        yield one, other


async def done(store: PostgresStore, change: Change) -> bool:
    try:
        await store.write(change)
    except Conflict:
        return False
    return True


async def test_of_changes_of_one_version_one_is_made(two: tuple[PostgresStore, PostgresStore]) -> None:
    match = ex.match("K7Q2")
    await two[0].write((c.NewMatch(match),))
    for version in range(match.version, match.version + 20):
        change = (c.SaveMatch(replace(match, version=version + 1), version),)
        made = await asyncio.gather(*(done(two[number % 2], change) for number in range(6)))
        assert made.count(True) == 1


async def test_clocks_that_are_moved_while_a_prompt_is_opened_stay_whole(
    server: postgres.Server, two: tuple[PostgresStore, PostgresStore]
) -> None:
    """Time is given back while a round is revealed: what the match shows was moved, and when its clock ends was not. So
    it ended too early, which was taken for a clock that had been moved, and the match had none any more."""
    match = ex.match("K7Q2", deadline=ex.at(60))
    await two[0].write((c.NewMatch(match), c.SetDeadline(ex.deadline(due=62))))
    opened = replace(match, version=match.version + 1, prompt=match.prompt + 1, deadline=ex.at(110))
    due = ex.deadline(due=112, prompt=opened.prompt)
    other = await asyncpg.connect(server.address(f"t{os.getpid()}"))

    async def blocked(sessions: int, *tasks: asyncio.Task[object]) -> None:
        waiting = f"SELECT count(*) {postgres.WAITING}"
        while await other.fetchval(waiting) < sessions:
            assert not any(one.done() for one in tasks)

    try:
        async with other.transaction():  # holds the reveal up between its two steps
            await other.execute("SELECT 1 FROM deadlines FOR UPDATE")
            change = (c.SaveMatch(opened, match.version), c.SetDeadline(due))
            reveal = asyncio.create_task(two[0].write(change))
            await blocked(1, reveal)
            shift = asyncio.create_task(two[1].write((c.ShiftDeadlines(timedelta(seconds=10)),)))
            await blocked(2, reveal, shift)
        await asyncio.gather(reveal, shift)
    finally:
        await other.close()
    stored = await two[0].match("K7Q2")
    assert stored is not None
    assert stored.deadline == ex.at(120)
    assert [one.due for one in await two[0].deadlines_of("K7Q2")] == [ex.at(122)]


async def test_no_bid_is_sealed_for_a_round_that_was_revealed(two: tuple[PostgresStore, PostgresStore]) -> None:
    """The reveal moves on to the next prompt; whoever seals for the one before, in the same instant, is refused."""
    match = ex.match("K7Q2")
    await two[0].write((c.NewMatch(match),))
    for number in range(20):
        at = replace(match, prompt=match.prompt + number, version=match.version + number)
        moved = replace(at, prompt=at.prompt + 1, version=at.version + 1)
        bid = two[number % 2].write((c.PutSeal("K7Q2", at.prompt, ex.seal(0, 3)),))
        reveal = two[1 - number % 2].write((c.DropSeals("K7Q2"), c.SaveMatch(moved, at.version)))
        await asyncio.gather(bid, reveal, return_exceptions=True)
        stored = await two[0].match("K7Q2")
        assert stored is not None
        assert stored.prompt == moved.prompt, "the reveal is never what has to give way"
        assert stored.sealed == ()


async def test_changes_of_many_matches_and_all_clocks_get_through(two: tuple[PostgresStore, PostgresStore]) -> None:
    """They meet in every order: what the server breaks off is done again, and nobody hears of it."""
    ids = ["AAAA", "BBBB", "CCCC", "DDDD"]
    for id in ids:
        await two[0].write((c.NewMatch(ex.match(id)),))
    versions = dict.fromkeys(ids, ex.match().version)

    async def shift(store: PostgresStore) -> None:
        for _ in range(5):
            await store.write((c.ShiftDeadlines(timedelta(seconds=1)),))

    async def note(store: PostgresStore, ids: list[str]) -> None:
        for _ in range(10):
            await store.write(tuple(c.DropSeals(id) for id in ids))

    await asyncio.gather(shift(two[0]), shift(two[1]), note(two[0], ids), note(two[1], ids[::-1]))
    for id in ids:
        stored = await two[0].match(id)
        assert stored is not None
        assert stored.version == versions[id] + 10


async def test_a_connection_that_is_cut_costs_one_try(two: tuple[PostgresStore, PostgresStore]) -> None:
    """Whatever the server cuts: what was told stays, and the next change goes through on a new connection."""
    match = ex.match("K7Q2")
    await two[0].write((c.NewMatch(match),))
    told = match.version
    for _ in range(10):
        change = (c.SaveMatch(replace(match, version=told + 1), told),)
        cut = two[1].database.write((Statement(postgres.CUT, ()),))
        outcomes = await asyncio.gather(two[0].write(change), cut, return_exceptions=True)
        if not isinstance(outcomes[0], BaseException):
            told += 1
        else:
            assert isinstance(outcomes[0], Conflict | StoreBusy)
        stored = await two[0].match("K7Q2") if await reaches(two[0]) else None
        assert stored is not None
        assert stored.version in (told, told + 1)
        told = stored.version


async def reaches(store: PostgresStore) -> bool:
    """Connections that were cut are noticed when they are used."""
    for _ in range(20):
        try:
            await store.next_due()
        except StoreBusy:
            continue
        return True
    return False


async def test_a_server_that_is_gone_is_told_and_comes_back(tmp_path_factory: pytest.TempPathFactory) -> None:
    """`pg_ctl stop -m immediate` is what a crash is; nothing that was confirmed is lost."""
    server = postgres.started()
    try:
        async with await PostgresStore.open(server.address("postgres")) as store:
            await store.write((c.NewMatch(ex.match("K7Q2")),))
            server.stop("immediate")
            with pytest.raises(StoreBusy):
                await store.write((c.SaveNote("a", "b"),))
            with pytest.raises(StoreBusy):
                await store.match("K7Q2")
            server.start()
            assert await reaches(store)
            assert await store.match("K7Q2") == ex.match("K7Q2")
            await store.write((c.SaveNote("a", "b"),))
    finally:
        server.end()


async def test_a_change_goes_on_when_nobody_waits_for_it_any_more(two: tuple[PostgresStore, PostgresStore]) -> None:
    given_up = asyncio.create_task(two[0].write((c.SaveNote("key", "value"),)))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    await two[0].close()
    assert await two[1].note("key") == "value"


async def test_a_change_that_fails_when_nobody_waits_for_it_any_more_is_told_in_a_word(
    two: tuple[PostgresStore, PostgresStore], caplog: pytest.LogCaptureFixture
) -> None:
    """Else asyncio tells of it as of a mistake, which lets whoever runs the bot look for one."""
    caplog.set_level(logging.INFO)
    given_up = asyncio.create_task(two[0].write((c.SaveMatch(ex.match("K7Q2"), 0),)))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(given_up, return_exceptions=True)
    await two[0].close()
    gc.collect()
    assert "a change failed after its caller was cancelled: Conflict" in caplog.text
    assert "never retrieved" not in caplog.text


@pytest.mark.parametrize("step", ["bind_execute", "_get_timeout"])
async def test_a_connection_that_ends_between_two_steps_is_a_server_that_does_not_answer(
    two: tuple[PostgresStore, PostgresStore], monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """A leader that has lost the lead ends all of them, and asyncpg asks for what is gone."""

    async def asked(*_: object, **__: object) -> None:
        protocol: Any = None
        getattr(protocol, step)()

    monkeypatch.setattr(asyncpg.Connection, "fetch", asked)
    with pytest.raises(StoreBusy):
        await two[0].note("key")


async def test_two_that_start_at_once_make_one_schema(server: postgres.Server) -> None:
    address = await postgres.emptied(server, fresh=True)
    stores = await asyncio.gather(*(PostgresDatabase.open(address) for _ in range(4)))
    for one in stores:
        await one.close()


async def test_note_of_what_was_shown_waits_for_no_change_of_its_match(
    server: postgres.Server, two: tuple[PostgresStore, PostgresStore]
) -> None:
    """A bid holds the row of its match, and notes of other rounds are stored meanwhile."""
    match = ex.match("K7Q2")
    await two[0].write((c.NewMatch(match),))
    board, console = ex.surface(), ex.surface(kind=SurfaceKind.CONSOLE_DM, user=ex.ANA)
    [first] = await two[0].write((c.PutSurface(board),))
    [second] = await two[0].write((c.PutSurface(console),))
    other = await asyncpg.connect(server.address(f"t{os.getpid()}"))
    try:
        async with other.transaction(), asyncio.timeout(10):
            await other.execute("SELECT 1 FROM matches FOR UPDATE")
            await other.execute("UPDATE matches SET opened = opened + 1")
            await two[0].write((c.SurfaceShown(first, board.message, match.version, "K7Q2"),))
            await two[1].write((c.PutSurface(replace(console, id=second, shown=match.version, token="t")),))
    finally:
        await other.close()
    assert [(one.shown, one.token) for one in await two[0].surfaces("K7Q2")] == [
        (match.version, board.token),
        (match.version, "t"),
    ]


async def test_surface_that_is_noted_during_a_save_is_behind_after_it(
    server: postgres.Server, two: tuple[PostgresStore, PostgresStore]
) -> None:
    """The note waits for the row of its surface, and does not take back that the end is to be shown."""
    match = ex.match("K7Q2")
    await two[0].write((c.NewMatch(match),))
    board = ex.surface(shown=match.version)
    [id] = await two[0].write((c.PutSurface(board),))
    other = await asyncpg.connect(server.address(f"t{os.getpid()}"))
    try:
        async with other.transaction(), asyncio.timeout(10):
            await other.execute("UPDATE matches SET version = 9, live = 0")
            await other.execute("UPDATE surfaces SET pending = 9")
            note = asyncio.create_task(two[0].write((c.PutSurface(replace(board, id=id)),)))
            waiting = f"SELECT count(*) {postgres.WAITING}"
            while not await other.fetchval(waiting):
                assert not note.done()
        await note
    finally:
        await other.close()
    assert [one.id for one in await two[0].behind()] == [id]


async def test_end_of_a_match_locks_surfaces_in_the_order_of_notes(
    server: postgres.Server, two: tuple[PostgresStore, PostgresStore], caplog: pytest.LogCaptureFixture
) -> None:
    """A deadlock stops the last bid for a second. The first surface is stored last: its user has changed."""
    caplog.set_level(logging.DEBUG, "data.postgres.database")
    match = ex.match("K7Q2")
    await two[0].write((c.NewMatch(match),))
    first, second = await two[0].write((c.PutSurface(ex.surface(shown=1)), c.PutSurface(ex.surface(user=ex.ANA))))
    other = await asyncpg.connect(server.address(f"t{os.getpid()}"))
    try:
        await other.execute('UPDATE surfaces SET "user" = 7 WHERE id = $1', first)
        async with other.transaction(), asyncio.timeout(10):
            await other.execute("UPDATE surfaces SET shown = 1 WHERE id = $1", first)
            end = asyncio.create_task(two[0].write((c.SaveMatch(replace(match, version=2, live=False), 1),)))
            waiting = f"SELECT count(*) {postgres.WAITING}"
            while not await other.fetchval(waiting):
                assert not end.done()
            await other.execute("UPDATE surfaces SET shown = 1 WHERE id = $1", second)
        await end
    finally:
        await other.close()
    assert "DeadlockDetected" not in caplog.text


async def test_time_that_is_given_back_while_messages_are_marked_causes_no_deadlock(
    two: tuple[PostgresStore, PostgresStore], caplog: pytest.LogCaptureFixture
) -> None:
    """Both change a row of every partition. A deadlock stops all bids of them for a second."""
    caplog.set_level(logging.DEBUG, "data.postgres.database")
    marked = tuple((partition, 1) for partition in range(PARTITIONS))
    for _ in range(10):
        await asyncio.gather(
            two[0].write((c.ShiftDeadlines(timedelta(seconds=1)),)),
            *(two[number].write((c.EndMarking(times),)) for number in range(2) for times in (marked, marked[::-1])),
        )
    assert "DeadlockDetected" not in caplog.text
