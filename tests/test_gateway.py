"""Staying connected: retries after a refusal, sessions a day, and no events for a closed client."""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import math
import warnings
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.app import RunningBot
from bot.process.gateway import MAX_WAIT, Gateway, Shard, ShardedClient
from bot.process.sessions import BURST, EVERY, SessionLimit
from tests import virtual_time

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
DAY = 24 * 3600.0
ALLOWED = 1000
"""sessions that Discord lets a bot begin in a day"""


class Closed(discord.ConnectionClosed):
    """Discord closed with this code."""

    def __init__(self, code: int) -> None:
        Exception.__init__(self, f"closed with {code}")
        self.code, self.reason, self.shard_id = code, "", None


class Discord:
    """A gateway that does what the test wants, and notes when it was asked. Time is the virtual loop's."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.kept: str | None = None
        self.sessions: list[float] = []
        """when a session began"""
        self.asked: list[float] = []
        """when a client tried to connect"""
        self.went: list[yarl.URL] = []
        """where it tried that"""
        self.resumes_at: yarl.URL | None = None
        """where a session is resumed, if that is elsewhere than where it began"""
        self.refuses: Callable[[int], Exception | None] = lambda _: None
        """what a connection with this number fails with"""
        self.ends: Callable[[int], Awaitable[Exception]]
        """what it ends with, once it was there"""
        monkeypatch.setattr(DiscordWebSocket, "from_client", self._open)

    def client(self) -> Shard:
        loop = asyncio.get_running_loop()

        async def keep(text: str) -> None:
            self.kept = text

        sessions = SessionLimit(lambda: START + timedelta(seconds=loop.time()), keep, self.kept)
        bot = ShardedClient()
        bot.loop = loop
        return Shard(bot, Gateway(bot, sessions, "wss://gateway.discord.gg"))

    async def _open(self, client: Shard, *, gateway: yarl.URL, resume: bool = False, **_: Any) -> Any:
        self.went.append(gateway)
        now = asyncio.get_running_loop().time()
        self.asked.append(now)
        number = len(self.asked)
        refused = self.refuses(number)
        if refused is not None:
            raise refused
        if not resume:
            await client.before_identify_hook(None)
            self.sessions.append(now)

        resumes_at = self.resumes_at

        class Socket:
            session_id, sequence, gateway, open = "s", 1, resumes_at, False

            @staticmethod
            async def poll_event() -> None:
                raise await self.ends(number)

        return Socket()

    @property
    def gaps(self) -> list[float]:
        return [later - before for before, later in zip(self.asked, self.asked[1:], strict=False)]

    @property
    def most_in_a_day(self) -> int:
        begun = self.sessions
        return max(sum(at <= other < at + DAY for other in begun) for at in begun)


async def stays_for(client: Shard, seconds: float) -> None:
    """Connected, or trying to be, for so long."""
    connected = asyncio.create_task(client.connect())
    await asyncio.sleep(seconds)
    assert not connected.done()
    connected.cancel()
    await asyncio.gather(connected, return_exceptions=True)


def virtual(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Days pass in a moment."""

    def runs(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
        wanted = {"server": Discord(monkeypatch), "caplog": caplog}
        virtual_time.run(test(*(wanted[name] for name in inspect.signature(test).parameters)))

    runs.__name__, runs.__doc__ = test.__name__, test.__doc__
    return runs


async def lasts(seconds: float, end: Exception) -> Exception:
    await asyncio.sleep(seconds)
    return end


@virtual
async def test_refused_client_reconnects_within_15_seconds(server: Discord, caplog: pytest.LogCaptureFixture) -> None:
    server.refuses = lambda number: OSError("refused") if 1 < number < 40 else None
    server.ends = lambda number: lasts(60 if number == 1 else DAY, ReconnectWebSocket(None))
    await stays_for(server.client(), 3600)
    assert len(server.asked) == 40
    assert max(server.gaps[1:]) <= MAX_WAIT
    assert sum(server.gaps[1:7]) <= 1 + 2 + 4 + 8 + 15 + 15
    assert len(set(server.gaps[8:])) > 20, "jitter: a thousand bots must not come at once"
    assert min(server.gaps[8:]) >= MAX_WAIT / 2
    assert len(server.sessions) == 1, "the session goes on"
    told = [record for record in caplog.records if "trying again" in record.getMessage()]
    assert len(told) == 38
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]


