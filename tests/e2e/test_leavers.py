"""Who left a match of three that goes on is offered nothing that they cannot do any more."""

import re

import pytest

from tests.e2e.house import House, awaits, has, key, plain, told

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_who_left_can_watch_and_is_not_asked_to_leave_again(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    posted = await scene.challenge(player2=cem, cards=5)
    for person in (ben, cem):
        await person.press("Accept", in_=posted)
    for number, person in enumerate((ana, ben, cem), 2):
        await person.press(key(number), in_=await person.sees(awaits(1, dm=True)))
    await ana.sees(awaits(2, dm=True))
    await ana.press("Leave match", in_=(await ana.slash("/gops resign")).shown)
    code = re.findall(r"#(\w{4})", (await ana.sees(has("Waiting for"), in_=posted)).text)[0]
    left = f"You left #{code}; your seat plays its lowest cards. You can still watch."
    for typed in ({}, {"match": code}):
        assert plain(told(await ana.slash("/gops resign", **typed))) == left
        assert plain(told(await ana.slash("/gops draw", **typed))) == left
    assert await ana.complete("/gops resign", "match", "") == []
    assert await ana.complete("/gops draw", "match", "") == []
    games = (await ana.slash("/gops games")).shown
    assert "Your seat plays its lowest cards. Waiting for Ben and Cem" in plain(games.text)
    assert not games.has_button("Bid")
    assert "Give up a match" not in plain(games.text)
    assert left in plain(told(await ana.press("Watch", in_=games)))
    theirs = (await ben.slash("/gops games")).shown
    assert theirs.has_button("Bid")
    assert len(await ben.complete("/gops resign", "match", "")) == 1


async def test_who_left_one_match_resigns_the_other_without_its_code(scene: House) -> None:
    ana, ben, cem = scene.ana, scene.ben, await scene.person("Cem")
    posted = await scene.challenge(player2=cem, cards=5)
    for person in (ben, cem):
        await person.press("Accept", in_=posted)
    for number, person in enumerate((ana, ben, cem), 2):
        await person.press(key(number), in_=await person.sees(awaits(1, dm=True)))
    await ana.sees(awaits(2, dm=True))
    await ana.press("Leave match", in_=(await ana.slash("/gops resign")).shown)
    await scene.match(cards=3)
    question = plain(told(await ana.slash("/gops resign")))
    assert question.startswith("Stop #")
