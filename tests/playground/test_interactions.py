"""Callbacks and tokens: in time, once, of the right type, and with access to the right messages."""

import asyncio
from typing import Any

import pytest
import pytest_asyncio

from bot.playground.server import Playground
from bot.playground.world import event as ev
from tests.driver import Outcome, Person, Refused, Server, Stage
from tests.playground.raw import Clicked, RawBot, both

pytestmark = pytest.mark.asyncio(loop_scope="module")

EPHEMERAL = 64
BUTTON = {"type": 1, "components": [{"type": 2, "style": 1, "label": "go", "custom_id": "go"}]}
MODAL = {
    "custom_id": "m",
    "title": "A modal",
    "components": [
        {"type": 1, "components": [{"type": 4, "custom_id": "name", "label": "Name", "style": 1}]},
    ],
}


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _commands(raw: RawBot) -> None:
    place = {"name": "to", "description": "To", "type": 3, "autocomplete": True}
    commands: list[Any] = [
        {"name": "go", "description": "Go", "options": [place], "integration_types": [0, 1]},
        {"name": "look", "type": 2},
    ]
    await raw.call("PUT", f"/applications/{raw.id}/commands", commands)


async def typed(person: Person, raw: RawBot) -> tuple[Clicked, "asyncio.Task[Outcome]"]:
    """A slash command on its way, in the hands of the bot."""
    acting = asyncio.create_task(person.slash("/go", may_fail=True))
    return await raw.interaction(), acting


async def posted(person: Person, raw: RawBot, **data: Any) -> Clicked:
    """A slash command answered with a message that has a button."""
    clicked, acting = await typed(person, raw)
    told = await clicked.answer(4, {"content": "here", "components": [BUTTON], **data})
    assert told.status == 200, told.body
    await acting
    return clicked


async def pressed(person: Person, raw: RawBot) -> tuple[Clicked, "asyncio.Task[Outcome]"]:
    await person.sees(lambda one: one.has_button("go"))
    acting = asyncio.create_task(person.press("go", may_fail=True))
    return await raw.interaction(), acting


@pytest_asyncio.fixture(loop_scope="module")
async def ana(stage: Stage, club: Server) -> Person:
    return await stage.person("Ana", server=club)


async def test_interaction_carries_the_command_the_place_and_the_message(
    raw: RawBot, club: Server, ana: Person
) -> None:
    clicked = await posted(ana, raw)
    told = clicked.data
    assert (told["type"], told["version"], told["context"], told["guild_id"]) == (2, 1, 0, club.id)
    assert told["member"]["user"]["username"] == "Ana"
    assert int(told["app_permissions"]) & 1 << 11
    assert told["authorizing_integration_owners"] == {"0": club.id}
    pressing, acting = await pressed(ana, raw)
    assert (pressing.data["type"], pressing.data["data"]["custom_id"]) == (3, "go")
    assert pressing.data["message"]["content"] == "here"
    assert pressing.data["message"]["interaction_metadata"]["id"] == told["id"]
    await pressing.answer(6)
    await acting


async def test_doubled_unknown_and_late_answers_are_refused(stage: Stage, raw: RawBot, ana: Person) -> None:
    clicked = await posted(ana, raw)
    assert (await clicked.answer(4, {"content": "again"})).code == 40060
    clicked.data["token"] += "x"
    assert (await clicked.answer(4, {"content": "again"})).code == 10062
    await stage.settings(ack_seconds=0.1)
    late, acting = await typed(ana, raw)
    assert (await acting).failed
    await stage.settings(ack_seconds=3.0)
    assert (await late.answer(4, {"content": "late"})).code == 10062
    assert (await late.hook("POST", body={"content": "late"})).code == 10015


async def test_refused_answer_does_not_acknowledge_the_interaction(raw: RawBot, ana: Person) -> None:
    clicked, acting = await typed(ana, raw)
    assert (await clicked.answer(4, {"content": ""})).code == 50006
    assert (await clicked.answer(4, {"content": "x" * 2001})).code == 50035
    assert (await clicked.hook("POST", body={"content": "too early"})).code == 10015
    assert (await clicked.answer(4, {"content": "good"})).status == 200
    assert (await acting).shown.text == "good"


