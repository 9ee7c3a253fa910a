"""In a match between people no private answer stays below the console of its player, nor below its result."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, plain

pytestmark = pytest.mark.by_http

Wanted = Callable[[Seen], bool]


async def press_above(person: Person, label: str, console: Seen, *, on: Seen | None = None) -> Seen:
    """Press a button of the console, or of another message; return the console that has come below the answer."""
    answer = (await person.press(label, in_=on or console)).shown
    await person.sees_no(lambda seen: seen.id == console.id)
    moved = await person.sees(has("against Ben", ephemeral=console.is_ephemeral), in_=console.channel_id)
    assert int(moved.id) > int(answer.id)
    return moved


async def play(scene: House, console: Seen, number: int, shows: Wanted) -> Seen:
    """Ana bids on this console, Ben in his DM; the console as soon as it shows what follows."""
    await scene.ana.press(key(number), in_=console)
    theirs = await scene.ben.sees(awaits(number, dm=True))
    await scene.ben.press(key(number + 1), in_=theirs)
    return await scene.ana.sees(shows, in_=console)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("where", ["in the DM", "behind Bid"])
async def test_console_and_result_come_below_each_answer(scene: House, where: str) -> None:
    ana = scene.ana
    board = await scene.match(cards=3)
    console = await ana.sees(awaits(1, dm=True))
    if where == "behind Bid":
        console = (await ana.press("Bid", in_=board)).shown
        console = await press_above(ana, "Sheet", console, on=board)
    for label in ("Rules", "More"):
        console = await press_above(ana, label, console)
        assert "round 1 of 3" in plain(console.text)
    console = await play(scene, console, 1, has("round 2 of 3"))
    console = await press_above(ana, "Rules", console)
    result = await play(scene, console, 2, has("Last cards were bid"))
    result = await press_above(ana, "Sheet", result)
    assert "Last cards were bid" in plain(result.text)
    assert result.has_button("Rematch")
    here = {"ephemeral": True} if where == "behind Bid" else {}
    results = ana.finds(has("Last cards were bid", code_of(board), **here), in_=result.channel_id)
    assert [one.id for one in results] == [result.id]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("where", ["in the DM", "behind Bid"])
async def test_console_is_there_after_an_answer_of_which_the_bot_heard_a_failure(scene: House, where: str) -> None:
    """The answer was there, and its message was taken for that of the console posted below: the console was removed."""
    ana = scene.ana
    board = await scene.match(cards=3)
    console = await ana.sees(awaits(1, dm=True))
    if where == "behind Bid":
        console = (await ana.press("Bid", in_=board)).shown
    await scene.stage.fault("answer", "POST /interactions/*/callback", when="after", status=502)
    moved = await press_above(ana, "Sheet", console)
    await ana.press(key(1), in_=moved)
    await ana.sees(has("is sealed"), in_=moved)


async def choose_in_two_steps(person: Person) -> None:
    card = (await person.slash("/gops notify")).shown
    await person.press("Two-step bids: off", in_=card)
    await person.dismiss(card)


@pytest.mark.asyncio(loop_scope="module")
async def test_chosen_card_stays_chosen_below_an_answer(scene: House) -> None:
    ana = scene.ana
    await choose_in_two_steps(ana)
    await scene.match(cards=3)
    console = await ana.sees(awaits(1, dm=True))
    await ana.press("3", in_=console)
    for label in ("Sheet", "More"):
        console = await press_above(ana, label, console)
        assert "Choosing: 3" in plain(console.text)
    await ana.press("Seal 3", in_=console)
    await ana.sees(has("3 is sealed"), in_=console)


@pytest.mark.asyncio(loop_scope="module")
async def test_chosen_card_stays_chosen_when_a_button_of_the_board_is_pressed(scene: House) -> None:
    ana = scene.ana
    await choose_in_two_steps(ana)
    board = await scene.match(cards=3)
    console = (await ana.press("Bid", in_=board)).shown
    await ana.press("3", in_=console)
    for label in ("Sheet", "More"):
        console = await press_above(ana, label, console, on=board)
        assert "Choosing: 3" in plain(console.text)
    await ana.press("Seal 3", in_=console)
    await ana.sees(has("3 is sealed"), in_=console)


@pytest.mark.asyncio(loop_scope="module")
async def test_chosen_card_stays_chosen_below_a_hint(scene: House) -> None:
    ana = scene.ana
    await choose_in_two_steps(ana)
    console = (await ana.slash("/gops practice", cards=4)).shown
    await ana.press("3", in_=console)
    await ana.press("Hint", in_=console)
    moved = await ana.sees(lambda seen: int(seen.id) > int(console.id) and seen.has_button("Hint"))
    assert moved.has_button("Seal 3")


@pytest.mark.asyncio(loop_scope="module")
async def test_press_on_the_board_leaves_the_console_in_the_dm_alone(scene: House) -> None:
    ana = scene.ana
    board = await scene.match(cards=3)
    console = await ana.sees(awaits(1, dm=True))
    for label in ("Sheet", "More"):
        assert (await ana.press(label, in_=board)).shown.is_ephemeral
    await ana.press(key(1), in_=console)
    assert len(ana.finds("against", in_="dm")) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_old_result_stays_above_the_console_of_the_rematch(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await scene.match(cards=3)
    console = await ana.sees(awaits(1, dm=True))
    console = await play(scene, console, 1, has("round 2 of 3"))
    result = await play(scene, console, 2, has("Last cards were bid"))
    await ana.press("Rematch", in_=result)
    await ben.press("Accept", in_=await ben.sees(lambda seen: seen.has_button("Accept")))
    live = await ana.sees(awaits(1, dm=True))
    await ana.press("Sheet", in_=result)
    await ana.press(key(1), in_=live)
    assert ana.now(result) is not None
