"""All that is used of discord.py's inside: names that it does not document, and may change in any release.

They stand here and nowhere else in the bot (`tests/cogs/test_inside.py` reads the sources), and for each there is a
test of what it has to be and to do, so that a release which changes one fails there.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, Protocol

import discord
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.http import Route, json_or_text
from discord.ui import LayoutView, View
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

Reconnect = ReconnectWebSocket
"""raised where the gateway asks for another connection; `resume` says whether the session may go on"""

# --- where Discord is ------------------------------------------------------------------------------------------


def point_at(api: str) -> None:
    """Calls go to this address."""
    Route.BASE = api


def address() -> str:
    """Where calls go."""
    return Route.BASE


# --- the client ------------------------------------------------------------------------------------------------

IGNORED_EVENTS = ("MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK")
"""events that come with those that are wanted, and that nobody here listens to"""

_IGNORED = re.compile(rf'{{(?:"op":0,)?"t":"(?:{"|".join(IGNORED_EVENTS)})","s":(\d+),')
"""how they begin: Discord tells `t`, `s`, `op` and `d` in this order, and promises none; in any other they are read"""


class Socket(DiscordWebSocket):
    """A connection to the gateway. Every console in a DM is told back to us at each of its edits: that is counted, and
    not read through."""

    async def received_message(self, msg: Any, /) -> None:
        text: Any = self._decompressor.decompress(msg) if type(msg) is bytes else msg
        if text is None:  # a part of it
            return
        unheard = _IGNORED.match(text)
        if unheard is None:
            await super().received_message(text)
            return
        self.sequence = int(unheard[1])
        if self._keep_alive is not None:
            self._keep_alive.tick()


class Request(Protocol):
    """What an interaction came with, if not by the gateway."""

    async def try_respond(self, payload: dict[str, Any] | None) -> bool:
        """Whether this first answer has gone back with it."""
        ...


class AnsweringAdapter(AsyncWebhookAdapter):
    """What discord.py makes the calls with that a token is enough for. The first answer to an interaction that came
    with a request goes back with that, where it can; everything else is called as ever."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: dict[int, Request] = {}
        """by interaction"""

    def create_interaction_response(self, interaction_id: int, token: str, **how: Any) -> Any:
        request = self.waiting.get(interaction_id)
        call = super().create_interaction_response
        if request is None:
            return call(interaction_id, token, **how)

        async def answer(request: Request) -> Any:
            params = how["params"]
            payload: dict[str, Any] | None = None if params.files else params.payload
            if not await request.try_respond(payload) or payload is None:
                return await call(interaction_id, token, **how)
            data: dict[str, Any] = payload.get("data") or {}
            hidden = bool(data.get("flags", 0) & discord.MessageFlags(ephemeral=True).value)
            return {"interaction": {"id": str(interaction_id), "response_message_ephemeral": hidden}}

        return answer(request)


_answering = AnsweringAdapter()


HELD = "held"
"""where a press carries, among the extras that are ours, the components of the pressed message as Discord told them"""


class PressedMessage:
    """As much of a pressed message as is looked at."""

    __slots__ = ("channel", "flags", "id")

    def __init__(self, told: dict[str, Any]) -> None:
        self.id = int(told["id"])
        self.channel = discord.Object(int(told["channel_id"]))
        self.flags = discord.MessageFlags._from_value(told.get("flags", 0))  # pyright: ignore[reportPrivateUsage]


PRESSES = (discord.InteractionType.component.value, discord.InteractionType.modal_submit.value)


