"""What we use of discord.py's inside: all of it in one package, and each name as we use it.

A test that fails here after discord.py was upgraded says what has to change in `bot.discord_internals`.
"""

from __future__ import annotations

import ast
import asyncio
import gc
import importlib
import inspect
import zlib
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, MagicMock

import aiohttp
import discord
import pytest
import yarl
from aiohttp import web
from aiohttp.test_utils import TestServer
from discord import app_commands
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route, handle_message_parameters
from discord.webhook.async_ import interaction_message_response_params

from bot import command_tree
from bot.app import Bot, RunningBot
from bot.discord_internals import api_calls, gateway, payloads
from bot.discord_internals.client import HELD, REPLAYED, InternalsBot, InternalsShard
from bot.discord_internals.gateway import Reconnect, Socket
from bot.discord_internals.payloads import ReadyLayout, ReadyView
from bot.interactions import command_sync
from bot.interactions.client import GopsClient
from bot.interactions.context import read_user
from bot.process.gateway import Shard, ShardedClient
from bot.ui.message import Message
from tests.conftest import ROOT, discord_side_files

HOME = ROOT / "bot" / "discord_internals"

INTERNALS = "bot.discord_internals"

DOCUMENTED = {"discord", "discord.abc", "discord.ui", "discord.app_commands"}
"""modules of discord.py that its documentation names"""

UNDOCUMENTED = {"http", "ws", "to_components", "has_components_v2", "is_dispatchable", "to_dict", "from_client"}
"""names of discord.py that stand in no documentation and that something of ours needs, or needed"""

OVERRIDES = {
    *{"__init__", "on_error", "setup_hook", "close", "connect", "before_identify_hook"},
    *{"type", "transform"},
}
"""what our classes put in the place of something of discord.py's, and its documentation says that they may"""

INSIDE_OVERRIDES = {
    *{"__init__", "dispatch", "received_message", "to_components", "has_components_v2"},
    *{"create_interaction_response", "is_closed", "close"},
}
"""the same where no documentation does: in `bot.discord_internals` alone"""


def shard_of(bot: ShardedClient | None = None) -> Shard:
    """A shard as the bot has them, the only one of this bot."""
    bot = bot or ShardedClient()
    shard = Shard(bot, bot.gateway)
    bot.shards, bot.shard_count = {0: shard}, 1
    return shard


def sources() -> list[Path]:
    """Everything that may import discord.py, but for the one package."""
    folders = [ROOT / "bot", *(ROOT / "bot" / name for name in ("commands", "process", "process/base"))]
    found = [*discord_side_files(), *(path for folder in folders for path in folder.glob("*.py"))]
    return sorted(path for path in found if path.parent != HOME)


def inner_names(source: str) -> list[str]:
    """What a file uses of discord.py's inside; and what is private to whatever class, but the file's own."""
    syntax = ast.parse(source)
    own = {node.name for node in ast.walk(syntax) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    fields = (node.target for node in ast.walk(syntax) if isinstance(node, ast.AnnAssign))
    own |= {target.id for target in fields if isinstance(target, ast.Name)}
    found: list[str] = []
    for node in ast.walk(syntax):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "discord":
            if node.module not in DOCUMENTED:
                found.append(f"from {node.module}")
        elif isinstance(node, ast.Import):
            found += [one.name for one in node.names if one.name.startswith("discord.") and one.name not in DOCUMENTED]
        elif isinstance(node, ast.Attribute):
            mine = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            if (_is_private(node.attr) and not mine and node.attr not in own) or node.attr in UNDOCUMENTED:
                found.append(node.attr)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "setattr"):
            named = node.args[1]
            if isinstance(named, ast.Constant) and (_is_private(str(named.value)) or named.value in UNDOCUMENTED):
                found.append(str(named.value))
    return found


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def test_only_one_package_uses_internals_of_discord_py() -> None:
    found = {path: inner_names(path.read_text(encoding="utf-8")) for path in sources()}
    assert {path: names for path, names in found.items() if names} == {}


