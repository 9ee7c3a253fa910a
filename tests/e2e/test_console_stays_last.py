"""In a match between people nothing private stays below the console of its player, nor below its result: what is read
takes the place of the console, which comes back with the next news."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key, plain

pytestmark = pytest.mark.by_http

Wanted = Callable[[Seen], bool]

READ = {"Sheet": "Nothing was revealed", "Rules": "Classic", "More": "Offer draw"}
"""what stands in the place of a console after a press on this button"""


async def open_page(person: Person, label: str, console: Seen) -> Seen:
    """Press a button of the console; return the page that has taken its place, and is the last message."""
    page = (await person.press(label, in_=console)).shown
    assert page.id == console.id
    assert page.has_button("◀ Cards") or page.has_button("◀ Result")
    assert not page.has_button(key(2))
    return page


async def press_above(person: Person, label: str, console: Seen, *, on: Seen) -> Seen:
    """Press a button of another message; return the console that has come below the answer."""
    answer = (await person.press(label, in_=on)).shown
    await person.sees_no(lambda seen: seen.id == console.id)
    moved = await person.sees(has("round", ephemeral=console.is_ephemeral), in_=console.channel_id)
    assert int(moved.id) > int(answer.id)
    return moved


async def begin(scene: House, where: str, cards: int = 3) -> tuple[Seen, Seen]:
    """A match of the two; its board, and Ana's console there."""
    board = await scene.match(cards=cards)
    console = await scene.ana.sees(awaits(1, dm=True))
    if where == "behind Bid":
        console = (await scene.ana.press("Bid", in_=board)).shown
    return board, console


async def ben_bids(scene: House, number: int) -> None:
    await scene.ben.press(key(number + 1), in_=await scene.ben.sees(awaits(number, dm=True)))


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("where", ["in the DM", "behind Bid"])
async def test_page_takes_the_place_of_the_console_until_there_is_news(scene: House, where: str) -> None:
    ana = scene.ana
    board, console = await begin(scene, where)
    for label in READ:
        page = await open_page(ana, label, console)
        console = (await ana.press("◀ Cards", in_=page)).shown
        assert console.id == page.id
        assert "round 1 of 3" in plain(console.text)
    await ana.press(key(1), in_=console)
    await open_page(ana, "Rules", console)
    await ben_bids(scene, 1)
    console = await ana.sees(lambda seen: has("round 2 of 3")(seen) and seen.has_button(key(2)), in_=console)
    await ana.press(key(2), in_=console)
    await open_page(ana, "Sheet", console)
    await ben_bids(scene, 2)
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_=console)
    here = {"ephemeral": True} if where == "behind Bid" else {}
    there = ana.finds(has(code_of(board), **here), in_=result.channel_id)
    assert [one.id for one in there] == [result.id]


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("where", ["in the DM", "behind Bid"])
async def test_seal_of_the_opponent_leaves_what_is_read_alone(scene: House, where: str) -> None:
    ana = scene.ana
    _, console = await begin(scene, where)
    page = await open_page(ana, "Rules", console)
    await ben_bids(scene, 1)
    await scene.ben.sees(has("is sealed"))
    there = ana.now(console)
    assert there is not None
    assert there.text == page.text
    console = (await ana.press("◀ Cards", in_=page)).shown
    await ana.press(key(1), in_=console)
    await ana.sees(has("round 2 of 3"), in_=console)


@pytest.mark.asyncio(loop_scope="module")
async def test_pages_of_a_result_lead_back_to_it(scene: House) -> None:
    ana = scene.ana
    _, console = await begin(scene, "in the DM", cards=2)
    await ana.press(key(1), in_=console)
    await ben_bids(scene, 1)
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_=console)
    page = await open_page(ana, "More", result)
    page = (await ana.press("Sheet", in_=page)).shown
    page = (await ana.press("As a grid", in_=page)).shown
    assert page.id == result.id
    assert (await ana.press("◀ Result", in_=page)).shown.text == result.text


@pytest.mark.asyncio(loop_scope="module")
async def test_page_that_is_turned_keeps_the_way_back(scene: House) -> None:
    ana = scene.ana
    _, console = await begin(scene, "in the DM")
    page = await open_page(ana, "Sheet", console)
    page = (await ana.press("As a grid", in_=page)).shown
    assert page.has_button("◀ Cards")
    page = await open_page(ana, "Rules", (await ana.press("◀ Cards", in_=page)).shown)
    page = (await ana.press("Tips", in_=page)).shown
    assert (await ana.press("◀ Cards", in_=page)).shown.has_button(key(1))


@pytest.mark.asyncio(loop_scope="module")
async def test_page_that_is_turned_at_the_end_becomes_the_result(scene: House) -> None:
    ana = scene.ana
    _, console = await begin(scene, "behind Bid")
    page = await open_page(ana, "Sheet", console)
    await scene.ben.slash("/gops resign")
    await scene.ben.press("Stop")
    result = await ana.sees(lambda seen: not seen.has_button("◀ Cards"), in_=page)
    assert result.has_button("Rematch")


