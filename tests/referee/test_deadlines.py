"""Clocks by hand: missed bids, forfeits, abandoned matches, downtime, and challenges nobody answers."""

from __future__ import annotations

import asyncio
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
from bot.referee.model.changes import Change, Heartbeat, PutSurface, StoreBusy
from bot.referee.model.model import DeadlineKind, Lobby, LobbyState, Surface, SurfaceKind
from bot.referee.model.participant import Place
from tests.referee.stage import ANA, BEN, CEM, HERE, START, Table

CLOCK, GRACE = 60, 3


async def late(table: Table, id: str) -> None:
    """The clock of the present prompt runs out."""
    stored = await table.store.match(id)
    assert stored is not None
    assert stored.deadline is not None
    table.clock.time = stored.deadline + timedelta(seconds=GRACE)
    await table.fire()


async def test_a_missed_bid_is_the_lowest_card(table: Table) -> None:
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


async def test_a_bid_in_time_starts_the_count_anew(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=9)
    for card in (5, 6):
        await table.seal(id, ANA.user, card)
        await late(table, id)
    await table.seal(id, ANA.user, 7)
    view, revealed = await table.seal(id, BEN.user, 8)
    assert revealed
    assert [seat.misses for seat in view.seats] == [0, 0]


async def test_three_in_a_row_forfeit(table: Table) -> None:
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


async def test_when_everybody_misses_the_match_is_abandoned(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=9)
    for _ in range(3):
        await late(table, id)
    view = await table.referee.views.view(id)
    assert view.over
    assert view.outcome is not None
    assert (view.outcome.termination, view.outcome.winner) == (Termination.ABANDONED, None)
    assert (view.unrated, view.changes) == ("stopped", ())


@pytest.mark.parametrize("cards", [2, 3, 4])
async def test_a_short_match_without_a_bid_is_abandoned(table: Table, cards: int) -> None:
    """It has too few rounds for three misses in a row. Every round whose clock ran out is revealed all the same."""
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


async def test_a_short_match_with_one_bid_is_played_to_its_end(table: Table) -> None:
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
        ({"cards": 4}, 0),
        ({"cards": 5}, 2),
        ({"cards": 13}, 2),
        ({"cards": 2, "series": {"mode": "deals", "deals": 2}}, 0),
        ({"cards": 3, "series": {"mode": "deals", "deals": 2}}, 2),
        ({"cards": 2, "series": {"mode": "deals", "deals": 5}}, 2),
    ],
    ids=str,
)
async def test_a_seat_knows_how_many_misses_forfeit_it(table: Table, wish: dict[str, Any], left: int) -> None:
    """None do where the match ends before the third in a row, or with it."""
    id = await table.start(clock=CLOCK, **wish)
    await table.seal(id, ANA.user, 1)
    await late(table, id)
    view = await table.referee.views.view(id)
    assert [(seat.misses, seat.misses_left) for seat in view.seats] == [(0, 0), (1, left)]


async def test_overdue_at_the_start_fires_at_once(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK + GRACE)
    again = Table(table.store, table.clock, "again")
    await again.fire()
    assert (await again.referee.views.view(id)).round == 2


async def test_a_deadline_fires_once_whoever_fires_it(table: Table) -> None:
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


async def starts(table: Table) -> timedelta:
    """A process starts and is connected at once; for how long it was away."""
    away = await read_downtime(table.referee)
    await Presence(table.referee, away, lambda: 0.0).reconnect()
    return away


async def test_downtime_is_credited(table: Table) -> None:
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


async def test_a_quick_restart_is_credited_to_the_microsecond(table: Table) -> None:
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
async def test_a_clock_that_was_set_while_we_were_away_takes_nothing_and_gives_nothing(
    table: Table, jump: timedelta
) -> None:
    """A wall clock that jumps a day back left a match with 86,510 s to go."""
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


async def test_downtime_twice_is_credited_twice_and_once_each(table: Table) -> None:
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


async def test_while_discord_is_away_no_clock_runs_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_a_new_connection_in_a_moment_draws_nothing_anew(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    presence = table.sleeper.presence
    await presence.reconnect()
    version = (await table.referee.live(id)).stored.version
    await table.referee.write((PutSurface(Surface(id, SurfaceKind.BOARD, 0, 2, 555, version, START)),))
    known = {one.id for one in await table.store.behind()}
    for away, drawn in ((BRIEF - timedelta(seconds=1), False), (BRIEF, True)):
        presence.disconnect()
        assert not presence.here.is_set()
        table.clock.time += away
        await presence.reconnect()
        assert presence.here.is_set()
        await table.referee.surfaces.mark_behind()  # as before everything that is behind is drawn
        assert bool({one.id for one in await table.store.behind()} - known) is drawn
    moved = 2 * BRIEF - timedelta(seconds=1)
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK) + moved


