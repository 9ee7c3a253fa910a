"""Matches that are bid on the board itself: one tap, no DM, and no call that Discord counts."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.playground.driver import Outcome, Person, Seen
from bot.playground.faults.call import When
from tests.e2e.hall import opened_hall
from tests.e2e.house import House, code_of, key, told

CALLBACK = "POST /interactions/*/callback"
FURTHER = "POST /webhooks/*"
EDITED = "PATCH /webhooks/*"


async def lay(person: Person, board: Seen, card: int) -> Outcome:
    """Press this card's key on the board."""
    return await person.press(key(card), in_=board)


async def test_a_whole_match_costs_no_counted_call(house: House) -> None:
    await house.stage.reset_calls()
    board = await house.match(place="table", cards=4, ties="discard")
    assert "Press a card to seal it" in board.text
    for card in (1, 2, 3):
        first = await lay(house.ana, board, card)
        assert first.answer == 7
        assert told(first).count("✔ sealed") == 1
        await lay(house.ben, board, 4 if card == 1 else card - 1)
    over = await house.ben.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    assert code_of(over)
    await house.bot.stop()  # what it has still to do is done before
    calls = await house.stage.calls()
    assert calls.counted == 0
    assert not house.ana.finds("dm")


KILLED_AT = [(route, when) for route in (CALLBACK, FURTHER, EDITED) for when in (When.BEFORE, When.AFTER)]
"""every kind of call that a round in table mode makes"""


async def test_a_kill_at_every_call_loses_no_bid(tmp_path: Path) -> None:
    """In each round the bot dies at another call of Ana's press; what was sealed is sealed, and is revealed."""
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(("Ana", "Ben"))
        ana, ben = hall.people
        asked = await ana.slash("/gops challenge", opponent=ben, place="table", cards=len(KILLED_AT) + 3, clock=3600)
        board = (await ben.press("Accept", in_=asked.shown)).shown
        for card, (route, when) in enumerate(KILLED_AT, 1):
            if route == EDITED:  # a process that was just started knows no line: this makes one
                await ana.press(key(card + 1), in_=board)
            hall.trap.set(route, when)
            pressing = asyncio.create_task(ana.press(key(card), in_=board, may_fail=True))
            await hall.trap.sprung.wait()
            await hall.down()
            await pressing
            await hall.restart()
            assert hall.rows("SELECT choice FROM seals") == [(str(card),)], (route, when)
            shown = await ben.press(key(card), in_=board)
            assert f"round {card + 1} of" in shown.shown.text
            assert hall.rows("SELECT count(*) FROM seals") == [(0,)]
        bids = hall.rows("SELECT choice FROM decisions WHERE seat = 0 ORDER BY place")
        assert [int(one) for (one,) in bids] == list(range(1, len(KILLED_AT) + 1))
