"""Notes of what was shown reach the store once, and whoever stores them now waits for those that are on their way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from discord.utils import time_snowflake

from bot.messages import notes
from bot.messages.notes import Notes
from bot.referee.model.changes import Conflict, PutSurface, StoreBusy, SurfaceShown
from bot.referee.model.surfaces import Surface, SurfaceKind, token_expiry


class Slow:
    """A store that takes what it is given when it is let."""

    def __init__(self) -> None:
        self.given: list[tuple[Any, ...]] = []
        self.asked, self.let = asyncio.Event(), asyncio.Event()
        self.surfaces = self

    async def mark(self, steps: tuple[Any, ...]) -> None:
        self.given.append(steps)
        self.asked.set()
        await self.let.wait()


async def test_whoever_stores_now_waits_for_what_is_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a bot that stops closes its store while notes are being written, and writes them twice."""
    monkeypatch.setattr(notes, "GATHERED", 0.0)
    slow: Any = Slow()
    kept = Notes(slow)
    kept.add(SurfaceShown(1, 7, 5, "K7Q2"))
    await slow.asked.wait()  # the gathered ones are being stored
    now = asyncio.ensure_future(kept.flush())
    for _ in range(5):
        await asyncio.sleep(0)
    assert not now.done()
    slow.let.set()
    await now
    assert slow.given == [(SurfaceShown(1, 7, 5, "K7Q2"),)]


async def test_nothing_is_left_to_come_after_storing_now() -> None:
    slow: Any = Slow()
    slow.let.set()
    kept = Notes(slow)
    before = asyncio.all_tasks()
    kept.add(SurfaceShown(1, 7, 5, "K7Q2"))
    await kept.flush()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() == before
    assert slow.given == [(SurfaceShown(1, 7, 5, "K7Q2"),)]


class Moving:
    """A store that takes a board when it is let, or refuses it."""

    def __init__(self, board: Surface) -> None:
        self.stored, self.refuses = board, False
        self.asked, self.let = asyncio.Event(), asyncio.Event()
        self.surfaces = SimpleNamespace(put=self.put, load=self.there)

    async def there(self, match: str) -> Sequence[Surface]:
        return (self.stored,)

    async def put(self, surface: Surface, instead_of: tuple[int, int] | None = None) -> int:
        self.asked.set()
        await self.let.wait()
        if self.refuses:
            raise StoreBusy("busy")
        self.stored = surface
        return surface.id


@pytest.mark.parametrize("refuses", [False, True])
@pytest.mark.parametrize("kind", [SurfaceKind.BOARD, SurfaceKind.CONSOLE_BESIDE])
async def test_a_message_that_moves_is_in_its_new_place_at_once(kind: SurfaceKind, refuses: bool) -> None:
    """A press notes the old message while the new one is stored: what it noted came to be stored last. A match went on
    in a message that pointed elsewhere, and of two consoles posted at once both stayed."""
    old = Surface("M1", kind, 0, 7, 70, 1, datetime(2026, 11, 23, tzinfo=UTC), id=3)
    moving: Any = Moving(old)
    moving.refuses = refuses
    kept = Notes(moving)
    put = asyncio.create_task(kept.put(replace(old, channel=8, message=80)))
    await moving.asked.wait()
    [seen] = await kept.surfaces("M1")
    assert (seen.channel, seen.message) == (8, 80)
    moving.let.set()
    await asyncio.gather(put, return_exceptions=True)
    [seen] = await kept.surfaces("M1")
    assert seen.message == (70 if refuses else 80)


@pytest.mark.parametrize("pressed_first", [True, False])
async def test_replaced_console_does_not_come_back_by_an_earlier_press(pressed_first: bool) -> None:
    """A card was pressed on a console, then a newer one took its place. One that nobody could remove may be pressed
    again later, and is the console from then on."""
    at = datetime(2026, 11, 23, tzinfo=UTC)
    posted = at + timedelta(seconds=1 if pressed_first else -1)
    newer = Surface("M1", SurfaceKind.CONSOLE_BESIDE, 5, 7, time_snowflake(posted), 2, posted, "b")
    newer = replace(newer, token_until=token_expiry(at - timedelta(seconds=2)), id=3)
    older = time_snowflake(posted - timedelta(minutes=1))
    moving: Any = Moving(newer)
    kept = Notes(moving)
    pressed = replace(newer, kind=SurfaceKind.CONSOLE_EPHEMERAL, message=older, token_until=token_expiry(at))
    instead = await kept.keep(pressed)
    [known] = await kept.surfaces("M1")
    assert known.message == (newer.message if pressed_first else older)
    assert (instead is not None) is pressed_first


