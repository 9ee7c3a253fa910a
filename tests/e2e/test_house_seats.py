"""The house at challenges and tables, as people see it: the host adds and removes it, joiners replace it, it fills."""

from __future__ import annotations

import pytest

from tests.e2e.house import House, has, plain, told

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]


async def test_challenge_with_the_house_says_so_before_anybody_accepts(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops challenge", opponent=ben, game="throps", house=1)
    challenge = await ben.sees("challenges you")
    assert "With Sly (house). Not rated: the house plays too." in plain(challenge.text)
    assert not challenge.has_button("Remove the house"), "the game needs three"
    board = (await ben.press("Accept", in_=challenge)).shown
    assert "Sly (house) 40" in plain(board.text)


async def test_host_adds_and_removes_the_house_before_somebody_accepts(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops challenge", opponent=ben, cards=3)
    challenge = await ben.sees("challenges you")
    assert "rated" in challenge.text
    assert told(await ben.press("Add the house", in_=challenge)) == "Only Ana can do that."
    after = plain(told(await ana.press("Add the house", in_=challenge)))
    assert "With Sly (house). Not rated: the house plays too." in after
    after = plain(told(await ana.press("Add the house", in_=challenge)))
    assert "With Sly (house) and Reader (house)." in after
    after = plain(told(await ana.press("Remove the house", in_=challenge)))
    assert "With Sly (house)." in after
    after = plain(told(await ana.press("Remove the house", in_=challenge)))
    assert "(house)" not in after
    assert "Not rated" not in after
    await ana.press("Add the house", in_=challenge)
    board = (await ben.press("Accept", in_=challenge)).shown
    assert "Sly (house) 0" in plain(board.text)


async def test_people_replace_house_players_at_a_full_table(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops open", seats=3, cards=3, house=1, level="matcher")
    table = await ben.sees("opens a table")
    assert "Players 2 of 3: Ana (host), Matcher (house)" in plain(table.text)
    assert "Not rated: the house plays too." in table.text
    assert "unrated" not in table.text, "it is said once"
    after = plain(told(await ana.press("Add the house", in_=table)))
    assert "Players 3 of 3: Ana (host), Matcher (house), " in after
    board = (await ben.press("Join", in_=table)).shown
    assert "Matcher (house) 0" in plain(board.text)


async def test_table_that_becomes_rated_waits_for_its_host(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops open", seats=2, cards=3, house=1)
    table = await ben.sees("opens a table")
    assert "Not rated: the house plays too." in table.text
    full = (await ben.press("Join", in_=table)).shown
    assert full.id == table.id
    assert "Players 2 of 2: Ana (host), Ben" in plain(full.text)
    assert "Not rated" not in full.text
    board = (await ana.press("Start now", in_=full)).shown
    assert "rated" in board.text
    assert "unrated" not in board.text


async def test_seated_people_read_that_the_house_joined(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops open", seats=4, cards=3)
    table = await ben.sees("opens a table")
    await ben.press("Join", in_=table)
    assert "Not rated now: the house joined." in told(await ana.press("Add the house", in_=table))
    after = told(await ana.press("Remove the house", in_=table))
    assert "Not rated" not in after
    assert "Players 2 of 4" in after


async def test_host_fills_the_table_after_a_minute(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops open", seats=4, cards=3)
    table = await ben.sees("opens a table")
    await ben.press("Join", in_=table)
    assert not table.has_button("Fill with the house")
    await scene.stage.forward(61)
    table = await ana.sees(lambda seen: seen.id == table.id and seen.has_button("Fill with the house"))
    assert told(await ben.press("Fill with the house", in_=table)) == "Only Ana can do that."
    board = (await ana.press("Fill with the house", in_=table)).shown
    assert all(f"{name} (house) 0" in plain(board.text) for name in ("Sly", "Reader"))


async def test_pair_plays_to_the_result_and_asks_for_a_rematch(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    await ana.slash("/gops challenge", opponent=ben, cards=2, house=1)
    challenge = await ben.sees("challenges you")
    board = (await ben.press("Accept", in_=challenge)).shown
    for person in (ana, ben):
        console = await person.sees(has("Your turn"), in_="dm") if person.now(board) is None else board
        await person.press("2", in_=(await person.press("Bid", in_=console)).shown if console is board else console)
    result = await ana.sees(has("Not rated: the house plays too."))
    await ana.press("Rematch", in_=result)
    again = await ben.sees(has("challenges you", "With Sly (house)"))
    assert again.has_button("Accept")


async def test_practice_takes_seats_and_rules(scene: House) -> None:
    console = (await scene.ana.slash("/gops practice", game="classic", seats=4, options="blind bids")).shown
    assert plain(console.text).count("(house)") >= 3
