"""Clocks by hand: missed bids, forfeits, abandoned matches, downtime, and challenges without an answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from itertools import chain, repeat
from typing import Any

import pytest

from bot.engine.match import Termination
from bot.errors import RefereeError
from bot.referee.clock.presence import BRIEF, Presence, read_downtime, send_heartbeats
from bot.referee.lobby.setups import Wish
from bot.referee.model.changes import Change, Heartbeat, PartitionMoved, PutSurface, StoreBusy
from bot.referee.model.model import DeadlineKind, Lobby, LobbyState
from bot.referee.model.participant import Place
from bot.referee.model.surfaces import Surface, SurfaceKind
from tests.referee.stage import ANA, BEN, CEM, HERE, START, Table
from tests.referee.waiting import wait_idle

CLOCK, GRACE = 60, 3


async def late(table: Table, id: str) -> None:
    """The clock of the present prompt runs out."""
    stored = await table.store.match(id)
    assert stored is not None
    assert stored.deadline is not None
    table.clock.time = stored.deadline + timedelta(seconds=GRACE)
    await table.fire()


async def test_missed_bid_plays_the_lowest_card(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    await table.seal(id, ANA.user, 4)
    table.clock.forward(CLOCK + GRACE - 1)
    await table.fire()
    assert (await table.referee.views.view(id)).round == 1, "a deadline fires three seconds after the time shown"
    table.clock.forward(1)
    await table.fire()
    view = await table.referee.views.view(id)
    assert view.last is not None
    assert [bid.cards if bid else None for bid in view.last.bids] == [(4,), (1,)]
    assert [seat.misses for seat in view.seats] == [0, 1]
    assert view.deadline == table.clock.now() + timedelta(seconds=CLOCK)


async def test_deadline_of_a_partition_that_is_not_ready_waits(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner died, and the time without an owner is not given back yet: the deadline only looks overdue."""
    id = await table.start(clock=CLOCK, cards=5)
    monkeypatch.setattr(table.store, "owns_partition", lambda _: False)
    await late(table, id)
    assert (await table.referee.views.view(id)).round == 1
    monkeypatch.undo()
    await table.fire()
    assert (await table.referee.views.view(id)).round == 2


async def test_clocks_are_looked_at_again_only_after_a_change_that_sets_one(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    every, timed = list[str](), list[str]()
    table.referee.listeners.append(every.append)
    table.referee.clock_listeners.append(timed.append)
    await table.seal(id, ANA.user, 4)
    assert (every, timed) == ([id], [])
    _, revealed = await table.seal(id, BEN.user, 3)
    assert revealed
    assert (every, timed) == ([id, id], [id])


async def test_clocks_are_looked_at_again_only_for_a_deadline_before_the_next_look(table: Table) -> None:
    slow, quick = await table.start(clock=10 * CLOCK, cards=5), await table.start(clock=CLOCK, cards=5)
    await table.sleeper.presence.reconnect()
    sleeping = asyncio.create_task(table.sleeper.run())
    await settled(table)
    woken = list[str]()
    table.referee.clock_listeners.append(woken.append)
    try:
        for id in (slow, quick):
            await table.seal(id, ANA.user, 4)
            await table.seal(id, BEN.user, 3)
        assert woken == [], "both clocks end after the one that is waited for"
        sooner = await table.start(clock=CLOCK // 3, cards=5)
        woken.clear()
        await table.seal(sooner, ANA.user, 4)
        assert woken == []
        await table.seal(sooner, BEN.user, 3)
        assert woken == [sooner]
        woken.clear()
        table.referee.clear_cache()
        assert woken == [""], "clocks were moved by the time away"
    finally:
        sleeping.cancel()
        await asyncio.wait({sleeping})


async def test_bid_in_time_resets_the_count_of_misses(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=9)
    for card in (5, 6):
        await table.seal(id, ANA.user, card)
        await late(table, id)
    await table.seal(id, ANA.user, 7)
    view, revealed = await table.seal(id, BEN.user, 8)
    assert revealed
    assert [seat.misses for seat in view.seats] == [0, 0]


async def test_three_misses_in_a_row_forfeit_the_match(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=9)
    for card in (5, 6, 7):
        await table.seal(id, ANA.user, card)
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.over
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winner) == (Termination.TIMED_OUT, 0)
    assert view.unrated == ""
    assert await table.store.next_due() is None


async def test_match_is_abandoned_when_every_seat_misses(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=9)
    for _ in range(3):
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.over
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winner) == (Termination.ABANDONED, None)
    assert (view.unrated, view.changes) == ("stopped", ())


