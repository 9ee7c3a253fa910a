"""Slow answers, and messages that change while a person uses them."""

import re

import pytest
from playwright.async_api import Route, expect

from tests.page.house import House, drawer
from tests.page.scene import PIXEL, Scene
from tests.playground.raw import Clicked

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

COLOURS = [{"label": name, "value": name.lower()} for name in ("Red", "Green", "Blue")]
GO = {"type": 2, "style": 1, "label": "Go", "custom_id": "go"}


def row(*inside: object) -> dict[str, object]:
    return {"type": 1, "components": inside}


async def test_slow_answer_shows_that_the_bot_is_thinking(scene: Scene) -> None:
    await scene.post(content="a long one", components=[row(GO)])
    await (await scene.ana.sees("a long one")).get_by_role("button", name="Go").click()
    made = Clicked(scene.bot, await scene.answer(type=5, data={"flags": 64}))
    await scene.ana.sees("Bot is thinking …")
    waiting = scene.ana.messages.last
    await expect(waiting).to_contain_text("Only you can see this")
    await made.hook("PATCH", "/messages/@original", {"content": "here it is"})
    await expect(waiting).to_contain_text("here it is")
    await expect(waiting).not_to_contain_text(re.compile("thinking|edited"))


async def test_answer_that_never_comes_is_shown_as_failed(scene: Scene) -> None:
    await scene.post(content="a long one", components=[row(GO)])
    await (await scene.ana.sees("a long one")).get_by_role("button", name="Go").click()
    await scene.answer(type=5)
    await scene.ana.sees("Bot is thinking …")
    waiting = scene.ana.messages.last
    await scene.forward(901)
    await expect(waiting).to_contain_text("The application did not respond")


async def test_press_on_a_message_that_goes_meanwhile_says_why_nothing_came_of_it(scene: Scene) -> None:
    message = await scene.post(content="a board", components=[row(GO)])
    pane = scene.ana.pane

    async def delete_first(route: Route) -> None:
        await scene.bot.call("DELETE", f"/channels/{scene.channel}/messages/{message}")
        await expect(pane.get_by_text("a board")).to_have_count(0)
        await route.continue_()

    await scene.ana.page.route("**/press", delete_first, times=1)  # else it stays for the next test of this window
    await (await scene.ana.sees("a board")).get_by_role("button", name="Go").click()
    await expect(pane.get_by_text("Ana sees no message")).to_be_visible()


async def test_typing_notice_shows_until_the_message(scene: Scene) -> None:
    told = await scene.bot.call("POST", f"/channels/{scene.channel}/typing")
    assert told.status == 204
    typing = scene.ana.pane.get_by_text("Bot is typing …")
    await expect(typing).to_be_visible()
    await scene.post(content="done")
    await expect(typing).to_be_hidden()


async def test_open_list_stays_open_when_its_message_is_edited(scene: Scene) -> None:
    pick = {"type": 3, "custom_id": "many", "placeholder": "Pick some", "options": COLOURS, "max_values": 3}
    message = await scene.post(content="first", components=[row(pick)])
    one = await scene.ana.sees("first")
    await one.get_by_role("combobox").click()
    await one.get_by_role("option", name="Red").click()
    await scene.bot.call("PATCH", f"/channels/{scene.channel}/messages/{message}", {"content": "second"})
    one = await scene.ana.sees("second")
    await expect(one.get_by_role("option", name="Red")).to_have_attribute("aria-selected", "true")
    await one.get_by_role("option", name="Blue").click()
    await scene.ana.page.keyboard.press("Tab")
    assert (await scene.answer(type=6))["data"]["values"] == ["red", "blue"]

    await one.get_by_role("combobox").click()
    await scene.bot.call(
        "PATCH", f"/channels/{scene.channel}/messages/{message}", {"content": "gone", "components": []}
    )
    await expect(scene.ana.pane.get_by_role("listbox")).to_have_count(0)


async def test_reload_loses_only_ephemerals(scene: Scene) -> None:
    await scene.post(content="for everybody", components=[row(GO)])
    await (await scene.ana.sees("for everybody")).get_by_role("button", name="Go").click()
    made = Clicked(scene.bot, await scene.answer(type=4, data={"content": "for Ana", "flags": 64}))
    await scene.ana.sees("for Ana")
    await scene.ana.page.reload()
    await scene.ana.sees("for everybody")
    await expect(scene.ana.messages).to_have_count(1)
    # The bot can still edit it; the client that lost it does not get it back by that.
    assert (await made.hook("PATCH", "/messages/@original", {"content": "for Ana, again"})).status == 200
    await scene.post(content="the last")
    await scene.ana.sees("the last")
    await expect(scene.ana.messages).to_have_count(2)


