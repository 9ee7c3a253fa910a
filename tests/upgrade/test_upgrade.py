"""The bot starts on what an older one left, and every button of every message is pressed by everybody who sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.playground.driver import Outcome, Person, Seen, Server
from bot.playground.driver.stage import Channel
from tests.e2e.house import plain
from tests.screens.recorder import AT_ONCE, Recording, Studio, compare, studio
from tests.upgrade.kept import DATABASE, DISCORD, read_database, read_discord
from tests.upgrade.make import LEFT

AWAY = 20.0
"""seconds that the bot was away for"""

LOOKS = (
    "Cards",
    "Sheet",
    "Rules",
    "More",
    "Verify",
    "As a grid",
    "◀ Earlier",
    "Later ▶",
    "◀ Back",
    "Next ▶",
    "My place",
)
"""what changes nothing, and is pressed before anything else is"""

KEYS = tuple(f"g1:{verb}:" for verb in ("co", "cm", "cs", "cc", "pk"))
"""how the ids of a console's cards begin, which go before what may end their match"""

TROUBLE = ("Something failed on my side", "This interaction failed", "That button is out of date")

WORKED = {
    "forwards": {
        "Accept": "· round 1 of 13",
        "Bid": "Press a card to seal it.",
        "Forget it": "Nothing changed.",
        "Join": "You already sit at this table.",
        "Leave": "Seats 1 of",
        "Offer draw": "Your offer stands",
        "Open a table": "opens a table: **Gops for three**",
        "Pick": "#8WV8 against Cem",
        "Practise this": "against Sly (house)",
        "Rematch": "challenges you",
        "Resign": "Done. You resigned",
        "Review": "· review",
        "Send the challenge": "5 minutes a bid",
        "Start now": "round 1",
        "Verify": "? This match began under version 1 of the proof.",
        "Withdraw": "withdrew the challenge.",
    },
    "backwards": {
        "Close": "The table closed.",
        "Decline": "declined",
        "Decline draw": "Ana and Ben · round 3 of 13",
        "Keep playing": "Nothing changed.",
        "Not now": "Nothing changed.",
        "Withdraw": "withdrew the challenge.",
    },
}
"""what came, at least once, of a press on each of these: they still do their work"""


@pytest.mark.parametrize("order", WORKED)
@pytest.mark.parametrize("left", sorted(one.name for one in LEFT.iterdir()))
@pytest.mark.usefixtures("kernels")
async def test_everything_lives_on(tmp_path: Path, left: str, order: str) -> None:
    read_database(LEFT / left / DATABASE, tmp_path / "gops.sqlite3")

    def furnish(playground: Any) -> None:
        (tmp_path / "clock").write_text("0", encoding="utf-8")
        offset = read_discord(playground.core, LEFT / left / DISCORD)
        (tmp_path / "clock").write_text(f"{offset + AWAY}\n", encoding="utf-8")

    async with studio(tmp_path, furnish) as made:
        await made.ask("seed", "upgrade")
        with Recording(made, left, await the_server(made)) as scene:
            await everybody(scene)
            told = await press_everything(scene, order)
    compare(LEFT / left / f"{order}.txt", "\n\n".join("\n".join(one) for one in told) + "\n", {})
    for button, words in WORKED[order].items():
        came = ["\n".join(one[1:]) for one in told if f" presses {button} on " in one[0]]
        assert any(words in one for one in came), (button, words, came)


async def the_server(made: Studio) -> Server:
    raw = next(one for one in (await made.stage.world())["servers"] if one["name"] == "Club")
    return Server(raw["id"], raw["name"], tuple(Channel(one["id"], one["name"]) for one in raw["channels"]))


async def everybody(scene: Recording) -> None:
    """Who there was, at their clients again."""
    stage, core = scene.studio.stage, scene.studio.core
    for user in core.world.users.values():
        if not user.is_bot and user.display in ("Ana", "Ben", "Cem", "Dee"):
            raw = {"id": str(user.id), "username": user.name}
            stage.names[raw["id"]] = user.display
            person = Person(stage.link, raw, stage.names, stage.patience)
            await person.arrive()
            person.place = scene.server.channels[0].id
            scene.knows(person, user.display)


async def press_everything(scene: Recording, order: str) -> list[list[str]]:
    """What came of every press, on every message that was there at the start."""
    await scene.studio.settle()
    await scene.caught_up()
    step = 1 if order == "forwards" else -1
    left = {person: person.screen.messages() for person in [*scene.people.values()][::step]}
    ids = sorted({one.id for messages in left.values() for one in messages}, key=int)
    told: list[list[str]] = []
    for id in ids if order == "forwards" else ():  # before somebody leaves the table
        for person, messages in left.items():
            told += [
                one
                for message in messages
                if message.id == id and message.has_button("Start now") and "Vultures" in message.text
                for one in await press_all(scene, person, message, 2, step, only="Start now")
            ]
    for stage in (0, 1, 2) if order == "forwards" else (2, 1):
        for id in ids:
            for person, messages in left.items():
                message = next((one for one in messages if one.id == id), None)
                if message is not None:
                    told += await press_all(scene, person, message, stage, step)
    return told


def stage_of(label: str, id: str) -> int:
    """When it is pressed."""
    return 0 if label in LOOKS else 1 if id.startswith(KEYS) else 2


async def press_all(
    scene: Recording, person: Person, message: Seen, stage: int, step: int, only: str = ""
) -> list[list[str]]:
    told: list[list[str]] = []
    where = f"on {scene.numbered(message)}, {heading(scene, message)}"
    for button in message.buttons[::step]:
        id = button.custom_id
        wanted = button.label == only if only else stage_of(button.label, id or "") == stage
        if id and not button.disabled and wanted:
            came = await pressed(scene, person, message, id)
            told += [[f"# {scene.called(person)} presses {button.label} {where}", *came]] if came else []
    for select in message.selects if stage == 2 and not only else ():
        came = await chosen(scene, person, message, select.custom_id)
        told += [[f"# {scene.called(person)} chooses in {select.placeholder} {where}", *came]] if came else []
    return [[scene.plain(line) for line in one] for one in told]


async def pressed(scene: Recording, person: Person, message: Seen, id: str) -> list[str]:
    """What came of it; nothing where it cannot be pressed any more."""
    await scene.caught_up()
    now = person.now(message)
    if now is None or not now.has_button(id):
        return []
    return await came_of(scene, person, await person.press(id, in_=now, may_fail=True))


async def chosen(scene: Recording, person: Person, message: Seen, id: str) -> list[str]:
    await scene.caught_up()
    now = person.now(message)
    if now is None or id not in [one.custom_id for one in now.selects if not one.disabled]:
        return []
    value = now.select(id).options[-1][1]
    return await came_of(scene, person, await person.choose(value, select=id, in_=now, may_fail=True))


async def came_of(scene: Recording, person: Person, outcome: Outcome) -> list[str]:
    """What the one who pressed reads, in short."""
    assert not outcome.failed
    announced = outcome.message is not None and outcome.message.is_loading
    await scene.studio.settle(skip=0 if announced else AT_ONCE)  # a review is worked out by another process
    await scene.caught_up()
    shown = outcome.message and person.now(outcome.message)
    if shown is None:
        return ["no message"]
    text = plain(shown.text)
    assert not any(one in text for one in TROUBLE), text
    lines = [line.removeprefix("┃ ") for line in text.split("\n")]
    return lines[:6] if shown.is_v2 else lines


def heading(scene: Recording, message: Seen) -> str:
    return scene.plain(plain(message.text)).partition("\n")[0].removeprefix("┃ ").removeprefix("### ")[:60]
