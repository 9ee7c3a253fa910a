"""Interactions by HTTP: only what Discord signed is taken, once, and the first answer goes back with it."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest
from nacl.signing import SigningKey
from yarl import URL

from bot.interactions.shared_work import PeerAnswer, SharedWork
from bot.interactions.transports import http
from bot.interactions.transports.http import MAX_AGE, MAX_BYTES, InteractionServer
from bot.rest import inline_response as inline_module
from bot.rest.inline_response import EXTRAS_KEY, InlineResponse
from tests.cogs.test_rest_client import PRESS

KEY = SigningKey(bytes(32))

Deed = Callable[[discord.Interaction[Any], InlineResponse], Awaitable[object]]


async def nothing(_: object, __: object) -> None: ...


@dataclass
class Client:
    """Deals with what comes as a test says."""

    deed: Deed = nothing
    dealt: list[int] = field(default_factory=list[int])
    shared: SharedWork | None = None

    def read(self, payload: dict[str, Any]) -> discord.Interaction[Any]:
        made: Any = discord.Interaction.__new__(discord.Interaction)
        made.id, made.extras, _ = int(payload["id"]), {}, payload["token"]
        return made

    async def handle_request(self, interaction: discord.Interaction[Any], inline: InlineResponse) -> None:
        assert interaction.extras[EXTRAS_KEY] is inline
        self.dealt.append(interaction.id)
        await self.deed(interaction, inline)


def signed(raw: bytes, key: SigningKey = KEY) -> dict[str, str]:
    """What stands above a request."""
    stamp = "1700000000"
    return {"X-Signature-Timestamp": stamp, "X-Signature-Ed25519": key.sign(stamp.encode() + raw).signature.hex()}


@dataclass
class Owner:
    """Another process, which handles interactions with an even id."""

    body: bytes | None = b'{"type":6}'
    was_written: list[bool] = field(default_factory=list[bool])
    tracked: list[int] = field(default_factory=list[int])

    def hear(self, payload: dict[str, Any]) -> None:
        raise AssertionError(payload)

    def hear_event(self, name: str, *args: Any) -> None: ...

    async def answer_elsewhere(self, payload: dict[str, Any]) -> PeerAnswer | None:
        return None if int(payload["id"]) % 2 else PeerAnswer(self.body, self.was_written.append)

    def track(self, payload: dict[str, Any], work: asyncio.Task[None]) -> None:
        self.tracked.append(int(payload["id"]))

    def tell_shards(self, shards: object) -> bool:
        raise AssertionError(shards)


@dataclass
class Outdoors:
    """Discord's side of the door."""

    client: Client
    session: aiohttp.ClientSession
    url: str
    answered: list[int] = field(default_factory=list[int])
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    ids: int = 10**18

    async def send(self, body: Any, *, key: SigningKey = KEY, headers: dict[str, str] | None = None) -> Any:
        """Status and answer."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        told = {**signed(raw, key), **(headers or {})}
        async with self.session.post(self.url, data=io.BytesIO(raw), headers=told) as response:
            text = await response.text()
            return response.status, json.loads(text) if response.content_type == "application/json" else text

    async def press(self, id: int = 0, **more: Any) -> Any:
        self.ids += 1
        return await self.send({**PRESS, "id": str(id or self.ids), **more})


@pytest.fixture
async def outdoors(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Outdoors]:
    client = Client()
    async with aiohttp.ClientSession() as session:
        there = Outdoors(client, session, "")
        there.ready.set()
        door = InteractionServer(
            client, KEY.verify_key.encode().hex(), ready=there.ready, answered=there.answered.append
        )
        there.url = f"http://127.0.0.1:{await door.open('127.0.0.1', 0)}/any/path"
        yield there
        await door.close()
        await door.close()


async def test_answer_of_another_process_is_written_and_acknowledged(outdoors: Outdoors) -> None:
    outdoors.client.shared = owner = Owner()
    assert await outdoors.press(10**18 + 2) == (200, {"type": 6})
    owner.body = None
    assert (await outdoors.press(10**18 + 4))[0] == 202
    assert (await outdoors.press(10**18 + 5))[0] == 202
    assert owner.was_written == [True, True]
    assert owner.tracked == outdoors.client.dealt == [10**18 + 5], "only what is handled here"


async def test_a_ping_is_answered_even_before_the_bot_is_ready(
    outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch
) -> None:
    outdoors.ready.clear()
    assert await outdoors.send({"id": "1", "type": 1}) == (200, {"type": 1})
    pressing = asyncio.create_task(outdoors.press())
    outdoors.ready.set()
    assert (await pressing)[0] == 202
    outdoors.ready.clear()
    monkeypatch.setattr(http, "READY_TIMEOUT", 0.01)
    assert (await outdoors.press())[0] == 503
    assert len(outdoors.client.dealt) == 1


async def test_a_press_that_comes_as_the_bot_is_ready_overtakes_none_that_waits(
    outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It did, and a bid came before the change that was pressed first."""
    outdoors.ready.clear()
    came = asyncio.Queue[int]()

    def loads(body: bytes) -> Any:
        payload = json.loads(body)
        came.put_nowait(int(payload["id"]))
        if int(payload["id"]) == 3:
            outdoors.ready.set()
        return payload

    monkeypatch.setattr(http, "json", SimpleNamespace(loads=loads))
    pressing: list[asyncio.Task[Any]] = []
    for id in (1, 2, 3):
        pressing.append(asyncio.create_task(outdoors.press(id)))
        assert await came.get() == id
    await asyncio.gather(*pressing)
    assert outdoors.client.dealt == [1, 2, 3]


