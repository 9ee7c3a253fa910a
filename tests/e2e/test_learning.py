"""Analysis and reviews over sockets, as a person meets them."""

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
@pytest.mark.by_http
async def test_analysis_is_private_and_exact(scene: House) -> None:
    scene.ana.patience = LONG
    await scene.ana.slash("/gops analyse", mine="A 2 3 4", theirs="A 2 3 4", prize="2", left="A 3 4")
    seen = await scene.ana.sees(has("Your A 2 3 4 against"))  # announced first where the process has to start
    assert seen.is_ephemeral
    where, points, win, words = plain(seen.text).splitlines()
    assert where == "Your A 2 3 4 against A 2 3 4, prize 2, prizes left: A 3 4."
    lead = "Expected lead from here on: 0 points. Best plan for the biggest lead: a random choice of"
    assert points == f"{lead} 3 (53% of the time), the Ace (34%), 2 (14%)."
    assert win.startswith("With equal scores your win chance is 50% (a draw counts half). Best plan to win: a random")
    assert win.endswith(" choice of 3 (69% of the time), the Ace (19%), 2 (12%).")
    assert words == "-# Textbooks call such a random choice a *mixed strategy*."
    await scene.ana.slash("/gops analyse", mine="K 2", theirs="3 4", prize="Q", left="1", ties="carry")
    seen = await scene.ana.sees(has("Your 2 K against", "A tied prize stays in the pot."))
    assert "Expected lead from here on: +11.0 points. Best plan for the biggest lead: always K." in plain(seen.text)
    asked = {"mine": "K 2", "theirs": "3 4", "prize": "Q", "left": "A", "pot": 3, "order": True, "lead": -5}
    await scene.ana.slash("/gops analyse", **asked, payoffs="win")
    seen = await scene.ana.sees(
        has("prize Q + pot 3, prizes left, in this order: A.", "If you are 5 points behind, your win chance is 100%")
    )
    assert "K 100 100" in plain(seen.text)
    table = "Table of 2 by 2 cards: your cards on the left, your opponent's at the top."
    assert f"{table} 2: 0, 0. K: 100, 100." in seen.text
    await scene.ana.slash("/gops analyse", mine="A 2 3 4", theirs="A 2 3 4")
    seen = await scene.ana.sees(has("Best plan for the biggest lead, by the prize that is turned up."))
    assert seen.is_ephemeral
    assert plain(seen.text).splitlines()[0] == "Your A 2 3 4 against A 2 3 4, prizes left: A 2 3 4."
    assert "2: 3 (53% of the time), the Ace (34%), 2 (14%)" in plain(seen.text).replace("*", "").splitlines()
    assert told(await scene.ana.slash("/gops analyse", mine="A ?", theirs="3 4", prize="Q", left="1")).startswith(
        'I cannot read "?". Write cards like: A 3 10 K'
    )
    for mine, prize, left, why in (
        ("A 2 2", "Q", "A 2", 'The card "2" is there more than once.'),
        ("A 2 3", "Q", "A Q", "Q is in `prize` and in `left`. Remove it from `left`."),
        ("A 2 3", "Q K", "A", "Write one card in `prize` and the others in `left`."),
    ):
        asked: dict[str, Any] = {"mine": mine, "theirs": "A 2 3", "prize": prize, "left": left}
        assert told(await scene.ana.slash("/gops analyse", **asked)).startswith(why)
    refused = told(await scene.ana.slash("/gops analyse", mine="A", theirs="3 4", prize="Q", left="1"))
    assert refused.startswith("You need the same number of cards")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("lead", "told"),
    [
        (-2, "If you are 2 points behind, your win chance is 0% (a draw counts half). Best plan to win: always 3."),
        (-100, "If you are 100 points behind, your win chance is 0% (a draw counts half). Every card is equally good."),
    ],
)
async def test_analysis_names_no_card_that_another_one_beats(scene: House, lead: int, told: str) -> None:
    asked = {"mine": "A 2 3", "theirs": "A 2 3", "prize": "Q", "left": "A 2", "ties": "carry", "pot": 4}
    await scene.ana.slash("/gops analyse", **asked, lead=lead, payoffs="win")
    seen = await scene.ana.sees(has("prize Q + pot 4", " points behind, your win chance"))
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
    while True:  # a bid that costs points may cost no chance to win
        console = (await ana.slash("/gops practice", cards=8, level="matcher")).shown
        code = code_of(console)
        assert told(await ana.slash("/gops review", match=code)).startswith(f"#{code} is still being played.")
        await ana.press("Review", in_=await play_badly(ana, console))
        seen = await ana.sees(has(f"#{code} · review", "Ana bid "))
        if re.search(r"Worst round: |the worst of this review\.", text := plain(seen.text)):
            break
    assert seen.is_ephemeral
    assert f"#{code} · review" in text
    assert re.findall(r"Round (\d+) · prize", text) == ["1"]
    [picture] = [line for line in seen.text.splitlines() if "Chart over" in line]
    assert "Chart over 7 rounds, round 1 is marked." in picture
    assert seen.files
    assert "Round 1 · prize" in text
    lit = {one.label: not one.disabled for one in seen.buttons}
    assert list(lit) == ["◀ Back", "Next ▶", "Worst round", "Numbers", "Show everyone", "◀ Result"]
    assert list(lit.values()) == [False, True, True, True, True, True]
    later = (await ana.press("Next ▶", in_=seen)).shown
    assert re.findall(r"Round (\d+) · prize", plain(later.text)) == ["2"]
    worst = (await ana.press("Worst round", in_=later)).shown
    [number] = re.findall(r"Worst round: (\d+)\.", text) or ["1"]
    assert f"Round {number} · prize" in plain(worst.text)
    figures = (await ana.press("Numbers", in_=worst)).shown
    assert "Whole match: on average a bid gave away " in plain(figures.text)
    assert f"Round {number} · prize" in plain(figures.text)
    everyone = (await ana.press("Show everyone", in_=figures)).shown
    assert not everyone.is_ephemeral
    assert (await scene.ben.sees(has(f"#{code} · review"))).buttons == []
    # Private practice is nobody else's to look into.
    assert told(await scene.ben.slash("/gops review", match=code)).startswith("No match #")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rated_match_first_closes_analysis_and_then_opens_its_review_to_everybody_there(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    cem.patience = LONG
    board = await scene.match(cards=4, rated=True)
    code = code_of(board)
    asked: dict[str, Any] = {"mine": "A 2", "theirs": "A 2", "prize": "A", "left": "2"}
    closed = "there is no analysis and no hint. Both come back when it ends."
    refused = f"While you play #{code} with other people, {closed}"
    assert told(await ben.slash("/gops analyse", **asked)) == refused
    for person, card in ((ana, "4"), (ben, "A")):
        await person.press(card, in_=(await person.press("Bid", in_=board)).shown)
    question = (await ana.slash("/gops resign", match=code)).shown
    await ana.press("Resign", in_=question)
    result = await cem.sees(has("Ben wins because Ana resigned"))
    await cem.press("Review", in_=result)
    seen = await cem.sees(has(f"#{code} · review"))
    assert seen.is_ephemeral
    assert re.search(r"Ana bid [♠♥]4: ", plain(seen.text))
    assert "Show everyone" not in [one.label for one in seen.buttons], "that is for those who played"
    await ben.slash("/gops analyse", **asked)
    await ben.sees(has("Your A 2 against A 2"))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_game_without_a_solution_has_no_review(scene: House) -> None:
    console = (await scene.ana.slash("/gops practice", game="throps", level="random")).shown
    result = await play_out(scene.ana, console, random.Random(8))
    assert not result.has_button("Review")
    refused = told(await scene.ana.slash("/gops review", match=code_of(console)))
    assert "Throps is not solved, so there is no review." in refused
    assert "Games with a review, for two players: Classic GOPS, SOPS, Vultures, Pico, Bid, Psych." in refused
    assert lit(result) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_puzzle_is_graded_and_the_next_one_follows(scene: House) -> None:
    asked = (await scene.ana.slash("/gops puzzle")).shown
    assert asked.is_ephemeral
    title = plain(asked.text).splitlines()[0]
    assert plain((await scene.ana.slash("/gops puzzle")).shown.text).splitlines()[0] == title  # until it is answered
    graded = (await scene.ana.press(asked.buttons[0].label, in_=asked)).shown
    assert graded.id == asked.id
    assert "solved" in plain(graded.text)
    reasons = (await scene.ana.press("Why", in_=graded)).shown
    assert reasons.id == asked.id
    assert "How much each card lowers your win chance: " in plain(reasons.text)
    following = (await scene.ana.press("Next", in_=reasons)).shown
    assert plain(following.text).splitlines()[0] != title
    assert re.search(r"· (which card gives|which card is wrong)", following.text)
