"""What happens in the stand-in, told to whoever listens: gateway sessions and people's feeds."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.playground.world.model import App, Channel, Guild, Interaction, Member, Message


@dataclass(frozen=True, slots=True)
class MessageCreated:
    message: Message


@dataclass(frozen=True, slots=True)
class MessageEdited:
    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    message: Message


@dataclass(frozen=True, slots=True)
class Notified:
    """A message reached somebody who was not looking: a badge, and a push unless it was silent."""

    user_id: int
    message: Message
    text: str
    push: bool


@dataclass(frozen=True, slots=True)
class ChannelCreated:
    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelUpdated:
    channel: Channel


@dataclass(frozen=True, slots=True)
class AccessGained:
    """An app may view channels that were hidden from it."""

    guild: Guild
    app: App
    channels: frozenset[int]


@dataclass(frozen=True, slots=True)
class ChannelDeleted:
    channel: Channel


@dataclass(frozen=True, slots=True)
class GuildJoined:
    """An app was added to a server."""

    guild: Guild
    app: App


@dataclass(frozen=True, slots=True)
class GuildLeft:
    """An app was removed from a server, or the server is gone."""

    guild: Guild
    app: App


@dataclass(frozen=True, slots=True)
class GuildDeleted:
    """A server is gone; told before it goes."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class GuildUpdated:
    """A server's own data or roles changed."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class RoleDeleted:
    guild: Guild
    role_id: int


@dataclass(frozen=True, slots=True)
class MemberJoined:
    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class MemberUpdated:
    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class MemberLeft:
    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class TypingStarted:
    channel: Channel
    user_id: int


@dataclass(frozen=True, slots=True)
class InteractionMade:
    interaction: Interaction


@dataclass(frozen=True, slots=True)
class InteractionChanged:
    """It was acknowledged, it failed, or it brought choices or a modal."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class CommandsChanged:
    app: App
    guild_id: int | None


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A bot's gateway session: connected, ready, resumed, refused or closed."""

    app_id: int | None
    what: str
    detail: str = ""
    shard: int = 0


Event = (
    MessageCreated
    | MessageEdited
    | MessageDeleted
    | Notified
    | ChannelCreated
    | ChannelUpdated
    | AccessGained
    | ChannelDeleted
    | GuildJoined
    | GuildLeft
    | GuildDeleted
    | GuildUpdated
    | RoleDeleted
    | MemberJoined
    | MemberUpdated
    | MemberLeft
    | TypingStarted
    | InteractionMade
    | InteractionChanged
    | CommandsChanged
    | SessionChanged
)
Listener = Callable[[Event], None]


class Bus:
    """Tells every listener, in the order of their coming and before `publish` returns."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Listen from now on; the answer is how to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)
