"""Application commands: what a tree may be, what a sync changes; and application emojis."""

import base64
from typing import Any

import aiohttp
import pytest

from tests.driver import Server, Stage
from tests.playground.raw import RawBot, Told

pytestmark = pytest.mark.asyncio(loop_scope="module")


def command(name: str = "go", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "A command", **more}


def option(name: str = "text", type_: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "An option", "type": type_, **more}


def choices(count: int) -> list[dict[str, Any]]:
    return [{"name": f"c{n}", "value": f"v{n}"} for n in range(count)]


LONG = [{"name": f"{n}" + "x" * 90, "value": f"{n}" + "y" * 90} for n in range(25)]

BAD: dict[str, tuple[list[dict[str, Any]], str]] = {
    "capitals": ([command("Go")], "0.name"),
    "a space": ([command("go on")], "0.name"),
    "33 characters": ([command("x" * 33)], "0.name"),
    "no description": ([command(description="")], "0.description"),
    "101 characters": ([command(description="x" * 101)], "0.description"),
    "the same name twice": ([command(), command()], "1"),
    "26 options": ([command(options=[option(f"o{n}") for n in range(26)])], "0.options"),
    "an option twice": ([command(options=[option(), option()])], "0.options"),
    "required after optional": ([command(options=[option("a"), option("b", required=True)])], "0.options"),
    "26 choices": ([command(options=[option(choices=choices(26))])], "0.options.0"),
    "choices and autocomplete": (
        [command(options=[option(choices=choices(2), autocomplete=True)])],
        "0.options.0",
    ),
    "option capitals": ([command(options=[option("Text")])], "0.options.0.name"),
    "mixed with a sub-command": ([command(options=[option("a", 1), option("b")])], "0.options"),
    "nested too deep": (
        [command(options=[option("a", 2, options=[option("b", 2, options=[option("c", 1)])])])],
        "0.options.0",
    ),
    "a described context menu": ([{"name": "Wave", "type": 2, "description": "x"}], "0"),
    "too large": ([command(options=[option(f"o{n}", choices=LONG) for n in range(2)])], "0"),
}


@pytest.mark.parametrize("name", BAD)
async def test_wrong_command_is_refused_with_the_place_of_the_fault(raw: RawBot, name: str) -> None:
    body, place = BAD[name]
    told = await raw.call("PUT", f"/applications/{raw.id}/commands", body)
    assert (told.status, told.code) == (400, 50035)
    assert any(where.startswith(place) for where, _ in told.faults()), told.faults()


@pytest.mark.parametrize(("kind", "most"), [(1, 100), (2, 15), (3, 15)])
async def test_too_many_commands_are_refused(raw: RawBot, kind: int, most: int) -> None:
    described = {"description": "x"} if kind == 1 else {}
    commands = [{"name": f"c{n}", "type": kind, **described} for n in range(most + 1)]
    told = await raw.call("PUT", f"/applications/{raw.id}/commands", commands)
    assert (told.status, told.code) == (400, 30032)
    assert (await raw.call("PUT", f"/applications/{raw.id}/commands", commands[1:])).status == 200


async def test_commands_keep_their_ids_and_changed_commands_get_a_new_version(raw: RawBot) -> None:
    path = f"/applications/{raw.id}/commands"
    first = (await raw.call("PUT", path, [command("a"), command("b")])).body
    second = (await raw.call("PUT", path, [command("b"), command("a", description="new")])).body
    before = {one["name"]: one for one in first}
    after = {one["name"]: one for one in second}
    assert {name: one["id"] for name, one in before.items()} == {name: one["id"] for name, one in after.items()}
    assert before["b"]["version"] == after["b"]["version"]
    assert before["a"]["version"] != after["a"]["version"]
    listed = await raw.call("GET", path)
    assert [one["name"] for one in listed.body] == ["b", "a"]


@pytest.mark.parametrize("scope", ["", "/guilds/{server}"])
async def test_commands_can_be_created_changed_and_deleted_one_by_one(raw: RawBot, club: Server, scope: str) -> None:
    path = f"/applications/{raw.id}{scope.format(server=club.id)}/commands"
    await raw.call("PUT", path, [])
    made = await raw.call("POST", path, command("solo"))
    assert made.status == 201
    assert made.body.get("guild_id") == (club.id if scope else None)
    one = f"{path}/{made.body['id']}"
    assert (await raw.call("POST", path, command("solo", description="again"))).status == 200
    assert (await raw.call("PATCH", one, {"description": "changed"})).body["description"] == "changed"
    assert (await raw.call("GET", one)).body["description"] == "changed"
    assert (await raw.call("DELETE", one)).status == 204
    assert (await raw.call("GET", one)).code == 10063


