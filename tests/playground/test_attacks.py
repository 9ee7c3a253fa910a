"""Attacks of a foreign page in the same browser, and bad numbers."""

import asyncio
import json
from typing import Any

import aiohttp
import pytest

from bot.playground.server import TOKEN, Playground

FOREIGN = [
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "[::1",
    "",
    "10.0.0.1",
]


async def statuses(playground: Playground, path: str, headers: dict[str, str], method: str = "GET") -> int:
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, playground.address + path, headers=headers) as answer,
    ):
        return answer.status


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize(
    "path", ["/", "/page/main.js", "/play/world", "/api/v10/gateway", "/gateway", "/attachments/1/1/x"]
)
async def test_foreign_host_name_for_this_machine_is_refused(host: str, path: str) -> None:
    """DNS rebinding points a name of the attacker at 127.0.0.1 and so makes its page same-origin."""
    async with Playground() as playground:
        assert await statuses(playground, path, {"Host": host}) == 403


async def test_request_without_a_host_is_refused() -> None:
    async with Playground() as playground:
        port = int(playground.address.rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /play/world HTTP/1.0\r\n\r\n")
        assert b" 403 " in await reader.readline()
        writer.close()


async def test_local_host_names_are_accepted() -> None:
    async with Playground() as playground:
        port = playground.address.rsplit(":", 1)[1]
        for host in (f"127.0.0.1:{port}", f"localhost:{port}", "localhost", "127.0.0.1", "[::1]:8765"):
            assert await statuses(playground, "/play/world", {"Host": host, "Origin": f"http://{host}"}) == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1", "file://"]
)
@pytest.mark.parametrize("path", ["/gateway", "/gateway/", "/", "/play/events", "/api/v10/gateway"])
async def test_foreign_page_cannot_open_a_gateway(origin: str, path: str) -> None:
    """Browsers let any page open a websocket anywhere; only `Origin` shows the page."""
    async with Playground() as playground, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(playground.address + path, headers={"Origin": origin})
        assert refused.value.status == 403
        assert not playground.gateway.connections


NUMBERS = ["x", "-1", "1.5", "1e999", "nan", "inf", "9" * 5000, "²", "", "true"]
"""of a path or a query"""

VALUES: list[Any] = ["x", -1, 1.5, 1e308, "nan", "inf", 10**400, [], {}, True, "9" * 5000]
"""of a body"""


async def asks(playground: Playground, method: str, path: str, body: Any = None, raw: bytes | None = None) -> int:
    headers = {"Authorization": f"Bot {TOKEN}", "Content-Type": "application/json"}
    data = raw if raw is not None else (None if body is None else json.dumps(body).encode())
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, playground.address + path, data=data, headers=headers) as answer,
    ):
        return answer.status


@pytest.mark.parametrize("number", NUMBERS)
async def test_bad_number_in_a_path_or_query_is_a_client_error(number: str) -> None:
    async with Playground() as playground:
        playground.add_bot()
        world = playground.core.world
        guild = next(iter(world.guilds.values()))
        channel = guild.channels[0]
        ana = world.add_user("ana")
        world.add_member(guild, ana)
        number = number or "%20"
        for path in (
            f"/play/people/{ana.id}/channels/{number}/messages",
            f"/play/people/{ana.id}/channels/{number}/commands",
            f"/play/people/{ana.id}/channels/{channel}/messages?limit={number}",
            f"/play/calls/log?limit={number}",
            f"/play/calls/wait?times={number}",
            f"/play/calls/wait?patience={number}&times=99",
            f"/attachments/1/{number}/x",
            f"/api/v10/channels/{number}",
            f"/api/v10/channels/{channel}/messages?limit={number}",
            f"/api/v10/channels/{channel}/messages/{number}",
            f"/api/v10/guilds/{guild.id}/members/search?query=a&limit={number}",
        ):
            if number == "1.5" and "patience" in path:
                continue  # seconds may be halved
            assert 400 <= await asks(playground, "GET", path) < 500, path
        delete = f"/play/channels/{channel}/messages/{number}"
        assert 400 <= await asks(playground, "DELETE", delete) < 500


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:8])
async def test_bad_number_in_a_body_is_a_client_error(value: Any) -> None:
    async with Playground() as playground:
        playground.add_bot()
        guild = next(iter(playground.core.world.guilds.values()))
        channel = guild.channels[0]
        for method, path, body in (
            ("PUT", "/play/clock", {"offset": value if value not in (-1, 1.5) else "x"}),
            ("PUT", "/play/clock", {"forward": value if value not in (-1, 1.5) else None}),
            ("PUT", "/play/limits", {"global": [value, 1]}),
            ("PUT", "/play/limits", {"global": [1, value if value != 1.5 else -1]}),
            ("PATCH", "/play/settings", {"ack_seconds": value if value != 1.5 else None}),
            ("PATCH", "/play/settings", {"log_calls": value}),
            ("POST", "/play/faults", {"kind": "answer", "status": value}),
            ("POST", "/play/faults", {"kind": "slow", "seconds": value if value != 1.5 else -1}),
            ("POST", "/play/faults", {"kind": "answer", "times": value}),
            ("POST", "/play/gateway", {"do": "close", "code": value}),
            ("POST", "/play/gateway", {"do": "refuse", "times": value}),
            ("POST", "/play/bots", {"name": "b", "token": "b", "privileged": value}),
            ("POST", f"/play/servers/{guild.id}/channels", {"name": "c", "type": value}),
            ("POST", "/play/presses", {"like": "*", "on": [[value, 1, 1]]}),
            ("POST", "/play/presses", {"like": "*", "on": [value]}),
            ("POST", "/play/presses", {"like": "*", "on": [], "at_once": value}),
            ("POST", f"/api/v10/channels/{channel}/messages", {"content": "a", "flags": value or [1]}),
        ):
            if value == [] and path == "/play/presses" and body["on"] == [[]]:
                continue
            status = await asks(playground, method, path, body)
            assert 400 <= status < 500, (method, path, body, status)
        assert playground.core.clock.offset == 0


@pytest.mark.parametrize("raw", [b"[" * 100_000, b'{"a":' * 50_000, b"\xff", b'{"offset": ' + b"9" * 5000 + b"}"])
async def test_unreadable_body_is_a_client_error(raw: bytes) -> None:
    async with Playground() as playground:
        playground.add_bot()
        guild = next(iter(playground.core.world.guilds.values()))
        for method, path in (("PUT", "/play/clock"), ("POST", f"/api/v10/channels/{guild.channels[0]}/messages")):
            assert await asks(playground, method, path, raw=raw) == 400