async def test_unsigned_request_is_refused(outdoors: Outdoors) -> None:
    ping = {"id": "1", "type": 1}
    assert (await outdoors.send(ping, key=SigningKey(b"x" * 32)))[0] == 401
    assert (await outdoors.send(ping, headers={"X-Signature-Timestamp": "1700000001"}))[0] == 401
    for forged in ("", "00", "no hex", "0" * 128):
        assert (await outdoors.send(ping, headers={"X-Signature-Ed25519": forged}))[0] == 401
    async with outdoors.session.post(outdoors.url, json=ping) as bare:
        assert bare.status == 401
    async with outdoors.session.get(outdoors.url) as other:
        assert other.status == 405
    assert outdoors.client.dealt == []


async def test_request_without_an_interaction_is_refused(outdoors: Outdoors) -> None:
    assert (await outdoors.send(b"x" * (MAX_BYTES + 1)))[0] == 413
    for body in (b"", b"{", b"[]", b"\xff", b'{"id": "x", "type": 3}', b'{"id": "5"}', b'{"id": "5", "type": 3}'):
        assert (await outdoors.send(body))[0] == 400
    assert outdoors.client.dealt == []


async def test_replayed_request_is_refused(outdoors: Outdoors) -> None:
    """Whoever got hold of a request would read what its answer shows."""
    first = 10**18
    assert (await outdoors.press(first))[0] == 202
    assert (await outdoors.press(first))[0] == 401
    newer = first + ((MAX_AGE + 1) << 22)
    assert (await outdoors.press(newer))[0] == 202
    assert (await outdoors.press(first + 1))[0] == 401, "older than the newest by more than anybody needs"
    assert outdoors.client.dealt == [first, newer]


HIDDEN = {"type": 4, "data": {"content": "yours", "flags": 64}}
INLINE = (HIDDEN, {"type": 5, "data": {"flags": 64}}, {"type": 6}, {"type": 7, "data": {"content": "new"}}, {"type": 9})


@pytest.mark.parametrize("payload", INLINE, ids=lambda payload: str(payload["type"]))
async def test_the_first_answer_goes_back_with_the_request(outdoors: Outdoors, payload: dict[str, Any]) -> None:
    taken = list[bool]()

    async def answer(_: object, inline: InlineResponse) -> None:
        taken.extend([await inline.try_respond(payload), await inline.try_respond({"type": 6})])

    outdoors.client.deed = answer
    assert await outdoors.press() == (200, payload)
    await asyncio.sleep(0)
    assert outdoors.answered == [outdoors.ids]
    assert taken == [True, False], "there is one first answer"


