"""The daily deal over sockets, as people play it and talk of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, behind_more, code_of, has, plain, told

NOON = 12 * 3600
"""far from midnight, at which there is another deal"""

PLAN = ("4", "7", "2", "6", "A", "5")
SHARED = (
    r"Ana · GOPS daily \d+ · (?:(?:beat|lost to) Reader by \d+|drew with Reader)\n([🟩🟥🟨]{7})\n"
    r"-# 🟩 won \d · 🟥 lost \d · 🟨 tied \d · play: /gops daily"
)
"""all that is shared: the day, the margin, the streak, squares and their legend"""


async def play(person: Person, console: Seen, plan: tuple[str, ...] = PLAN) -> Seen:
    for card in plan:
        console = (await person.press(card, in_=console)).shown
    return console


async def opening_of(person: Person, console: Seen) -> str:
    """The digits that bind the deal, as *Verify* shows them; the console is back then."""
    page = (await person.press("More", in_=console)).shown
    page = (await person.press("Verify", in_=page)).shown
    found = re.search(r"🔒 Deal seal `([0-9a-f]{64})`", page.text)
    assert found is not None
    await person.press("◀ Cards", in_=page)
    return found[1]


def bare(message: Seen) -> str:
    return plain(message.text).replace("*", "")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_day_from_the_opening_to_the_shared_row(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await to(scene, NOON)
    console = (await ana.slash("/gops daily")).shown
    assert console.is_ephemeral
    assert "one try" in console.text
    assert await opening_of(ana, console)
    assert "Play the daily deal first" not in console.text
    end = await play(ana, console)
    assert [one.label for one in end.buttons][:2] == ["Share", "Ranking"]
    assert re.search(r"### Daily \d+ · you .*Reader", bare(end))
    assert "· rank 1 of 1" in end.text
    assert not end.has_button("Rematch")
    card = (await ana.press("Ranking", in_=end)).shown
    assert card.id == end.id
    assert told(await ana.slash("/gops daily")).splitlines()[:2] == plain(card.text).splitlines()[:2], "no second try"
    end = (await ana.press("◀ Result", in_=card)).shown
    more = (await ana.press("More", in_=end)).shown
    assert not more.has_button("Show everyone"), "others may still play it"
    sheet = (await ana.press("Sheet", in_=more)).shown
    assert "Others here can still play this deal." in told(await ana.press("Show everyone", in_=sheet))
    end = (await ana.press("◀ Result", in_=sheet)).shown
    verified = told(await behind_more(ana, "Verify", end))
    assert "stays secret until its day is over" in verified
    assert "verified, except for 1 point" in verified
    assert "✘" not in verified
    assert ben.screen.messages() == [], "nothing of it is for anybody else"
    end = (await ana.press("◀ Result", in_=end)).shown
    await ana.press("Share", in_=end)
    shared = await ben.sees("GOPS daily")
    found = re.fullmatch(SHARED, bare(shared).split("\n[")[0])
    assert found is not None, bare(shared)
    assert told(await ana.press("Share", in_=end)) == "You have already shared this one."
    assert len(ben.finds("GOPS daily")) == 1
    ranking = bare((await ana.press("Ranking", in_=end)).shown)
    margin = re.search(r"1\. Ana (\S+)", ranking)
    assert margin is not None, ranking
    assert "[Share]" not in ranking, "it is shared"
    alike = await play(ben, (await ben.press("Play it too", in_=shared)).shown)
    ranking = bare((await ben.press("Ranking", in_=alike)).shown)
    assert f"1. Ana {margin[1]}" in ranking
    assert f"1. Ben {margin[1]}" in ranking
    assert found[1] in ranking


@pytest.mark.asyncio(loop_scope="module")
async def test_a_try_that_is_given_up_before_its_first_bid(scene: House) -> None:
    """The question, the answer and the result say that the try is used up; `/gops games` calls it a daily deal."""
    ana = scene.ana
    console = (await ana.slash("/gops daily")).shown
    code = code_of(console)
    nowhere = "Your daily deal has no board to show. Open it with /gops games."
    assert told(await ana.slash("/gops show")) == nowhere
    assert re.search(rf"#{code}\*\* Quick GOPS, Daily \d+, against ", told(await ana.slash("/gops games")))
    question = (await ana.slash("/gops resign", match=code)).shown
    assert "It uses up your only try, and you will not be in the ranking." in plain(question.text)
    answer = told(await ana.press("Give up", in_=question))
    assert re.fullmatch(r"Done. You gave up Daily \d+. Your only try is used up.", answer), answer
    await ana.sees(has("is used up, and it is not in the ranking."), in_=console)
    assert "You gave up this one, so it does not count." in told(await ana.slash("/gops daily"))


@pytest.mark.asyncio(loop_scope="module")
async def test_where_there_is_no_server_there_is_no_day(scene: House) -> None:
    dm = await scene.ana.dm_with(scene.stage.bot())
    refused = told(await scene.ana.slash("/gops daily", in_=dm))
    assert refused == "This works only in a server that has added me."
    home = (await scene.ana.slash("/gops help")).shown
    assert "one try" in told(await scene.ana.press("Daily deal", in_=home))


async def test_a_day_over_a_restart_and_the_next_one(house: House) -> None:
    ana = house.ana
    await to(house, NOON)
    console = (await ana.slash("/gops daily")).shown
    await ana.press(PLAN[0], in_=console)
    await house.bot.kill()
    await house.bot.start()
    again = (await ana.slash("/gops daily")).shown
    assert "round 2 of 7" in plain(again.text)
    end = await play(ana, again, PLAN[1:])
    await ana.sees(has("Ranking"))
    await house.stage.forward(86_400)
    verified = told(await behind_more(ana, "Verify", end))
    assert "The deal comes from the secret number." in verified
    assert "bids of the house are right for its level." in verified
    end = (await ana.press("◀ Result", in_=end)).shown
    old = (await ana.press("Ranking", in_=end)).shown
    assert "Streak: 1 day · best 1" in old.text
    other = (await ana.slash("/gops daily")).shown
    assert "round 1 of 7" in plain(other.text)
    await play(ana, other)
    assert "Streak: 2 days · best 2" in told(await ana.slash("/gops daily"))
    await house.stage.forward(2 * 86_400)
    third = await play(ana, (await ana.slash("/gops daily")).shown)
    assert "Streak: 1 day · best 2" in told(await ana.press("Ranking", in_=third)), "a day was missed"


async def test_nobody_sees_a_deal_that_they_may_still_play(house: House) -> None:
    """Neither in the history of who has played it, nor as a replay for everyone."""
    ana, ben = house.ana, house.ben
    await to(house, NOON)
    end = await play(ana, (await ana.slash("/gops daily")).shown)
    code, spoils = code_of(end), "Others here can still play this deal."
    listed = (await ben.slash("/gops history", player=ana)).shown
    assert code in listed.text
    assert spoils in told(await ben.choose(code, in_=listed))
    replay = (await behind_more(ana, "Replay", end)).shown
    assert spoils in told(await ana.press("Show everyone", in_=replay))
    assert ben.finds("Daily") == []


async def to(house: House, seconds: int) -> None:
    """Let it be so many seconds after the next midnight."""
    offset = float(house.bot.clock_file.read_text(encoding="utf-8"))
    await house.stage.forward(86_400 - (datetime.now(UTC).timestamp() + offset) % 86_400 + seconds)


async def test_a_try_left_open_over_midnight(house: House) -> None:
    """It is gone on with as it was, and counts for the day that it began on, if it ends soon; then there is another.
    One that is not finished by then ends by itself."""
    ana, ben = house.ana, house.ben
    await to(house, NOON)
    first, his = (await ana.slash("/gops daily")).shown, (await ben.slash("/gops daily")).shown
    opening = await opening_of(ana, first)
    first = (await ana.press(PLAN[0], in_=first)).shown
    his = (await ben.press(PLAN[0], in_=his)).shown
    await to(house, 30)
    end = await play(ana, first, PLAN[1:])
    table = bare((await ana.press("Ranking", in_=end)).shown)
    assert "1. Ana" in table, table
    assert "Streak: 1 day · best 1" in table
    new = (await ana.slash("/gops daily")).shown
    assert "round 1 of 7" in plain(new.text)
    assert await opening_of(ana, new) != opening, "another deal"
    await house.stage.forward(3400)
    his = (await ben.press(PLAN[1], in_=his)).shown
    await house.stage.forward(600)
    late = await ben.sees("It had to be finished by", in_=his)
    assert told(await ben.slash("/gops games")).startswith("You have no running match.")
    kept = told(await ben.press("Ranking", in_=late))
    assert "You did not finish this one, so it does not count." in kept
    assert "1. Ana" in kept
    assert "Ben" not in kept
    assert "[Share]" not in kept


async def test_press_on_an_expired_try_says_once_why_it_ended(house: House) -> None:
    """A line above the result said it, too, and called the deal stopped."""
    ana, ben = house.ana, house.ben
    await to(house, NOON)
    console, his = (await ana.slash("/gops daily")).shown, (await ben.slash("/gops daily")).shown
    console = (await ana.press(PLAN[0], in_=console)).shown
    await to(house, 3540)
    his = (await ben.press(PLAN[0], in_=his)).shown
    await house.stage.forward(120)
    await ben.sees("It had to be finished by", in_=his)  # that of Ana cannot be edited any more
    over = plain((await ana.press(PLAN[1], in_=console)).shown.text)
    assert over.lower().count("it had to be finished by") == 1, over
    assert "is used up, and it is not in the ranking." in over
    assert "It does not count." not in over
