"""What a newcomer and a new server see first: the guided match beside a challenge, and one card as the bot joins."""

from __future__ import annotations

import pytest

from bot.rest.call_result import CallResult
from tests.driver import Person, Server
from tests.e2e.house import House, awaits, has, key, newcomer, told

pytestmark = pytest.mark.by_http

HELLO = "One prize, one hidden card each."
KEYS = ["Accept", "Decline", "Rules", "Withdraw", "Add the house"]
POST = "POST /channels/*/messages"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_challenge_explains_the_game_until_its_reader_has_finished_a_match_here(scene: House) -> None:
    ana, ben = scene.ana, scene.ben
    challenge = await scene.challenge(cards=2)
    assert [one.label for one in challenge.buttons] == [*KEYS[:1], "How it works", *KEYS[1:]]
    lesson = (await ben.press("How it works", in_=challenge)).shown
    assert lesson.is_ephemeral
    assert "How it works · round 1 of 5" in lesson.text
    assert "Classic" not in lesson.text, "the challenge is for the game that it teaches"
    assert "round 2 of 5" in told(await ben.press("3", in_=lesson))
    await ben.press("Accept", in_=challenge)
    for person, card in ((ana, 1), (ben, 2)):
        await person.press(key(card), in_=await person.sees(awaits(1, dm=True)))
    await ana.sees(has("wins", "[Rematch]"))
    await ana.slash("/gops challenge", opponent=ben, cards=3)
    again = await ben.sees(has("challenges you", "3 cards"))
    assert [one.label for one in again.buttons] == KEYS
    cem = await scene.person("Cem")
    await ana.slash("/gops challenge", opponent=cem)
    assert (await cem.sees(has("@Cem", "challenges you"))).has_button("How it works")
    await ben.slash("/gops challenge", opponent=cem, game="pico")
    pico = await cem.sees(has("challenges you", "Pico"))
    lesson = (await cem.press("How it works", in_=pico)).shown
    assert "Pico has its own rules: press *Rules* under the challenge." in lesson.text
    assert "In one line" in told(await cem.press("Rules", in_=pico))


async def joined(scene: House, name: str, **how: bool) -> tuple[Server, Person]:
    """A new server that the bot was just invited to, and a person in it."""
    server = await scene.stage.elsewhere(name, ["hall", "games"], **how)
    person = await newcomer(scene.stage, "Dee", server)
    await scene.stage.member(server, "GOPS")
    return server, person


@pytest.mark.asyncio(loop_scope="module")
async def test_the_bot_says_hello_once_where_it_joins(scene: House) -> None:
    stage = scene.stage
    server, dee = await joined(scene, "New", greets=True)
    hello = await dee.sees(HELLO, in_="hall")
    assert [one.label for one in hello.buttons] == ["How it works", "Daily deal"]
    assert "round 1 of 5" in told(await dee.press("How it works", in_=hello))
    console = (await dee.press("Daily deal", in_=hello)).shown
    assert console.is_ephemeral
    assert "one try" in console.text
    await stage.leave(server, "GOPS")
    await stage.member(server, "GOPS")
    await scene.bot.logs("back in server")
    await scene.bot.stop()
    await scene.bot.start()
    _, later = await joined(scene, "Newer", greets=True)
    await later.sees(HELLO, in_="hall")
    await dee.slash("/gops games")
    assert len(dee.finds(HELLO)) == 1
    assert dee.screen.messages("dm") == [], "nobody gets a DM"


@pytest.mark.asyncio(loop_scope="module")
async def test_the_bot_says_nothing_where_it_may_not_or_no_channel_is_for_that(scene: House) -> None:
    stage = scene.stage
    _, eve = await joined(scene, "Quiet")
    shut = await stage.elsewhere("Shut", greets=True)
    fay = await newcomer(stage, "Fay", shut)
    await stage.deny(shut.channels[0], "GOPS", "SEND_MESSAGES")
    await stage.reset_calls()
    await stage.member(shut, "GOPS")
    await scene.bot.logs(f"could not post: {CallResult.FORBIDDEN.text}")
    assert (await stage.calls()).of(POST) == 1
    assert eve.screen.messages() == fay.screen.messages() == []


async def test_a_kill_before_the_call_leaves_it_unsaid(house: House) -> None:
    stage, bot = house.stage, house.bot
    await stage.fault("answer", POST, status=503, times=99)
    _, dee = await joined(house, "New", greets=True)
    await stage.begun(POST)
    await bot.kill()
    await stage.clear_faults()
    await bot.start()
    await dee.slash("/gops games")
    _, later = await joined(house, "Newer", greets=True)
    await later.sees(HELLO, in_="hall")
    assert dee.finds(HELLO) == []