async def test_request_is_let_go_before_an_answer_by_a_call(outdoors: Outdoors) -> None:
    released = asyncio.Event()

    async def answer(_: object, inline: InlineResponse) -> None:
        assert not await inline.try_respond(None)
        released.set()

    outdoors.client.deed = answer
    assert (await outdoors.press())[0] == 202
    await asyncio.wait_for(released.wait(), 60)
    assert outdoors.answered == []


async def test_slow_answer_is_sent_by_a_call(outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inline_module, "RESPOND_WITHIN", 0.01)
    late, taken = asyncio.Event(), asyncio.get_running_loop().create_future()

    async def answer(_: object, inline: InlineResponse) -> None:
        await late.wait()
        taken.set_result(await inline.try_respond(HIDDEN))

    outdoors.client.deed = answer
    assert (await outdoors.press())[0] == 202
    late.set()
    assert await taken is False


async def test_trouble_is_told_without_what_was_asked(outdoors: Outdoors, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(_: object, __: object) -> None:
        raise RuntimeError("as it may be")

    outdoors.client.deed = fail
    assert (await outdoors.press())[0] == 202
    assert (await outdoors.send({"id": str(10**18 + 9), "type": 3, "data": {"custom_id": "g1:seal:K"}}))[0] == 400
    assert "an interaction was not handled" in caplog.text
    assert "an interaction could not be read: KeyError" in caplog.text
    assert "g1:seal" not in caplog.text


async def test_answer_to_a_closed_connection_raises() -> None:
    """As a callback of which nothing is heard."""
    inline = InlineResponse()
    taking = asyncio.create_task(inline.try_respond(HIDDEN))
    assert await inline.wait_for_payload(asyncio.create_task(asyncio.sleep(60))) is HIDDEN
    inline.mark_sent(ConnectionResetError("gone"))
    with pytest.raises(ConnectionResetError):
        await taking


@pytest.mark.parametrize("shown", [HIDDEN, {"type": 7, "data": {}}])
@pytest.mark.parametrize("ago", [-5, 0, 5, 10, 100])
async def test_an_answer_to_what_waited_for_long_is_made_sure_of(
    monkeypatch: pytest.MonkeyPatch, ago: float, shown: Any
) -> None:
    """It lay there before it was read. Whoever stands between took the answer when Discord had given up, and the bot
    held for shown what nobody saw."""
    monkeypatch.setattr(inline_module, "CERTAIN_WITHIN", 4)
    monkeypatch.setattr(inline_module, "RESPOND_WITHIN", 100)
    inline = InlineResponse()
    inline.age = lambda: ago
    taking = asyncio.create_task(inline.try_respond(shown))
    answer = await inline.wait_for_payload(asyncio.create_task(asyncio.sleep(60)))
    inline.mark_sent()
    if ago in (5, 10):
        assert answer is shown
        with pytest.raises(TimeoutError):
            await taking
    else:
        assert (answer, await taking) == ((None, False) if ago == 100 else (shown, True))


async def test_server_needs_a_valid_public_key() -> None:
    for key in ("", "zz", "00"):
        with pytest.raises(ValueError, match="no public key"):
            InteractionServer(Client(), key, ready=asyncio.Event())


async def test_closing_server_waits_for_work(outdoors: Outdoors) -> None:
    ended = asyncio.Event()

    async def wait(_: object, __: object) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    client = Client(wait)
    door = InteractionServer(client, KEY.verify_key.encode().hex(), ready=outdoors.ready)
    outdoors.url = f"http://127.0.0.1:{await door.open('127.0.0.1', 0)}"
    asking = asyncio.create_task(outdoors.press())
    while not client.dealt:  # noqa: ASYNC110 - the request is on its way
        await asyncio.sleep(0)
    await door.close()
    assert ended.is_set()
    await asyncio.gather(asking, return_exceptions=True)


async def test_closing_server_accepts_no_request(outdoors: Outdoors) -> None:
    """What comes by a connection that is open already would be answered with one that is closed by then."""
    closing, asked = asyncio.Event(), asyncio.Event()

    async def wait(_: object, __: object) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            closing.set()
            await asked.wait()

    client = Client(wait)
    door = InteractionServer(client, KEY.verify_key.encode().hex(), ready=outdoors.ready)
    outdoors.url = f"http://127.0.0.1:{await door.open('127.0.0.1', 0)}"
    asking = asyncio.create_task(outdoors.press())
    while not client.dealt:  # noqa: ASYNC110 - the request is on its way
        await asyncio.sleep(0)
    closed = asyncio.create_task(door.close())
    await closing.wait()
    status, _ = await outdoors.press()
    asked.set()
    await closed
    assert (status, len(client.dealt)) == (503, 1)
    await asyncio.gather(asking, return_exceptions=True)


# --- what nobody has signed --------------------------------------------------------------------------------------


async def opened(outdoors: Outdoors, sends: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    url = URL(outdoors.url)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(sends)
    return reader, writer


async def wait_for_end(reader: asyncio.StreamReader) -> None:
    """Wait until the bot ends the connection. The system resets it if the bot had not read everything yet."""
    with suppress(ConnectionResetError):
        await reader.read()


@pytest.mark.parametrize("sends", [b"", b"POST / HTTP/1.1\r\nHost: bot\r\n"], ids=["nothing", "half a head"])
async def test_a_connection_without_a_request_is_ended(
    outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch, sends: bytes
) -> None:
    monkeypatch.setattr(http, "HEAD_TIMEOUT", 0.05)
    there = [await opened(outdoors, sends) for _ in range(20)]
    async with asyncio.timeout(10):
        for reader, writer in there:
            await wait_for_end(reader)
            writer.close()


async def test_slow_request_head_is_cut_off(outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "HEAD_TIMEOUT", 0.2)
    reader, writer = await opened(outdoors, b"POST / HTTP/1.1\r\n")
    ended = asyncio.create_task(wait_for_end(reader))
    async with asyncio.timeout(10):
        while not ended.done():
            writer.write(b"x")
            await asyncio.wait([ended], timeout=0.02)
    writer.close()


async def test_an_idle_connection_is_ended_and_a_used_one_is_kept(
    outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "IDLE_TIMEOUT", 0.3)
    raw = json.dumps({"id": "1", "type": 1}).encode()
    above = {"Host": "bot", "Content-Length": str(len(raw)), **signed(raw)}
    head = "\r\n".join(["POST / HTTP/1.1", *(f"{name}: {value}" for name, value in above.items()), "", ""]).encode()
    reader, writer = await opened(outdoors, head + raw)
    for _ in range(2):
        assert (await reader.readline()).startswith(b"HTTP/1.1 200")
        await reader.readuntil(b'{"type":1}')
        writer.write(head + raw)
    async with asyncio.timeout(10):
        await wait_for_end(reader)
    writer.close()


async def test_connection_over_the_limit_is_closed(outdoors: Outdoors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_CONNECTIONS", 3)
    there = [await opened(outdoors, b"") for _ in range(3)]
    reader, writer = await opened(outdoors, b"")
    async with asyncio.timeout(10):
        assert await reader.read() == b""
    for _, one in [*there, (reader, writer)]:
        one.close()


@pytest.mark.parametrize("sends", [b"\x16\x03\x01secret\r\n\r\n", b"POST / HTTP/1.1\r\nsecret: \x00\r\n\r\n"])
async def test_invalid_http_is_logged_in_one_line_without_its_bytes(
    outdoors: Outdoors, caplog: pytest.LogCaptureFixture, sends: bytes
) -> None:
    caplog.set_level("DEBUG")
    reader, writer = await opened(outdoors, sends)
    async with asyncio.timeout(10):
        await wait_for_end(reader)
    writer.close()
    told = [record for record in caplog.records if record.name.startswith("bot.interactions")]
    assert [record.getMessage().startswith("a request could not be read: ") for record in told] == [True]
    assert told[0].exc_info is None
    assert "secret" not in caplog.text


async def test_what_discord_signed_and_cannot_be_is_refused_with_one_line(
    outdoors: Outdoors, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await outdoors.send(b'{"id": "1", "type": 2, "data": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"))[0] == 400
    assert len(caplog.records) == 1
    for id in (1 << 62, 1 << 64, 0, -5):
        assert (await outdoors.press(id or -1) if id else await outdoors.send({**PRESS, "id": "0"}))[0] == 400
    assert outdoors.client.dealt == []
    await outdoors.press()
    assert outdoors.client.dealt == [outdoors.ids], "no later interaction is refused for it"
