"""Odds and reviews over sockets, as a person meets them."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, code_of, has, plain, told
from tests.e2e.test_practice import lit, play_out

pytestmark = pytest.mark.usefixtures("kernels")

ANNOUNCES = True

LONG = 60.0
"""seconds: the coach stands back where a machine has other work"""


@pytest.mark.asyncio(loop_scope="module")
async def test_odds_are_private_and_exact(scene: House) -> None:
    scene.ana.patience = LONG
    await scene.ana.slash("/gops odds", mine="A 2 3 4", theirs="A 2 3 4", prize="2", left="A 3 4")
    seen = await scene.ana.sees(has("Your A 2 3 4 against"))  # announced first where the process has to start
    assert seen.is_ephemeral
    assert plain(seen.text).splitlines() == [
        "Your A 2 3 4 against A 2 3 4, 2 turned up, A 3 4 to come.",
        "Worth 0 to you. Best mix: 3 (53 %), A (34 %), 2 (14 %).",
        "With nobody ahead you win 50 % of the time, a draw as half. Best mix to win: 3 (69 %), A (19 %), 2 (12 %).",
    ]
    await scene.ana.slash("/gops odds", mine="K 2", theirs="3 4", prize="Q", left="1", ties="carry")
    seen = await scene.ana.sees(has("Your 2 K against", "Ties are carried."))
    assert "Worth +11.0 to you. Best mix: K (100 %)." in plain(seen.text)
    asked = {"mine": "K 2", "theirs": "3 4", "prize": "Q", "left": "A", "pot": 3, "order": True, "lead": -5}
    await scene.ana.slash("/gops odds", **asked, payoffs="win")
    seen = await scene.ana.sees(has("Q turned up on a pot of 3, then A in this order.", "Behind by 5 you win 100 %"))
    assert "K 100 100" in plain(seen.text)
    assert "Payoffs of 2 by 2 cards: yours down, theirs across. 2: 0, 0. K: 100, 100." in seen.text
    assert told(await scene.ana.slash("/gops odds", mine="A ?", theirs="3 4", prize="Q", left="1")).startswith(
        'I cannot read "?". Write cards like: A 3 10 K'
    )
    for mine, prize, left, why in (
        ("A 2 2", "Q", "A 2", 'The card "2" is there more than once.'),
        ("A 2 3", "Q", "A Q", "The prize turned up, Q, is in `left` as well. Leave it out there."),
        ("A 2 3", "Q K", "A", "One prize is turned up. Write one card in `prize`, the others in `left`."),
    ):
        asked: dict[str, Any] = {"mine": mine, "theirs": "A 2 3", "prize": prize, "left": left}
        assert told(await scene.ana.slash("/gops odds", **asked)).startswith(why)
    refused = told(await scene.ana.slash("/gops odds", mine="A", theirs="3 4", prize="Q", left="1"))
    assert refused.startswith("Both hands and the prizes")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("lead", "told"),
    [
        (-2, "Behind by 2 you win 0 % of the time, a draw as half. Best mix to win: 3 (100 %)."),
        (-100, "Behind by 100 you win 0 % of the time, a draw as half. Every card is as good as another."),
    ],
)
async def test_odds_name_no_card_that_another_one_beats(scene: House, lead: int, told: str) -> None:
    asked = {"mine": "A 2 3", "theirs": "A 2 3", "prize": "Q", "left": "A 2", "ties": "carry", "pot": 4}
    await scene.ana.slash("/gops odds", **asked, lead=lead, payoffs="win")
    seen = await scene.ana.sees(has("Q turned up on a pot of 4", "Behind by"))
    assert told in plain(seen.text)


DEAR = {"A": "8", "2": "8", "3": "8", "4": "8", "5": "8", "6": "2", "7": "7", "8": "7"}
"""For each prize that may be dealt first: a card that gives something away by the exact figures, 0.2 points at least"""


async def play_badly(person: Person, console: Seen) -> Seen:
    """A first bid that is dear whatever is dealt, then anything: no fixed play of all rounds is dear for every deal."""
    turned = re.search(r"Prize ♦(\w)", plain(console.text))
    assert turned is not None
    after = (await person.press(DEAR[turned[1]], in_=console)).shown
    return await play_out(person, after, random.Random(5))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_review_with_its_chart_and_pages(scene: House) -> None:
    ana = scene.ana
    ana.patience = LONG
    console = (await ana.slash("/gops practice", cards=8, level="matcher")).shown
    code = code_of(console)
    assert told(await ana.slash("/gops review", match=code)).startswith(f"#{code} is still being played.")
    await ana.press("Review", in_=await play_badly(ana, console))
    seen = await ana.sees(has(f"#{code} · review", "Whole match"))
    assert seen.is_ephemeral
    text = plain(seen.text)
    assert f"#{code} · review" in text
    assert re.findall(r"Round (\d+)\*\*,", text) == ["1"]
    [picture] = [line for line in seen.text.splitlines() if "Chart over" in line]
    assert "Chart over 7 rounds; marked is round 1." in picture
    assert seen.files
    assert "Whole match: Ana gave away" in text
    assert "Worst moment: round" in text
    lit = {one.label: not one.disabled for one in seen.buttons}
    assert list(lit) == ["◀ Back", "Next ▶", "Dearest", "Whole mix", "Show everyone"]
    del lit["Whole mix"]  # chance deals the first prize, and a mix of three cards or fewer is told whole already
    assert list(lit.values()) == [False, True, True, True]
    later = (await ana.press("Next ▶", in_=seen)).shown
    assert re.findall(r"Round (\d+)\*\*,", plain(later.text)) == ["2"]
    dearest = (await ana.press("Dearest", in_=later)).shown
    worst = plain(text).split("Worst moment: round ")[1].split(",")[0]
    assert f"Round {worst}," in plain(dearest.text).replace("**", "")
    everyone = (await ana.press("Show everyone", in_=dearest)).shown
    assert not everyone.is_ephemeral
    assert (await scene.ben.sees(has(f"#{code} · review"))).buttons == []
    # Private practice is nobody else's to look into.
    assert told(await scene.ben.slash("/gops review", match=code)).startswith("I know no match")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rated_match_first_closes_odds_and_then_opens_its_review_to_everybody_there(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    cem.patience = LONG
    board = await scene.match(cards=4, rated=True)
    code = code_of(board)
    asked: dict[str, Any] = {"mine": "A 2", "theirs": "A 2", "prize": "A", "left": "2"}
    refused = f"Odds and hints are closed while you play a rated match. They open when #{code} ends."
    assert told(await ben.slash("/gops odds", **asked)) == refused
    for person, card in ((ana, "4"), (ben, "A")):
        await person.press(card, in_=(await person.press("Bid", in_=board)).shown)
    question = (await ana.slash("/gops resign", match=code)).shown
    await ana.press("Resign", in_=question)
    result = await cem.sees(has("Ben wins because Ana resigned"))
    await cem.press("Review", in_=result)
    seen = await cem.sees(has(f"#{code} · review"))
    assert seen.is_ephemeral
    assert "Ana bid 4: " in plain(seen.text)
    assert "Show everyone" not in [one.label for one in seen.buttons], "that is for those who played"
    await ben.slash("/gops odds", **asked)
    await ben.sees(has("Your A 2 against A 2"))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_game_without_a_solution_has_no_review(scene: House) -> None:
    console = (await scene.ana.slash("/gops practice", game="throps", level="random")).shown
    result = await play_out(scene.ana, console, random.Random(8))
    assert not result.has_button("Review")
    refused = told(await scene.ana.slash("/gops review", match=code_of(console)))
    assert "There is no exact solution for Throps, so I cannot review it." in refused
    assert "I review these, for two: Classic GOPS, SOPS, Vultures, Pico, Bid, Psych." in refused
    assert lit(result) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_puzzle_is_graded_and_the_next_one_follows(scene: House) -> None:
    asked = (await scene.ana.slash("/gops puzzle")).shown
    assert asked.is_ephemeral
    title = plain(asked.text).splitlines()[0]
    assert plain((await scene.ana.slash("/gops puzzle")).shown.text).splitlines()[0] == title  # until it is answered
    graded = (await scene.ana.press(asked.buttons[0].label, in_=asked)).shown
    assert graded.id == asked.id
    assert "What each card gives up: " in plain(graded.text)
    assert "solved" in plain(graded.text)
    following = (await scene.ana.press("Next puzzle", in_=graded)).shown
    assert plain(following.text).splitlines()[0] != title
    assert "Which card do you bid" in following.text