@pytest.mark.parametrize("cards", [2, 3, 4])
async def test_short_match_without_a_bid_is_abandoned(table: Table, cards: int) -> None:
    """A short match has too few rounds for three misses in a row; every expired round is revealed all the same."""
    id = await table.start(clock=CLOCK, cards=cards)
    for _ in range(cards - 1):
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.over
    assert [seat.misses for seat in view.seats] == [cards - 1, cards - 1]
    assert [[bid.cards if bid else None for bid in one.bids] for one in view.seen.rounds] == [
        [(card,), (card,)] for card in range(1, cards)
    ]
    assert await table.referee.views.view(id) == await Table(table.store, table.clock, "again").referee.views.view(id)
    assert view.outcome is not None
    assert view.outcome.termination is Termination.ABANDONED
    assert (view.unrated, view.changes) == ("stopped", ())


async def test_match_is_abandoned_when_the_third_miss_of_every_seat_is_in_its_last_rounds(table: Table) -> None:
    """The last card of each seat is forced, and would end the match by its rules."""
    id = await table.start(clock=CLOCK, cards=5)
    await table.seal(id, ANA.user, 4)
    await table.seal(id, BEN.user, 5)
    for _ in range(3):
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winner) == (Termination.ABANDONED, None)
    assert (len(view.seen.rounds), [seat.misses for seat in view.seats]) == (4, [3, 3])
    assert (view.unrated, view.changes) == ("stopped", ())
    assert await table.referee.views.view(id) == await Table(table.store, table.clock, "again").referee.views.view(id)


async def test_third_miss_in_the_last_rounds_forfeits_the_match(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=4)
    for card in (2, 3, 4):
        await table.seal(id, ANA.user, card)
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winner) == (Termination.TIMED_OUT, 0)
    assert len(view.seen.rounds) == 3
    assert await table.referee.views.view(id) == await Table(table.store, table.clock, "again").referee.views.view(id)


async def test_third_miss_in_the_last_rounds_leaves_the_match_to_the_others(table: Table) -> None:
    id = await table.start(clock=CLOCK, people=(ANA, BEN, CEM), cards=4)
    for card in (2, 3, 4):
        await table.seal(id, ANA.user, card)
        await table.seal(id, CEM.user, card)
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.outcome is not None
    assert [seat.left for seat in view.seats] == ["", "timed-out", ""]
    assert view.outcome.placings is not None
    assert (view.outcome.placings[1], len(view.seen.rounds)) == (3, 4)


async def test_third_miss_in_a_round_that_decides_the_match_forfeits_it(table: Table) -> None:
    """That round is not revealed: it would end the match by its rules."""
    table = Table(table.store, table.clock, "decided")
    id = await table.start(clock=CLOCK, cards=5, options={"clinch": True})
    for card in (3, 4, 5):
        assert not (await table.referee.views.view(id)).over
        await table.seal(id, ANA.user, card)
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winner) == (Termination.TIMED_OUT, 0)
    assert (len(view.seen.rounds), [seat.misses for seat in view.seats]) == (2, [0, 3])
    assert await table.referee.views.view(id) == await Table(table.store, table.clock, "again").referee.views.view(id)


async def test_short_match_with_one_bid_is_played_to_its_end(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=3)
    await table.seal(id, ANA.user, 2)
    for _ in range(2):
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.outcome is not None
    assert view.outcome.termination is Termination.COMPLETED
    assert len(view.changes) == 2


@pytest.mark.parametrize(
    ("wish", "left"),
    [
        ({"cards": 3}, 0),
        ({"cards": 4}, 2),
        ({"cards": 5}, 2),
        ({"cards": 13}, 2),
        ({"cards": 2, "series": {"mode": "deals", "deals": 2}}, 0),
        ({"cards": 3, "series": {"mode": "deals", "deals": 2}}, 2),
        ({"cards": 2, "series": {"mode": "deals", "deals": 4}}, 2),
        ({"cards": 2, "series": {"mode": "deals", "deals": 5}}, 2),
    ],
    ids=str,
)
async def test_seat_shows_how_many_misses_are_left_before_a_forfeit(
    table: Table, wish: dict[str, Any], left: int
) -> None:
    """No misses are left to count where the match ends by its rules before the third in a row."""
    id = await table.start(clock=CLOCK, **wish)
    await table.seal(id, ANA.user, 1)
    await late(table, id)
    view = await table.referee.views.view(id)
    assert [(seat.misses, seat.misses_left) for seat in view.seats] == [(0, 0), (1, left)]


