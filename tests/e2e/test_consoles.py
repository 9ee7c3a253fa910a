"""Consoles that *Bid* opens are kept true, also those whose answer a kill cut off."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.playground.faults.call import When
from tests.driver import Person, Seen
from tests.e2e.hall import Hall, is_over, opened_hall, round_of

pytestmark = pytest.mark.by_http

CALLBACK = "* /interactions/*/callback"
FOLLOW_UP = "POST /webhooks/*"


async def begun(hall: Hall) -> tuple[str, Seen]:
    """A match of the two, and its board."""
    ana, ben = hall.people
    asked = await ana.slash("/gops challenge", opponent=ben, cards=4)
    assert asked.message is not None
    await ben.press("Accept", in_=asked.message)
    [match] = await hall.watch(ana).until(lambda: list(hall.watch(ana).boards) or None, "the board")
    return match, hall.watch(ana).boards[match]


def opened(hall: Hall, person: Person, match: str) -> list[Seen]:
    """Their consoles that only they see, in the order in which they came."""
    kept = hall.watch(person).consoles.get(match, {}).values()
    return sorted((one for one in kept if one.is_ephemeral and person.now(one)), key=lambda one: int(one.id))


async def cut_off(
    hall: Hall, person: Person, message: Seen, when: When, key: str = "Bid", call: str = CALLBACK
) -> None:
    """They press a key, and the bot dies over its answer, or over another call that follows."""
    hall.trap.set(call, when)
    pressed = asyncio.ensure_future(person.press(key, in_=message, may_fail=True))
    await hall.trap.sprung.wait()
    await hall.down()
    await pressed
    await hall.restart()


async def both_bid(hall: Hall, match: str, round: int, people: Sequence[Person] = ()) -> None:
    for person in people or hall.people:
        by_dm: Any = await hall.watch(person).until(
            lambda person=person: next(
                (
                    one
                    for one in hall.watch(person).consoles.get(match, {}).values()
                    if not one.is_ephemeral and round_of(one) == round and person.now(one)
                ),
                None,
            ),
            f"their DM of round {round}",
        )
        keys = [one.custom_id or "" for one in by_dm.buttons if not one.disabled]
        await person.press(next(key for key in keys if key.startswith("g1:co:")), in_=by_dm)


@pytest.mark.parametrize("before", [0, 1], ids=["the first", "another one"])
@pytest.mark.parametrize("when", [When.BEFORE, When.AFTER])
async def test_a_console_whose_answer_was_cut_off(tmp_path: Path, when: When, before: int) -> None:
    """Whatever they see afterwards goes on with the match: the console that just came, and the one before it."""
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(("Ana", "Ben"))
        ana = hall.people[0]
        match, board = await begun(hall)
        for _ in range(before):
            await ana.press("Bid", in_=board)
        await cut_off(hall, ana, board, when)
        there = opened(hall, ana, match)
        assert len(there) == before + (when is When.AFTER)
        await both_bid(hall, match, 1)
        for one in there:
            await hall.watch(ana).until(
                lambda one=one: round_of(ana.now(one) or one) == 2 or None, f"console {one.id} in round 2"
            )
        assert hall.bot.trouble() == []


@pytest.mark.parametrize(
    ("call", "when"),
    [(CALLBACK, When.AFTER), (FOLLOW_UP, When.BEFORE), (FOLLOW_UP, When.AFTER)],
    ids=["after the board", "before the console", "after the console"],
)
async def test_a_kill_between_the_board_and_the_first_console(tmp_path: Path, call: str, when: When) -> None:
    """Ben bids in the channel. He sees the board that his press began, and the bot dies before his cards follow it: he
    opens them with *Bid*."""
    async with opened_hall(tmp_path) as hall:
        ana, ben = await hall.crowd(("Ana", "Ben"))
        preferences = (await ben.slash("/gops preferences")).shown
        await ben.choose("Private in the channel", select="Where you bid", in_=preferences)
        asked = (await ana.slash("/gops challenge", opponent=ben, cards=4)).shown
        await cut_off(hall, ben, asked, when, "Accept", call)
        [match] = await hall.watch(ben).until(lambda: list(hall.watch(ben).boards) or None, "the board")
        console = (await ben.press("Bid", in_=hall.watch(ben).boards[match])).shown
        first = next(one.custom_id or "" for one in console.buttons if (one.custom_id or "").startswith("g1:co:"))
        sealed = (await ben.press(first, in_=console)).shown
        assert "is sealed" in sealed.text
        await both_bid(hall, match, 1, [ana])
        await hall.watch(ben).until(lambda: round_of(ben.now(console) or console) == 2 or None, "round 2")
        assert hall.rows("SELECT count(*) FROM surfaces WHERE kind = 6 AND message = 0") == [(0,)]
        assert hall.bot.trouble() == []


@pytest.mark.parametrize("overlap", [False, True])
async def test_consoles_that_are_opened_one_after_the_other(tmp_path: Path, overlap: bool) -> None:
    """The newest is kept true, and it alone is known at the end; also if they press again before the bot is done."""
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(("Ana", "Ben"))
        ana = hall.people[0]
        match, board = await begun(hall)
        presses = [ana.press("Bid", in_=board) for _ in range(3)]
        if overlap:
            await asyncio.gather(*presses)
        else:
            for one in presses:
                await one
        for round in (1, 2, 3):
            await both_bid(hall, match, round)
        newest = opened(hall, ana, match)[-1]
        await hall.watch(ana).until(lambda: is_over(ana.now(newest) or newest) or None, "the end on the newest console")
        async with asyncio.timeout(60):  # what is not needed any more is noted a moment later, with other notes
            while hall.rows("SELECT count(*) FROM surfaces WHERE kind = 3") != [(1,)]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        assert hall.bot.trouble() == []


@pytest.mark.parametrize("when", [When.BEFORE, When.AFTER])
async def test_a_kill_while_a_warning_takes_the_place_of_a_console(tmp_path: Path, when: When) -> None:
    """The bot dies over the call that removes the one before: nobody is left with two, of which one stands still."""
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(("Ana", "Ben"))
        ben = hall.people[1]
        match, _ = await begun(hall)

        def by_dm() -> list[Seen]:
            kept = hall.watch(ben).consoles.get(match, {}).values()
            return [one for one in kept if not one.is_ephemeral and ben.now(one)]

        [first] = await hall.watch(ben).until(lambda: by_dm() or None, "their console")
        await both_bid(hall, match, 1)
        await hall.watch(ben).until(lambda: [round_of(one) for one in by_dm()] == [2] or None, "round 2")
        await both_bid(hall, match, 2, hall.people[:1])
        hall.trap.set("DELETE /channels/*/messages/*", when)
        await hall.stage.forward(95)
        await hall.trap.sprung.wait()
        await hall.down()
        await hall.restart()
        await hall.stage.forward(61)
        await ben.sees_no(lambda one: one.id == first.id)
        await both_bid(hall, match, 2, [ben])
        await hall.watch(ben).until(lambda: [round_of(one) for one in by_dm()] == [3] or None, "just one of round 3")
        async with asyncio.timeout(30):
            while hall.rows("SELECT count(*) FROM deadlines WHERE owner LIKE 'message%'") != [(0,)]:
                await hall.stage.calls()
        assert hall.bot.trouble() == []
