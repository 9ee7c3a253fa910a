"""A command is written: completed, explained, and refused where it does not fit, before anything is sent."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.page.scene import Scene

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

COLOURS = [{"name": "Deep red", "value": "r"}, {"name": "Sky: blue", "value": "b"}]
OPTIONS = [
    {"name": "who", "type": 6, "description": "Somebody", "required": True},
    {"name": "count", "type": 4, "description": "How many", "min_value": 2, "max_value": 9},
    {"name": "share", "type": 10, "description": "How much", "min_value": 0},
    {"name": "sure", "type": 5, "description": "Whether it is so"},
    {"name": "colour", "type": 3, "description": "Which one", "choices": COLOURS},
    {"name": "word", "type": 3, "description": "A word", "min_length": 3, "max_length": 5},
    {"name": "paper", "type": 11, "description": "A file"},
    {"name": "free", "type": 3, "description": "Anything", "autocomplete": True},
]


async def registered(scene: Scene, *more: dict[str, Any]) -> list[str]:
    """The command is there, and maybe more; what the page posts from now on."""
    body = [{"name": "try", "description": "Try it", "options": OPTIONS}, *more]
    told = await scene.bot.call("PUT", f"/applications/{scene.bot.id}/commands", body)
    assert told.status == 200, told.body
    posted: list[str] = []
    scene.ana.page.on("request", lambda one: posted.append(one.url) if one.method == "POST" else None)
    return posted


def field(scene: Scene, name: str) -> Locator:
    return scene.ana.pane.get_by_label(re.compile(f"^{name}: "))


def given(made: dict[str, Any]) -> dict[str, Any]:
    return {one["name"]: one["value"] for one in made["data"]["options"]}


async def write(scene: Scene, text: str) -> None:
    await scene.ana.composer.click()
    await scene.ana.page.keyboard.insert_text(text)
    await scene.ana.page.keyboard.press("Enter")


async def test_command_with_a_wrong_option_is_never_sent(scene: Scene) -> None:
    posted = await registered(scene)
    refused = scene.ana.pane.locator(".refused")
    wrong = {
        "who:Nobody": '"who" takes nothing called Nobody.',
        "who:Ana count:10": '"count" must be between 2 and 9.',
        "who:Ana count:many": '"count" must be a number.',
        "who:Ana count:2.5": '"count" must be a whole number.',
        "who:Ana share:-1": '"share" must be at least 0.',
        "who:Ana sure:perhaps": '"sure" must be True or False.',
        "who:Ana colour:blue": '"colour" must be one of: Deep red, Sky: blue.',
        "who:Ana word:ab": '"word" takes 3 to 5 characters.',
    }
    for text, sentence in wrong.items():
        await write(scene, f"/try {text}")
        await expect(refused).to_have_text(sentence)
        name = sentence.split('"')[1]
        await expect(field(scene, name)).to_have_attribute("aria-invalid", "true")
        await expect(field(scene, name)).to_be_focused()
        while await field(scene, "who").count():  # a list that is open goes first
            await scene.ana.page.keyboard.press("Escape")
    await scene.ana.composer.click()
    await scene.ana.type("/try ")
    for key in ("Escape", "Enter"):
        await scene.ana.page.keyboard.press(key)
    await expect(refused).to_have_text('"who" is required.')
    assert posted == []


KNOWN = "it has who, count, share, sure, colour, word, paper, free."
"""how a refusal ends that names the options"""


@pytest.mark.parametrize("keys", [False, True], ids=["pasted", "key by key"])
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("/open players:3", '/open has no option "players"; it has seats, game.'),
        ("/open seats:3 players:3", '/open has no option "players"; it has seats, game.'),
        ("/try Ana players:3", f'/try has no option "players"; {KNOWN}'),
        ("/try Ana count:7 players:3", f'/try has no option "players"; {KNOWN}'),
        ("/try Ana free:a players:3 count:7", f'/try has no option "players"; {KNOWN}'),
        ("/bare players:3", '/bare has no option "players"; it has none.'),
    ],
)
async def test_unknown_option_is_named_and_never_sent(scene: Scene, text: str, sentence: str, keys: bool) -> None:
    seats, game = {**OPTIONS[1], "name": "seats"}, {**OPTIONS[5], "name": "game"}
    bare = {"name": "bare", "description": "Do it"}
    posted = await registered(scene, {"name": "open", "description": "Open it", "options": [seats, game]}, bare)
    if keys:
        await scene.ana.composer.click()
        await scene.ana.type(f"{text}\n")
    else:
        await write(scene, text)
    await expect(scene.ana.pane.locator(".refused")).to_have_text(sentence)
    assert [one for one in posted if not one.endswith("/autocomplete")] == []


async def test_a_colon_in_a_value_on_offer_names_no_option(scene: Scene) -> None:
    await registered(scene)
    await write(scene, "/try Ana colour:sky: blue word:a:b")
    made = await scene.answer(type=4, data={"content": "done", "flags": 64})
    assert {name: value for name, value in given(made).items() if name != "who"} == {"colour": "b", "word": "a:b"}


async def test_what_is_written_behind_all_options_is_never_dropped(scene: Scene) -> None:
    """Where the options that are left are offered; once it is removed, the command is sent."""
    posted, refused = await registered(scene), scene.ana.pane.locator(".refused")
    await scene.ana.composer.click()
    await scene.ana.type("/try Ana count:7")
    rest = scene.ana.pane.locator(".rest")
    for written, sentence in (
        ("players:3", f'/try has no option "players"; {KNOWN}'),
        ("three", f'/try has no option "three"; {KNOWN}'),
        ("count:8", '"count" is given twice.'),
    ):
        await rest.fill(written)
        await rest.press("Enter")
        await expect(refused).to_have_text(sentence)
        await expect(rest).to_have_value(written)
    assert posted == []
    await rest.fill("")
    await expect(refused).to_be_hidden()
    await rest.press("Escape")
    await rest.press("Enter")
    made = await scene.answer(type=4, data={"content": "done", "flags": 64})
    assert given(made)["count"] == 7


async def test_pasted_line_fills_the_fields(scene: Scene) -> None:
    await registered(scene)
    await write(scene, "/try @Ana count:7 share:0.5 sure:true colour:deep red word:abcd free:a b")
    made = await scene.answer(type=4, data={"content": "done", "flags": 64})
    ana = next(iter(made["data"]["resolved"]["users"]))
    assert given(made) == {
        "who": ana,
        "count": 7,
        "share": 0.5,
        "sure": True,
        "colour": "r",
        "word": "abcd",
        "free": "a b",
    }
    await scene.ana.sees("done")
    await expect(scene.ana.composer).to_have_value("")


async def test_command_is_sent_by_enter_while_its_options_load(scene: Scene) -> None:
    await registered(scene)
    await scene.ana.composer.click()
    await scene.ana.type("/try Ana count:7 share:0.5 free:a")
    await expect(scene.ana.pane.get_by_text("Loading options …")).to_be_visible()
    await scene.ana.page.keyboard.press("Enter")
    while (await scene.made())["type"] != 2:
        pass  # completions


async def test_line_typed_key_by_key_needs_no_tab(scene: Scene) -> None:
    """The name of an option and a colon end the value before it, as in Discord."""
    await registered(scene)
    await scene.ana.composer.click()
    await scene.ana.type("/try Ana count:7 share:0.5 word:ab:cd free:a count:b")
    await expect(field(scene, "who")).to_have_value("Ana")
    await expect(field(scene, "free")).to_have_value("a count:b")
    await scene.ana.page.keyboard.press("Enter")
    made = await scene.made()
    while made["type"] != 2:  # completions of the last option come before the command
        made = await scene.made()
    assert len(made["data"]["resolved"]["users"]) == 1
    assert {name: value for name, value in given(made).items() if name != "who"} == {
        "count": 7,
        "share": 0.5,
        "word": "ab:cd",
        "free": "a count:b",
    }


async def test_file_is_sent_with_the_command(scene: Scene) -> None:
    await registered(scene)
    await scene.ana.composer.click()
    await scene.ana.type("/try Ana\npaper:")
    await field(scene, "paper").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"hello"})
    await field(scene, "paper").press("Enter")
    made = await scene.answer(type=4, data={"content": "read", "flags": 64})
    (kept,) = made["data"]["resolved"]["attachments"].values()
    assert (kept["filename"], kept["size"]) == ("a.txt", 5)
    async with scene.bot.session.get(kept["url"]) as answer:
        assert await answer.read() == b"hello"


async def test_option_fields_show_descriptions_and_limits(scene: Scene) -> None:
    await registered(scene)
    await scene.ana.composer.click()
    await scene.ana.type("/try ")
    hint = scene.ana.pane.locator(".hint")
    await expect(hint).to_have_text("who Somebody")
    await expect(scene.ana.pane.locator(".field").filter(has_text="who")).to_contain_text("*")
    await expect(field(scene, "who")).to_have_attribute("aria-required", "true")
    await scene.ana.type("Ana\ncount:")
    await expect(hint).to_have_text("count How many · 2 to 9")
    await expect(scene.ana.pane.locator(".field").filter(has_text="count")).not_to_contain_text("*")
    # The fault shows as soon as the person goes on, and disappears as soon as the value fits.
    await scene.ana.type("1")
    await scene.ana.page.keyboard.press("Tab")
    await expect(scene.ana.pane.locator(".refused")).to_have_text('"count" must be between 2 and 9.')
    await field(scene, "count").fill("3")
    await expect(scene.ana.pane.locator(".refused")).to_be_hidden()


async def test_late_completion_replaces_the_loading_notice(scene: Scene) -> None:
    await registered(scene)
    await scene.ana.composer.click()
    await scene.ana.type("/try Ana\nfree:x")
    offered = scene.ana.pane.get_by_role("option")
    await expect(offered).to_have_text(["Loading options …"])
    made = await scene.answer(type=8, data={"choices": [{"name": "Xylophone", "value": "xyl"}]})
    while not any(one.get("focused") and one["value"] == "x" for one in made["data"]["options"]):
        made = await scene.answer(type=8, data={"choices": [{"name": "Xylophone", "value": "xyl"}]})
    await expect(offered).to_have_text(["Xylophone"])
    await scene.ana.page.keyboard.press("Enter")
    await scene.ana.page.keyboard.press("Enter")
    made = await scene.answer(type=4, data={"content": "ok"})
    assert given(made)["free"] == "xyl"