async def test_the_time_until_the_first_connection_is_credited_too(table: Table) -> None:
    id = await table.start(clock=CLOCK, cards=5)
    await table.referee.write((Heartbeat(table.clock.now()),))
    table.clock.forward(100)
    ticks = chain([7.0], repeat(57.0))
    await Presence(table.referee, await read_downtime(table.referee), lambda: next(ticks)).reconnect()
    assert (await table.referee.views.view(id)).deadline == START + timedelta(seconds=CLOCK + 150)


async def test_while_the_time_away_cannot_be_credited_no_clock_runs(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stand until the store takes a sign of life, and then get all of it; they do not stand for ever."""
    id = await table.start(clock=CLOCK, cards=5)
    await table.referee.write((Heartbeat(table.clock.now()),))

    async def locked(_: object) -> list[int]:
        raise StoreBusy

    presence = table.sleeper.presence
    with monkeypatch.context() as patch:
        patch.setattr(table.referee, "write", locked)
        await presence.reconnect()
    assert not presence.here.is_set()
    table.clock.forward(100)
    await presence.pulse()
    assert presence.here.is_set()
    assert not presence.stalled
    assert (await table.referee.views.view(id)).round == 1


async def test_lost_again_while_clocks_were_moved(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    presence = table.sleeper.presence
    write = table.referee.write

    async def lost(change: Change) -> list[int]:
        presence.disconnect()
        return await write(change)

    monkeypatch.setattr(table.referee, "write", lost)
    await presence.reconnect()
    assert not presence.here.is_set()


async def test_what_was_credited_before_it_was_lost_again_is_not_credited_twice(table: Table) -> None:
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


async def test_warnings_are_sent_once(table: Table) -> None:
    await table.start(clock=CLOCK, cards=5)
    table.clock.forward(CLOCK - 20)
    await table.fire()
    await table.fire()
    assert [one.kind for one in table.reminded] == [DeadlineKind.WARNING]


async def test_a_match_of_a_group_chat_that_nobody_goes_on_with_ends_and_counts_no_more(table: Table) -> None:
    """No clock fires there; after a week of silence it is abandoned, and does not count as live."""
    table.place = Place(0, 5)
    id = await table.start(clock=60, place="table")
    table.clock.forward(timedelta(days=6).total_seconds())
    await table.fire()
    assert (await table.store.live_count(ANA.user), await table.store.live_count(BEN.user)) == (1, 1)
    table.clock.forward(timedelta(days=2).total_seconds())
    await table.fire()
    assert (await table.referee.views.view(id)).over
    assert (await table.store.live_count(ANA.user), await table.store.live_count(BEN.user)) == (0, 0)


async def test_a_challenge_nobody_answers_expires(table: Table) -> None:
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], Wish(clock=CLOCK))
    table.clock.forward(600)
    with pytest.raises(RefereeError, match="challenge-gone"):
        await table.referee.challenges.accept(lobby.id, BEN.user, 900)
    await table.fire()
    table.clock.forward(GRACE)
    await table.fire()
    assert (await table.referee.lobbies.get(lobby.id)).state is LobbyState.EXPIRED
    assert await table.store.next_due() is None


async def test_a_table_of_three_plays_on_without_who_leaves(table: Table) -> None:
    """RULING C5: the seat that left plays its lowest cards; nobody waits for it, and it comes last."""
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


async def test_who_leaves_last_to_be_awaited_lets_the_round_go_on(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), clock=CLOCK, cards=4)
    for person, card in ((ANA, 2), (BEN, 3), (CEM, 4)):
        await table.seal(id, person.user, card)
    await table.seal(id, ANA.user, 3)
    await table.seal(id, BEN.user, 4)
    view = await table.referee.matches.resign(id, CEM.user)
    assert view.round == 3


async def test_a_seat_that_forfeits_at_a_table_of_three_leaves_it(table: Table) -> None:
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
async def test_a_sleeper_that_is_woken_and_stopped_at_once_stops(table: Table, turns: int) -> None:
    """However many turns of the loop lie between the two; Python 3.11's `wait_for` may forget that it was cancelled."""
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


async def test_a_challenge_that_is_changed_as_its_time_ends_is_looked_at_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another process does: it was a defect in the log, and expired five seconds later."""
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