async def test_console_that_was_erased_during_its_press_stays_erased() -> None:
    """Its player saw the answer and erased their data, and then the press noted what it had shown: that failed, and the
    player read of trouble."""
    at = datetime(2026, 11, 26, tzinfo=UTC)
    erased = Surface("M1", SurfaceKind.CONSOLE_DM, 5, 7, 70, 1, at, id=3)

    async def put(surface: Surface, instead_of: tuple[int, int] | None = None) -> int:
        raise Conflict(f"surface {surface.id} is gone, or a board by now")

    async def load(match: str) -> Sequence[Surface]:
        return ()

    store: Any = SimpleNamespace(surfaces=SimpleNamespace(put=put, load=load))
    kept = Notes(store)
    assert await kept.keep(erased) is None
    assert await kept.surfaces("M1") == ()


async def test_challenge_that_is_being_stored_does_not_hide_its_board() -> None:
    """The note of one acceptance was on its way while the last one began the match: presses on its board read "out of
    date", and what was shown on it was forgotten."""
    at = datetime(2026, 11, 26, tzinfo=UTC)
    lobby = Surface("M1", SurfaceKind.LOBBY, 0, 7, 70, 1, at, id=3)
    moving: Any = Moving(lobby)
    moving.refuses = True
    noted: list[Any] = []

    async def mark(steps: Sequence[Any]) -> None:
        noted.extend(steps)

    moving.surfaces.mark = mark
    kept = Notes(moving)
    put = asyncio.create_task(kept.put(replace(lobby, shown=2)))
    await moving.asked.wait()
    moving.stored = replace(lobby, kind=SurfaceKind.BOARD, shown=0)
    [seen] = await kept.surfaces("M1")
    assert seen.kind is SurfaceKind.BOARD
    kept.add(SurfaceShown(3, 70, 4, "K7Q2"))
    moving.let.set()
    await asyncio.gather(put, return_exceptions=True)
    [seen] = await kept.surfaces("M1")
    assert (seen.kind, seen.shown) == (SurfaceKind.BOARD, 4)
    await kept.flush()
    assert noted == [SurfaceShown(3, 70, 4, "K7Q2")]


async def test_notes_are_stored_by_kind_in_the_order_of_their_surfaces() -> None:
    """Changes that lock the same surfaces in another order could wait for each other."""
    at = datetime(2026, 11, 26, tzinfo=UTC)
    slow: Any = Slow()
    slow.let.set()
    kept = Notes(slow)
    for id in range(80, 0, -1):
        put = PutSurface(Surface("M1", SurfaceKind.BOARD, 0, 7, 70, 1, at, id=id))
        kept.add(put if id % 2 else SurfaceShown(id, 7, 5, f"M{id % 3}"))
    await kept.flush()
    ids = [[one.surface.id if isinstance(one, PutSurface) else one.id for one in change] for change in slow.given]
    assert sorted(ids) == [[*range(1, 65, 2)], [*range(2, 66, 2)], [*range(65, 81, 2)], [*range(66, 81, 2)]]


async def test_note_of_a_surface_that_went_costs_the_others_nothing() -> None:
    at, stored = datetime(2026, 11, 26, tzinfo=UTC), list[Any]()

    async def mark(steps: Sequence[Any]) -> None:
        if any(isinstance(step, PutSurface) for step in steps):
            raise Conflict("it went")
        stored.extend(steps)

    surfaces: Any = SimpleNamespace(surfaces=SimpleNamespace(mark=mark))
    kept = Notes(surfaces)
    kept.add(SurfaceShown(1, 7, 5, "M1"))
    kept.add(PutSurface(Surface("M2", SurfaceKind.BOARD, 0, 7, 70, 1, at, id=2)))
    await kept.flush()
    assert stored == [SurfaceShown(1, 7, 5, "M1")]
