"""Seats that leave a table of three or more during an open round (RULING C5), and the record of such matches."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.engine.choices import Prompt
from bot.engine.record.record import choice_data, read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import result_data
from bot.referee.model.changes import PutSeal
from bot.referee.model.participant import Person
from bot.referee.repository.live import Live
from bot.referee.verify.check import verify
from tests.memory_store import MemoryStore
from tests.proof.author import ways_of
from tests.referee.stage import ANA, BEN, CEM, Table

CLOCK, GRACE = 60, 3
PEOPLE = tuple(Person(10 + number, name) for number, name in enumerate(("Ana", "Ben", "Cem", "Dee", "Eva")))


async def proven(table: Table, id: str) -> dict[str, Any]:
    """The record of a finished match, which the referee's own tools accept without a word of complaint."""
    stored = await table.store.match(id)
    assert stored is not None
    record = json.loads(json.dumps(await table.referee.views.record(id)))
    played = replay(read_record(record))
    assert played.error is None, played.error
    assert tuple(str(one) for one in result_data(played.match)["totals"]) == stored.totals
    assert [finding.what for finding in verify(record).findings if not finding.holds] == []
    return record


async def finish(table: Table, id: str) -> None:
    """Everybody who is left bids their lowest card until it is over."""
    while (live := await table.referee.live(id)).stored.live:
        seat = live.awaited[0]
        assert live.match.state is not None
        value = choice_data(live.rules.physical(live.match.state, seat, live.prompts[seat].lowest()))
        await table.seal(id, live.stored.seats[seat].user, value)


async def second_round(table: Table) -> str:
    """Leaving in the first round stops the match; from the second on a table of three plays on."""
    id = await table.start((ANA, BEN, CEM), clock=CLOCK, cards=4)
    for person, card in ((ANA, 2), (BEN, 3), (CEM, 4)):
        await table.seal(id, person.user, card)
    return id


async def test_sealed_bid_of_a_seat_that_leaves_is_dropped(table: Table) -> None:
    id = await second_round(table)
    await table.seal(id, CEM.user, 3)
    view = await table.referee.matches.resign(id, CEM.user)
    assert [seat.seal for seat in view.seats] == ["", "", ""]
    assert view.mine is None
    stored = await table.store.match(id)
    assert stored is not None
    assert stored.sealed == ()
    await table.seal(id, ANA.user, 3)
    view, _ = await table.seal(id, BEN.user, 4)
    assert view.last is not None
    assert [bid.cards if bid else None for bid in view.last.bids] == [(3,), (4,), (1,)]
    stored = await table.store.match(id)
    assert stored is not None
    forced = [(one.forced, bool(one.salt)) for one in stored.deals[0].decisions[3:6]]
    assert forced == [(False, True), (False, True), (True, False)]
    await finish(table, id)
    await proven(table, id)


async def test_seats_that_stay_keep_their_sealed_bids(table: Table) -> None:
    id = await second_round(table)
    for person, card in ((ANA, 3), (CEM, 3)):
        await table.seal(id, person.user, card)
    await table.referee.matches.resign(id, CEM.user)
    again = Table(table.store, table.clock, "again")
    assert (await again.referee.views.view(id, ANA.user)).mine == 3
    view, revealed = await again.seal(id, BEN.user, 4)
    assert revealed
    assert view.last is not None
    assert [bid.cards if bid else None for bid in view.last.bids] == [(3,), (4,), (1,)]


async def test_sealed_bid_of_a_left_seat_stored_by_an_older_bot_is_not_played(table: Table) -> None:
    """The bot restarts with a newer version while the store holds a sealed bid of a seat that left."""
    id = await second_round(table)
    await table.seal(id, CEM.user, 3)
    kept = (await table.referee.live(id)).stored.sealed
    await table.referee.matches.resign(id, CEM.user)
    live = await table.referee.live(id)
    await table.referee.write(tuple(PutSeal(id, live.stored.prompt, one) for one in kept))
    again = Table(table.store, table.clock, "again")
    await again.seal(id, ANA.user, 3)
    view, _ = await again.seal(id, BEN.user, 4)
    assert view.last is not None
    assert view.last.bids[2] is not None
    assert view.last.bids[2].cards == (1,)
    await finish(again, id)
    await proven(again, id)


async def test_seat_that_forfeits_by_the_clock_has_no_sealed_bid(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), clock=CLOCK, cards=7)
    for card in (4, 5, 6):
        await table.seal(id, ANA.user, card)
        await table.seal(id, BEN.user, card + 1)
        table.clock.forward(CLOCK + GRACE)
        await table.fire()
    assert [seat.left for seat in (await table.referee.views.view(id)).seats] == ["", "", "timed-out"]
    await finish(table, id)
    await proven(table, id)