async def test_ephemerals_stay_when_the_connection_breaks(scene: Scene) -> None:
    await scene.post(content="for everybody", components=[row(GO)])
    await (await scene.ana.sees("for everybody")).get_by_role("button", name="Go").click()
    await scene.answer(type=4, data={"content": "for Ana", "flags": 64})
    await scene.ana.sees("for Ana")
    async with scene.ana.page.expect_websocket(lambda one: "/people/" in one.url):
        scene.playground.feeds.stop()
    await scene.post(content="by the way")
    await scene.ana.sees("by the way")
    await expect(scene.ana.messages).to_have_count(3)


async def test_picture_can_be_opened_and_closed(scene: Scene) -> None:
    body = """{"flags": 32768, "components": [{"type": 10, "content": "a picture"}, {"type": 12, "items": [
      {"media": {"url": "attachment://a.png"}, "description": "a chart of something"}]}],
      "attachments": [{"id": 0, "filename": "a.png"}]}"""
    await scene.post_files(body, a_png=PIXEL)
    one = await scene.ana.sees("a picture")
    await one.get_by_role("img", name="a chart of something").click()
    shown = scene.ana.page.get_by_role("dialog", name="a chart of something")
    await expect(shown.get_by_role("img")).to_be_visible()
    await shown.get_by_role("button", name="Close").click()
    await expect(shown).to_have_count(0)


async def test_faults_of_the_drawer_are_shown_logged_and_cleared(house: House) -> None:
    """A fault is shown as Discord shows it."""
    ana, _ = await house.pair()
    tools = await drawer(ana.page)
    await expect(tools).to_contain_text("Everything works.")
    await tools.get_by_role("button", name="Slow").click()
    await expect(tools).to_contain_text("Waiting: slow answers")
    await ana.composer.click()
    await ana.type("/gops games \n")
    await expect(ana.pane.get_by_text("Sending to GOPS …")).to_be_visible()
    await ana.sees("used /gops games")
    await tools.get_by_role("button", name="All is well").click()
    await expect(tools).to_contain_text("Everything works.")
    called = tools.get_by_role("row").filter(has_text="POST /interactions/…/…/callback")
    await expect(called.first).to_contain_text("free")
    await expect(tools).to_contain_text(re.compile(r"\d+ counted, [1-9]\d* free, 0 refused"))


async def test_pressed_button_stays_until_it_is_released(scene: Scene) -> None:
    """A click is lost if its button is redrawn or moves between press and release."""
    board = await scene.post(content="one has sealed", components=[row(GO)])
    below = await scene.post(content="a line below")
    ana, path = scene.ana, f"/channels/{scene.channel}"
    await ana.sees("a line below")
    await ana.messages.get_by_role("button", name="Go").hover()
    await ana.page.mouse.down()
    await scene.bot.call("PATCH", f"{path}/messages/{board}", {"content": "both have sealed"})
    await scene.bot.call("DELETE", f"{path}/messages/{below}")
    await scene.post(content="a new line\n" * 99)
    await scene.bot.call("POST", f"{path}/typing")
    [me] = [one.id for one in scene.playground.core.world.users.values() if one.name == "Ana"]
    dm = await scene.bot.call("POST", "/users/@me/channels", {"recipient_id": str(me)})
    await scene.bot.call("POST", f"/channels/{dm.body['id']}/messages", {"content": "a word in private"})
    await expect(ana.pane.get_by_role("status")).to_contain_text("a word in private")  # so all of that has come
    await ana.page.mouse.up()
    assert (await scene.answer(type=6))["data"]["custom_id"] == "go"
    await ana.sees("both have sealed")
    await ana.sees("a new line")
    await expect(ana.messages.filter(has_text="a line below")).to_have_count(0)


async def test_release_beside_a_button_draws_the_held_messages(scene: Scene) -> None:
    await scene.post(content="first", components=[row(GO)])
    await (await scene.ana.sees("first")).get_by_role("button", name="Go").hover()
    await scene.ana.page.mouse.down()
    await scene.ana.page.mouse.move(5, 5)
    await scene.ana.page.mouse.up()
    await scene.post(content="second")
    await (await scene.ana.sees("second")).hover()
    await scene.ana.page.mouse.down()  # what cannot be pressed holds up nothing
    await scene.post(content="third")
    await scene.ana.sees("third")
