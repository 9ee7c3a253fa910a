"""Matches that are bid on the board itself: one tap, no DM, and no call that Discord counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count, product
from pathlib import Path

import pytest

from bot.playground.faults.call import Fault, Kind, When
from tests.driver import Outcome, Person, Refused, Seen, Server
from tests.e2e.hall import Hall, opened_hall
from tests.e2e.house import House, code_of, key, told
from tests.e2e.walk import BEHIND, Aim, Walk, board_key, press


async def lay(person: Person, board: Seen, card: int) -> Outcome:
    """Press this card's key on the board."""
    return await person.press(key(card), in_=board)


async def test_a_whole_match_costs_no_counted_call(house: House) -> None:
    await house.stage.reset_calls()
    board = await house.match(where="board", cards=4, ties="discard")
    assert "Pick a card" in board.text
    for card in (1, 2, 3):
        first = await lay(house.ana, board, card)
        assert first.answer == 7
        assert told(first).count("✔ has bid") == 1
        await lay(house.ben, board, 4 if card == 1 else card - 1)
    over = await house.ben.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    assert code_of(over)
    await house.bot.stop()  # what it has still to do is done before
    calls = await house.stage.calls()
    assert calls.counted == 0
    assert not house.ana.finds("", in_="dm")


CALLS = 12
"""that a match of four cards makes: the challenge, *Accept*, six presses, and what Ana reads alone"""


async def whole(folder: Path, *, kills: bool, first: int, wrong: Callable[[Hall], Fault]) -> None:
    """Matches in table mode until no call of theirs is left: with each of them, this goes wrong. Every second one is
    played where nothing but presses reaches a board."""
    async with opened_hall(folder) as hall:
        await hall.crowd(("Ana", "Ben"))
        for number in count(1):
            await somewhere(hall, outside=(number + first) % 2 == 0)
            aim = hall.playground.pipeline.faults = Aim(number, lambda: wrong(hall))
            await hall.stage.reset_calls()
            walk = Walk(hall, aim, kills=kills)
            await walk.play()
            assert len(walk.lines) <= 1 + kills  # what is said alone is stored nowhere
            if not aim.sprung.is_set():
                assert number > CALLS
                return


async def somewhere(hall: Hall, *, outside: bool) -> None:
    """Everybody goes where nobody has played yet."""
    if outside:
        place = await hall.stage.group("Night", *hall.people)
        await hall.stage.install(hall.people[0])
    else:
        [server] = (await hall.stage.world())["servers"]
        place = await hall.stage.channel(Server(server["id"], server["name"], ()), "night")
    for person in hall.people:
        await person.screen.wait(lambda: place.id in person.screen.channels or None, "the place", 30)  # noqa: B023
        person.go(place)


@pytest.mark.parametrize("when", When)
async def test_a_kill_at_any_call_loses_no_bid_and_doubles_none(tmp_path: Path, when: When) -> None:
    """From the challenge to the last press; afterwards the board comes right, and nobody has to press for it."""

    def killed(hall: Hall) -> Fault:
        hall.strike()
        return Fault(Kind.RESET, when=when)

    await whole(tmp_path, kills=True, first=when is When.AFTER, wrong=killed)


async def test_a_502_after_the_effect_of_any_call_changes_nothing(tmp_path: Path) -> None:
    """What was shown is not known; nothing is doubled, nothing is left as it was, and nothing is counted."""
    fault = Fault(Kind.ANSWER, when=When.AFTER, status=502)
    await whole(tmp_path, kills=False, first=0, wrong=lambda _: fault)


class TooOld(Aim):
    """The next answer is told that nobody may edit the board any more; of the calls after that, this one goes wrong."""

    after = 0

    def take(self, method: str, template: str, path: str, *, files: bool = False) -> Fault | None:
        if self.after and template.endswith("/callback"):
            self.number, self.after = self.made + self.after, 0
            return Fault(Kind.ANSWER, status=429, code=30046)
        return super().take(method, template, path, files=files)


async def shown(hall: Hall) -> None:
    """No board is behind."""
    async with asyncio.timeout(60):
        while hall.rows(BEHIND):  # noqa: ASYNC110 - the store tells nobody that it was written to
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("outside", [False, True])
async def test_a_kill_while_a_board_that_is_too_old_is_posted_anew(tmp_path: Path, outside: bool) -> None:
    """At every call of it: the new board, the pointer in the old one, what Ana reads alone. The bid stands once, and so
    does the board."""
    async with opened_hall(tmp_path) as hall:
        await hall.crowd(("Ana", "Ben"))
        for number, when in product((1, 2, 3), When):
            await somewhere(hall, outside=outside)
            aim = TooOld(0, lambda: Fault(Kind.RESET))
            walk = Walk(hall, aim, kills=True)
            hall.playground.pipeline.faults = aim
            board = await walk.begun()

            def killed(when: When = when) -> Fault:
                hall.strike()
                return Fault(Kind.RESET, when=when)

            aim.after, aim.wrong = number, killed
            walk.killed = asyncio.create_task(walk.nurse())
            pressed = asyncio.create_task(press(walk.ana, board_key(walk.ana, board, 1), board))
            await walk.killed
            await pressed
            assert walk.stands(walk.ana) == [1]
            newest = max(walk.ben.finds(lambda seen: seen.has_button("2")), key=lambda seen: int(seen.id))
            await walk.ben.press(key(2), in_=newest)
            for person in hall.people:
                await person.sees(lambda seen: "round 2 of 4" in seen.text, in_=newest)
            old = walk.ana.now(board)
            if newest.id != board.id and old is not None and old.buttons:  # nobody may know of it, until it is pressed
                with suppress(Refused):  # the pointer came at this moment
                    await press(walk.ana, board_key(walk.ana, board, 3), board)
            if newest.id != board.id:
                await walk.ben.sees(lambda seen: not seen.buttons, in_=board)
            assert walk.stands(walk.ana) == [1]
            resigned = await walk.ana.slash("/gops resign", match=walk.code)
            await walk.ana.press("Resign", in_=resigned.shown)
            await walk.ben.sees(lambda seen: seen.has_button("Rematch"), in_=newest)
            await shown(hall)