@virtual
async def test_connection_that_never_opens_does_not_reset_the_wait(server: Discord) -> None:
    """The time of the failed attempt does not matter."""
    server.refuses = lambda number: TimeoutError() if number > 1 else None
    server.ends = lambda _: lasts(60, ReconnectWebSocket(None))
    await stays_for(server.client(), 300)
    assert server.gaps[0] == 60, "after a good one the next is tried at once"
    assert min(server.gaps[5:]) >= MAX_WAIT / 2


@pytest.mark.parametrize("lasting", [0.0, 10.0, 31.0])
@pytest.mark.parametrize("restarts", [False, True])
def test_broken_sessions_stay_within_the_daily_limit(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, lasting: float, restarts: bool
) -> None:
    """Every connection succeeds, and Discord then ends the session; with restarts, once an hour."""
    caplog.set_level(logging.CRITICAL)
    server = Discord(monkeypatch)
    server.ends = lambda _: lasts(lasting, ReconnectWebSocket(None, resume=False))

    async def days() -> None:
        if restarts:
            for _ in range(60):
                await stays_for(server.client(), 3600)
        else:
            await stays_for(server.client(), 2.5 * DAY)

    virtual_time.run(days())
    assert 900 < server.most_in_a_day <= ALLOWED
    apart = [later - before for before, later in zip(server.sessions, server.sessions[1:], strict=False)]
    assert min(apart) >= (0.0 if restarts else 4.99)
    assert max(apart) <= EVERY.total_seconds() + MAX_WAIT


@virtual
async def test_resumed_session_costs_no_session_start(server: Discord) -> None:
    server.ends = lambda _: lasts(1, ReconnectWebSocket(None))
    await stays_for(server.client(), DAY)
    assert len(server.sessions) == 1
    assert len(server.asked) < DAY / (MAX_WAIT / 2)


@virtual
async def test_session_is_resumed_elsewhere_where_its_host_is_gone(server: Discord) -> None:
    client, host = server.client(), yarl.URL("wss://gateway-us-east1.discord.gg")
    client.gateway.url, client.gateway._told = "", (math.inf, "wss://gateway.discord.gg")
    server.refuses = lambda number: OSError("refused") if number > 1 and server.went[-1] == host else None
    server.ends = lambda number: lasts(50 if number == 1 else DAY, ReconnectWebSocket(None))
    server.resumes_at = host
    await stays_for(client, 60)
    assert server.went[1:] == [host] * 3 + [yarl.URL("wss://gateway.discord.gg")]
    assert len(server.sessions) == 1


@virtual
async def test_failure_before_the_first_connection_is_raised(server: Discord) -> None:
    for error in (OSError("refused"), ReconnectWebSocket(None), TimeoutError()):
        server.refuses = lambda _, error=error: error
        with pytest.raises(ConnectionError):
            await server.client().connect()


@virtual
async def test_client_cancelled_as_a_connection_opens_stops(server: Discord) -> None:
    """`wait_for` of Python 3.11 forgets a cancellation if its future is done in the same instant."""
    server.ends = lambda _: lasts(DAY, ReconnectWebSocket(None))
    connected = asyncio.create_task(server.client().connect())

    def opens(_: int) -> None:
        asyncio.get_running_loop().call_soon(connected.cancel)

    server.refuses = opens
    done, _ = await asyncio.wait({connected}, timeout=60)
    assert done == {connected}
    assert connected.cancelled()


