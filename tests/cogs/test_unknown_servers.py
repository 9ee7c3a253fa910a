"""An interaction from a server that is not stored yet: its GUILD_CREATE comes later, perhaps to another
process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.interactions.context import InteractionContext, InteractionToken, Origin
from bot.rest.members import DiscordUser, Members
from tests.migrated import migrated
from tests.referee.stage import ANA, Table
from tests.sqlite_store import SqliteStore

GUILD, CHANNEL = 10 << 22, 5


class Discord:
    """Says if the bot is in a server, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0
        self.failure: Exception | None = None

    async def call_api(self, method: str, path: str, *, guild_id: int) -> Any:
        assert (method, path, guild_id) == ("GET", "/guilds/{guild_id}", GUILD)
        self.asked += 1
        if self.failure is not None:
            raise self.failure
        return {"id": str(guild_id)}


class Scene:
    def __init__(self, store: SqliteStore) -> None:
        self.table, self.discord = Table(store), Discord()
        self.leaving = self.table.referee.leaving
        self.members = Members(cast("Any", self.discord), self.table.referee)

    async def is_inside(self, *, is_installed: bool = True) -> bool:
        """Return True if an interaction there is handled as one of a server of the bot."""
        services: Any = SimpleNamespace(referee=self.table.referee, members=self.members)
        answer: Any = None
        context = InteractionContext(
            services=services,
            answer=answer,
            author=DiscordUser(ANA.user, ANA.name),
            origin=Origin(GUILD, CHANNEL, can_manage=True),
            id=1,
            created_at=self.table.clock.now(),
            token=InteractionToken(7, "t"),
            is_installed=is_installed,
            is_located=False,
        )
        await context.locate()
        assert context.origin.can_manage is bool(context.origin.guild) is not context.origin.is_outside
        return bool(context.origin.guild)


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    async with await SqliteStore.open(migrated(tmp_path / "gops.sqlite3")) as store:
        yield Scene(store)


def refused() -> Exception:
    response: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(response, {"code": 50001, "message": "Missing Access"})


async def test_server_counts_before_its_event_comes(scene: Scene) -> None:
    assert await scene.is_inside()
    assert await scene.is_inside()
    assert scene.discord.asked == 1
    assert await scene.leaving.is_member(GUILD), "what is looked up there is found, too"
    assert await scene.leaving.note_member(GUILD, scene.table.clock.now()), "the bot still says hello there"
    await scene.leaving.note_removed(GUILD)
    assert not await scene.is_inside()
    assert scene.discord.asked == 1


async def test_server_with_the_commands_but_without_the_bot_is_outside(scene: Scene) -> None:
    scene.discord.failure = refused()
    assert not await scene.is_inside()
    assert not await scene.is_inside()
    assert scene.discord.asked == 1
    scene.discord.failure = None
    scene.table.clock.forward(601)
    assert await scene.is_inside()


async def test_server_is_outside_while_discord_says_nothing(scene: Scene) -> None:
    scene.discord.failure = ConnectionResetError()
    assert not await scene.is_inside()
    scene.discord.failure = None
    assert await scene.is_inside()


async def test_person_who_installed_the_application_proves_nothing_of_the_server(scene: Scene) -> None:
    assert not await scene.is_inside(is_installed=False)
    assert scene.discord.asked == 0
