"""Answers that take long: announced, and then there once, whatever goes wrong on the way, and for the right eyes."""

import asyncio
from typing import Any

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, has, key

pytestmark = pytest.mark.asyncio(loop_scope="module")

IN_TIME = True

MEMBER = "GET /guilds/*/members/*"
"""what a rematch asks Discord for, before it is answered"""

LOST: list[dict[str, Any]] = [
    {"kind": "answer", "status": 502, "when": "after"},
    {"kind": "reset", "when": "after"},
    {"kind": "reset", "when": "before"},
]


async def finished(scene: House) -> Seen:
    """The result of a short match."""
    board = await scene.match(cards=2)
    for person, card in ((scene.ana, 1), (scene.ben, 2)):
        await person.press(key(card), in_=await person.sees(awaits(1, dm=True)))
    return await scene.ana.sees(lambda now: now.id == board.id and now.has_button("Rematch"))


def challenges(person: Person) -> list[Seen]:
    return person.finds(has("challenges you"))


@pytest.mark.parametrize("fault", LOST, ids=lambda fault: "-".join(map(str, fault.values())))
@pytest.mark.parametrize("route", ["* /webhooks/*", "POST /interactions/*"])
async def test_a_message_that_was_announced_is_there_once(scene: House, route: str, fault: dict[str, Any]) -> None:
    """A button whose answer is a message of its own, with a call of that answer lost."""
    ana, ben = scene.ana, scene.ben
    result = await finished(scene)
    await scene.stage.fault("slow", MEMBER, seconds=2.2)
    await scene.stage.fault(route=route, **fault)
    await ana.press("Rematch", in_=result, may_fail=True)
    asked = await ben.sees(has("challenges you", ephemeral=False))
    await ben.press("Accept", in_=asked)
    await ana.sees(has("round 1 of 2"), in_=asked)
    assert challenges(ana) == challenges(ben) == []


@pytest.mark.parametrize("fault", LOST, ids=lambda fault: "-".join(map(str, fault.values())))
async def test_answer_that_comes_too_late_for_discord_was_announced_though_that_call_was_lost(
    scene: House, fault: dict[str, Any]
) -> None:
    result = await finished(scene)
    await scene.stage.fault("slow", MEMBER, seconds=3.5)
    await scene.stage.fault(route="POST /interactions/*", **fault)
    await scene.ana.press("Rematch", in_=result, may_fail=True)
    await scene.ben.sees(has("challenges you", ephemeral=False))


async def test_a_slow_challenge_is_seen_by_who_is_challenged(scene: House) -> None:
    """By button and by command; nothing private becomes of it because it took long."""
    result = await finished(scene)
    await scene.stage.fault("slow", MEMBER, seconds=2.2)
    await scene.ana.slash("/gops rematch", may_fail=True)
    asked = await scene.ben.sees(has("challenges you", ephemeral=False))
    assert asked.channel_id == result.channel_id


async def test_a_slow_refusal_stays_private(scene: House) -> None:
    """What was announced for everybody goes, and only who pressed is told why."""
    ana, ben = scene.ana, scene.ben
    result = await finished(scene)
    cem = await scene.person("Cem")
    await scene.stage.leave(scene.server, ben)
    await scene.stage.fault("slow", MEMBER, seconds=2.2)
    await ana.press("Rematch", in_=result, may_fail=True)
    told = await ana.sees(has("has left this server, so there is no rematch", ephemeral=True))
    assert told.channel_id == result.channel_id
    await cem.sees_no(lambda now: now.id != result.id)


async def test_a_result_does_not_come_below_what_was_asked_while_its_answer_took_long(scene: House) -> None:
    ana = scene.ana
    await finished(scene)
    result = await ana.sees(lambda seen: seen.has_button("Rematch"), in_="dm")
    await scene.stage.reset_calls()
    await scene.stage.fault("slow", "POST /interactions/*", seconds=2.2)
    pressed = asyncio.create_task(ana.press("More", in_=result))
    await scene.stage.begun("POST /interactions/*")
    games = (await ana.slash("/gops games", in_="dm")).shown
    await pressed
    await ana.slash("/gops games", in_="dm")
    assert ana.now(result) is not None
    assert not ana.finds(lambda seen: int(seen.id) > int(games.id) and seen.has_button("Rematch"), in_="dm")
