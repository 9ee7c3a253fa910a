"""Pauses for slow matches: every clock stands as long, within the budget of the person."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.lobby.setups import Wish
from bot.referee.match.pauses import BUDGET, SPAN
from bot.referee.model.changes import SaveMatch
from bot.referee.model.clock_changes import pause_owner
from bot.referee.model.model import DeadlineKind
from bot.referee.model.people import Pause
from bot.solver.players.levels import SLY
from tests.referee.stage import ANA, BEN, CEM, HERE, START, Table

DAY = 24 * 3600
HOUR = timedelta(hours=1)
SLOW_MATCH: dict[str, Any] = {"clock": 8 * 3600, "cards": 5}


async def clocks(table: Table, id: str) -> dict[DeadlineKind, timedelta]:
    """Return how long each deadline of the match has left."""
    found = await table.store.deadlines_of(id)
    return {one.kind: one.due - table.clock.now() for one in found if one.kind is not DeadlineKind.PAUSED}


async def left(table: Table, user: int = ANA.user) -> timedelta:
    return (await table.referee.pausing.get_status(user)).left


async def test_pause_stops_bid_warning_and_nudge_of_slow_matches_only(table: Table) -> None:
    slow, live = await table.start(**SLOW_MATCH), await table.start((ANA, CEM), clock=60, cards=5)
    before, running = await clocks(table, slow), await clocks(table, live)
    assert before.keys() == {DeadlineKind.BID, DeadlineKind.WARNING, DeadlineKind.NUDGE}
    until = await table.referee.pausing.begin(ANA.user, timedelta(days=2))
    assert until == START + timedelta(days=2)
    assert await clocks(table, slow) == {kind: due + timedelta(days=2) for kind, due in before.items()}
    assert await clocks(table, live) == running
    view = await table.referee.views.view(slow)
    assert (view.halted, view.paused) == (until, ((0, until),))
    assert view.deadline == until + timedelta(hours=8)


async def test_pause_stops_the_idle_clock_of_practice(table: Table) -> None:
    begun = await table.referee.practice.begin(HERE, ANA, SLY, Wish(cards=5))
    await table.referee.pausing.begin(ANA.user, timedelta(days=3))
    [(kind, due)] = (await clocks(table, begun.live.stored.id)).items()
    assert (kind, due) == (DeadlineKind.IDLE, timedelta(days=10))


async def test_pause_without_a_slow_match_with_people_sends_no_notice(table: Table) -> None:
    await table.start(clock=60)
    await table.referee.practice.begin(HERE, ANA, SLY, Wish())
    await table.referee.pausing.begin(ANA.user, timedelta(days=1))
    paused = await table.referee.pausing.get_status(ANA.user)
    assert paused.until is not None
    assert not paused.told


async def test_pause_is_announced_to_opponents_and_recorded(table: Table) -> None:
    id = await table.start(**SLOW_MATCH)
    await table.referee.pausing.begin(ANA.user, timedelta(days=1))
    await table.fire()
    assert [(one.owner, one.kind) for one in table.reminded] == [(id, DeadlineKind.PAUSED)]
    assert (await table.referee.pausing.get_status(ANA.user)).told
    [noted] = await table.referee.pausing.list_pauses(id)
    assert (noted.seat, noted.began, noted.until) == (0, START, START + timedelta(days=1))
    record = (await table.store.match(id)).setup
    assert record.clock == 8 * 3600, "what was agreed stays"


async def test_pause_ends_at_its_time_and_leaves_the_board(table: Table) -> None:
    id = await table.start(**SLOW_MATCH)
    await table.referee.pausing.begin(ANA.user, timedelta(days=1))
    version = (await table.store.match(id)).version
    table.clock.forward(DAY)
    await table.fire()
    stored = await table.store.match(id)
    assert (stored.paused, stored.version) == (None, version + 1)
    assert (await clocks(table, id))[DeadlineKind.BID] == timedelta(hours=8, seconds=3)
    assert await table.store.deadlines_of(pause_owner(ANA.user)) == []
    table.clock.forward(8 * 3600 + 3)
    await table.fire()
    assert (await table.referee.views.view(id)).seats[0].misses == 1


async def test_unused_rest_of_a_pause_returns_when_it_is_ended_early(table: Table) -> None:
    id = await table.start(**SLOW_MATCH)
    await table.referee.pausing.begin(ANA.user, timedelta(days=5))
    assert await left(table) == timedelta(days=2)
    table.clock.forward(DAY)
    await table.referee.pausing.end(ANA.user)
    assert (await table.referee.views.view(id)).deadline == table.clock.now() + timedelta(hours=8)
    assert (await clocks(table, id))[DeadlineKind.BID] == timedelta(hours=8, seconds=3)
    assert await left(table) == timedelta(days=6)
    with pytest.raises(RefereeError, match="not-paused"):
        await table.referee.pausing.end(ANA.user)


async def test_pause_cannot_exceed_its_budget(table: Table) -> None:
    """The budget is seven days in any ninety, in any pieces; a reveal during the pause gives no more."""
    id = await table.start(**SLOW_MATCH)
    pausing = table.referee.pausing
    for length in (BUDGET + timedelta(seconds=1), timedelta(minutes=59), timedelta(), -HOUR):
        with pytest.raises(RefereeError, match="pause-spent"):
            await pausing.begin(ANA.user, length)
    for _ in range(20):  # begun and ended at once, it costs nothing and gives nothing
        await pausing.begin(ANA.user)
        await pausing.end(ANA.user)
        table.clock.forward(1e-6)
    assert (await clocks(table, id))[DeadlineKind.BID] == timedelta(hours=8, seconds=3, microseconds=-20)
    await pausing.begin(ANA.user, timedelta(days=4))
    with pytest.raises(RefereeError, match="paused-already"):
        await pausing.begin(ANA.user, timedelta(days=1))
    await table.round(id, 2, 3)
    assert (await table.referee.views.view(id)).deadline == START + timedelta(days=4, hours=8, microseconds=20)
    table.clock.forward(4 * DAY)
    await table.fire()
    await pausing.begin(ANA.user)
    assert await left(table) == timedelta()
    table.clock.forward(3 * DAY)
    await table.fire()
    with pytest.raises(RefereeError, match="pause-spent"):
        await pausing.begin(ANA.user, HOUR)
    table.clock.forward((SPAN - timedelta(days=7)).total_seconds() + 3600)
    assert await left(table) == HOUR
    table.clock.forward(10 * DAY)
    assert await left(table) == BUDGET


async def test_overlapping_pauses_of_one_match_count_once(table: Table) -> None:
    id = await table.start(**SLOW_MATCH)
    await table.referee.pausing.begin(ANA.user, timedelta(days=3))
    table.clock.forward(DAY)
    await table.referee.pausing.begin(BEN.user, timedelta(days=4))
    view = await table.referee.views.view(id)
    assert (view.halted, len(view.paused)) == (START + timedelta(days=5), 2)
    assert view.deadline == START + timedelta(days=5, hours=8)
    await table.referee.pausing.end(ANA.user)
    assert (await table.referee.views.view(id)).deadline == START + timedelta(days=5, hours=8)
    await table.referee.pausing.end(BEN.user)
    view = await table.referee.views.view(id)
    assert (view.halted, view.paused, view.deadline) == (None, (), START + timedelta(days=1, hours=8))


async def test_match_that_begins_during_a_pause_waits_too(table: Table) -> None:
    until = await table.referee.pausing.begin(ANA.user, timedelta(days=2))
    slow, live = await table.start(**SLOW_MATCH), await table.start((BEN, CEM), clock=8 * 3600, cards=5)
    view = await table.referee.views.view(slow)
    assert (view.halted, view.deadline) == (until, until + timedelta(hours=8))
    assert (await clocks(table, slow))[DeadlineKind.NUDGE] == timedelta(days=2, minutes=1)
    assert (await table.referee.views.view(live)).halted is None
    await table.referee.pausing.end(ANA.user)
    assert (await table.referee.views.view(slow)).deadline == START + timedelta(hours=8)


async def test_next_start_completes_a_pause_after_a_crash_between_two_matches(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [await table.start(**SLOW_MATCH), await table.start((ANA, CEM), **SLOW_MATCH)]
    write, saved = table.store.write, 0

    async def dies(change: Any) -> Any:
        nonlocal saved
        saved += any(isinstance(step, SaveMatch) for step in change)
        if saved > 1:
            raise KeyboardInterrupt
        return await write(change)

    with monkeypatch.context() as patch:
        patch.setattr(table.store, "write", dies)
        with pytest.raises(KeyboardInterrupt):
            await table.referee.pausing.begin(ANA.user, timedelta(days=2))
    assert [(await table.store.match(id)).paused is None for id in ids].count(True) == 1
    again = Table(table.store, table.clock, "again")
    await again.referee.repository.jobs.do_own()
    for id in ids:
        assert (await again.referee.views.view(id)).deadline == START + timedelta(days=2, hours=8)
    await again.fire()
    assert await left(again) == timedelta(days=5)


async def test_two_presses_at_once_begin_one_pause(table: Table) -> None:
    other = Table(table.store, table.clock, "other process")
    id = await table.start(**SLOW_MATCH)
    both = (one.referee.pausing.begin(ANA.user, timedelta(days=3)) for one in (table, other))
    found = await asyncio.gather(*both, return_exceptions=True)
    assert [isinstance(one, RefereeError) for one in found].count(True) == 1
    assert (await table.store.match(id)).deadline == START + timedelta(days=3, hours=8)
    assert await left(table) == timedelta(days=4)


async def test_pause_of_a_player_who_left_stops_no_clock(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), **SLOW_MATCH)
    for person, card in ((ANA, 2), (BEN, 3), (CEM, 4)):
        await table.seal(id, person.user, card)
    await table.referee.matches.resign(id, ANA.user)
    before = await clocks(table, id)
    await table.referee.pausing.begin(ANA.user, timedelta(days=1))
    assert await clocks(table, id) == before


async def test_pause_ends_for_the_table_when_the_player_leaves(table: Table) -> None:
    """The other seats go on at once with the time they had left."""
    id = await table.start((ANA, BEN, CEM), **SLOW_MATCH)
    for person, card in ((ANA, 2), (BEN, 3), (CEM, 4)):
        await table.seal(id, person.user, card)
    before = await clocks(table, id)
    await table.referee.pausing.begin(ANA.user, timedelta(days=1))
    assert (await table.referee.views.view(id)).halted is not None
    await table.referee.matches.resign(id, ANA.user)
    view = await table.referee.views.view(id)
    assert (view.halted, view.over) == (None, False)
    assert (await clocks(table, id))[DeadlineKind.BID] == before[DeadlineKind.BID]


async def test_match_that_begins_in_the_instant_of_a_pause_waits_too(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match reads the pauses before the pause exists, and the pause reads the matches before the match does."""
    real, begun = table.store.pauses, list[datetime]()

    async def pauses(users: Sequence[int], since: datetime) -> Sequence[Pause]:
        found = await real(users, since)
        if not begun:
            begun.append(since)
            begun.append(await table.referee.pausing.begin(ANA.user, timedelta(days=2)))
        return found

    monkeypatch.setattr(table.store, "pauses", pauses)
    view = await table.referee.views.view(await table.start(**SLOW_MATCH))
    assert (view.halted, view.deadline) == (begun[1], begun[1] + timedelta(hours=8))


async def test_pause_of_an_erased_player_is_kept_without_the_user_id(table: Table) -> None:
    id = await table.start(**SLOW_MATCH)
    await table.referee.pausing.begin(ANA.user, timedelta(days=1))
    await table.round(id, 2, 3)
    await table.referee.matches.resign(id, ANA.user)
    assert (await table.referee.privacy.export(ANA.user))["pauses"]
    await table.referee.privacy.erase(ANA.user)
    [noted] = await table.referee.pausing.list_pauses(id)
    assert noted.seat == 0
    assert await table.store.deadlines_of(pause_owner(ANA.user)) == []
    assert await left(table) == BUDGET