@virtual
async def test_permanent_close_codes_are_raised(server: Discord) -> None:
    for code, raised in ((4004, discord.ConnectionClosed), (4014, discord.PrivilegedIntentsRequired)):
        server.ends = lambda _, code=code: lasts(1, Closed(code))
        with pytest.raises(raised):
            await server.client().connect()
    server.ends = lambda _: lasts(1, Closed(1000))
    await stays_for(server.client(), 60)


def test_clock_set_back_gives_no_extra_sessions() -> None:
    async def keep(_: str) -> None:
        pass

    later = json.dumps([0.25, (START + timedelta(days=3)).isoformat()])
    assert SessionLimit(lambda: START, keep, later).wait() == pytest.approx(0.75 * EVERY.total_seconds())
    assert SessionLimit(lambda: START, keep, None).wait() == 0


def test_session_limit_stays_below_discords_limit() -> None:
    assert BURST + timedelta(days=1) / EVERY < ALLOWED


async def test_session_begins_even_if_it_cannot_be_stored(caplog: pytest.LogCaptureFixture) -> None:
    async def keep(_: str) -> None:
        raise OSError("the disk is full")

    await SessionLimit(lambda: START, keep, None).begin()
    assert "could not be noted" in caplog.text


# --- closing ---------------------------------------------------------------------------------------------------


async def test_closed_client_gets_no_events() -> None:
    """The gateway may end after the loop, and `Client._run_event` was never awaited."""
    client = ShardedClient()
    shard = Shard(client, client.gateway)
    client.shards = {0: shard}
    heard: list[str] = []

    async def on_shard_disconnect(_: int) -> None:
        heard.append("disconnect")

    client.on_shard_disconnect = on_shard_disconnect  # type: ignore[attr-defined]
    client.loop = asyncio.get_running_loop()
    shard.dispatch("disconnect")
    await asyncio.sleep(0)
    assert heard == ["disconnect"]
    await client.close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        shard.dispatch("disconnect")
        client.dispatch("shard_disconnect", 0)
    assert heard == ["disconnect"]


def asked(monkeypatch: pytest.MonkeyPatch, api: dict[str, str] | Exception) -> tuple[Shard, list[str]]:
    """A shard, where its connections went, and what the API says of the gateway."""
    client, went = ShardedClient(), list[str]()

    async def request(_: object) -> dict[str, Any]:
        if isinstance(api, Exception):
            raise api
        return {"shards": 1, **api}

    async def from_client(*_: object, gateway: yarl.URL, **more: Any) -> None:
        went.append(str(gateway))

    monkeypatch.setattr(client.http, "request", request)
    monkeypatch.setattr(DiscordWebSocket, "from_client", from_client)
    return Shard(client, client.gateway), went


async def test_gateway_address_comes_from_the_api_unless_set(monkeypatch: pytest.MonkeyPatch) -> None:
    client, went = asked(monkeypatch, {"url": "wss://gateway.discord.gg"})
    await client._open(None)
    await client._open({"gateway": yarl.URL("wss://gateway-us-east1.discord.gg"), "session": "s", "resume": True})
    client.gateway.url = "ws://127.0.0.1:7777"
    await client._open(None)
    await client._open({"gateway": yarl.URL("wss://gateway-us-east1.discord.gg"), "session": "s", "resume": True})
    assert [yarl.URL(one).host for one in went] == [
        "gateway.discord.gg",
        "gateway-us-east1.discord.gg",
        "127.0.0.1",
        "127.0.0.1",
    ]


