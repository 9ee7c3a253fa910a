"""The gateway by hand: sessions, intents, replay, close codes; and a real client through it all."""

import asyncio
import zlib
from typing import Any

import aiohttp
import pytest

from bot.playground.server import TOKEN, Playground
from bot.playground.world.model import ChannelType
from tests.driver import Server, Stage
from tests.playground.conftest import running
from tests.playground.raw import DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS, MEMBERS, RawBot

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_identify_brings_ready_and_the_guilds(raw: RawBot, club: Server) -> None:
    gateway = await raw.dial()
    await gateway.identify(TOKEN)
    ready = await gateway.until("READY")
    assert ready["user"]["bot"] is True
    assert {"id": club.id, "unavailable": True} in ready["guilds"]
    assert ready["resume_gateway_url"].startswith("ws://127.0.0.1:")
    guild = await gateway.until("GUILD_CREATE")
    while guild["id"] != club.id:
        guild = await gateway.until("GUILD_CREATE")
    assert [one["name"] for one in guild["channels"]] == ["games", "talk"]
    assert [one["user"]["id"] for one in guild["members"]] == [raw.id]


async def test_channels_that_the_bot_cannot_view_have_no_name(stage: Stage, raw: RawBot, club: Server) -> None:
    """The gateway sends such channels without a name, and not their threads; REST leaves them out."""
    category = await stage.channel(club, "rooms", ChannelType.CATEGORY)
    room, secret = await stage.channel(club, "room", category=category), await stage.channel(club, "secret")
    empty = await stage.channel(club, "empty", ChannelType.CATEGORY)
    for place in (category, empty, secret):
        await stage.deny(place, raw.id, "VIEW_CHANNEL")
    await stage.thread(secret, "whispers")
    open_thread = await stage.thread(room, "chat")
    gateway = await raw.dial()
    await gateway.identify(TOKEN)
    guild = await gateway.until("GUILD_CREATE")
    while guild["id"] != club.id:
        guild = await gateway.until("GUILD_CREATE")
    shown = {one["id"]: one for one in guild["channels"]}
    assert {one: shown[one.id]["name"] for one in (category, room)} == {category: "rooms", room: "room"}
    assert shown[room.id]["parent_id"] == category.id
    for place in (secret, empty):
        assert (shown[place.id]["name"], shown[place.id]["flags"]) == ("___hidden___", 1 << 17)
        assert shown[place.id]["permission_overwrites"]
    assert [one["id"] for one in guild["threads"]] == [open_thread.id]
    listed = (await raw.call("GET", f"/guilds/{club.id}/channels")).body
    assert {one["name"] for one in listed} == {"games", "talk", "rooms", "room"}
    await stage.allow(secret, raw.id, "VIEW_CHANNEL")
    updated = await gateway.until("CHANNEL_UPDATE")
    assert (updated["name"], updated["flags"]) == ("secret", 0)
    synced = await gateway.until("THREAD_LIST_SYNC")
    assert (synced["guild_id"], synced["channel_ids"], synced["members"]) == (club.id, [secret.id], [])
    assert [one["name"] for one in synced["threads"]] == ["whispers"]


async def test_gateway_answers_heartbeats_at_the_root_path(raw: RawBot) -> None:
    gateway = await raw.dial("/?v=10&encoding=json")
    await gateway.send(1, None)
    assert await gateway.op(11) is None


@pytest.mark.parametrize(
    ("op", "data", "code"),
    [
        (2, {"token": "wrong", "intents": 1}, 4004),
        (2, {"token": TOKEN, "intents": GUILDS | MEMBERS}, 4014),
        (2, {"token": TOKEN}, 4013),
        (2, {"token": TOKEN, "intents": 1, "shard": [2, 2]}, 4010),
        (3, {"status": "online"}, 4003),
        (99, None, 4001),
        (6, {"token": "wrong", "session_id": "x", "seq": 1}, 4004),
    ],
)
async def test_wrong_frame_closes_with_its_code(raw: RawBot, op: int, data: Any, code: int) -> None:
    gateway = await raw.dial()
    await gateway.send(op, data)
    assert await gateway.receive() == code


async def test_garbled_and_too_many_frames_close_with_their_codes(stage: Stage, raw: RawBot) -> None:
    garbled = await raw.dial()
    await garbled.socket.send_str("{")
    assert await garbled.receive() == 4002
    twice = await raw.dial()
    await twice.identify(TOKEN)
    await twice.until("READY")
    await twice.identify(TOKEN)
    frame: Any = {}
    while not isinstance(frame, int):
        frame = await twice.receive()
    assert frame == 4005
    await stage.settings(gateway_sends=[3, 60])
    fast = await raw.dial()
    for _ in range(4):
        await fast.send(1, None)
    frame = {}
    while not isinstance(frame, int):
        frame = await fast.receive()
    await stage.settings(gateway_sends=[120, 60])
    assert frame == 4008