async def test_commands_are_offered_only_in_their_contexts(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana", server=club)
    admin = await stage.person("Admin", server=club)
    role = await stage.role(club, "Managers", "MANAGE_GUILD")
    await stage.member(club, admin, roles=[role])
    everywhere = [
        command("plain"),
        command("server-only", contexts=[0]),
        command("dm-only", contexts=[1]),
        command("admins", default_member_permissions=32),
        command("mine", integration_types=[1]),
    ]
    assert (await raw.call("PUT", f"/applications/{raw.id}/commands", everywhere)).status == 200
    await raw.call("PUT", f"/applications/{raw.id}/guilds/{club.id}/commands", [command("plain", description="own")])

    async def offered(person: Any, place: str) -> set[str]:
        return {one["name"] for one in await person.commands(in_=place)}

    home = club.channels[0].id
    dm = await ana.dm_with("Bot")
    assert await offered(ana, home) == {"plain", "server-only"}
    assert await offered(admin, home) == {"plain", "server-only", "admins"}
    assert await offered(ana, dm) == {"plain", "dm-only", "admins"}
    assert [one["description"] for one in await ana.commands() if one["name"] == "plain"] == ["own"]
    await stage.link.call("PATCH", f"/people/{ana.id}", {"installs": {"Bot": True}})
    assert await offered(ana, home) == {"plain", "server-only", "mine"}
    await stage.deny(home, club.id, "USE_APPLICATION_COMMANDS")
    assert await offered(ana, home) == set()


async def test_unsupported_integration_types_are_refused(raw: RawBot) -> None:
    """The refusal names the place in the body, and the registered commands stay."""
    path, own = f"/applications/{raw.id}/commands", "/applications/@me"
    both = command("both", integration_types=[0, 1])
    assert (await raw.call("PUT", path, [both])).body[0]["integration_types"] == [0, 1]
    told = await raw.call("PATCH", own, {"integration_types_config": {"0": {}}})
    assert told.body["integration_types_config"] == {"0": {}}
    for method, where, body, place in (
        ("PUT", path, [command("fine"), both], "1.integration_types.1"),
        ("POST", path, both, "integration_types.1"),
    ):
        told = await raw.call(method, where, body)
        assert (told.status, told.code) == (400, 50035)
        assert [fault[0] for fault in told.faults()] == [place]
    one = (await raw.call("GET", path)).body
    assert [each["name"] for each in one] == ["both"]
    told = await raw.call("PATCH", f"{path}/{one[0]['id']}", {"integration_types": [1]})
    assert [fault[0] for fault in told.faults()] == ["integration_types.0"]
    assert (await raw.call("POST", path, command("plain"))).body["integration_types"] == [0], "those of the application"
    await raw.call("PATCH", own, {"integration_types_config": {"0": {}, "1": {}}})


@pytest.mark.parametrize("config", [{}, {"2": {}}, {"0": {}, "x": {}}])
async def test_unknown_install_types_are_refused(raw: RawBot, config: dict[str, Any]) -> None:
    told = await raw.call("PATCH", "/applications/@me", {"integration_types_config": config})
    assert (told.status, told.code) == (400, 50035)
    assert (await raw.call("GET", "/applications/@me")).body["integration_types_config"] == {"0": {}, "1": {}}


PIXEL = b"\x89PNG\r\n\x1a\n and the rest"


def data_uri(picture: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(picture).decode()}"


async def test_application_emojis_can_be_created_renamed_and_deleted(raw: RawBot, stage: Stage) -> None:
    path = f"/applications/{raw.id}/emojis"
    made = await raw.call("POST", path, {"name": "queen", "image": data_uri(PIXEL)})
    assert made.status == 201
    assert [one["name"] for one in (await raw.call("GET", path)).body["items"]] == ["queen"]
    async with aiohttp.ClientSession() as session:
        picture = f"{stage.address}/emojis/{made.body['id']}.png"
        async with session.get(picture) as served:
            assert (served.content_type, await served.read()) == ("image/png", PIXEL)
        one = f"{path}/{made.body['id']}"
        assert (await raw.call("PATCH", one, {"name": "king"})).body["name"] == "king"
        assert (await raw.call("DELETE", one)).status == 204
        assert (await raw.call("GET", one)).code == 10014
        async with session.get(picture) as gone:
            assert gone.status == 404


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"name": "a-b", "image": data_uri(PIXEL)}, [("name", "STRING_TYPE_REGEX")]),
        ({"name": "king", "image": data_uri(PIXEL)}, [("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN")]),
        ({"name": "jack", "image": data_uri(PIXEL * 20_000)}, [("image", "BINARY_TYPE_MAX_SIZE")]),
    ],
)
async def test_wrong_emojis_are_refused(raw: RawBot, body: dict[str, str], refused: list[tuple[str, str]]) -> None:
    path = f"/applications/{raw.id}/emojis"
    made = await raw.call("POST", path, {"name": "king", "image": data_uri(PIXEL)})
    assert (await raw.call("POST", path, body)).faults() == refused
    assert (await raw.call("DELETE", f"{path}/{made.body['id']}")).status == 204


@pytest.mark.parametrize("image", [data_uri(b"none"), data_uri(PIXEL, "image/jpeg"), data_uri(PIXEL, "text/html"), "x"])
async def test_emoji_that_is_no_picture_is_refused(raw: RawBot, image: str) -> None:
    made = await raw.call("POST", f"/applications/{raw.id}/emojis", {"name": "jack", "image": image})
    assert (made.status, made.code) == (400, 50046)


async def test_button_with_a_missing_emoji_is_refused(raw: RawBot, club: Server) -> None:
    path = f"/applications/{raw.id}/emojis"
    made = (await raw.call("POST", path, {"name": "ace", "image": data_uri(PIXEL)})).body

    async def sent() -> Told:
        emoji = {"id": made["id"], "name": "ace"}
        button = {"type": 2, "style": 1, "label": "A", "custom_id": "a", "emoji": emoji}
        body = {"content": "Bid", "components": [{"type": 1, "components": [button]}]}
        return await raw.call("POST", f"/channels/{club.channel('games').id}/messages", body)

    assert (await sent()).body["components"][0]["components"][0]["emoji"] == {"id": made["id"], "name": "ace"}
    await raw.call("DELETE", f"{path}/{made['id']}")
    place = "components.0.components.0.emoji.id"
    assert (await sent()).faults() == [(place, "BUTTON_COMPONENT_INVALID_EMOJI")]
