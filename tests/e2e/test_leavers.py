"""Who left a match of three that goes on is offered nothing that they cannot do any more."""

import re

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, behind_more, code_of, has, key, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def left_by_ana(scene: House, offers: bool = False) -> Seen:
    """A match of three in its second round, which Ana has left; with `offers` Ben offered a draw, and Cem agreed."""
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.challenge_all(cem, cards=5)
    for person in (ben, cem):
        await person.press("Accept", in_=board)
    for number, person in enumerate((ana, ben, cem), 2):
        await person.press(key(number), in_=await person.sees(awaits(1, dm=True)))
    await ana.sees(awaits(2, dm=True))
    if offers:
        await ben.press("Offer draw", in_=(await ben.slash("/gops draw")).shown)
        await cem.press("Accept draw", in_=await cem.sees(has("offers a draw"), in_=board))
        await ana.sees(has("Ben offers a draw. Cem agreed; Ana must answer."), in_=board)
    await ana.press("Leave match", in_=(await ana.slash("/gops resign")).shown)
    return board


async def test_a_draw_to_which_the_others_had_agreed_stands_when_one_leaves(scene: House) -> None:
    board = await left_by_ana(scene, offers=True)
    over = await scene.ben.sees(has("Drawn by agreement"), in_=board)
    assert re.search(r"3\\\. Ana 0 · left · rating \*\*\d+\*\*", plain(over.text))
    assert not over.has_button("Accept draw")
    offer = await scene.ana.sees(has("Ben offers a draw", "All who were still playing agreed"), in_="dm")
    assert offer.buttons == []


async def test_who_left_can_watch_and_is_not_asked_to_leave_again(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    posted = await left_by_ana(scene)
    code = re.findall(r"#(\w{4})", (await ana.sees(has("Waiting for"), in_=posted)).text)[0]
    left = f"You left #{code}. Your lowest cards are played for you."
    for typed in ({}, {"match": code}):
        assert plain(told(await ana.slash("/gops resign", **typed))) == left
        assert plain(told(await ana.slash("/gops draw", **typed))) == left
    assert await ana.complete("/gops resign", "match", "") == []
    assert await ana.complete("/gops draw", "match", "") == []
    games = (await ana.slash("/gops games")).shown
    assert "Your lowest cards are played for you. Waiting for Ben and Cem" in plain(games.text)
    assert not games.has_button("Bid")
    assert "Give up a match" not in plain(games.text)
    assert left in plain(told(await ana.press("Watch", in_=games)))
    theirs = (await ben.slash("/gops games")).shown
    assert theirs.has_button("Bid")
    assert len(await ben.complete("/gops resign", "match", "")) == 1


async def test_who_left_one_match_resigns_the_other_without_its_code(scene: House) -> None:
    await left_by_ana(scene)
    await scene.match(cards=3)
    question = plain(told(await scene.ana.slash("/gops resign")))
    assert question.startswith("Stop #")


async def test_erased_name_disappears_from_the_consoles_of_the_others(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    board = await scene.challenge_all(cem, cards=5)
    for person in (ben, cem):
        await person.press("Accept", in_=board)
    for number, person in enumerate((ana, ben, cem), 2):
        await person.press(key(number), in_=await person.sees(awaits(1, dm=True)))
    console = await ana.sees(awaits(2, dm=True))
    assert "Cem" in plain(console.text)
    await cem.press("Erase my data", in_=(await cem.slash("/gops privacy delete")).shown)
    await ana.sees_no(lambda seen: "Cem" in plain(seen.text), in_="dm")
    await cem.sees_no(lambda seen: seen.has_button("2"), in_="dm")
    assert "a former player" in plain((await ana.sees(awaits(2, dm=True))).text)


async def test_erased_name_and_rematch_disappear_from_old_results_by_dm(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await scene.match(cards=2)
    for person, card in ((ana, "2"), (ben, "A")):
        await person.press(card, in_=await person.sees(awaits(1, dm=True)))
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_="dm")
    assert "Ben" in result.text
    assert result.has_button("Rematch")
    await scene.bot.stop()
    await scene.stage.forward(24 * 3600)
    await scene.bot.start()
    await ben.press("Erase my data", in_=(await ben.slash("/gops privacy delete")).shown)
    shown = await ana.sees(has("a former player"), in_=result)
    assert "Ben" not in shown.text
    assert not shown.has_button("Rematch")


async def test_a_sentence_begins_with_a_capital_where_its_player_is_erased(scene: House) -> None:
    """Within a sentence the words stay small."""
    ana, ben = scene.ana, scene.ben
    board = await scene.match(cards=3)
    for person, card in ((ana, "2"), (ben, "A")):
        await person.press(card, in_=await person.sees(awaits(1, dm=True)))
    await ben.press("Resign", in_=(await ben.slash("/gops resign")).shown)
    result = await ben.sees(lambda seen: seen.has_button("Rematch"), in_=board)
    await ana.press("Erase my data", in_=(await ana.slash("/gops privacy delete")).shown)
    shown = plain((await ben.sees(has("former player"), in_=result)).text)
    assert "### A former player wins because Ben resigned" in shown
    assert "Rating (Classic): a former player **" in shown
    replay = (await behind_more(ben, "Replay", result)).shown
    told_last = told(await ben.press("Last", in_=replay))
    assert "A former player wins because Ben resigned" in told_last
    assert re.search(r"\n┃ (\*\*)?A former player\b", told_last), told_last
    assert "lost to a former player" in told(await ben.slash("/gops history"))


async def test_own_result_and_practice_lose_their_keys_when_a_person_erases_their_data(scene: House) -> None:
    ana = scene.ana
    await scene.match(cards=2)
    for person, card in ((ana, "2"), (scene.ben, "A")):
        await person.press(card, in_=await person.sees(awaits(1, dm=True)))
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_="dm")
    practice = (await ana.slash("/gops practice", cards=4)).shown
    await ana.press("Erase my data", in_=(await ana.slash("/gops privacy delete")).shown)
    stopped = await ana.sees(has("a player deleted their data"), in_=practice)
    assert not stopped.buttons
    assert not (await ana.sees(lambda seen: not seen.has_button("Rematch"), in_=result)).has_button("Rematch")
    assert scene.bot.trouble() == []


async def test_rematch_key_of_a_month_ago_tells_an_erased_person_what_to_do(scene: House) -> None:
    ana = scene.ana
    board = await scene.match(cards=2)
    for person, card in ((ana, "2"), (scene.ben, "A")):
        await person.press(card, in_=await person.sees(awaits(1, dm=True)))
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_="dm")
    await scene.stage.forward(31 * 24 * 3600)
    await ana.press("Erase my data", in_=(await ana.slash("/gops privacy delete")).shown)
    refusal = told(await ana.press("Rematch", in_=result))
    code = code_of(board)
    assert refusal == (
        f"Only the players of #{code} can ask for a rematch. Start your own with /gops challenge or /gops practice."
    )


@pytest.mark.parametrize(("who", "how"), [("ana", "withdrawn"), ("ben", "declined")])
async def test_a_challenge_ended_by_erased_data_names_nobody(scene: House, who: str, how: str) -> None:
    challenge = await scene.challenge()
    person: Person = getattr(scene, who)
    await person.press("Erase my data", in_=(await person.slash("/gops privacy delete")).shown)
    ended = await scene.ben.sees(lambda seen: not seen.has_button("Accept"), in_=challenge)
    assert plain(ended.text) == f"The challenge was {how}."