async def test_resume_replays_missed_events(stage: Stage, raw: RawBot, club: Server) -> None:
    ana = await stage.person("Ana", server=club)
    await raw.call("PUT", f"/applications/{raw.id}/commands", [{"name": "go", "description": "Go"}])
    gateway = await raw.dial()
    await gateway.identify(TOKEN)
    session = (await gateway.until("READY"))["session_id"]
    seen = gateway.sequence
    await gateway.socket.close(code=4000)
    acting = asyncio.create_task(ana.slash("/go"))
    clicked = await raw.interaction()
    again = await raw.dial()
    await again.resume(TOKEN, session, seen)
    missed = await again.until("INTERACTION_CREATE")
    assert missed["id"] == clicked.data["id"]
    await again.until("RESUMED")
    await clicked.answer(4, {"content": "done"})
    await acting


async def test_unknown_and_ended_sessions_cannot_be_resumed(raw: RawBot) -> None:
    unknown = await raw.dial()
    await unknown.resume(TOKEN, "nothing", 1)
    assert await unknown.op(9) is False
    ended = await raw.dial()
    await ended.identify(TOKEN)
    session = (await ended.until("READY"))["session_id"]
    ahead = await raw.dial()
    await ahead.resume(TOKEN, session, 10_000)
    assert await ahead.receive() == 4007
    await ended.socket.close(code=1000)
    late = await raw.dial()
    await late.resume(TOKEN, session, 1)
    assert await late.op(9) is False


async def test_session_away_for_too_long_cannot_be_resumed(stage: Stage, raw: RawBot) -> None:
    gateway = await raw.dial()
    await gateway.identify(TOKEN)
    session = (await gateway.until("READY"))["session_id"]
    await gateway.socket.close(code=4000)
    await stage.settings(resume_seconds=0)
    late = await raw.dial()
    await late.resume(TOKEN, session, gateway.sequence)
    assert await late.op(9) is False
    await stage.settings(resume_seconds=180)


async def test_successor_of_a_killed_bot_serves_clicks(stage: Stage, club: Server) -> None:
    ana = await stage.person("Ana", server=club)
    async with running(stage.address) as first:
        await stage.bot_ready()
        await ana.slash("/try acts")
        first.kill()
        await stage.bot_gone()
        await stage.settings(ack_seconds=0.1)
        assert (await ana.press("secret", may_fail=True)).failed
        await stage.settings(ack_seconds=3.0)
    async with running(stage.address):
        await stage.bot_ready()
        assert (await ana.press("secret")).shown.content == "just for you"


async def test_intents_decide_which_events_are_sent(stage: Stage, playground: Playground, club: Server) -> None:
    everything = GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES
    async with RawBot.connect(playground.address, TOKEN, everything) as bot:
        ana = await stage.person("Ana", server=club)
        await ana.say("not for bots")
        created = await bot.gateway.until("MESSAGE_CREATE")
        assert (created["content"], created["guild_id"], created["author"]["username"]) == (
            "",
            club.id,
            "Ana",
        )
        await ana.say(f"<@{bot.id}> hello")
        assert (await bot.gateway.until("MESSAGE_CREATE"))["content"] == f"<@{bot.id}> hello"
        await ana.say("in private", in_=await ana.dm_with("Bot"))
        private = await bot.gateway.until("MESSAGE_CREATE")
        assert (private["content"], "guild_id" in private) == ("in private", False)
        own = await bot.call("POST", f"/channels/{club.channels[0].id}/messages", {"content": "mine"})
        assert (await bot.gateway.until("MESSAGE_CREATE"))["content"] == "mine"
        await bot.call("DELETE", f"/channels/{club.channels[0].id}/messages/{own.body['id']}")
        assert (await bot.gateway.until("MESSAGE_DELETE"))["id"] == own.body["id"]


