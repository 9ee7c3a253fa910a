"""A finished match step by step, as it was known at each moment."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from typing import Any

import pytest

from bot.errors import RefereeError
from bot.referee.repository.replay_tape import Tape
from cogs.records.replay_page import render_page
from cogs.records.replays import render_replay
from tests.cogs.ui.reading import read
from tests.memory_store import MemoryStore
from tests.referee.stage import ANA, BEN, CEM, Table

pytestmark = pytest.mark.asyncio


async def tape_of(table: Table, id: str) -> Tape:
    return await table.referee.views.tape(await table.referee.live(id))


async def stock_of(table: Table, id: str) -> list[int]:
    state = (await table.referee.live(id)).match.state
    assert state is not None
    return [card for card in state.deal.stock if isinstance(card, int)]


async def played(seed: str = "seed", **wish: Any) -> tuple[Table, str]:
    """A match of four cards."""
    table = Table(MemoryStore(), seed=seed)
    id = await table.start(cards=4, rated=False, **wish)
    return table, id


async def test_each_moment_has_what_was_known_then() -> None:
    table, id = await played("a")
    first_prize = (await stock_of(table, id))[0]
    table.clock.forward(7)
    await table.seal(id, ANA.user, 4)
    table.clock.forward(3)
    await table.seal(id, ANA.user, 2)
    table.clock.forward(20)
    await table.seal(id, BEN.user, 1)
    await table.round(id, 1, 2)
    await table.round(id, 3, 4)
    tape = await tape_of(table, id)
    assert len(tape) == 5
    first, second = (read(render_replay(tape.moment_at(at))).splitlines() for at in (0, 1))
    assert first[0] == f"### #{id} · replay · round 1 of 4"
    assert "Nothing has been revealed yet." in first
    assert f"♦{'A234'[first_prize - 1]}" in "".join(first)
    assert "Ana 0 · holds A 2 3 4" in first
    assert "(First) (◀ Back) [Next ▶] [Last]" in first
    assert second[1].startswith("Round 1: ♠2 beats ♥A. **Ana takes")
    assert "-# Bids: Ana after 10 seconds, changed once, Ben after 30 seconds" in second
    assert f"Ana {first_prize} · leads · holds A 3 4" in second
    assert "Ben 0 · holds 2 3 4" in second
    end = read(render_replay(tape.moment_at(99), reviewable=True)).splitlines()
    assert end[0] == f"### #{id} · replay · the end"
    assert "[First] [◀ Back] (Next ▶) (Last)" in end
    assert "[Turning point] [Review from here] [Show everyone]" in end
    assert "Ana no cards left" not in "".join(end)
    assert not render_replay(tape.moment_at(2), public=True).pressables


async def test_a_hand_that_was_hidden_is_marked() -> None:
    table = Table(MemoryStore())
    id = await table.start((ANA, BEN, CEM), game="throps", rated=False)
    view = await table.referee.views.view(id)
    for person in (ANA, BEN, CEM):
        seat = (await table.referee.views.view(id, person.user)).seat
        assert seat is not None
        hand = (await table.referee.views.view(id, person.user)).seen.hands[seat]
        assert hand is not None
        await table.seal(id, person.user, hand[0], view.prompt)
    for person in (ANA, BEN):
        await table.referee.matches.resign(id, person.user)
    tape = await tape_of(table, id)
    assert "(known now)" in read(render_replay(tape.moment_at(0)))
    assert [hand is None for hand in tape.moment_at(0).view.seen.hands] == [True] * 3


async def test_bids_that_were_hidden_are_told_and_marked() -> None:
    table, id = await played(options={"info": "win-only"})
    await table.round(id, 4, 3)
    await table.round(id, 2, 1)
    await table.round(id, 3, 4)
    tape = await tape_of(table, id)
    told = read(render_replay(tape.moment_at(1)))
    assert "♠4 beats ♥3" in told
    assert "-# These bids were not shown at the time." in told
    assert "not shown" not in read(render_replay(tape.moment_at(4)))


async def test_the_turning_point_is_where_the_winner_began_to_lead_for_good() -> None:
    table, id = await played()
    best = (await stock_of(table, id)).index(4)
    for at in range(3):
        ana, ben = sorted_bids(at, best)
        await table.round(id, ana, ben)
    tape = await tape_of(table, id)
    outcome = tape.moment_at(99).view.outcome
    assert outcome is not None
    winner = outcome.winner
    assert winner is not None
    moments = [tape.moment_at(at) for at in range(len(tape))]
    turning = moments[tape.turning_point]
    assert turning.turning
    assert turning.leads == winner
    for later in moments[tape.turning_point :]:
        scores = later.view.seen.scores
        assert scores[winner] == max(scores)
        assert scores.count(max(scores)) == 1
    before = moments[tape.turning_point - 1].view.seen.scores
    assert before[winner] < max(before) or before.count(max(before)) > 1
    assert "**Turning point:** from here on" in read(render_replay(turning))


@pytest.mark.parametrize("aim", ["most", "least"])
async def test_the_turning_point_of_a_draw_is_after_its_dearest_prize(aim: str) -> None:
    table, id = await played(options={"order": "ascending", "aim": aim})
    await table.play_out(id, (4, 1, 3, 2), (3, 2, 4, 1))  # Ana takes A and 4, Ben 2 and 3
    tape = await tape_of(table, id)
    told = [
        "**Turning point:** the largest swing" in read(render_replay(tape.moment_at(at))) for at in range(len(tape))
    ]
    assert told == [False, False, False, False, True]


@pytest.mark.parametrize("aim", ["most", "least"])
async def test_a_draw_without_points_has_no_turning_point(aim: str) -> None:
    table, id = await played(options={"aim": aim})
    await table.play_out(id, (1, 2, 3, 4), (1, 2, 3, 4))
    tape = await tape_of(table, id)
    assert tape.turning_point == 0
    assert not any("**Turning point:**" in read(render_replay(tape.moment_at(at))) for at in range(len(tape)))


def sorted_bids(at: int, best: int) -> tuple[int, int]:
    """Ana takes the highest prize with her highest card, Ben everything else."""
    rest, cards = iter([1, 2, 3]), iter([2, 3, 4])
    ana = [4 if one == best else next(rest) for one in range(4)]
    ben = [1 if one == best else next(cards) for one in range(4)]
    return ana[at], ben[at]


async def test_a_series_has_its_deals() -> None:
    table = Table(MemoryStore())
    id = await table.start(cards=2, rated=False, series={"mode": "deals", "deals": 3})
    for _ in range(3):
        await table.round(id, 1, 2)
    tape = await tape_of(table, id)
    begins = tape.moment_at(0).deals
    assert [tape.moment_at(at).deal for at in begins] == [0, 1, 2]
    over, begun = (read(render_replay(tape.moment_at(at))).splitlines()[0] for at in (begins[1] - 1, begins[1]))
    assert over == f"### #{id} · replay · deal 1 is over"
    assert begun == f"### #{id} · replay · deal 2 of 3 · round 1 of 2"
    assert "Another deal" in read(render_replay(tape.moment_at(0)))


async def test_each_deal_of_a_series_is_replayed_in_its_own_suits() -> None:
    """In the replay on Discord and on its page."""
    table = Table(MemoryStore())
    id = await table.start(cards=2, rated=False, series={"mode": "deals", "deals": 3})
    for _ in range(3):
        await table.round(id, 1, 2)
    tape = await tape_of(table, id)
    first, second, third = (read(render_replay(tape.moment_at(at + 1))) for at in tape.moment_at(0).deals)
    assert "♥2 beats ♠A. **Ben takes ♦" in first
    assert "♣2 beats ♥A. **Ben takes ♠" in second
    assert "♦2 beats ♣A. **Ben takes ♥" in third
    page = render_page(tape, tape.moment_at(len(tape) - 1).view).decode()
    packed = max(re.findall(r"[A-Za-z0-9+/=]{200,}", page), key=len)
    match = json.loads(zlib.decompress(b64decode(packed)))
    begun = [next(frame for frame in match["frames"] if frame["deal"] == deal) for deal in range(3)]
    prizes = [match["faces"][frame["up"][0]].split("_")[0] for frame in begun]
    hands = [match["faces"][frame["seats"][0]["hand"][0]].split("_")[0] for frame in begun]
    assert prizes == ["diamond", "spade", "heart"]
    assert hands == ["spade", "heart", "club"]


async def test_a_match_in_play_has_no_replay() -> None:
    table, id = await played()
    with pytest.raises(RefereeError, match="still-live"):
        await tape_of(table, id)


async def test_a_match_that_was_broken_off_ends_where_it_stood() -> None:
    table, id = await played()
    await table.round(id, 1, 2)
    await table.referee.matches.resign(id, ANA.user)
    tape = await tape_of(table, id)
    assert [(one.deal, one.round) for one in map(tape.moment_at, range(len(tape)))] == [(0, 0), (0, 1)]
    assert "Ben wins because Ana resigned" in read(render_replay(tape.moment_at(1)))
