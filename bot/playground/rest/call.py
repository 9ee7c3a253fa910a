"""A call as a route's handler sees it, and the table entry that leads there."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.playground.gateway.by_http import ByHttp
from bot.playground.gateway.starts import Starts
from bot.playground.protocol import refusal
from bot.playground.protocol.wire import Json, as_id, as_object
from bot.playground.world.attachment import Upload
from bot.playground.world.core import Core
from bot.playground.world.model import App, Channel, Guild
from bot.playground.world.permission import bits

PREFIX = "/api/v10"
"""before every route"""

Reply = tuple[int, Any]
"""A status, and what is answered as JSON; None for an answer without a body."""


@dataclass(slots=True)
class Call:
    core: Core
    params: Mapping[str, str]
    query: Mapping[str, str]
    gateway: str
    bot: App | None = None
    body: Any = None
    uploads: list[Upload] = field(default_factory=list[Upload])
    reason: str = ""
    """What is to stand in the server's audit log."""
    by_http: ByHttp | None = None
    starts: Starts | None = None

    @property
    def app(self) -> App:
        """The bot that calls, on routes that need one."""
        if self.bot is None:
            raise refusal.unauthorized()
        return self.bot

    @property
    def json(self) -> Json:
        """The body as an object; an empty one if there was none."""
        return as_object(self.body) or {}

    def id(self, name: str) -> int:
        """An id from the path; whatever is no id is refused as Discord does."""
        found = as_id(self.params[name])
        if found is None:
            said = f'Value "{self.params[name]}" is not snowflake.'
            raise refusal.invalid((name,), "NUMBER_TYPE_COERCE", said)
        return found

    def own_app(self) -> App:
        """The calling app, on routes that name it."""
        if self.id("application_id") != self.app.id:
            raise refusal.Refusal(403, 20012, "You are not authorized to perform this action on this application")
        return self.app

    def guild(self, name: str = "guild_id") -> Guild:
        """A server that the bot is in; another one is no different from none (50001)."""
        found = self.core.world.guilds.get(self.id(name))
        if found is None:
            raise refusal.unknown_guild()
        if self.app.id not in found.members:
            raise refusal.missing_access()
        return found

    def channel(self, *needs: str) -> Channel:
        """A channel that the bot sees, and in which it has these permissions."""
        world = self.core.world
        channel = world.channel(self.id("channel_id"))
        allowed = world.permissions(self.app.id, channel)
        if not allowed:
            raise refusal.missing_access()
        if ~allowed & bits(*needs):
            raise refusal.missing_permissions()
        return channel


Handler = Callable[[Call], Reply | Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One route: where, what it does, and how it is limited."""

    method: str
    template: str
    handler: Handler
    bucket: str | None = "other"
    """The name of its bucket in `limit`; None for a route without one."""
    is_free: bool = False
    """Whether it needs no bot token and counts against no global limit: callbacks and token calls."""

    @property
    def major(self) -> tuple[str, ...]:
        """The path parameters that have a bucket each."""
        majors = ("channel_id", "guild_id", "webhook_token")
        return tuple(one for one in majors if f"{{{one}}}" in self.template)
