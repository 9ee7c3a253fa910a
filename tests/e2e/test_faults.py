"""What goes wrong between the bot and Discord: nothing is doubled, nothing is lost, nothing stays behind."""

import asyncio
from typing import Any

import pytest

from tests.driver import Person, Seen
from tests.e2e.house import House, awaits, code_of, has, key

pytestmark = pytest.mark.asyncio(loop_scope="module")

IN_TIME = True

FAULTS: list[dict[str, Any]] = [
    {"kind": "answer", "status": 502, "when": "before"},
    {"kind": "answer", "status": 502, "when": "after"},
    {"kind": "answer", "status": 503, "when": "after"},
    {"kind": "reset", "when": "before"},
    {"kind": "reset", "when": "after"},
    {"kind": "limit", "scope": "user", "seconds": 0.3},
    {"kind": "limit", "scope": "shared", "seconds": 0.3},
    {"kind": "limit", "scope": "global", "seconds": 0.3},
]

ROUTES = [
    "POST /interactions/*",
    "PATCH /channels/*",
    "POST /channels/*/messages",
    "POST /users/@me/channels",
    "PATCH /webhooks/*",
]


def name_of(fault: dict[str, Any]) -> str:
    return "-".join(str(part) for part in fault.values())


async def press(person: Person, label: str, message: Seen) -> None:
    """A press whose answer may be lost; what it does is done all the same."""
    await person.press(label, in_=message, may_fail=True)


@pytest.mark.parametrize("fault", FAULTS, ids=name_of)
@pytest.mark.parametrize("route", ROUTES)
async def test_match_ends_as_without_faults(scene: House, route: str, fault: dict[str, Any]) -> None:
    """One fault when the match begins, one at each seal: the match ends as if there had been none."""
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    challenge = await scene.challenge(cards=3)
    await stage.fault(route=route, **fault)
    await press(ben, "Accept", challenge)
    board = await ana.sees(has("round 1 of 3"), in_=challenge)
    for number in (1, 2):
        mine = await ana.sees(awaits(number, dm=True))
        theirs = await ben.sees(awaits(number, dm=True))
        if number == 2:
            await stage.fault(route=route, **fault)
        await press(ana, key(number), mine)
        await press(ben, key(number + 1), theirs)
    await asyncio.gather(
        ana.sees(has("[Rematch]"), in_=board),
        ana.sees(has("[Rematch]"), in_="dm"),
        ben.sees(has("[Rematch]"), in_="dm"),
    )
    assert len(ana.finds(f"#{code_of(board)}", in_=board.channel_id)) == 1
    assert len(ana.finds(f"#{code_of(board)}", in_="dm")) == 1
    assert len(ben.finds(f"#{code_of(board)}", in_="dm")) == 1


async def test_an_answer_that_came_too_late_leaves_the_token_before_it(scene: House) -> None:
    """The press counts, and its console heals by the token of the press before: its own came to nothing (10062)."""
    ana, stage = scene.ana, scene.stage
    board = await scene.match(cards=3)
    console = (await ana.press("Bid", in_=board)).shown
    await stage.settings(ack_seconds=0.3)
    await stage.fault(route="* /interactions/*", kind="answer", status=404, code=10062)
    outcome = await ana.press(key(2), in_=console, may_fail=True)
    assert outcome.failed
    await stage.settings(ack_seconds=3)
    await ana.sees(has("2 is sealed"), in_=console)
