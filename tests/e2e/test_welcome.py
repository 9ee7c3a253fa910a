"""The first minute, over sockets: help wherever it is asked for, and what its presses begin."""

from __future__ import annotations

import pytest

from tests.e2e.house import House, code_of, has, plain, told
from tests.e2e.test_practice import lit

pytestmark = pytest.mark.asyncio(loop_scope="module")

HOME = "One prize, one hidden card each."


async def test_from_help_to_the_first_bid_by_two_presses(scene: House) -> None:
    ana = scene.ana
    home = (await ana.slash("/gops help")).shown
    assert home.is_ephemeral
    assert HOME in home.text
    assert home.buttons[0].label == "How it works", "nobody here has played before"
    assert scene.ben.finds(HOME) == []
    console = (await ana.press("Play the house", in_=home)).shown
    assert console.is_ephemeral
    bid = (await ana.press(lit(console)[6], in_=console)).shown
    assert "round 2 of 13" in plain(bid.text)
    assert HOME in (ana.now(home) or console).text, "the card stays"


async def test_practice_that_was_left_is_continued_or_given_up(scene: House) -> None:
    """A reload takes the private console away, and the match goes on waiting."""
    ana = scene.ana
    home = (await ana.slash("/gops help")).shown
    console = (await ana.press("Play the house", in_=home)).shown
    await ana.press(lit(console)[6], in_=console)
    await ana.reload()
    home = (await ana.slash("/gops help")).shown
    assert home.buttons[0].label == "Continue"
    assert "round 2 of 13" in plain((await ana.press("Continue", in_=home)).shown.text)
    question = (await ana.press("Play the house", in_=home)).shown
    code = code_of(question)
    assert f"You have a practice match with Sly (house): #{code}, 1 round played." in plain(question.text)
    console = (await ana.press("Continue", in_=question)).shown
    assert "round 2 of 13" in plain(console.text)
    assert code_of(console) == code
    fresh = (await ana.press("New match", in_=question)).shown
    assert "round 1 of 13" in plain(fresh.text)
    listed = (await ana.slash("/gops games")).shown
    assert f"**#{code}** Classic, practice with Sly (house)" in plain(listed.text)
    asked = (await ana.choose(code, in_=listed)).shown
    assert told(await ana.press("Resign", in_=asked)) == f"Done. You resigned #{code}."
    assert f"#{code}" not in (await ana.slash("/gops games")).shown.text


async def test_a_shorter_match_takes_the_place_of_the_first_one(scene: House) -> None:
    ana = scene.ana
    home = (await ana.slash("/gops help")).shown
    console = (await ana.press("Play the house", in_=home)).shown
    short = (await ana.press("Shorter: 5 cards", in_=console)).shown
    assert "You against Sly (house) · round 1 of 5" in plain(short.text)
    assert not short.has_button("Shorter: 5 cards")
    await ana.sees(has("a newer practice match took its place."))
    listed = (await ana.slash("/gops games")).shown.text
    assert f"#{code_of(short)}" in listed
    assert f"#{code_of(console)}" not in listed
    played = (await ana.press(lit(short)[0], in_=short)).shown
    assert "round 2 of 5" in plain(played.text)


async def test_help_leads_to_a_challenge(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    home = (await ana.slash("/gops help")).shown
    card = (await ana.choose(ben, in_=home)).shown
    assert "Ben" in plain(card.text)
    await ana.press("Send the challenge", in_=card)
    await ben.sees("challenges you")
    assert told(await ana.choose(ana, in_=home)).startswith("You cannot challenge yourself.")
    assert "Classic" in told(await ana.press("Rules", in_=home))


async def test_help_where_the_bot_may_not_write(scene: House) -> None:
    await scene.stage.deny(scene.server.channel("games"), "GOPS", "SEND_MESSAGES")
    home = (await scene.ana.slash("/gops help")).shown
    assert HOME in home.text
    assert "I need Send Messages" in told(await scene.ana.choose(scene.ben, in_=home))
    assert "round 1 of" in told(await scene.ana.press("Play the house", in_=home))


async def test_a_direct_message_is_answered_by_the_home_card(scene: House) -> None:
    ana = scene.ana
    dm = await ana.dm_with(scene.stage.bot())
    await ana.say("hello?", in_=dm)
    home = await ana.sees(HOME, in_=dm)
    assert not home.selects, "nobody can be challenged in a DM"
    await ana.say("and again", in_=dm)
    console = (await ana.press("Play the house", in_=home)).shown
    assert console.channel_id == dm
    assert "round 1 of" in plain(console.text)
    assert len(ana.finds(has(HOME), in_=dm)) == 1, "whoever goes on writing has it before their eyes"
    assert (await ana.slash("/gops help", in_=dm)).shown.channel_id == dm
    assert "hello?" not in scene.bot.logged()


async def test_what_is_written_in_a_channel_is_not_heard(scene: House) -> None:
    await scene.ana.say("hello?")
    await scene.ana.slash("/gops games")
    assert scene.ana.finds(HOME) == []


# --- the guided match -----------------------------------------------------------------------------------------


async def test_the_guided_match_to_its_end_and_skipped(scene: House) -> None:
    ana = scene.ana
    home = (await ana.slash("/gops help")).shown
    card = (await ana.press("How it works", in_=home)).shown
    assert card.id == home.id, "in its place"
    assert "Press a card. That is your bid." in card.text
    for number, key in enumerate(("4", "A", "2"), 2):
        card = (await ana.press(key, in_=card)).shown
        assert f"round {number} of 5" in card.text
    end = (await ana.press("5", in_=card)).shown
    assert "You win 10–5." in end.text
    assert HOME not in end.text, "it would push the result off the screen"
    console = (await ana.press("Play the house", in_=end)).shown
    assert "round 1 of 13" in plain(console.text)
    card = (await ana.press("How it works", in_=end)).shown
    assert "round 1 of 5" in card.text
    back = (await ana.press("Skip the rest", in_=card)).shown
    assert back.text == home.text.replace(
        "[How it works] [Play the house]", "[Continue] [Play the house] [How it works]"
    )
    assert "No finished matches yet." in told(await ana.slash("/gops history")), "it is no match of one's record"


@pytest.mark.asyncio(loop_scope="function")
async def test_the_guided_match_is_left_and_gone_on_with_the_next_day(house: House) -> None:
    ana = house.ana
    old = (await ana.press("How it works", in_=(await ana.slash("/gops help")).shown)).shown
    await ana.press("4", in_=old)
    await house.bot.kill()
    await house.stage.forward(86_400)
    await house.bot.start()
    dm = await ana.dm_with(house.stage.bot())
    await ana.say("hi", in_=dm)
    card = (await ana.press("How it works", in_=await ana.sees(HOME, in_=dm))).shown
    assert "Welcome back: you stopped here." in card.text
    assert "round 2 of 5" in card.text
    after = (await ana.press("A", in_=old)).shown
    assert "round 3 of 5" in after.text, "the message from before the kill goes on, too"