async def test_answers_of_a_wrong_type_are_refused(raw: RawBot, ana: Person) -> None:
    wrong = {"command": (1, 6, 7, 8, 10), "button": (1, 8), "autocomplete": (4, 5, 9), "submit": (9, 7, 6)}
    clicked, acting = await typed(ana, raw)
    assert {(await clicked.answer(one)).code for one in wrong["command"]} == {50035}
    await clicked.answer(9, MODAL)
    opened = await acting
    submitting = asyncio.create_task(ana.submit(opened, name="x"))
    submit = await raw.interaction()
    assert submit.data["data"]["components"][0]["components"][0]["value"] == "x"
    assert {(await submit.answer(one, MODAL if one == 9 else {})).code for one in wrong["submit"]} == {50035}
    await submit.answer(4, {"content": "thanks", "components": [BUTTON]})
    assert (await submitting).shown.raw["interaction_metadata"]["triggering_interaction_metadata"]["type"] == 2
    pressing, acting = await pressed(ana, raw)
    assert {(await pressing.answer(one)).code for one in wrong["button"]} == {50035}
    await pressing.answer(6)
    await acting
    completing = asyncio.create_task(ana.complete("/go", "to", "r"))
    complete = await raw.interaction()
    assert complete.data["data"]["options"] == [{"name": "to", "type": 3, "value": "r", "focused": True}]
    assert {(await complete.answer(one, {"content": "x"})).code for one in wrong["autocomplete"]} == {50035}
    assert (await complete.answer(8, {"choices": [{"name": "x", "value": "x"}] * 26})).code == 50035
    await complete.answer(8, {"choices": [{"name": "Rome", "value": "r"}]})
    assert await completing == ["Rome"]


async def test_interaction_tokens_live_for_fifteen_minutes(stage: Stage, raw: RawBot, ana: Person) -> None:
    clicked = await posted(ana, raw)
    try:
        await stage.forward(899)
        assert (await clicked.hook("PATCH", "/messages/@original", {"content": "still"})).status == 200
        await stage.forward(2)
        for method, path in (("PATCH", "/messages/@original"), ("GET", "/messages/@original"), ("POST", "")):
            body = None if method == "GET" else {"content": "late"}
            told = await clicked.hook(method, path, body)
            assert (told.status, told.code) == (401, 50027)
    finally:
        await stage.forward(-901)


async def test_ephemeral_can_be_edited_only_with_its_tokens(raw: RawBot, ana: Person) -> None:
    clicked = await posted(ana, raw, flags=EPHEMERAL)
    shown = await ana.sees("here")
    home = f"/channels/{shown.channel_id}/messages"
    for method in ("GET", "PATCH", "DELETE"):
        body = {"content": "x"} if method == "PATCH" else None
        assert (await raw.call(method, f"{home}/{shown.id}", body)).code == 10008
    assert shown.id not in [one["id"] for one in (await raw.call("GET", home)).body]
    by_id = await clicked.hook("PATCH", f"/messages/{shown.id}", {"content": "by its maker"})
    assert by_id.status == 200
    stranger = await posted(ana, raw)
    assert (await stranger.hook("PATCH", f"/messages/{shown.id}", {"content": "x"})).code == 10008
    await ana.dismiss(await ana.sees("by its maker"))


async def test_click_on_an_old_ephemeral_gives_a_new_token_for_it(stage: Stage, raw: RawBot, ana: Person) -> None:
    old = await posted(ana, raw, flags=EPHEMERAL)
    await stage.forward(1000)
    try:
        shown = await ana.sees("here")
        pressing, acting = await pressed(ana, raw)
        assert (await pressing.answer(6)).status == 200
        await acting
        assert (await old.hook("PATCH", "/messages/@original", {"content": "x"})).code == 50027
        assert (await pressing.hook("PATCH", f"/messages/{shown.id}", {"content": "by the click"})).status == 200
        await ana.sees("by the click", in_=shown)
    finally:
        await stage.forward(-1000)


async def test_reply_to_a_click_cannot_edit_the_clicked_message(raw: RawBot, ana: Person) -> None:
    await posted(ana, raw)
    source = await ana.sees("here")
    pressing, acting = await pressed(ana, raw)
    await pressing.answer(4, {"content": "reply", "flags": EPHEMERAL})
    await acting
    assert (await pressing.hook("PATCH", f"/messages/{source.id}", {"content": "x"})).code == 10008
    assert (await pressing.hook("PATCH", "/messages/@original", {"content": "changed"})).status == 200
    await ana.sees("changed")


