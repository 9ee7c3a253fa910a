"""Whatever is typed into whichever option: a sentence comes back, never a failure. Options are found, not listed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest

from tests.conftest import ROOT, discord_side_files
from tests.driver import Person
from tests.driver.link import Refused
from tests.e2e.house import House, awaits, code_of, told
from tests.e2e.test_settings import moderator

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT, WHOLE, SWITCH, USER, ATTACHMENT = 3, 4, 5, 6, 11

NASTY = (
    "\u202e\u200b||*<@1>* @everyone [a](https://x.invalid) `'; DROP TABLE matches;--",
    '{"schema": NaN, "deals": [[[[[[' + "9" * 900,
)
EDGES = (-(2**53) + 1, 2**53 - 1)

FAILED = ("Something went wrong", "Code")


def leaves(commands: list[Any], name: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Every slash command with its options."""
    for one in commands:
        if one.get("type", 1) not in (1, 2):  # menus have no options
            continue
        path, options = f"{name} {one['name']}".strip(), one.get("options") or []
        if any(option["type"] in (1, 2) for option in options):
            yield from leaves(options, path)
        elif name:
            yield f"/{path}", options


def needed(options: list[Any], scene: House) -> dict[str, Any]:
    """Something sound for everything that has to be given."""
    sound: dict[int, Any] = {TEXT: "A", WHOLE: 2, SWITCH: True, USER: scene.ben}
    return {
        one["name"]: one["choices"][0]["value"] if one.get("choices") else sound[one["type"]]
        for one in options
        if one.get("required") and one["type"] in sound
    }


def hostile(option: Any) -> tuple[Any, ...]:
    if option.get("choices"):
        return ()
    return {TEXT: NASTY, WHOLE: EDGES}.get(option["type"], ())


async def test_every_option_of_every_command(scene: House) -> None:
    mod = await moderator(scene)
    found = list(leaves(await mod.commands()))
    tried = 0
    for command, options in found:
        for option in options:
            for value in hostile(option):
                given: dict[str, Any] = {**needed(options, scene), option["name"]: value}
                try:
                    outcome = await mod.slash(command, may_fail=True, **given)
                except Refused:  # Discord itself lets nobody send that
                    continue
                tried += 1
                assert not outcome.failed, (command, given)
                if outcome.message is not None:
                    assert not any(word in told(outcome) for word in FAILED), (command, given)
    assert tried > 40, "the options are found"
    assert scene.bot.trouble() == []


async def test_nobody_needs_a_server_for_what_is_theirs(scene: House) -> None:
    """In a DM everything is answered: by what was asked for, or by why it is not here."""
    await scene.match(cards=3)
    await scene.ana.sees(awaits(1, dm=True))
    ana: Person = scene.ana
    assert "Your preferences" in told(await ana.slash("/gops preferences", in_="dm"))
    assert "everything I store about you" in told(await ana.slash("/gops privacy export", in_="dm"))
    assert "live match" in told(await ana.slash("/gops privacy delete", in_="dm"))
    for command in ("history", "profile", "leaderboard", "replay", "verify", "settings stop"):
        given: dict[str, Any] = {"match": "K7Q2"} if command == "settings stop" else {}
        answer = told(await ana.slash(f"/gops {command}", in_="dm", **given))
        assert answer, command
        assert not any(word in answer for word in FAILED), command
    assert scene.bot.trouble() == []


FORMS = {"cogs/server/settings.py", "cogs/server/moderating.py"}
"""modules that open forms; each is opened below"""


def fields(node: Any) -> Iterator[Any]:
    """Every field of a form that text is typed into."""
    if isinstance(node, dict):
        one: dict[str, Any] = cast("dict[str, Any]", node)
        if one.get("type") == 4 and "custom_id" in one:
            yield one
        for value in one.values():
            yield from fields(value)
    elif isinstance(node, list):
        for value in cast("list[Any]", node):
            yield from fields(value)


async def test_buttons_open_only_the_listed_forms() -> None:
    opens = {
        str(path.relative_to(ROOT))
        for path in discord_side_files()
        if re.search(r"\bModal\((?!\.)", path.read_text(encoding="utf-8")) and "ui/" not in str(path)
    }
    assert opens == FORMS


async def test_every_field_of_every_form(scene: House) -> None:
    mod = await moderator(scene)
    code = code_of(await scene.match(cards=3))
    card, bands = (await mod.slash("/gops settings show")).shown, (await mod.slash("/gops settings show")).shown
    await mod.press("Seasons", in_=bands)
    await mod.press("Roles by rating", in_=bands)
    role = await scene.stage.role(scene.server, "Gold")

    async def opened(which: int) -> Any:
        if which == 0:
            return await mod.press("Rules and limits", in_=card)
        if which == 1:
            return await mod.choose(role, select="A role, to set its rating", in_=bands)
        return await mod.slash("/gops settings decide", match=code)

    tried = 0
    # The last one is taken as a reason.
    for which, value in ((0, NASTY[0]), (0, NASTY[1]), (1, NASTY[0]), (1, NASTY[1]), (2, NASTY[0])):
        for number in range(len(list(fields((await opened(which)).modal["components"])))):
            form = await opened(which)
            one = list(fields(form.modal["components"]))[number]
            text = value[: one.get("max_length", 4000)]
            outcome = await mod.submit(form, may_fail=True, **{one["custom_id"]: text, **sound(form, one)})
            tried += 1
            assert not outcome.failed, one
            if outcome.message is not None:
                assert not any(word in told(outcome) for word in FAILED), one
    assert tried >= 7
    assert scene.bot.trouble() == []


def sound(opened: Any, beside: Any) -> dict[str, str]:
    """What stands in the other fields already, or something."""
    others = [one for one in fields(opened.modal["components"]) if one["custom_id"] != beside["custom_id"]]
    return {one["custom_id"]: one.get("value") or "3" for one in others}
