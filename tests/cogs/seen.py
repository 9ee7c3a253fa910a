"""An interaction without Discord: what its person would see, message by message."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord

from bot.interactions import error_handler
from bot.interactions.answer import Answer
from bot.interactions.context import InteractionContext, InteractionToken, Origin
from bot.interactions.services import Services
from bot.messages.writer import Writers
from bot.rest.members import DiscordUser
from tests.cogs.wire import IDS, opened


@dataclass
class Line:
    """One message as it stands."""

    text: str = ""
    private: bool = True
    waiting: bool = False
    """shown as "thinking" """


@dataclass
class Screen:
    """Every message that this interaction made or changed, oldest first; deleted ones are gone."""

    lines: list[Line] = field(default_factory=list[Line])

    @property
    def texts(self) -> list[tuple[str, bool]]:
        """What is there to be read, and whether it is for this person only."""
        return [(line.text, line.private) for line in self.lines]


class Interaction:
    """As much of discord.py's as an `Answer` touches."""

    def __init__(self, kind: discord.InteractionType) -> None:
        self.type = kind
        self.screen = Screen()
        self.response = Response(self)
        self.followup = Followup(self)
        self.original: Line | None = None
        publisher = SimpleNamespace(writers=Writers(asyncio.create_task, lambda _: None))
        parts: Any = {"publisher": publisher, "emojis": SimpleNamespace(request_check=list)}
        services = Services(referee=Any, owner=Any, members=Any, **parts)  # type: ignore[arg-type]
        self.client = SimpleNamespace(services=services, http=SimpleNamespace(token="token", user_agent="gops"))
        self.client.rest_client = opened(self.client, self)
        self.id, self.token, self.application_id, self.message = 1, "token", 7, None
        self.extras: dict[str, Any] = {}
        if kind is discord.InteractionType.component:
            self.original = Line("the message that was pressed", private=False)
            self.screen.lines.append(self.original)

    def add(self, text: str, private: bool, waiting: bool = False) -> Line:
        line = Line(text, private, waiting)
        self.screen.lines.append(line)
        return line

    @asynccontextmanager
    async def request(self, method: str, url: str, *, data: bytes, **_: Any) -> AsyncGenerator[Any]:
        """The calls that are made without discord.py: a press answered, and an edit by token."""
        body = json.loads(data)
        if method == "PATCH" and not url.endswith("/@original"):
            self.followup.sent[int(url.rpartition("/")[2])].text = body["content"]
        elif method == "PATCH":
            await self.edit_original_response(**body)
        elif "data" in body:
            await self.response.edit_message(**body["data"])
        yield SimpleNamespace(status=200, read=self.told)

    async def told(self) -> bytes:
        return json.dumps({"id": 1}).encode()

    async def edit_original_response(self, **message: Any) -> Any:
        assert self.original is not None
        self.original.text, self.original.waiting = message["content"], False
        return SimpleNamespace(id=1)

    async def delete_original_response(self) -> None:
        assert self.original is not None
        self.screen.lines.remove(self.original)


class Response:
    refuses_public = 0
    """the code with which a first answer for everybody is refused"""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._done = False

    def is_done(self) -> bool:
        return self._done

    async def defer(self, *, ephemeral: bool = False, thinking: bool = False) -> Any:
        self._done = True
        if thinking:
            self._interaction.original = self._interaction.add("", ephemeral, waiting=True)
        return SimpleNamespace(is_ephemeral=lambda: ephemeral)

    async def send_message(self, *, content: str, ephemeral: bool, **more: Any) -> Any:
        if self.refuses_public and not ephemeral:
            told: Any = SimpleNamespace(status=400, reason="Bad Request")
            raise discord.HTTPException(told, {"code": self.refuses_public, "message": "refused"})
        self._done = True
        self._interaction.add(content, ephemeral)
        return SimpleNamespace(message_id=1, is_ephemeral=lambda: ephemeral)

    async def edit_message(self, *, content: str, **_: Any) -> None:
        self._done = True
        assert self._interaction.original is not None
        self._interaction.original.text = content


class Followup:
    hides = False
    """whether apps from outside are switched off here"""
    refused = 0
    """with this code is the next one"""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self.sent: dict[int, Line] = {}

    async def send(self, *, content: str, ephemeral: bool, wait: bool, **more: Any) -> Any:
        if self.refused:
            told: Any = SimpleNamespace(status=400, reason="Bad Request")
            raise discord.HTTPException(told, {"code": self.refused, "message": "refused"})
        original = self._interaction.original
        if original is not None and original.waiting:  # the first one fills the waiting message in
            original.text, original.waiting = content, False
            line = original
        else:
            line = self._interaction.add(content, ephemeral)

        hidden = ephemeral or self.hides
        line.private = hidden
        id = 2 + len(self.sent)
        self.sent[id] = line
        return SimpleNamespace(id=id, flags=SimpleNamespace(ephemeral=hidden))

    async def delete_message(self, id: int) -> None:
        self._interaction.screen.lines.remove(self.sent[id])


async def answered(answer: Answer, work: Callable[[], Awaitable[None]]) -> None:
    """Deal with something that Ana asked."""
    services = answer.services
    context = InteractionContext(
        services, answer, DiscordUser(1, "Ana"), Origin(1, 2), next(IDS), datetime.now(UTC), InteractionToken(0, "")
    )
    await error_handler.run(context, lambda _: work())
