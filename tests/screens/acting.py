"""What people do in a scene, each a step that is written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.driver import Outcome, Person, Seen
from tests.e2e.games.table import NAMES
from tests.screens.recorder import Recording


async def people(scene: Recording, count: int) -> list[Person]:
    return [await scene.person(name) for name in NAMES[:count]]


async def press(scene: Recording, person: Person, label: str, message: Seen) -> Outcome:
    """Press what is labelled so, in the newest version of a message."""
    await scene.caught_up()
    title = f"{scene.called(person)} presses {label}"
    return await scene.step(title, person.press(label, in_=message))


async def slash(scene: Recording, person: Person, command: str, may_fail: bool = False, **options: Any) -> Outcome:
    given = "".join(f" {name}:{scene.called(one) if isinstance(one, Person) else one}" for name, one in options.items())
    doing = person.slash(f"/gops {command}", may_fail=may_fail, **options)
    return await scene.step(f"{scene.called(person)} types /gops {command}{given}", doing)


async def choose(scene: Recording, person: Person, chosen: Sequence[object], select: str, card: Seen) -> None:
    """Choose in a menu of the newest version of a card."""
    title = f"{scene.called(person)} chooses in {select}"
    await scene.step(title, person.choose(*chosen, select=select, in_=card))


async def begun(scene: Recording, host: Person, guest: Person, **options: Any) -> Seen:
    """A match of two, accepted; its board."""
    challenge = (await slash(scene, host, "challenge", opponent=guest, **options)).shown
    await press(scene, guest, "Accept", challenge)
    await scene.caught_up()
    board = host.now(challenge)
    assert board is not None
    return board


async def console(scene: Recording, person: Person) -> Seen:
    """Their console by DM, the newest one."""
    await scene.caught_up()
    return person.finds(lambda one: " against " in one.text.partition("\n")[0], in_="dm")[-1]


async def offer(scene: Recording, person: Person) -> Seen:
    """The newest message that asks them for a draw."""
    await scene.caught_up()
    return person.finds(lambda one: one.has_button("Accept draw"))[-1]


async def bid(scene: Recording, person: Person, card: str) -> Outcome:
    asked = await console(scene, person)
    key = next(one for one in asked.buttons if one.label.removeprefix("✔ ").removeprefix("• ") == card)
    assert key.custom_id
    return await scene.step(f"{scene.called(person)} presses {card}", person.press(key.custom_id, in_=asked))