def test_uses_of_internals_are_found() -> None:
    source = """
from discord.http import Route
import discord.gateway, discord.ui
def _mine(self, other): return self._state, other._mine(), other._state, client.http.token, getattr(member, "_roles")
"""
    assert sorted(inner_names(source)) == ["_roles", "_state", "discord.gateway", "from discord.http", "http"]


def modules() -> list[ModuleType]:
    names = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in sources() if path.stem != "__main__"]
    internals = [f"{INTERNALS}.{path.stem}" for path in HOME.glob("*.py") if path.stem != "__init__"]
    return [importlib.import_module(name) for name in [*names, *internals]]


def replaced(cls: type) -> set[str]:
    """What a class puts in the place of something of discord.py's."""
    theirs = [base for base in cls.__mro__ if base.__module__.split(".")[0] == "discord"]
    names = [name for name in vars(cls) if name == "__init__" or not name.startswith("__")]
    return {name for name in names if any(name in vars(base) for base in theirs)}


def test_our_classes_replace_only_what_they_may() -> None:
    """A name that discord.py takes in a new release must not turn into something of ours."""
    ours = {
        cls
        for module in modules()
        for cls in vars(module).values()
        if isinstance(cls, type) and cls.__module__ == module.__name__
    }
    found = {cls: replaced(cls) for cls in ours}
    assert {
        Bot,
        RunningBot,
        GopsClient,
        ShardedClient,
        Shard,
        InternalsBot,
        InternalsShard,
        ReadyLayout,
        ReadyView,
        Socket,
        command_tree.Tree,
    } <= found.keys()
    for cls, names in found.items():
        allowed = INSIDE_OVERRIDES if cls.__module__.startswith(INTERNALS) else OVERRIDES
        assert names <= allowed, f"{cls.__name__} replaces {names - allowed}"
    assert (
        set.union(*(names for cls, names in found.items() if cls.__module__.startswith(INTERNALS))) == INSIDE_OVERRIDES
    )


async def test_our_fields_are_in_nobodys_place() -> None:
    bare = discord.Client(intents=discord.Intents.none())
    taken = {*dir(bare), *vars(bare)}
    process: Any = MagicMock()
    fields = vars(RunningBot(process)).keys()
    assert {"rest_client", "router", "command_entries", "process", "services", "connected"} <= fields - taken
    for ours, theirs in ((ReadyLayout([]), discord.ui.LayoutView()), (ReadyView([]), discord.ui.View())):
        assert "ready" not in {*dir(theirs), *vars(theirs)}
        assert vars(ours).keys() - vars(theirs).keys() == {"ready"}


# --- where Discord is ------------------------------------------------------------------------------------------


def test_calls_go_to_the_configured_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    api_calls.point_at("http://here/api")
    assert api_calls.address() == "http://here/api"
    assert Route("GET", "/users/{user_id}", user_id=3).url == "http://here/api/users/3"


async def test_gateway_address_is_configurable(monkeypatch: pytest.MonkeyPatch) -> None:
    client, opened = shard_of(), list[str]()

    async def ws_connect(url: str) -> None:
        opened.append(url)
        raise OSError("as far as is needed")

    monkeypatch.setattr(client.http, "ws_connect", ws_connect)
    for session in (None, {"session": "s", "sequence": 1, "gateway": yarl.URL("ws://there/"), "resume": True}):
        with pytest.raises(OSError, match="as far"):
            await client.open_socket(session, yarl.URL("ws://here/gateway"))
    assert [yarl.URL(url).with_query(None) for url in opened] == [yarl.URL("ws://here/gateway")] * 2


