"""The things of a Discord, as plain records. Who changes them: `world`, `posting` and `interaction`."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, IntFlag, StrEnum
from functools import cached_property
from typing import Any

from bot.playground.protocol.wire import Json


class Signer:
    """The key with which Discord signs what it sends to one application. There is none without PyNaCl."""

    @cached_property
    def _key(self) -> Any:
        try:
            from nacl.signing import SigningKey
        except ModuleNotFoundError:
            return None
        return SigningKey.generate()

    @property
    def there(self) -> bool:
        return self._key is not None

    @property
    def public(self) -> str:
        """In hex, as the application is told it."""
        return self._key.verify_key.encode().hex() if self.there else "0" * 64

    def sign(self, timestamp: str, body: bytes) -> str:
        return self._key.sign(timestamp.encode() + body).signature.hex()


class ChannelType(IntEnum):
    TEXT = 0
    DM = 1
    VOICE = 2
    GROUP_DM = 3
    CATEGORY = 4
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    FORUM = 15


class MessageType(IntEnum):
    DEFAULT = 0
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    CONTEXT_MENU_COMMAND = 23


class Flag(IntFlag):
    """Message flags that the stand-in knows."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SILENT = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(slots=True)
class User:
    id: int
    name: str
    display: str | None = None
    is_bot: bool = False
    locale: str = "en-US"
    dms_open: bool = True
    """Whether people and bots of shared servers may write to them at all."""


@dataclass(slots=True)
class App:
    """An application with its bot user, which has the same id."""

    id: int
    name: str
    token: str
    user: User
    owner_id: int
    privileged: int = 0
    """Privileged intents granted in the developer portal."""
    installs: set[int] = field(default_factory=set[int])
    """People who installed the app for themselves."""
    install_types: set[int] = field(default_factory=lambda: {0, 1})
    """How it may be installed: in a server (0), by a person for themselves (1). New apps have both; an empty set is an
    old app where nobody ever chose."""
    emojis: "dict[int, Emoji]" = field(default_factory=dict[int, "Emoji"])
    endpoint: str | None = None
    """Where interactions go by HTTP; else the gateway tells them."""
    signer: Signer = field(default_factory=Signer, repr=False)

    @property
    def supported_types(self) -> list[int]:
        """Install types that its commands may have."""
        return sorted(self.install_types) or [0]


@dataclass(frozen=True, slots=True)
class Emoji:
    """A picture that an application may put into text and on its buttons."""

    raw: Json
    picture: bytes
    content_type: str


@dataclass(slots=True)
class Role:
    id: int
    name: str
    permissions: int
    position: int = 0
    mentionable: bool = False
    managed: bool = False


@dataclass(slots=True)
class Member:
    user_id: int
    joined_at: datetime
    nick: str | None = None
    roles: list[int] = field(default_factory=list[int])
    dms_open: bool = True
    """Whether members of this server, bots included, may write to them."""


@dataclass(slots=True)
class Overwrite:
    id: int
    is_member: bool
    allow: int = 0
    deny: int = 0


@dataclass(slots=True)
class Attachment:
    id: int
    filename: str
    content: bytes
    content_type: str
    url: str
    description: str | None = None
    width: int | None = None
    height: int | None = None
    ephemeral: bool = False


@dataclass(slots=True)
class Message:
    id: int
    channel_id: int
    author_id: int
    type: MessageType = MessageType.DEFAULT
    content: str = ""
    embeds: list[Json] = field(default_factory=list[Json])
    components: list[Json] = field(default_factory=list[Json])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    flags: int = 0
    tts: bool = False
    mentions: list[int] = field(default_factory=list[int])
    mention_roles: list[int] = field(default_factory=list[int])
    mention_everyone: bool = False
    nonce: str | int | None = None
    edited_at: datetime | None = None
    reference: Json | None = None
    referenced: "Message | None" = None
    viewer_id: int | None = None
    """The one person who sees it, if it is ephemeral."""
    app_id: int | None = None
    metadata: Json | None = None
    """`interaction_metadata` of a message that answers an interaction."""
    command: str | None = None
    """The command that it answers, for the line above the message."""
    pinned: bool = False
    dismissed: bool = False
    """Whether its viewer put an ephemeral away; the app's token does not notice."""
    old_edits: list[float] = field(default_factory=list[float])
    """When it was edited after its first hour (30046)."""

    @property
    def is_ephemeral(self) -> bool:
        return self.viewer_id is not None

    @property
    def is_v2(self) -> bool:
        return bool(self.flags & Flag.COMPONENTS_V2)


