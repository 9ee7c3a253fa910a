"""The daily deal over sockets, as people play it and talk of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, behind_more, code_of, has, moved_console, plain, told

NOON = 12 * 3600
"""far from midnight, at which there is another deal"""

PLAN = ("4", "7", "2", "6", "A", "5")
SHARED = r"Ana · Daily deal of \d+ [A-Z][a-z]+ \d{4}\n([●◐○]{7}) ([+−±]\d+): won \d, tied \d, lost \d"
"""all that a row tells: marks, the margin, and the marks counted"""


async def play(person: Person, console: Seen, plan: tuple[str, ...] = PLAN) -> Seen:
    for card in plan:
        console = (await person.press(card, in_=console)).shown
    return console


def bare(message: Seen) -> str:
    return plain(message.text).replace("*", "")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_day_from_the_opening_to_the_shared_row(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await to(scene, NOON)
    console = (await ana.slash("/gops daily")).shown
    assert console.is_ephemeral
    assert "one try" in console.text
    opening = re.search(r"🔒 `([0-9a-f ]+)`", console.text)
    assert opening is not None
    assert "Play the daily deal first" not in console.text
    end = await play(ana, console)
    assert next(one.label for one in end.buttons) == "Table"
    assert not end.has_button("Rematch")
    card = (await ana.press("Table", in_=end)).shown
    assert card.is_ephemeral
    assert told(await ana.slash("/gops daily")).splitlines()[:2] == plain(card.text).splitlines()[:2], "no second try"
    end = await moved_console(ana, end)
    more = (await ana.press("More", in_=end)).shown
    assert not more.has_button("Show everyone"), "others may still play it"
    end = await moved_console(ana, end)
    sheet = (await behind_more(ana, "Sheet", end)).shown
    assert "Others here may still play this deal." in told(await ana.press("Show everyone", in_=sheet))
    verified = told(await behind_more(ana, "Verify", await moved_console(ana, end)))
    assert "opens when its day is over" in verified
    assert "✘" not in verified
    assert ben.screen.messages() == [], "nothing of it is for anybody else"
    await ana.press("Share", in_=card)
    shared = await ben.sees("Daily deal of")
    found = re.fullmatch(SHARED, bare(shared).split("\n[")[0])
    assert found is not None, bare(shared)
    assert told(await ana.press("Share", in_=card)) == "You have shared this one already."
    assert len(ben.finds("Daily deal of")) == 1
    alike = await play(ben, (await ben.press("Play it too", in_=shared)).shown)
    table = bare((await ben.press("Table", in_=alike)).shown)
    assert f"1. Ana {found[2]}" in table
    assert f"1. Ben {found[2]}" in table
    assert found[1] in table


@pytest.mark.asyncio(loop_scope="module")
async def test_a_try_that_is_given_up_before_its_first_bid(scene: House) -> None:
    """The question, the answer and the result say that the try is used up; `/gops games` calls it a daily deal."""
    ana = scene.ana
    console = (await ana.slash("/gops daily")).shown
    code = code_of(console)
    nowhere = "Your daily deal has no board to show. Open it with /gops games."
    assert told(await ana.slash("/gops show")) == nowhere
    assert re.search(rf"#{code}\*\* daily deal of \d+ \w+ \d+, against ", told(await ana.slash("/gops games")))
    question = (await ana.slash("/gops resign", match=code)).shown
    assert "It uses up your only try, and you will not be in its table." in plain(question.text)
    answer = told(await ana.press("Give up", in_=question))
    assert re.fullmatch(r"Done. You gave up the daily deal of \d+ \w+ \d+. Your only try is used up.", answer), answer
    await ana.sees(has("is used up, and it is not in the table."), in_=console)
    assert "You gave this one up: it does not count." in told(await ana.slash("/gops daily"))


@pytest.mark.asyncio(loop_scope="module")
async def test_where_there_is_no_server_there_is_no_day(scene: House) -> None:
    dm = await scene.ana.dm_with(scene.stage.bot())
    refused = told(await scene.ana.slash("/gops daily", in_=dm))
    assert refused == "This only works in a server that has added me."
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
    await ana.sees(has("Table"))
    await house.stage.forward(86_400)
    verified = told(await behind_more(ana, "Verify", end))
    assert "The deal comes from the opened nonce." in verified
    assert "bids of the house are what its level and the nonce give." in verified
    old = (await ana.press("Table", in_=end)).shown
    assert "1 day in a row" in old.text
    other = (await ana.slash("/gops daily")).shown
    assert "round 1 of 7" in plain(other.text)
    await play(ana, other)
    assert "2 days in a row; your longest row is 2." in told(await ana.slash("/gops daily"))
    await house.stage.forward(2 * 86_400)
    third = await play(ana, (await ana.slash("/gops daily")).shown)
    assert "1 day in a row; your longest row is 2." in told(await ana.press("Table", in_=third)), "a day was missed"


async def test_nobody_sees_a_deal_that_they_may_still_play(house: House) -> None:
    """Neither in the history of who has played it, nor as a replay for everyone."""
    ana, ben = house.ana, house.ben
    await to(house, NOON)
    end = await play(ana, (await ana.slash("/gops daily")).shown)
    code, spoils = code_of(end), "Others here may still play this deal."
    listed = (await ben.slash("/gops history", player=ana)).shown
    assert code in listed.text
    assert spoils in told(await ben.choose(code, in_=listed))
    replay = (await ana.press("Replay", in_=end)).shown
    assert spoils in told(await ana.press("Show everyone", in_=replay))
    assert ben.finds("Daily deal of") == []


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
    opening = re.search(r"🔒 `[0-9a-f ]+`", first.text)
    assert opening is not None
    first = (await ana.press(PLAN[0], in_=first)).shown
    his = (await ben.press(PLAN[0], in_=his)).shown
    await to(house, 30)
    end = await play(ana, first, PLAN[1:])
    table = bare((await ana.press("Table", in_=end)).shown)
    assert "1. Ana" in table, table
    assert "1 day in a row" in table
    new = (await ana.slash("/gops daily")).shown
    assert "round 1 of 7" in plain(new.text)
    assert opening[0] not in new.text, "another deal"
    await house.stage.forward(3400)
    his = (await ben.press(PLAN[1], in_=his)).shown
    await house.stage.forward(600)
    late = await ben.sees("It had to be finished by", in_=his)
    assert told(await ben.slash("/gops games")).startswith("You have no live match.")
    kept = told(await ben.press("Table", in_=late))
    assert "You did not finish this one: it does not count." in kept
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
    assert "is used up, and it is not in the table." in over
    assert "It does not count." not in over