async def test_the_api_says_where_the_gateway_is(monkeypatch: pytest.MonkeyPatch) -> None:
    client = ShardedClient()

    async def request(route: Route) -> dict[str, Any]:
        assert (route.method, route.path) == ("GET", "/gateway/bot")
        return {"url": "wss://gateway.discord.gg", "shards": 3}

    monkeypatch.setattr(client.http, "request", request)
    assert await client.gateway.read() == 3
    assert await client.gateway.address() == "wss://gateway.discord.gg"


# --- the client ------------------------------------------------------------------------------------------------


def test_a_connection_is_opened_and_heeded_as_we_do() -> None:
    opening = inspect.signature(DiscordWebSocket.from_client).parameters
    assert next(iter(opening)) == "client"
    assert {"shard_id", "session", "sequence", "gateway", "resume"} <= opening.keys()
    assert inspect.iscoroutinefunction(DiscordWebSocket.from_client)
    assert inspect.iscoroutinefunction(DiscordWebSocket.poll_event)
    assert list(inspect.signature(DiscordWebSocket.poll_event).parameters) == ["self"]
    assert (Reconnect(None).resume, Reconnect(None, resume=False).resume) == (True, False)
    ours, theirs = inspect.signature(Shard.connect), inspect.signature(discord.Client.connect)
    assert ours == theirs == inspect.signature(ShardedClient.connect)
    assert (shard_of().shard_id, ShardedClient().shard_id) == (0, None)


async def test_a_session_goes_on_with_what_the_socket_knows_of_it() -> None:
    client = shard_of()
    client.ws = DiscordWebSocket(None, loop=asyncio.get_running_loop())  # type: ignore[arg-type]
    assert client.session is None, "a socket that has not begun one"
    ready = {"op": 0, "s": 4, "t": "READY", "d": {"session_id": "s", "resume_gateway_url": "wss://there"}}
    socket: Any = client.ws
    socket._discord_parsers, socket._dispatch, socket.shard_id = {}, lambda *_: None, None
    socket._connection = client._connection
    await socket.received_message(discord.utils._to_json(ready))
    session = client.session
    assert session is not None
    assert session.pop("gateway") == client.ws.gateway == yarl.URL("wss://there")
    assert session == {"session": "s", "sequence": 4, "resume": True}


async def test_discord_py_counts_a_session_right_before_it_begins() -> None:
    """`identify` calls the hook, and sends only then."""
    said: list[str] = []
    socket: Any = DiscordWebSocket(None, loop=None)  # type: ignore[arg-type]

    async def hooks(name: str, *_: object, **how: object) -> None:
        said.append(name)
        await Shard.before_identify_hook(client, None, **how)  # type: ignore[arg-type]

    async def begin(_: int) -> None:
        said.append("counted")

    async def send(payload: dict[str, Any]) -> None:
        said.append(f"op {payload['op']}")

    client: Any = shard_of()
    client.gateway.sessions = SimpleNamespace(begin=begin)
    socket.token, socket.shard_id, socket.shard_count, socket._initial_identify = "t", None, None, True
    socket._connection = client._connection
    socket.call_hooks, socket.send_as_json = hooks, send
    await socket.identify()
    assert said == ["before_identify", "counted", f"op {DiscordWebSocket.IDENTIFY}"]


async def test_events_are_dispatched() -> None:
    """Through the method that we replace."""
    assert inspect.signature(InternalsBot.dispatch) == inspect.signature(discord.Client.dispatch)
    heard: list[str] = []

    class Listening(InternalsBot):
        def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
            heard.append(event)

    client = Listening(app_commands.CommandTree, intents=discord.Intents.none())
    InternalsShard(client, 0, 1, intents=discord.Intents.none())._connection.parsers["RESUMED"](None)
    assert heard == ["shard_resumed"]


async def test_client_without_listeners_parses_no_event() -> None:
    """While it ends: what it would do then finds everything closed."""
    client: Any = ShardedClient()
    heard = client.on_shard_resumed = AsyncMock()
    client.services = SimpleNamespace(stop=AsyncMock())
    shard: Any = shard_of(client)
    async with client:
        for _ in range(2):
            shard._connection.parsers["RESUMED"](None)
            await asyncio.sleep(0)
            assert heard.await_count == 1
            await client.stop_intake()


