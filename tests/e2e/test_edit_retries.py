"""A drawing that Discord did not take at once is drawn anew before the next try: nothing goes back to what it was."""

from typing import Any

import pytest

from tests.driver import Person, Refused, Seen
from tests.e2e.house import House, awaits, has, key

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.by_http]

ANNOUNCES = True

FAULTS: list[dict[str, Any]] = [
    {"kind": "answer", "status": 502, "when": "after"},
    {"kind": "answer", "status": 502, "when": "before"},
    {"kind": "answer", "status": 500, "when": "before"},
    {"kind": "limit", "scope": "user", "seconds": 1.0},
    {"kind": "slow", "seconds": 1.5, "when": "before"},
]


async def to_press(person: Person) -> Seen:
    """The console as it arrives: plain, until its keys are drawn."""
    arrived = await person.sees(lambda one: one.has_button("Open console") or awaits(1, dm=True)(one), in_="dm")
    if not arrived.has_button("Open console"):
        return arrived
    try:
        return (await person.press("Open console", in_=arrived)).shown
    except Refused:  # its keys came in that moment
        return await person.sees(awaits(1, dm=True))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: "-".join(map(str, fault.values())))
async def test_the_first_drawing_of_a_console(scene: House, fault: dict[str, Any]) -> None:
    """It is pressed before that is done or repeated; what it has come to stays."""
    ana, ben, stage = scene.ana, scene.ben, scene.stage
    await stage.fault(route="PATCH /channels/*", times=2, **fault)
    board = await scene.match(cards=4)
    mine, theirs = await to_press(ana), await to_press(ben)
    await ana.press(key(1), in_=mine)
    await ana.sees(has("✔ has bid"), in_=board)  # two seconds later: a repeat would be there by now
    for person, console, says in ((ana, mine, "**A is sealed.**"), (ben, theirs, "Your turn")):
        now = person.now(console)
        assert now is not None
        assert has("round 1 of 4", says)(now), now.text
