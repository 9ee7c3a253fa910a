"""The client of discord.py and its shards, with the internals that the bot needs under its own names."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, NoReturn

import discord
from discord import app_commands
from discord.http import Route

from bot.discord_internals.gateway import CONNECTION_EVENTS, IGNORED_EVENTS, SERVER_EVENTS, Socket

HELD = "held"
"""key in `extras` of a press: the components of the pressed message, as Discord sent them"""

REPLAYED = "replayed"
"""key in the payload and in `extras` of an interaction that came with a resumed session: it may be late by minutes"""


class PressedMessage:
    """The fields of a pressed message that the bot uses."""

    __slots__ = ("channel", "flags", "id")

    def __init__(self, told: dict[str, Any]) -> None:
        self.id = int(told["id"])
        self.channel = discord.Object(int(told["channel_id"]))
        self.flags = discord.MessageFlags._from_value(told.get("flags", 0))  # pyright: ignore[reportPrivateUsage]


class FreedInteraction(discord.Interaction[Any]):
    """An interaction that is freed as soon as nobody uses it: what answers it has no strong reference to it. Otherwise
    only the garbage collector frees it, with several kB."""

    __slots__ = ("__weakref__",)

    def __init__(self, *, data: Any, state: Any) -> None:
        super().__init__(data=data, state=state)
        parent: Any = weakref.proxy(self)
        self._cs_response = discord.InteractionResponse[Any](parent)


PRESSES = (discord.InteractionType.component.value, discord.InteractionType.modal_submit.value)


class InternalsBot(discord.Client):
    """discord.py's client, with the internals that the bot needs under its own names. It has no connection to the
    gateway itself: its shards hand it their events."""

    is_closing = False
    """True once events are not handled any more"""
    shards: Mapping[int, InternalsShard] = MappingProxyType({})
    """the shards of this process; `shard_count` is their number in all processes"""
    shared: Any = None
    """what hears interactions and events of servers in place of discord.py; None where one process does everything"""

    def __init__(self, tree: type[app_commands.CommandTree[Any]], **options: Any) -> None:
        super().__init__(**options)
        self.tree = tree(self)

    def listen(self, listener: object) -> None:
        """Handle events by the methods of an object, as `on_thread_deleted`; each event has one listener."""
        for name in dir(listener):
            if name.startswith("on_"):
                self.event(getattr(listener, name))

    def read(self, payload: dict[str, Any]) -> discord.Interaction[Any]:
        """Make an interaction of a payload. Build no objects for the pressed message: they would take nine tenths of
        the time, and hardly any is used."""
        told: Any = payload
        state: Any = self._connection
        message: dict[str, Any] | None = payload.get("message") if payload["type"] in PRESSES else None
        if message is not None:
            told = payload.copy()
            del told["message"]
        interaction = FreedInteraction(data=told, state=state)
        interaction.extras[REPLAYED] = payload.get(REPLAYED, False)
        if message is not None:
            interaction.extras[HELD] = message.get("components", [])
            pressed: Any = PressedMessage(message)
            interaction.message = pressed
        return interaction

    async def handle_event(self, name: str, *args: Any) -> None:
        """Handle an event as its dispatch does, and return when that is done."""
        handle = getattr(self, f"on_{name}", None)
        if handle is not None:
            await handle(*args)

    async def run_app_command(self, interaction: discord.Interaction[Any]) -> None:
        """Run a slash command, a context menu or an autocomplete."""
        try:
            await self.tree._call(interaction)  # pyright: ignore[reportPrivateUsage]
        except app_commands.AppCommandError as error:
            await self.tree._dispatch_error(interaction, error)  # pyright: ignore[reportPrivateUsage]

    async def call_api(
        self, method: str, path: str, json: dict[str, Any] | None = None, *, reason: str | None = None, **ids: int
    ) -> Any:
        """Make a call and return the answer. The names of ids in the path are those of Discord's documentation.
        `reason` is shown in the audit log of the server."""
        body: dict[str, Any] = {} if json is None else {"json": json}
        where: dict[str, Any] = {**ids}
        return await self.http.request(Route(method, path, **where), reason=reason, **body)

    async def fetch_gateway(self) -> dict[str, Any]:
        """Return what the API says of the gateway: `url`, recommended `shards` and `session_start_limit`."""
        return await self.http.request(Route("GET", "/gateway/bot"))

    async def fetch_installs(self) -> dict[str, Any]:
        """Return how the application can be installed: \"0\" in servers, \"1\" by users for themselves."""
        return (await self.http.request(Route("GET", "/applications/@me"))).get("integration_types_config") or {}

    async def set_installs(self, config: dict[str, Any]) -> dict[str, Any]:
        """Set how the application can be installed, and return the result."""
        body = {"integration_types_config": config}
        told = await self.http.request(Route("PATCH", "/applications/@me"), json=body)
        return told.get("integration_types_config") or {}

    async def set_endpoint(self, url: str) -> None:
        """Set the endpoint for interactions. Discord tests it at once, and refuses one that fails. discord.py's own
        method sends a misspelled key that Discord ignores."""
        body = {"interactions_endpoint_url": url or None}
        await self.http.request(Route("PATCH", "/applications/@me"), json=body)

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Drop events while the client closes: its loop may be gone already."""
        if not self.is_closing and not self.is_closed():
            super().dispatch(event, *args, **kwargs)


class InternalsShard(discord.Client):
    """discord.py's client for one shard: a gateway connection that keeps no servers. Its calls go through the HTTP
    session of the bot, its events to the bot, and its interactions have the bot for their client."""

    def __init__(self, bot: InternalsBot, shard_id: int, shard_count: int, **options: Any) -> None:
        super().__init__(shard_id=shard_id, shard_count=shard_count, **options)
        self.bot = bot
        self.has_ended = False
        self.is_resuming = False
        """True until Discord has sent all events that a resumed session had missed"""
        self.http = self._connection.http = bot.http
        self._ready = asyncio.Event()
        state: Any = self._connection
        state._get_client, state._command_tree = lambda: bot, bot.tree
        self.listen_to_messages()
        self.listen_to_components()
        self.listen_to_servers()

    async def open_socket(self, session: dict[str, Any] | None, gateway: Any) -> None:
        """Connect to this gateway (a `yarl.URL`), and begin a session or resume the given one."""
        self.loop = self._connection.loop = asyncio.get_running_loop()
        how: dict[str, Any] = {**(session or {}), "shard_id": self.shard_id, "gateway": gateway}
        self.is_resuming = session is not None
        self.ws = await Socket.from_client(self, **how)

    async def poll_socket(self) -> NoReturn:
        """Handle events until the connection ends, which raises an exception."""
        while True:
            await self.ws.poll_event()

    @property
    def session(self) -> dict[str, Any] | None:
        """The arguments that resume the session of the last connection; None without a session."""
        if self.ws is None or self.ws.session_id is None:  # pyright: ignore[reportUnnecessaryComparison]
            return None
        known = {"session": self.ws.session_id, "sequence": self.ws.sequence, "gateway": self.ws.gateway}
        return {**known, "resume": True}

    def listen_to_messages(self) -> None:
        """Dispatch only new messages of people, as raw `written` events."""
        parsers = self._connection.parsers
        for event in IGNORED_EVENTS:
            del parsers[event]

        def written(told: dict[str, Any]) -> None:
            if not told["author"].get("bot"):
                self.dispatch("written", told)

        parsers["MESSAGE_CREATE"] = written

    def listen_to_servers(self) -> None:
        """Dispatch the servers of a new session as `servers_listed`, with the number of the shard and the ids, and what
        happens in servers raw. discord.py sees a session without servers."""
        parsers = self._connection.parsers
        begin = parsers["READY"]

        def begun(told: dict[str, Any]) -> None:
            self._tell_bot("servers_listed", self.shard_id, [int(one["id"]) for one in told["guilds"]])
            begin({**told, "guilds": []})

        parsers["READY"] = begun
        for event, name in SERVER_EVENTS.items():
            parsers[event] = partial(self._tell_bot, name)

    def _tell_bot(self, name: str, *args: Any) -> None:
        if self.has_ended or self.bot.shared is None:
            self.dispatch(name, *args)
        else:
            self.bot.shared.hear_event(name, *args)

    def listen_to_components(self) -> None:
        """Dispatch interactions made by `read`: discord.py knows no views of the bot."""

        def made(told: dict[str, Any]) -> None:
            if self.is_resuming:
                told[REPLAYED] = True
            if self.bot.shared is not None:
                self.bot.shared.hear(told)
            elif told["type"] in PRESSES:
                self.dispatch("interaction", self.bot.read(told))
            else:
                self.bot.tree._from_interaction(self.bot.read(told))  # pyright: ignore[reportPrivateUsage]

        self._connection.parsers["INTERACTION_CREATE"] = made

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Hand an event to the bot; those of the connection as `shard_connect` and so on, with the number of the shard.
        None comes after the end."""
        if self.has_ended:
            return
        if event in CONNECTION_EVENTS:
            self.is_resuming = self.is_resuming and event not in ("connect", "resumed")
            self.bot.dispatch(f"shard_{event}", self.shard_id)
        else:
            self.bot.dispatch(event, *args, **kwargs)

    def is_closed(self) -> bool:
        return self.has_ended

    async def close(self, *, code: int = 1000) -> None:
        """End the connection for good. The HTTP session is the bot's. Codes from 4000 on keep the session."""
        self.has_ended = True
        if self.ws is not None and self.ws.open:  # pyright: ignore[reportUnnecessaryComparison]
            await self.ws.close(code=code)