# --- any mixture ---------------------------------------------------------------------------------------------

GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 3, {"cards": 4}),
    ("classic", 4, {"cards": 5, "ties": "carry"}),
    ("classic", 5, {"cards": 3, "ties": "unique-carry"}),
    ("classic", 3, {"cards": 5, "open": "draft"}),
    ("classic", 4, {"cards": 4, "open": "row", "ties": "carry"}),
    ("classic", 3, {"cards": 5, "bid_cards": 2, "remainder": "short-last", "blind": True}),
    ("parlett", 3, {}),
    ("vultures", 3, {}),
    ("throps", 3, {}),
    ("welsh", 4, {}),
]


def nth_choice(live: Live, prompt: Prompt, number: int) -> Any:
    """One of the choices that a prompt leaves, as the record writes it."""
    ways = ways_of(live.match, prompt)
    return ways[number % len(ways)]


MOVES = st.lists(
    st.tuples(st.sampled_from(["seal"] * 6 + ["change", "leave", "late"]), st.integers(0, 4), st.integers(0, 40)),
    max_size=50,
)


@settings(max_examples=40, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.sampled_from(GAMES), MOVES)
def test_record_verifies_after_any_mixture_of_bids_and_leaving(
    game: tuple[str, int, dict[str, Any]], moves: list[tuple[str, int, int]]
) -> None:
    asyncio.run(mixed(*game, moves))


async def mixed(game: str, seats: int, options: dict[str, Any], moves: list[tuple[str, int, int]]) -> None:
    table = Table(MemoryStore())
    people = PEOPLE[:seats]
    id = await table.start(people, game=game, options=options, clock=CLOCK, series={"mode": "single"})
    for what, number, choice in moves:
        live = await table.referee.live(id)
        if not live.stored.live:
            break
        sealed = [one.seat for one in live.stored.sealed]
        present = [seat for seat in range(seats) if seat not in live.match.left_seats]
        some = {"seal": live.awaited, "change": sealed, "leave": (*sealed, *present)}.get(what) or present
        seat = some[number % len(some)]
        table.clock.forward(1)
        if what == "late":
            assert live.stored.deadline is not None
            table.clock.time = live.stored.deadline + timedelta(seconds=GRACE)
            await table.fire()
        elif what == "leave":
            await table.referee.matches.resign(id, people[seat].user)
        elif seat in live.prompts:
            value = nth_choice(live, live.prompts[seat], choice)
            if all(one.choice != value for one in live.stored.sealed if one.seat == seat):
                await table.seal(id, people[seat].user, value)
        if what in ("leave", "late"):
            await consistent(table, id)
    await finish(table, id)
    await consistent(table, id)
    if any(deal.decisions for deal in (await table.referee.live(id)).stored.deals):
        await proven(table, id)


async def consistent(table: Table, id: str) -> None:
    """Check that memory equals the state of a new process, and that no seat that left has a sealed bid."""
    again = Table(table.store, table.clock, "again")
    mine, theirs = await table.referee.live(id), await again.referee.live(id)
    by_seat = tuple(sorted(mine.stored.sealed, key=lambda one: one.seat))
    assert replace(mine.stored, sealed=by_seat) == theirs.stored
    assert mine.match == theirs.match
    assert not {one.seat for one in theirs.stored.sealed} & theirs.match.left_seats
    assert not theirs.stored.live or theirs.awaited, "a live match waits for somebody"
    assert not theirs.stored.live or theirs.match.has_choice, "and for somebody who has a choice"


async def test_seats_that_the_clock_removes_together_are_ranked_by_score_and_rated_as_equals(table: Table) -> None:
    id = await table.start((ANA, BEN, CEM), game="vultures", clock=CLOCK)
    for card in (13, 12, 11):
        await table.seal(id, BEN.user, card)
        table.clock.forward(CLOCK + GRACE)
        await table.fire()
    over = await table.referee.live(id)
    assert [one.misses for one in over.stored.seats] == [3, 0, 3]
    assert over.match.totals[0] == over.match.totals[2]
    assert over.stored.placings == (2, 1, 2)
    ana, _, cem = over.stored.changes
    assert (ana.after, ana.before) == (cem.after, cem.before)
    assert result_data(over.match)["placings"] == [2, 1, 2]
    record = await proven(table, id)
    assert result_data(replay(read_record(record)).match)["placings"] == [2, 1, 2]