async def test_leaving_people_and_deleted_channels_and_servers_are_announced(
    stage: Stage, playground: Playground, club: Server
) -> None:
    await stage.link.call("PATCH", "/bots/Bot", {"privileged": MEMBERS})
    async with RawBot.connect(playground.address, TOKEN, GUILDS | MEMBERS) as bot:
        ana = await stage.person("Ana", server=club)
        assert (await bot.gateway.until("GUILD_MEMBER_ADD"))["user"]["id"] == ana.id
        await ana.say("mine")
        await ana.sees("mine")
        await stage.leave(club, ana)
        assert (await bot.gateway.until("GUILD_MEMBER_REMOVE")) == {
            "user": {**ANYBODY, "id": ana.id},
            "guild_id": club.id,
        }
        await ana.sees_no("mine", in_=club.channels[0])
        await stage.delete(club.channels[1])
        assert (await bot.gateway.until("CHANNEL_DELETE"))["name"] == "talk"
        other = await stage.server("Other")
        assert (await bot.gateway.until("GUILD_CREATE"))["name"] == "Other"
        await stage.leave(other, "Bot")
        assert await bot.gateway.until("GUILD_DELETE") == {"id": other.id}
        assert (await bot.call("GET", f"/guilds/{other.id}")).code == 50001
        gone = await stage.server("Gone")
        await stage.delete(gone)
        assert await bot.gateway.until("GUILD_DELETE") == {"id": gone.id}
    await stage.link.call("PATCH", "/bots/Bot", {"privileged": 0})


ANYBODY: dict[str, Any] = {
    "username": "Ana",
    "global_name": None,
    "discriminator": "0",
    "avatar": None,
    "banner": None,
    "accent_color": None,
    "bot": False,
    "public_flags": 0,
    "flags": 0,
    "primary_guild": None,
}


async def test_shard_gets_its_servers_and_members_on_request(raw: RawBot, club: Server, stage: Stage) -> None:
    ana = await stage.person("Ana", server=club, nick="Annie")
    shards = 2
    mine = (int(club.id) >> 22) % shards
    for index in range(shards):
        gateway = await raw.dial()
        await gateway.identify(TOKEN, shard=[index, shards])
        ready = await gateway.until("READY")
        assert ({"id": club.id, "unavailable": True} in ready["guilds"]) is (index == mine)
    await raw.gateway.send(8, {"guild_id": club.id, "query": "ann", "limit": 5, "nonce": "n"})
    chunk = await raw.gateway.until("GUILD_MEMBERS_CHUNK")
    assert [one["user"]["id"] for one in chunk["members"]] == [ana.id]
    assert chunk["nonce"] == "n"


async def test_gateway_compresses_with_zlib_stream(raw: RawBot) -> None:
    socket = await raw.session.ws_connect(f"{raw.address}/gateway?compress=zlib-stream")
    stream = zlib.decompressobj()
    hello = await socket.receive_bytes()
    assert hello.endswith(b"\x00\x00\xff\xff")
    assert b'"op": 10' in stream.decompress(hello).replace(b'"op":10', b'"op": 10')
    await socket.send_json({"op": 1, "d": None})
    assert b'"op":11' in stream.decompress(await socket.receive_bytes())
    await socket.close()


async def test_gateway_refuses_connections_on_demand(stage: Stage, raw: RawBot) -> None:
    await stage.gateway("refuse", times=1)
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await raw.dial()
    assert refused.value.status == 503
    await raw.dial()


RESUMING = [
    ("close", {"code": 4000}),
    ("close", {"code": 4009}),
    ("close", {"code": 1000}),
    ("close", {"code": 1012}),
    ("reconnect", {}),
    ("invalidate", {"resumable": True}),
]


async def test_real_client_recovers_from_every_gateway_fault(
    playground: Playground, stage: Stage, club: Server
) -> None:
    """One process meets every fault, each time with a click during its absence."""
    ana = await stage.person("Ana", server=club)
    await stage.settings(heartbeat_seconds=0.2)
    async with running(stage.address, heartbeat_timeout=1.0) as process:
        await stage.bot_ready()
        for do, how in RESUMING:
            await stage.gateway(do, **how)
            assert (await ana.slash("/try say", text=f"{do} {how}")).shown.content == f"{do} {how}"
            await stage.settled("resumed")
        await stage.gateway("silence")
        await stage.settled("resumed")
        await ana.slash("/try say", text="after the silence")
        assert process.returncode is None
        assert any(one["connected"] for one in playground.gateway.describe())
        await stage.gateway("close", code=4004)
        await process.wait()
        assert process.returncode == 1
    await stage.settings(heartbeat_seconds=41.25)


async def test_client_identifies_again_after_an_invalid_session(stage: Stage, club: Server) -> None:
    ana = await stage.person("Ana", server=club)
    async with running(stage.address):
        await stage.bot_ready()
        await stage.gateway("invalidate", resumable=False)
        await stage.settled("ready")
        await ana.slash("/try say", text="identified anew")


async def test_refused_first_connection_ends_the_process(stage: Stage, club: Server) -> None:
    await stage.gateway("refuse", times=1)
    async with running(stage.address) as process:
        assert await process.wait() == 1
