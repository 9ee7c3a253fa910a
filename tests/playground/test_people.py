"""What people see and may do: their ephemerals and DMs, notifications, and changes of the stage."""

import asyncio
import json
from typing import Any

import pytest

from bot.playground.protocol.wire import Json
from tests.driver import NotSeen, Refused, Server, Stage
from tests.playground.raw import RawBot

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def frames_until(stage: Stage, path: str, last: str) -> list[Json]:
    """Every frame of a feed, up to the one that speaks of something."""
    async with stage.link._session.ws_connect(f"{stage.address}/play{path}") as socket:  # pyright: ignore[reportPrivateUsage]
        heard: list[Json] = []
        async for message in socket:
            heard.append(json.loads(message.data))
            if last in message.data:
                return heard
    raise AssertionError(f"the feed ended without {last}")


async def test_feed_carries_no_secrets_of_others(stage: Stage, raw: RawBot, club: Server) -> None:
    """Ben listens to everything while Ana gets an ephemeral, a DM, a modal and a ping."""
    await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
    ana, ben = await stage.person("Ana", server=club), await stage.person("Ben", server=club)
    listening = asyncio.create_task(frames_until(stage, f"/people/{ben.id}/events", "the end"))
    await ben.sees_no("the end")
    acting = asyncio.create_task(ana.slash("/go"))
    clicked = await raw.interaction()
    await clicked.answer(4, {"content": "SECRET ephemeral", "flags": 64})
    await acting
    await clicked.hook("PATCH", "/messages/@original", {"content": "SECRET edit"})
    await clicked.hook("DELETE", "/messages/@original")
    dm = await raw.call("POST", "/users/@me/channels", {"recipient_id": ana.id})
    await raw.call("POST", f"/channels/{dm.body['id']}/messages", {"content": "SECRET in a DM"})
    hidden = await stage.channel(club, "SECRET-channel")
    await stage.deny(hidden, ben, "VIEW_CHANNEL")
    await raw.call("POST", f"/channels/{hidden.id}/messages", {"content": "SECRET in a channel"})
    await raw.call("POST", f"/channels/{club.channels[0].id}/messages", {"content": f"<@{ana.id}> the end"})
    heard = await listening
    assert heard[0]["type"] == "snapshot"
    later = [one for one in heard if "SECRET" in json.dumps(one)]
    # He saw the channel while it was open to all, and only that it was there.
    assert {one["type"] for one in later} <= {"channel_created"}
    assert not [one for one in heard if one["type"] in ("interaction", "notified")]
    assert [one.text for one in ana.pings] == ["SECRET in a DM", "@Ana the end"]
    for place in (dm.body["id"], hidden.id):
        with pytest.raises(Refused, match="sees no channel"):
            await stage.link.call("GET", f"/people/{ben.id}/channels/{place}/messages")


NOTIFYING: dict[str, tuple[dict[str, Any], list[tuple[str, bool]]]] = {
    "a mention": ({"content": "<@{ana}> look"}, [("@Ana look", True)]),
    "no mention": ({"content": "look"}, []),
    "a mention that is not allowed": ({"content": "<@{ana}>", "allowed_mentions": {"parse": []}}, []),
    "a listed mention": ({"content": "<@{ana}>", "allowed_mentions": {"users": ["{ana}"]}}, [("@Ana", True)]),
    "another one listed": ({"content": "<@{ana}>", "allowed_mentions": {"users": ["1"]}}, []),
    "silent": ({"content": "<@{ana}> psst", "flags": 4096}, [("@Ana psst", False)]),
    "in code": ({"content": "`<@{ana}>`"}, []),
    "a role": ({"content": "<@&{role}> up"}, [("@Players up", True)]),
    "everyone, without the right": ({"content": "@everyone"}, []),
    "in Components V2": (
        {"flags": 1 << 15, "components": [{"type": 10, "content": "<@{ana}>"}]},
        [("", True)],
    ),
}


@pytest.mark.parametrize("name", NOTIFYING)
async def test_message_notifies_the_mentioned_people(stage: Stage, raw: RawBot, club: Server, name: str) -> None:
    ana = await stage.person(f"Ana {name}", display="Ana", server=club)
    role = await stage.role(club, "Players", mentionable=True)
    await stage.member(club, ana, roles=[role])
    body, expected = NOTIFYING[name]

    def fill(value: Any) -> Any:
        return json.loads(json.dumps(value).replace("{ana}", ana.id).replace("{role}", role))

    told = await raw.call("POST", f"/channels/{club.channels[0].id}/messages", fill(body))
    await ana.sees(lambda one: one.id == told.body["id"])
    assert [(one.text, one.push) for one in ana.pings] == [tuple(one) for one in fill(expected)]