async def test_first_followup_fills_a_deferral(raw: RawBot, ana: Person) -> None:
    clicked, acting = await typed(ana, raw)
    told = await clicked.answer(5, {"flags": EPHEMERAL})
    assert told.body["interaction"]["response_message_loading"] is True
    waiting = (await acting).shown
    assert waiting.is_loading
    first = await clicked.hook("POST", body={"content": "filled"})
    assert first.body["id"] == waiting.id
    assert first.body["flags"] == EPHEMERAL
    second = await clicked.hook("POST", body={"content": "public"})
    assert second.body["id"] != waiting.id
    assert (await ana.sees("public")).is_ephemeral is False


async def test_answers_to_deleted_messages_and_channels_are_refused(
    stage: Stage, raw: RawBot, club: Server, ana: Person
) -> None:
    clicked = await posted(ana, raw)
    pressing, acting = await pressed(ana, raw)
    await stage.delete(await ana.sees("here"))
    assert (await pressing.answer(7, {"content": "x"})).code == 10008
    assert (await pressing.answer(6)).status == 200
    await acting
    assert (await clicked.hook("PATCH", "/messages/@original", {"content": "x"})).code == 10008
    late, acting = await typed(ana, raw)
    await stage.delete(club.channels[0])
    assert (await late.answer(4, {"content": "x"})).code == 10003
    acting.cancel()


async def test_only_the_clicker_sees_the_interaction(stage: Stage, raw: RawBot, club: Server, ana: Person) -> None:
    ben = await stage.person("Ben", server=club)
    await posted(ana, raw, flags=EPHEMERAL)
    await ana.sees("here")
    assert ana.screen.interactions
    assert not ben.screen.interactions
    assert "here" not in str(ben.screen)
    with pytest.raises(Refused):
        await ben.press("go", in_=await ana.sees("here"))


async def test_app_installed_by_a_person_has_five_followups_and_obeys_external_app_rights(
    stage: Stage, raw: RawBot, ana: Person
) -> None:
    """Where external apps are denied, nothing they post is public."""
    lonely = await stage.server("Lonely", ["games"])
    await stage.leave(lonely, "Bot")
    zoe = await stage.person("Zoe", server=lonely)
    await stage.link.call("PATCH", f"/people/{zoe.id}", {"installs": {"Bot": True}})
    clicked = await posted(zoe, raw)
    assert clicked.data["authorizing_integration_owners"] == {"1": zoe.id}
    codes = [await clicked.hook("POST", body={"content": str(n)}) for n in range(2)]
    assert {one.status for one in codes} == {200}
    await stage.limits(enabled=False)
    codes = [await clicked.hook("POST", body={"content": str(n)}) for n in range(4)]
    await stage.limits(enabled=True)
    assert [one.status for one in codes] == [200, 200, 200, 400]
    assert codes[-1].code == 40094
    await stage.deny(lonely.channels[0], lonely.id, "USE_EXTERNAL_APPS")
    await posted(zoe, raw, content="hidden")
    assert (await zoe.sees("hidden")).is_ephemeral


async def test_mentions_in_answers_parse_people_only(stage: Stage, raw: RawBot, club: Server, ana: Person) -> None:
    ben = await stage.person("Ben", server=club)
    acting = ana.slash("/go")

    async def answer() -> None:
        clicked = await raw.interaction()
        await clicked.answer(4, {"content": f"<@{ben.id}> and @everyone"})

    shown = (await both(acting, answer())).shown
    assert [one["username"] for one in shown.raw["mentions"]] == ["Ben"]
    assert shown.raw["mention_everyone"] is False
    assert (await ben.pinged("and @everyone")).push


async def test_result_of_a_press_is_its_own_answer(playground: Playground, raw: RawBot, ana: Person) -> None:
    """Another call edits the message in the same instant; a test once took that edit for the answer."""
    await posted(ana, raw)
    pressing, acting = await pressed(ana, raw)
    core = playground.core

    def shown_anew(event: object) -> None:
        if isinstance(event, ev.InteractionChanged) and event.interaction.original is not None:
            stop()
            core.posting.edit(event.interaction.original, {"content": "newer"})

    stop = core.bus.subscribe(shown_anew)
    told = await pressing.answer(7, {"content": "answered"})
    assert told.status < 300, told.body
    assert (await acting).shown.text.startswith("answered")
    await ana.sees("newer")