@dataclass(slots=True)
class Channel:
    id: int
    type: ChannelType
    guild_id: int | None = None
    name: str = ""
    topic: str | None = None
    position: int = 0
    parent_id: int | None = None
    overwrites: dict[int, Overwrite] = field(default_factory=dict[int, Overwrite])
    recipients: tuple[int, ...] = ()
    """The two sides of a DM, or everybody in a group, where no bot can be."""
    messages: dict[int, Message] = field(default_factory=dict[int, Message])
    ephemerals: dict[int, Message] = field(default_factory=dict[int, Message])
    """Kept apart, so that no route that looks for messages can find one."""
    last_message_id: int | None = None
    owner_id: int | None = None
    thread_members: dict[int, datetime] = field(default_factory=dict[int, datetime])
    aged_edits: list[float] = field(default_factory=list[float])
    """When messages were edited here that were older than an hour (30046)."""
    archived: bool = False
    locked: bool = False
    archived_at: datetime | None = None
    auto_archive: int = 1440
    sent: int = 0

    @property
    def is_thread(self) -> bool:
        return self.type in (ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD)

    @property
    def is_dm(self) -> bool:
        return self.type in (ChannelType.DM, ChannelType.GROUP_DM)


@dataclass(slots=True)
class Guild:
    id: int
    name: str
    owner_id: int
    roles: dict[int, Role] = field(default_factory=dict[int, Role])
    members: dict[int, Member] = field(default_factory=dict[int, Member])
    channels: list[int] = field(default_factory=list[int])
    threads: list[int] = field(default_factory=list[int])
    locale: str = "en-US"
    dms_allowed: bool = True
    """Whether sharing this server lets strangers write to each other."""
    system_channel: int | None = None
    """Where Discord tells who has joined."""
    audit: list[Json] = field(default_factory=list[Json])
    """What bots did to its members' roles, oldest first."""


class Kind(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL_SUBMIT = 5


class State(StrEnum):
    WAITING = "waiting"
    ACKNOWLEDGED = "acknowledged"
    FAILED = "failed"


@dataclass(slots=True, eq=False)
class Interaction:
    id: int
    app: App
    token: str
    kind: Kind
    user: User
    channel_id: int
    guild_id: int | None
    data: Json
    owners: Json
    """`authorizing_integration_owners`: which installation lets it happen."""
    created: float
    source: Message | None = None
    """The message whose component was used, also behind a modal."""
    command: str | None = None
    parent: "Interaction | None" = None
    """What opened the modal that this one submits."""
    extra: Json = field(default_factory=dict[str, Any])
    """More for the metadata of its answers: the target of a context menu."""
    state: State = State.WAITING
    answer: int | None = None
    """The type of the callback."""
    known_at: float = 0.0
    """By `time.monotonic`: when its token becomes known."""
    original: Message | None = None
    """What `@original` means."""
    loading: bool = False
    made: set[int] = field(default_factory=set[int])
    """Messages made with its token."""
    followups: int = 0
    choices: list[Json] | None = None
    modal: Json | None = None
    modal_open: bool = False
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    followed: asyncio.Event = field(default_factory=asyncio.Event)
    """What its deferral announced has come, or a further message."""
    heed: Callable[[], None] | None = None
    """Called when it is settled or followed, before anything else can happen."""
    timer: asyncio.TimerHandle | None = None

    @property
    def outside(self) -> bool:
        """Whether only the person installed the app, so that the server does not know it."""
        return "0" not in self.owners

    def metadata(self, world_user: Json) -> Json:
        """`interaction_metadata` of a message that answers this."""
        body: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": world_user,
            "authorizing_integration_owners": self.owners,
            **self.extra,
        }
        if self.kind is Kind.COMPONENT and self.source is not None:
            body["interacted_message_id"] = str(self.source.id)
        if self.kind is Kind.MODAL_SUBMIT and self.parent is not None:
            body["triggering_interaction_metadata"] = self.parent.metadata(world_user)
        return body