async def test_edit_never_notifies(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana of edits", server=club)
    path = f"/channels/{club.channels[0].id}/messages"
    made = await raw.call("POST", path, {"content": "nothing"})
    edited = await raw.call("PATCH", f"{path}/{made.body['id']}", {"content": f"<@{ana.id}> now"})
    assert [one["id"] for one in edited.body["mentions"]] == [ana.id]
    await ana.sees("now")
    assert ana.pings == []


async def test_everyone_mention_notifies_with_the_right_permission(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana of all", server=club)
    await stage.allow(club.channels[0], "Bot", "MENTION_EVERYONE")
    await raw.call("POST", f"/channels/{club.channels[0].id}/messages", {"content": "@everyone up"})
    assert (await ana.pinged("up")).push


async def test_plain_and_v2_dms_both_notify(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana of DMs", server=club)
    dm = await raw.call("POST", "/users/@me/channels", {"recipient_id": ana.id})
    path = f"/channels/{dm.body['id']}/messages"
    await raw.call("POST", path, {"content": "plain"})
    await raw.call("POST", path, {"flags": 1 << 15, "components": [{"type": 10, "content": "board"}]})
    await ana.sees("board", in_="dm")
    assert [(one.text, one.push) for one in ana.pings] == [("plain", True), ("", True)]


async def test_failures_of_a_person_show_the_screen(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana of failures", server=club)
    body = {"content": "hello", "components": [{"type": 1, "components": [
        {"type": 2, "style": 1, "label": "Yes", "custom_id": "y"},
        {"type": 2, "style": 1, "label": "No", "custom_id": "n", "disabled": True},
        {"type": 2, "style": 5, "label": "Away", "url": "https://example.org"}]}]}  # fmt: skip
    await raw.call("POST", f"/channels/{club.channels[0].id}/messages", body)
    await ana.sees("hello")
    with pytest.raises(NotSeen) as missed:
        await ana.sees("goodbye", patience=0.01)
    assert "waited 0.01 s for 'goodbye'" in str(missed.value)
    assert "#games\n    Bot\n        hello\n        [Yes] (No) [Away ↗]" in str(missed.value)
    with pytest.raises(NotSeen, match="finds no message with a button 'No'"):
        await ana.press("No")
    shown = await ana.sees("hello")
    with pytest.raises(Refused, match="n is disabled"):
        await ana.press("n", in_=shown)
    body["components"][0]["components"][0]["custom_id"] = "other"
    await raw.call("PATCH", f"/channels/{shown.channel_id}/messages/{shown.id}", body)
    with pytest.raises(Refused, match="the message changed while you pressed"):
        await stage.link.call(
            "POST",
            f"/people/{ana.id}/press",
            {"channel": shown.channel_id, "message": shown.id, "custom_id": "y", "wait": True},
        )


async def test_reload_loses_ephemerals(stage: Stage, raw: RawBot, club: Server) -> None:
    await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
    ana = await stage.person("Ana of reloads", server=club)
    acting = asyncio.create_task(ana.slash("/go"))
    clicked = await raw.interaction()
    await clicked.answer(4, {"content": "fleeting", "flags": 64})
    shown = (await acting).shown
    await ana.reload()
    assert ana.now(shown) is None
    assert (await clicked.hook("PATCH", "/messages/@original", {"content": "unseen"})).status == 200
    assert "unseen" not in str(ana.screen)


async def test_bot_sees_member_names_until_the_person_leaves(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana of names", server=club, nick="Annie", display="Ana!")
    told = await raw.call("GET", f"/guilds/{club.id}/members/{ana.id}")
    assert (told.body["nick"], told.body["user"]["global_name"]) == ("Annie", "Ana!")
    await stage.member(club, ana, nick="Nan")
    assert (await raw.call("GET", f"/guilds/{club.id}/members/search?query=nan")).body[0]["nick"] == "Nan"
    await ana.say("I was here")
    await ana.sees("I was here")
    await stage.leave(club, ana)
    await ana.sees_no("I was here")
    assert (await raw.call("GET", f"/guilds/{club.id}/members/{ana.id}")).code == 10007
    assert (await raw.call("GET", f"/users/{ana.id}")).status == 200
    with pytest.raises(NotSeen, match="sees no channel"):
        await ana.say("still here", in_=club.channels[0])


async def test_feed_of_one_channel_has_no_other_messages(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana of one channel", server=club, only=[club.channels[1]])
    for channel in club.channels:
        await raw.call("POST", f"/channels/{channel.id}/messages", {"content": f"in {channel.name}"})
    await ana.sees("in talk")
    assert ana.finds("in games") == []


async def test_stage_can_be_read_and_refuses_unknown_names(stage: Stage, club: Server) -> None:
    world = await stage.world()
    server = next(one for one in world["servers"] if one["id"] == club.id)
    assert [one["name"] for one in server["channels"]] == ["games", "talk"]
    assert {one["name"] for one in world["bots"]} == {"Bot"}
    settings = await stage.settings()
    assert settings["token_seconds"] == 900
    with pytest.raises(Refused, match="no setting colour"):
        await stage.settings(colour="red")
    with pytest.raises(Refused, match="no bucket colour"):
        await stage.limits(buckets={"colour": [1, 1]})
    with pytest.raises(Refused, match="no permission FLY"):
        await stage.deny(club.channels[0], "Bot", "FLY")