async def test_overdue_deadline_fires_at_once_after_a_start(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK + GRACE)
    again = Table(table.store, table.clock, "again")
    await again.fire()
    assert (await again.referee.views.view(id)).round == 2


async def test_deadline_fires_once_in_two_processes(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK + GRACE)
    other = Table(table.store, table.clock, "other")
    due = next(one for one in await table.store.due(table.clock.now()) if one.kind is DeadlineKind.BID)
    assert await table.referee.matches.expire(due) is not None
    assert await other.referee.matches.expire(due) is None
    assert await table.referee.matches.expire(due) is None
    stored = await table.store.match(id)
    assert stored is not None
    assert len(stored.deals[0].decisions) == 2


async def test_deadline_of_a_partition_that_moved_is_left_to_its_owner(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK + GRACE)

    async def moved(_: Change) -> Sequence[int]:
        raise PartitionMoved("another process owns the partition")

    monkeypatch.setattr(table.store, "write", moved)
    await table.sleeper.fire_due()
    await wait_idle(table.sleeper)
    assert [one.getMessage() for one in caplog.records] == []


async def starts(table: Table) -> timedelta:
    """A process starts and is connected at once; for how long it was away."""
    away = await read_downtime(table.referee)
    await Presence(table.referee, away, lambda: 0.0).reconnect()
    return away