class InternalsBot(commands.Bot):
    """discord.py's client, with what is needed of its inside under names of our own."""

    is_closing = False
    """whether what comes is not heard any more"""

    def read(self, payload: dict[str, Any]) -> discord.Interaction[Any]:
        """An interaction. Of a pressed message hardly anything is ever looked at, and so discord.py makes no objects of
        it: they take nine tenths of the time."""
        told: Any = payload
        message: dict[str, Any] | None = payload.get("message")
        if payload["type"] not in PRESSES or message is None:
            return discord.Interaction(data=told, state=self._connection)
        told = payload.copy()
        del told["message"]
        press: discord.Interaction[Any] = discord.Interaction(data=told, state=self._connection)
        press.extras[HELD] = message.get("components", [])
        pressed: Any = PressedMessage(message)
        press.message = pressed
        return press

    async def run_app_command(self, interaction: discord.Interaction[Any]) -> None:
        """A command, a menu or a picker."""
        try:
            await self.tree._call(interaction)  # pyright: ignore[reportPrivateUsage]
        except app_commands.AppCommandError as error:
            await self.tree._dispatch_error(interaction, error)  # pyright: ignore[reportPrivateUsage]

    @contextmanager
    def answer_by_request(self, interaction: discord.Interaction[Any], request: Request) -> Generator[None]:
        """Meanwhile what discord.py answers here goes back with the request."""
        before = async_context.set(_answering)
        _answering.waiting[interaction.id] = request
        try:
            yield
        finally:
            del _answering.waiting[interaction.id]
            async_context.reset(before)

    async def open_socket(self, session: dict[str, Any] | None, gateway: Any) -> None:
        """Connect to the gateway there, a `yarl.URL`, and begin a session or go on with this one."""
        how: dict[str, Any] = {**(session or {}), "shard_id": self.shard_id, "gateway": gateway}
        self.ws = await Socket.from_client(self, **how)

    async def fetch_gateway_url(self) -> str:
        """Where the API says that the gateway is."""
        return (await self.http.request(Route("GET", "/gateway")))["url"]

    async def fetch_installs(self) -> dict[str, Any]:
        """How the application may be installed, by Discord's own word: 0 in servers, 1 by people for themselves."""
        return (await self.http.request(Route("GET", "/applications/@me"))).get("integration_types_config") or {}

    async def set_installs(self, config: dict[str, Any]) -> dict[str, Any]:
        """Set that; how it is then."""
        body = {"integration_types_config": config}
        told = await self.http.request(Route("PATCH", "/applications/@me"), json=body)
        return told.get("integration_types_config") or {}

    async def set_endpoint(self, url: str) -> None:
        """Set that. Discord tries it out at once; what does not answer as it should is refused. discord.py's own method
        sends the key with a blank behind it, which Discord does not know."""
        body = {"interactions_endpoint_url": url or None}
        await self.http.request(Route("PATCH", "/applications/@me"), json=body)

    async def poll_socket(self) -> NoReturn:
        """Deal with what comes, until the connection ends, which is an exception."""
        while True:
            await self.ws.poll_event()

    @property
    def session(self) -> dict[str, Any] | None:
        """What it takes to go on with the session of this connection."""
        if self.ws.session_id is None:
            return None
        known = {"session": self.ws.session_id, "sequence": self.ws.sequence, "gateway": self.ws.gateway}
        return {**known, "resume": True}

    def listen_to_messages(self) -> None:
        """Of messages only new ones that people wrote are heard, by `on_written`, as Discord tells them."""
        parsers = self._connection.parsers
        for event in IGNORED_EVENTS:
            del parsers[event]

        def written(told: dict[str, Any]) -> None:
            if not told["author"].get("bot"):
                self.dispatch("written", told)

        parsers["MESSAGE_CREATE"] = written

    def listen_to_components(self) -> None:
        """Presses and forms that were sent in, as `read` makes them: discord.py has no view or form of ours to ask."""
        parsers = self._connection.parsers
        commands = parsers["INTERACTION_CREATE"]

        def made(told: dict[str, Any]) -> None:
            if told["type"] in PRESSES:
                self.dispatch("interaction", self.read(told))
            else:
                commands(told)

        parsers["INTERACTION_CREATE"] = made

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Nobody hears what comes while the client closes: its loop may be gone already."""
        if not self.is_closing and not self.is_closed():
            super().dispatch(event, *args, **kwargs)


def client_token(client: discord.Client) -> str:
    assert client.http.token is not None, "asked for before the login"
    return client.http.token


class Connections(NamedTuple):
    """What discord.py makes its calls with."""

    connector: Any
    """aiohttp's"""
    user_agent: str
    trace: Any
    """what listens to each call"""


def connections_of(client: discord.Client) -> Connections:
    """Once the client has logged in."""
    return Connections(client.http.connector, client.http.user_agent, client.http.http_trace)


async def read_error_body(response: Any) -> dict[str, Any] | str:
    """What Discord says in an answer of aiohttp's."""
    return await json_or_text(response)


# --- people and commands ---------------------------------------------------------------------------------------


def roles_of(member: discord.Member) -> frozenset[int]:
    """All of them: `roles` leaves out those that are newer than what is known of the server."""
    return frozenset((member.guild.id, *member._roles))  # pyright: ignore[reportPrivateUsage]


def payload_of(told: Sequence[Any], tree: app_commands.CommandTree[Any]) -> list[dict[str, Any]]:
    """Commands, groups and menus as Discord is told of them."""
    return [one.to_dict(tree) for one in told]


# --- what is sent ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def emoji(text: str) -> dict[str, Any]:
    """As a component carries it; ids are text, because not every program reads numbers of that size."""
    read = discord.PartialEmoji.from_str(text)
    return {"id": str(read.id), "name": read.name} if read.id else {"name": read.name}


class ReadyLayout(LayoutView):
    """A view that is ready to be sent. Nobody waits for presses on it: without that discord.py would keep each private
    screen, with what is sealed in it and a task of its own, for a quarter of an hour."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self.stop()
        self.ready = components

    def to_components(self) -> list[dict[str, Any]]:
        return self.ready

    def has_components_v2(self) -> bool:
        return True


class ReadyView(View):
    """Rows under a plain message, ready to be sent likewise."""

    def __init__(self, components: list[dict[str, Any]]) -> None:
        super().__init__(timeout=None)
        self.stop()
        self.ready = components

    def to_components(self) -> list[dict[str, Any]]:
        return self.ready
