"""A random card behind *More* of a console, over sockets: it bids, only this console names it, and two steps hold."""

from __future__ import annotations

import re

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, has, plain

pytestmark = pytest.mark.by_http

LABEL = "🎲 Random card"
DRAWN = re.compile(r"🎲 Random card of round \d+(, from the best plan)?: (A|\d+|J|Q|K)\.")


async def draw(person: Person, console: Seen) -> tuple[str, str, Seen]:
    """Press *Random card* behind *More*; return how it was drawn, the card, and the console."""
    shown = (await person.press(LABEL, in_=(await person.press("More", in_=console)).shown)).shown
    assert shown.id == console.id
    said = DRAWN.search(plain(shown.text))
    assert said is not None, shown.text
    assert "⚠" not in shown.text
    return said[1] or "", said[2], shown


@pytest.mark.asyncio(loop_scope="module")
async def test_it_bids_changes_the_bid_and_is_named_on_this_console_only(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    board = await scene.match()
    console, theirs = await ana.sees(awaits(1, dm=True)), await ben.sees(awaits(1, dm=True))
    for _ in range(4):
        how, card, console = await draw(ana, console)
        assert how == "", "no help in a match with another person"
        assert f"✔ Your **{card} is sealed.**" in console.text
    for other, message in ((ana, board), (ben, board), (ben, theirs)):
        now = other.now(message)
        assert now is not None
        assert "🎲" not in now.text
    _, own, after = await draw(ben, theirs)
    assert "round 2 of 13" in plain(after.text), "the last bid of a round reveals it"
    public = plain((await ana.sees(has("round 2 of 13"), in_=board)).text)
    assert "🎲" not in public
    assert re.search(rf"\b{own}\b", public)
    mine = await ana.sees(awaits(2, dm=True))
    assert "🎲" not in mine.text
    assert not (await ana.press("More", in_=board)).shown.has_button(LABEL), "beside a board no console would name it"


@pytest.mark.asyncio(loop_scope="module")
async def test_with_two_steps_it_only_chooses(scene: House) -> None:
    ana = scene.ana
    await ana.press("Two-step bids: off", in_=(await ana.slash("/gops preferences")).shown)
    await scene.match()
    _, card, console = await draw(ana, await ana.sees(awaits(1, dm=True)))
    assert "is sealed" not in console.text
    assert f"Choosing: {card}" in plain(console.text)
    console = (await ana.press(f"Seal {card}", in_=console)).shown
    assert f"✔ Your **{card} is sealed.**" in console.text


@pytest.mark.asyncio(loop_scope="module")
async def test_several_cards_are_chosen_at_once(scene: House) -> None:
    console = (await scene.ana.slash("/gops practice", game="classic", options="two cards a bid")).shown
    more = (await scene.ana.press("More", in_=console)).shown
    console = (await scene.ana.press(LABEL, in_=more)).shown
    assert re.search(r"🎲 Random card of round 1: (\d+) \+ (\d+)\.", plain(console.text))
    assert any((one.label or "").startswith("Seal ") and not one.disabled for one in console.buttons)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.usefixtures("kernels")
async def test_in_practice_it_follows_the_best_plan(scene: House) -> None:
    ana = scene.ana
    ana.patience = 60.0  # the solver has a process to start
    console = (await ana.slash("/gops practice", cards=4, level="matcher")).shown
    await ana.press("Hint", in_=console)
    hint = await ana.sees(has("Hint for round 1"), in_=console)
    plan = plain(hint.text)
    how, card, console = await draw(ana, (await ana.press("◀ Cards", in_=hint)).shown)
    assert how == ", from the best plan"
    assert re.search(rf"Best[^\n]*\b{card}\b", plan)
    assert "round 2 of 4" in plain(console.text)
    how, _, _ = await draw(ana, (await ana.slash("/gops daily")).shown)
    assert how == "", "nobody gets help with the daily deal"