@pytest.mark.parametrize("named", ["ws://evil.example", "http://evil.example", "ws://127.0.0.1@evil.example", ""])
async def test_token_is_not_sent_to_an_unencrypted_gateway_from_an_answer(
    monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """IDENTIFY and RESUME carry the token."""
    client, went = asked(monkeypatch, {"url": named or "ws://evil.example"})
    with pytest.raises(ConnectionError, match="Discord's gateway must b"):
        await client._open(None)
    with pytest.raises(ConnectionError, match="Discord's gateway must b"):
        await client._open({"gateway": yarl.URL("ws://evil.example"), "session": "s", "resume": True})
    assert went == []


async def test_token_refused_later_ends_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unauthorized(discord.HTTPException):
        status = 401

        def __init__(self) -> None:
            Exception.__init__(self)

    client, _ = asked(monkeypatch, Unauthorized())
    with pytest.raises(discord.LoginFailure):
        await client._open(None)


# --- several shards --------------------------------------------------------------------------------------------


async def test_bot_is_connected_once_all_shards_are() -> None:
    """The first shard is lost while the second shard begins, and resumes its session."""
    process: Any = MagicMock(http_server=None)
    process.presence.reconnect, process.presence.tell_moved = AsyncMock(), AsyncMock()
    bot = RunningBot(process)
    bot.shards, bot.lost = {number: Shard(bot, bot.gateway, number, 2) for number in (0, 1)}, {0, 1}
    await bot.on_shard_connect(0)
    await bot.on_shard_disconnect(0)
    await bot.on_shard_connect(1)
    assert not bot.connected.is_set()
    process.presence.reconnect.assert_not_awaited()
    await bot.on_shard_resumed(0)
    assert bot.connected.is_set()
    process.presence.reconnect.assert_awaited_once()
    await bot.on_shard_disconnect(1)
    await bot.on_shard_resumed(1)
    process.presence.tell_moved.assert_awaited_once()


async def of_several(shards: int = 1, *, by_http: bool = False) -> tuple[RunningBot, asyncio.Event, AsyncMock]:
    """A bot among other processes that has no shard, its connection, and what gives time back."""
    process: Any = MagicMock(http_server=MagicMock() if by_http else None)
    process.presence.online = online = asyncio.Event()
    process.presence.reconnect = AsyncMock(side_effect=online.set)
    process.presence.disconnect, process.presence.tell_moved = online.clear, AsyncMock()
    bot = RunningBot(process)
    bot.loop, bot.shard_count = asyncio.get_running_loop(), shards
    bot.check_shards()
    bot.check_shards()
    await bot.connected.wait()
    return bot, online, process.presence.reconnect


async def test_process_without_shards_gives_time_back_once() -> None:
    bot, _, reconnect = await of_several()
    bot.check_shards()
    await asyncio.sleep(0)  # as long as an event takes to be handled
    reconnect.assert_awaited_once()


@pytest.mark.parametrize("by_http", [False, True])
async def test_clocks_stand_while_a_shard_that_was_taken_over_waits_for_its_session(by_http: bool) -> None:
    """They stood from its first failure on only. By HTTP players can go on bidding."""
    bot, online, _ = await of_several(by_http=by_http)
    bot.call_api = AsyncMock()
    bot.shards, bot.lost = {0: Shard(bot, bot.gateway)}, {0}
    bot.check_shards()
    assert online.is_set() is by_http
    await bot.on_shard_resumed(0)
    assert online.is_set()


async def test_clocks_stand_while_a_shard_of_another_process_is_lost() -> None:
    bot, online, _ = await of_several(2)
    bot.shards, bot.shared = {0: Shard(bot, bot.gateway, 0, 2)}, MagicMock()
    bot.shared.tell_shards.return_value = False
    bot.check_shards()
    assert not online.is_set()
    bot.shared.tell_shards.return_value = True
    bot.check_shards()
    await online.wait()
    bot.shared.tell_shards.assert_called_with({(0, 2)})


async def test_permanent_error_of_one_shard_is_raised_by_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Discord(monkeypatch)
    bot = ShardedClient(gateway_url="wss://gateway.discord.gg", shards=3)
    server.ends = lambda number: lasts(0 if number == 2 else DAY, Closed(4011))

    async def request(_: object) -> dict[str, Any]:
        return {"shards": 1, "url": ""}

    monkeypatch.setattr(bot.http, "request", request)
    with pytest.raises(discord.ConnectionClosed, match="4011"):
        await bot.connect()
    assert (len(server.asked), bot.is_closed()) == (3, False), "whoever runs the bot closes it"