@pytest.mark.asyncio(loop_scope="module")
async def test_console_comes_back_with_what_a_page_has_done(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    _, console = await begin(scene, "in the DM")
    page = await open_page(ana, "More", console)
    page = await open_page(ana, "Offer draw", page)
    console = (await ana.press("Offer draw", in_=page)).shown
    assert console.id == page.id
    assert console.has_button(key(1))
    await ben.press("Decline", in_=await ben.sees(has("draw"), in_="dm"))
    await ana.sees(has("declined"), in_=console)
    page = await open_page(ana, "Resign", await open_page(ana, "More", console))
    console = (await ana.press("Keep playing", in_=page)).shown
    assert console.has_button(key(1))
    page = await open_page(ana, "Resign", await open_page(ana, "More", console))
    assert (await ana.press("Stop", in_=page)).shown.has_button("Rematch")


@pytest.mark.asyncio(loop_scope="module")
async def test_offered_draw_is_answered_in_the_place_of_a_console(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    _, console = await begin(scene, "in the DM")
    theirs = await ben.sees(awaits(1, dm=True))
    page = await open_page(ana, "Offer draw", await open_page(ana, "More", console))
    await ana.press("Offer draw", in_=page)
    page = await open_page(ben, "Offer draw", await open_page(ben, "More", theirs))
    assert (await ben.press("Accept", in_=page)).shown.has_button("Rematch")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.usefixtures("kernels")
async def test_hint_takes_the_place_of_the_console_of_practice(scene: House) -> None:
    ana = scene.ana
    console = (await ana.slash("/gops practice", cards=4)).shown
    ana.patience = 60.0  # the coach stands back where a machine has other work
    await ana.press("Hint", in_=console)
    page = await ana.sees(lambda seen: seen.has_button("◀ Cards"), in_=console)
    assert (await ana.press("◀ Cards", in_=page)).shown.has_button("Hint")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("where", ["in the DM", "behind Bid"])
async def test_page_of_which_the_bot_heard_a_failure_leads_back(scene: House, where: str) -> None:
    ana = scene.ana
    _, console = await begin(scene, where)
    await scene.stage.fault("answer", "POST /interactions/*/callback", when="after", status=502)
    await ana.press("Sheet", in_=console)
    page = await ana.sees(lambda seen: seen.has_button("◀ Cards"), in_=console)
    await ana.press(key(1), in_=(await ana.press("◀ Cards", in_=page)).shown)
    await ana.sees(has("is sealed"), in_=console)


async def choose_in_two_steps(person: Person) -> None:
    card = (await person.slash("/gops preferences")).shown
    await person.press("Two-step bids: off", in_=card)
    await person.dismiss(card)


@pytest.mark.asyncio(loop_scope="module")
async def test_chosen_card_stays_chosen_behind_a_page(scene: House) -> None:
    ana = scene.ana
    await choose_in_two_steps(ana)
    _, console = await begin(scene, "in the DM")
    await ana.press("3", in_=console)
    for label in ("Sheet", "More"):
        page = await open_page(ana, label, console)
        if label == "Sheet":
            page = (await ana.press("As a grid", in_=page)).shown
        console = (await ana.press("◀ Cards", in_=page)).shown
        assert "Choosing: 3" in plain(console.text)
    await ana.press("Seal 3", in_=console)
    await ana.sees(has("3 is sealed"), in_=console)


@pytest.mark.asyncio(loop_scope="module")
async def test_chosen_card_stays_chosen_when_a_button_of_the_board_is_pressed(scene: House) -> None:
    ana = scene.ana
    await choose_in_two_steps(ana)
    board, console = await begin(scene, "behind Bid")
    await ana.press("3", in_=console)
    for label in ("Sheet", "More"):
        console = await press_above(ana, label, console, on=board)
        assert "Choosing: 3" in plain(console.text)
    await ana.press("Seal 3", in_=console)
    await ana.sees(has("3 is sealed"), in_=console)


@pytest.mark.asyncio(loop_scope="module")
async def test_press_on_the_board_leaves_the_console_in_the_dm_alone(scene: House) -> None:
    ana = scene.ana
    board, console = await begin(scene, "in the DM")
    for label in ("Sheet", "More"):
        assert (await ana.press(label, in_=board)).shown.is_ephemeral
    await ana.press(key(1), in_=console)
    assert len(ana.finds("against", in_="dm")) == 1


@pytest.mark.asyncio(loop_scope="module")
async def test_old_result_stays_above_the_console_of_the_rematch(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    _, console = await begin(scene, "in the DM", cards=2)
    await ana.press(key(1), in_=console)
    await ben_bids(scene, 1)
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_=console)
    await ana.press("Rematch", in_=result)
    await ben.press("Accept", in_=await ben.sees(lambda seen: seen.has_button("Accept")))
    live = await ana.sees(awaits(1, dm=True))
    await ana.press("More", in_=result)
    await ana.press(key(1), in_=live)
    assert ana.now(result) is not None
