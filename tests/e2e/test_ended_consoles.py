"""A private console of a match that is over shows the result: by itself, or when it is pressed."""

from __future__ import annotations

import re

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, code_of, has, plain
from tests.e2e.test_practice import lit

pytestmark = pytest.mark.asyncio(loop_scope="module")

QUARTER = 20 * 60
"""seconds after which no token of before reaches a message"""


def private(person: Person, code: str) -> list[Seen]:
    """Their private messages about this match, from the top to the bottom of the screen."""
    return person.finds(lambda seen: seen.is_ephemeral and f"#{code}" in seen.text)


def keys(console: Seen) -> list[str]:
    return [one.custom_id for one in console.buttons if one.custom_id and re.match(r"g1:(co|cm|cs|pk):", one.custom_id)]


async def resigned(person: Person, code: str) -> None:
    question = (await person.slash("/gops resign", match=code)).shown
    await person.press(question.buttons[0].label, in_=question)
    await person.dismiss(question)


async def test_the_first_console_gives_way_to_the_one_behind_the_board(scene: House) -> None:
    """*Accept* brings cards beside the board, and *Bid* brings them again: the first ones stayed as they were, with
    keys of round 1 below the result."""
    scene.decide(place="channel")
    board = await scene.match(cards=3)
    code = code_of(board)
    first = await scene.ben.sees(has("round 1 of 3", ephemeral=True))
    second = (await scene.ben.press("Bid", in_=board)).shown
    await scene.ben.sees_no(lambda seen: seen.id == first.id)
    mine = (await scene.ana.press("Bid", in_=board)).shown
    await scene.ana.press("2", in_=mine)
    await scene.ben.press("3", in_=second)
    await resigned(scene.ana, code)
    await scene.ben.sees(has("You win because Ana resigned"), in_=second)
    [result] = private(scene.ben, code)
    assert result.id == second.id
    assert keys(result) == []


@pytest.mark.parametrize("two_step", [False, True])
async def test_a_key_of_a_console_that_nothing_reached(scene: House, two_step: bool) -> None:
    """In a server: the match ended after the console's token did. The key answers with the result in its place."""
    scene.decide(place="channel")
    if two_step:
        card = (await scene.ana.slash("/gops preferences")).shown
        await scene.ana.press("Two-step bids: off", in_=card)
        await scene.ana.dismiss(card)
    board = await scene.match(cards=3, clock=3600)
    code = code_of(board)
    console = (await scene.ana.press("Bid", in_=board)).shown
    other = (await scene.ben.press("Bid", in_=board)).shown
    await scene.ben.press("3", in_=other)
    await scene.ana.press("2", in_=console)
    if two_step:
        await scene.ana.press("Seal 2", in_=console)
    await scene.ana.sees(has("round 2 of 3"), in_=console)
    await scene.stage.forward(QUARTER)
    await resigned(scene.ana, code)
    stale = scene.ana.now(console)
    assert stale is not None
    assert keys(stale)
    result = (await scene.ana.press(lit(stale)[0], in_=stale)).shown
    assert result.id == console.id
    assert keys(result) == []
    over = f"#{code} is over: Ben wins because Ana resigned. Press Rematch on its result to play again."
    assert over in plain(result.text)


@pytest.mark.parametrize("label", ["2", "Hint"])
async def test_a_key_of_practice_that_nothing_reached(scene: House, label: str) -> None:
    console = (await scene.ana.slash("/gops practice", cards=4)).shown
    await scene.ana.press("A", in_=console)
    await scene.stage.forward(QUARTER)
    await resigned(scene.ana, code_of(console))
    result = (await scene.ana.press(label, in_=console)).shown
    assert result.id == console.id
    assert keys(result) == []
    assert "Sly (house) wins because you resigned" in plain(result.text)
    assert result.has_button("Rematch")


async def test_what_was_that_after_the_end_shows_the_result_in_its_place(scene: House) -> None:
    """A console that nothing reached, above the next match: no result is posted below that."""
    console = (await scene.ana.slash("/gops practice", cards=4)).shown
    console = (await scene.ana.press("A", in_=console)).shown
    await scene.stage.forward(QUARTER)
    await resigned(scene.ana, code_of(console))
    again = (await scene.ana.slash("/gops practice", cards=4)).shown
    result = (await scene.ana.press("Explain last round", in_=console)).shown
    assert result.id == console.id
    assert "Sly (house) wins because you resigned" in plain(result.text)
    await scene.ana.press("A", in_=again)
    assert [seen.id for seen in private(scene.ana, code_of(console))] == [console.id]