@pytest.mark.parametrize("event", gateway.IGNORED_EVENTS)
@pytest.mark.parametrize("packed", [True, False])
async def test_event_without_a_listener_is_counted_and_not_parsed(
    event: str, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the order in which Discord tells its parts, or our bench; a press is read, and so is any other order."""
    told, read = list[Any](), list[str]()
    client: Any = shard_of()
    socket: Any = Socket(None, loop=asyncio.get_running_loop())  # type: ignore[arg-type]
    socket._discord_parsers = {"INTERACTION_CREATE": told.append}
    socket._dispatch, socket._keep_alive, socket.shard_id = lambda *_: None, Alive(), None
    socket._connection = client._connection
    real = discord.utils._from_json
    monkeypatch.setattr(discord.utils, "_from_json", lambda text: read.append(text) or real(text))
    packing = zlib.compressobj()

    async def comes(text: str) -> None:
        if not packed:
            await socket.received_message(text)
            return
        data = packing.compress(text.encode()) + packing.flush(zlib.Z_SYNC_FLUSH)
        await socket.received_message(data[:-6])  # in two parts
        await socket.received_message(data[-6:])

    await comes(f'{{"t":"{event}","s":7,"op":0,"d":{{"t":"INTERACTION_CREATE"}}}}')
    assert (socket.sequence, socket._keep_alive.ticks, read) == (7, 1, [])
    await comes(f'{{"op":0,"t":"{event}","s":8,"d":{{}}}}')
    assert (socket.sequence, socket._keep_alive.ticks, read) == (8, 2, [])
    await comes(f'{{"op":0,"d":{{}},"s":9,"t":"{event}"}}')
    assert (socket.sequence, socket._keep_alive.ticks, len(read)) == (9, 3, 1)
    await comes('{"t":"INTERACTION_CREATE","s":10,"op":0,"d":{"t":"' + event + '"}}')
    assert (socket.sequence, socket._keep_alive.ticks, told) == (10, 4, [{"t": event}])
    assert (await connected(monkeypatch)) is Socket


class Alive:
    """What tells discord.py that the gateway still speaks."""

    ticks = 0

    def tick(self) -> None:
        self.ticks += 1


async def connected(monkeypatch: pytest.MonkeyPatch) -> type:
    """What a client of ours makes of a connection."""
    made = list[type]()

    async def from_client(cls: type, *_: object, **__: object) -> None:
        made.append(cls)

    monkeypatch.setattr(DiscordWebSocket, "from_client", classmethod(from_client))
    await shard_of().open_socket(None, yarl.URL("ws://here/gateway"))
    return made[0]


async def test_only_messages_of_people_are_dispatched() -> None:
    heard: list[object] = []

    class Listening(ShardedClient):
        def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
            heard.append((event, *args))

    bare = discord.Client(intents=discord.Intents.none())
    ignored = {*gateway.IGNORED_EVENTS}
    assert {"MESSAGE_CREATE", "MESSAGE_UPDATE", *ignored} <= bare._connection.parsers.keys()
    client = shard_of(Listening())
    assert not ignored & client._connection.parsers.keys()
    assert client.intents.value == discord.Intents(guilds=True, dm_messages=True).value
    ours: Any = {"id": "1", "channel_id": "2", "author": {"id": "3", "bot": True}}
    theirs: Any = {"id": "4", "channel_id": "2", "author": {"id": "5"}}
    for told in (ours, theirs):
        client._connection.parsers["MESSAGE_CREATE"](told)
    assert heard == [("written", theirs)]


def _pressed(type: int, components: list[Any]) -> dict[str, Any]:
    """A press in a DM, or a form that was sent in."""
    person = {"id": "5", "username": "ana", "discriminator": "0", "avatar": None, "global_name": None}
    message = {"id": "7", "channel_id": "8", "type": 0, "flags": 1 << 15, "content": "", "components": components}
    told: dict[str, Any] = {"id": "9", "application_id": "1", "type": type, "token": "t", "version": 1}
    told |= {"user": person, "channel": {"id": "8", "type": 1, "recipients": [person]}, "message": message}
    told |= {"data": {"custom_id": "a", "component_type": 2, "components": []}, "app_permissions": "0"}
    told |= {"entitlements": [], "authorizing_integration_owners": {}, "attachment_size_limit": 1}
    return told


@pytest.mark.parametrize("type", [3, 5])
async def test_a_press_carries_what_its_message_was_made_of_as_it_was_told(type: int) -> None:
    heard: list[Any] = []

    class Listening(ShardedClient):
        def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
            heard.append((event, *args))

    components = [{"type": 1, "components": [{"type": 2, "style": 2, "label": "A", "custom_id": "a"}]}]
    told = _pressed(type, components)
    shard_of(Listening())._connection.parsers["INTERACTION_CREATE"](told)
    [(event, press)] = heard
    assert (event, press.extras[HELD]) == ("interaction", components)
    assert press.message.id == 7
    assert press.message.flags.components_v2
    assert press.message.channel.id == 8
    assert not press.message.flags.ephemeral
    assert told == _pressed(type, components)  # nobody else's is changed


@pytest.mark.parametrize("type", [2, 3, 4, 5])
async def test_an_interaction_is_freed_as_soon_as_nobody_uses_it(type: int) -> None:
    """Not only by the garbage collector: each has several kB."""
    freed: list[bool] = []
    client = ShardedClient()
    gc.disable()
    try:
        interaction = client.read(_pressed(type, []))
        interaction.extras["noticed"] = Noticed(freed)
        assert not interaction.response.is_done()
        assert interaction.response is interaction.response
        assert freed == []
        del interaction
        assert freed == [True]
    finally:
        gc.enable()


class Noticed:
    """Tells when it is freed."""

    def __init__(self, freed: list[bool]) -> None:
        self._freed = freed

    def __del__(self) -> None:
        self._freed.append(True)


async def test_command_is_run_by_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    told = {**_pressed(4, []), "data": {"id": "1", "name": "gops", "type": 1}}
    client = shard_of(ShardedClient())
    monkeypatch.setattr(client.bot.tree, "_from_interaction", heard.append)
    client._connection.parsers["INTERACTION_CREATE"](told)
    [made] = heard
    assert (made.extras, made.data["name"]) == ({REPLAYED: False}, "gops")


async def test_what_discord_py_calls_with_is_there_after_the_login(monkeypatch: pytest.MonkeyPatch) -> None:
    agents: list[str] = []

    async def me(request: web.Request) -> web.Response:
        agents.append(request.headers["User-Agent"])
        assert request.headers["Authorization"] == "Bot secret"
        told = b'{"id": "1", "username": "gops", "discriminator": "0", "avatar": null}'
        return web.Response(body=told, content_type="application/json")

    app = web.Application()
    app.router.add_get("/users/@me", me)
    trace = aiohttp.TraceConfig()
    client = GopsClient(http_trace=trace)
    with pytest.raises(AssertionError):
        api_calls.client_token(client)
    async with TestServer(app) as server:
        monkeypatch.setattr(Route, "BASE", str(server.make_url("")).rstrip("/"))
        await client.http.static_login("secret")
        assert api_calls.client_token(client) == "secret"
        session = api_calls.session_of(client)
        assert session.trace_configs == [trace]
        assert [api_calls.user_agent_of(client)] == agents
        await client.http.close()
        assert session.closed
    assert inspect.iscoroutinefunction(HTTPClient.static_login)


@pytest.mark.parametrize(
    ("kind", "told"), [("application/json", {"code": 7}), ("text/html", '{"code": 7}')], ids=["json", "a proxy"]
)
async def test_error_of_discord_is_read(kind: str, told: object) -> None:
    async def text(encoding: str) -> str:
        return '{"code": 7}'

    assert await api_calls.read_error_body(SimpleNamespace(text=text, headers={"content-type": kind})) == told


# --- people and commands ---------------------------------------------------------------------------------------


async def test_a_role_that_is_newer_than_the_list_of_the_server_counts() -> None:
    state: Any = GopsClient()._connection
    guild = discord.Guild(data={"id": "10", "roles": [role(10), role(11)]}, state=state)  # type: ignore[arg-type]
    data = {"user": {"id": "3", "username": "ana", "discriminator": "0", "avatar": None}, "roles": ["11", "12"]}
    told: Any = {**data, "joined_at": None, "flags": 0}
    member = discord.Member(data=told, guild=guild, state=state)
    assert {one.id for one in member.roles} == {10, 11}, "what the documented way tells"
    assert payloads.roles_of(member) == read_user(member).roles == {10, 11, 12}


def role(id: int) -> dict[str, Any]:
    flags = {"hoist": False, "managed": False, "mentionable": False, "flags": 0}
    return {"id": str(id), "name": "x", "color": 0, "position": 0, "permissions": "0", **flags}


async def test_commands_payload_equals_that_of_discord_py(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Bot()
    command_tree.plant(client)
    client._connection.application_id = 7
    told: list[Any] = []

    async def upsert(_: int, payload: list[Any]) -> list[Any]:
        told.extend(payload)
        return []

    monkeypatch.setattr(client.http, "bulk_upsert_global_commands", upsert)
    await client.tree.sync()
    ours = payloads.payload_of([*client.tree.get_commands()], client.tree)
    assert sorted(map(str, told)) == sorted(map(str, command_sync.commands_payload(client.tree)))
    assert all(one in told for one in ours)
    assert isinstance(client.tree, app_commands.CommandTree)


# --- what is sent ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sent"),
    [("♠", {"name": "♠"}), ("<:as:123456789012345678>", {"id": "123456789012345678", "name": "as"})],
)
def test_an_emoji_as_a_component_carries_it(text: str, sent: dict[str, Any]) -> None:
    assert {key: value for key, value in payloads.emoji(text).items() if key != "animated"} == sent


COMPONENTS = [{"type": 10, "content": "as it is"}]


@pytest.mark.parametrize("ready", [ReadyLayout, ReadyView])
async def test_ready_components_are_sent_as_they_are(ready: type[ReadyLayout | ReadyView]) -> None:
    """By every way that a message takes."""
    view: Any = ready(COMPONENTS)
    assert view.to_components() is COMPONENTS
    assert view.timeout is None
    assert not view.is_dispatchable(), "discord.py would remember every message"
    for sent in (
        handle_message_parameters(view=view).payload,
        (interaction_message_response_params(type=7, view=view).payload or {}).get("data"),
    ):
        assert sent is not None
        assert sent["components"] is COMPONENTS
        assert bool(sent.get("flags", 0) & 1 << 15) is (ready is ReadyLayout)


@pytest.mark.parametrize(
    ("ours", "theirs", "names"),
    [
        (ReadyView, discord.ui.View, {"to_components"}),
        (ReadyLayout, discord.ui.LayoutView, {"to_components", "has_components_v2"}),
    ],
)
def test_what_is_replaced_of_a_view_takes_nothing_but_the_view(ours: type, theirs: type, names: set[str]) -> None:
    assert replaced(ours) - {"__init__"} == names
    for name in (*names, "is_dispatchable"):
        assert list(inspect.signature(getattr(theirs, name)).parameters) == ["self"]


def test_allowed_mentions_equal_those_of_discord_py() -> None:
    for message in (Message("one"), Message("two", mentions=(5, 6)), Message("three", roles=(7,))):
        assert message.mentions_payload == message.allowed_mentions.to_dict()