async def test_downtime_is_credited_to_every_clock(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(20)
    await table.referee.write((Heartbeat(table.clock.now()),))
    table.clock.forward(600)
    again = Table(table.store, table.clock, "again")
    assert await starts(again) == timedelta(seconds=600)
    await again.fire()
    view = await again.referee.views.view(id)
    assert view.round == 1, "nobody misses a bid because the bot was away"
    assert view.deadline == START + timedelta(seconds=CLOCK + 600)
    assert view.away == 600
    table.clock.forward(CLOCK - 20 + GRACE)
    await again.fire()
    assert (await again.referee.views.view(id)).round == 2


async def test_quick_restart_is_credited_to_the_microsecond(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    await table.referee.write((Heartbeat(table.clock.now()),))
    short = timedelta(seconds=0.8, microseconds=1)
    table.clock.time += short
    assert await starts(table) == short
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK) + short
    table.clock.time = START + timedelta(seconds=CLOCK + GRACE)
    await table.fire()
    assert (await table.referee.views.view(id)).round == 1, "the clock runs on as if there had been no restart"
    table.clock.time += short
    await table.fire()
    assert (await table.referee.views.view(id)).round == 2


@pytest.mark.parametrize("jump", [timedelta(days=-1), timedelta(hours=-1), timedelta(hours=1), timedelta(days=1)])
async def test_wall_clock_set_during_downtime_does_not_change_the_time_left(table: Table, jump: timedelta) -> None:
    """A wall clock that jumped a day back once left a match with 86,510 s to go."""
    id = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(20)
    await table.referee.write((Heartbeat(table.clock.now()),))
    table.clock.time += jump
    assert await starts(table) == jump
    deadline = (await table.referee.views.view(id)).deadline
    assert deadline is not None
    assert deadline - table.clock.now() == timedelta(seconds=CLOCK - 20)
    await table.fire()
    assert (await table.referee.views.view(id)).round == 1
    assert (await table.referee.views.view(id)).away == max(jump.total_seconds(), 0)
    assert await table.store.heartbeat() == table.clock.now()


async def test_each_of_two_downtimes_is_credited_once(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    await table.referee.write((Heartbeat(table.clock.now()),))
    for _ in range(2):
        table.clock.forward(100)
        assert await starts(table) == timedelta(seconds=100)
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK + 200)


async def settled(table: Table) -> None:
    """Whatever could run has run: each question to the store comes after what was asked before."""
    for _ in range(30):
        await table.store.heartbeat()


async def test_no_clock_runs_out_while_discord_is_away(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.referee.clock.presence.BEAT", timedelta())
    monkeypatch.setattr("bot.referee.clock.deadlines.PAUSE", 0.0)
    id = await table.start(clock=CLOCK, cards=5)
    changed = asyncio.Event()
    table.referee.listeners.append(lambda _: changed.set())
    presence = table.sleeper.presence
    tasks = [asyncio.create_task(table.sleeper.run()), asyncio.create_task(send_heartbeats(presence))]
    try:
        await presence.reconnect()
        table.clock.forward(CLOCK - 1)
        async with asyncio.timeout(60):
            while await table.store.heartbeat() != table.clock.now():
                pass
        presence.disconnect()
        await settled(table)
        table.clock.forward(600)
        table.sleeper.wake()
        await settled(table)
        assert await table.store.heartbeat() == table.clock.now() - timedelta(seconds=600)
        assert (await table.referee.views.view(id)).round == 1
        await presence.reconnect()
        view = await table.referee.views.view(id)
        assert (view.round, view.away) == (1, 600)
        assert view.deadline == START + timedelta(seconds=CLOCK + 600)
        table.clock.forward(1 + GRACE)
        table.sleeper.wake()
        await asyncio.wait_for(changed.wait(), 60)
        assert (await table.referee.views.view(id)).round == 2
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def test_brief_reconnect_redraws_no_message(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    presence = table.sleeper.presence
    await presence.reconnect()
    version = (await table.referee.live(id)).stored.version
    await table.referee.write((PutSurface(Surface(id, SurfaceKind.BOARD, 0, 2, 555, version, START)),))
    known = {one.id for one in await table.store.behind()}
    for away, drawn in ((timedelta(seconds=CLOCK / 10), False), (BRIEF, True)):
        presence.disconnect()
        assert not presence.here.is_set()
        table.clock.time += away
        await presence.reconnect()
        assert presence.here.is_set()
        await table.referee.surfaces.mark_behind()  # as before everything that is behind is drawn
        assert bool({one.id for one in await table.store.behind()} - known) is drawn
    moved = BRIEF + timedelta(seconds=CLOCK / 10)
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK) + moved


async def test_time_until_the_first_connection_is_credited(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    await table.referee.write((Heartbeat(table.clock.now()),))
    table.clock.forward(100)
    ticks = chain([7.0], repeat(57.0))
    await Presence(table.referee, await read_downtime(table.referee), lambda: next(ticks)).reconnect()
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK + 150)


async def test_clocks_stand_while_downtime_cannot_be_credited(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clocks stand until the store takes a heartbeat and then get the whole time; they do not stand for ever."""
    id = await table.start(clock=CLOCK, cards=5)
    await table.referee.write((Heartbeat(table.clock.now()),))

    async def locked(_: object) -> list[int]:
        raise StoreBusy

    presence = table.sleeper.presence
    with monkeypatch.context() as patch:
        patch.setattr(table.store, "write", locked)
        await presence.reconnect()
    assert not presence.here.is_set()
    table.clock.forward(100)
    await presence.pulse()
    assert presence.here.is_set()
    assert not presence.stalled
    assert (await table.referee.views.view(id)).round == 1


async def test_connection_lost_while_clocks_are_moved_counts_as_lost(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    presence = table.sleeper.presence
    write = table.store.write

    async def lost(change: Change) -> Sequence[int]:
        presence.disconnect()
        return await write(change)

    monkeypatch.setattr(table.store, "write", lost)
    await presence.reconnect()
    assert not presence.here.is_set()


async def test_downtime_is_not_credited_twice_after_a_second_loss(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    presence = Presence(table.referee, timedelta(seconds=100), lambda: 0.0)
    going = asyncio.create_task(presence.reconnect())
    await asyncio.sleep(0)
    presence.disconnect()
    await going
    assert not presence.here.is_set()
    await presence.reconnect()
    assert presence.here.is_set()
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK + 100)


async def test_clock_warning_is_sent_once(table: Table) -> None:
    await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK - 20)
    await table.fire()
    await table.fire()
    assert [one.kind for one in table.reminded] == [DeadlineKind.WARNING]


async def test_idle_match_of_a_group_chat_is_abandoned_after_a_week(table: Table) -> None:
    """No clock fires in a group chat; an abandoned match does not count as live."""
    table.place = Place(0, 5)
    id = await table.start(clock=60, place="board")
    table.clock.forward(timedelta(days=6).total_seconds())
    await table.fire()
    assert (await table.store.live_count(ANA.user), await table.store.live_count(BEN.user)) == (1, 1)
    table.clock.forward(timedelta(days=2).total_seconds())
    await table.fire()
    assert (await table.referee.views.view(id)).over
    assert (await table.store.live_count(ANA.user), await table.store.live_count(BEN.user)) == (0, 0)


async def test_challenge_without_an_answer_expires(table: Table) -> None:
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], Wish(clock=CLOCK))
    table.clock.forward(600)
    with pytest.raises(RefereeError, match="challenge-gone"):
        await table.referee.challenges.accept(lobby.id, BEN.user, 900)
    await table.fire()
    table.clock.forward(GRACE)
    await table.fire()
    assert (await table.referee.lobbies.get(lobby.id)).state is LobbyState.EXPIRED
    assert await table.store.next_due() is None


async def test_table_of_three_plays_on_when_a_seat_leaves(table: Table) -> None:
    """RULING C5: the seat that left plays its lowest cards, comes last, and is never awaited."""
    id = await table.start((ANA, BEN, CEM), clock=CLOCK, cards=4)
    for person, card in ((ANA, 2), (BEN, 3), (CEM, 4)):
        await table.seal(id, person.user, card)
    await table.seal(id, ANA.user, 3)
    await table.referee.matches.resign(id, CEM.user)
    with pytest.raises(RefereeError, match="seat-left"):
        await table.seal(id, CEM.user, 3)
    view, revealed = await table.seal(id, BEN.user, 4)
    assert revealed, "the round waits for nobody who left"
    assert view.last is not None
    assert [bid.cards if bid else None for bid in view.last.bids] == [(3,), (4,), (1,)]
    await table.seal(id, ANA.user, 4)
    view, _ = await table.seal(id, BEN.user, 2)
    assert view.over
    assert view.outcome is not None
    assert view.outcome.placings is not None
    assert view.outcome.placings[2] == 3
    again = Table(table.store, table.clock, "again")
    assert (await again.referee.views.view(id)).outcome == view.outcome


async def test_round_is_revealed_when_the_last_awaited_seat_leaves(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), clock=CLOCK, cards=4)
    for person, card in ((ANA, 2), (BEN, 3), (CEM, 4)):
        await table.seal(id, person.user, card)
    await table.seal(id, ANA.user, 3)
    await table.seal(id, BEN.user, 4)
    view = await table.referee.matches.resign(id, CEM.user)
    assert view.round == 3


async def test_seat_that_forfeits_at_a_table_of_three_leaves_the_table(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), clock=CLOCK, cards=7)
    for card in (4, 5, 6):
        await table.seal(id, ANA.user, card)
        await table.seal(id, BEN.user, card + 1)
        await late(table, id)
    view = await table.referee.views.view(id)
    assert not view.over
    assert [seat.left for seat in view.seats] == ["", "", "timed-out"]
    assert [seat.seat for seat in view.awaited] == [0, 1]


@pytest.mark.parametrize("turns", range(5))
async def test_sleeper_woken_and_cancelled_at_once_stops(table: Table, turns: int) -> None:
    """Any number of loop turns may lie between the two; `wait_for` of Python 3.11 may forget a cancellation."""
    await table.sleeper.presence.reconnect()
    running = asyncio.create_task(table.sleeper.run())
    for _ in range(10):  # until it sleeps
        await asyncio.sleep(0)
    table.sleeper.wake()
    for _ in range(turns):
        await asyncio.sleep(0)
    running.cancel()
    done, _ = await asyncio.wait({running}, timeout=60)
    running.cancel()
    assert done == {running}


async def test_challenge_changed_as_its_time_ends_is_read_again_and_expires(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may change the challenge: this was logged as a defect and expired five seconds late."""
    lobby = await table.referee.challenges.open(HERE, ANA, (BEN,), Wish())
    table.clock.forward(3600)
    older = [replace(lobby, version=lobby.version - 1)]
    read = table.store.lobby

    async def changed_meanwhile(id: str) -> Lobby | None:
        return older.pop() if older else await read(id)

    monkeypatch.setattr(table.store, "lobby", changed_meanwhile)
    expired = await table.referee.lobbies.expire(lobby.id)
    assert older == []
    assert expired is not None
    assert expired.state is LobbyState.EXPIRED
