"""Who is still here: asked for together, and written together."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.referee.model.changes import Change, NameMember, StoreBusy
from bot.rest import members
from bot.rest.members import DiscordUser, Members, read_member


class Guild:
    """Discord's, as far as it is asked; nobody is answered before all have asked."""

    id = 7

    def __init__(self, waiting: int) -> None:
        self.asked: list[int] = []
        self.gone: set[int] = set()
        self.silent: set[int] = set()
        self.waiting = waiting
        self.all = asyncio.Event()

    async def call_api(self, method: str, path: str, *, guild_id: int, user_id: int) -> Any:
        assert (method, path, guild_id) == ("GET", "/guilds/{guild_id}/members/{user_id}", self.id)
        user = user_id
        self.asked.append(user)
        if len(self.asked) >= self.waiting:
            self.all.set()
        await self.all.wait()
        if user in self.silent:
            raise ConnectionResetError
        if user in self.gone:
            response = SimpleNamespace(status=404, reason="Not Found")
            raise discord.NotFound(response, {"code": 10007, "message": "Unknown Member"})  # type: ignore[arg-type]
        return {"user": {"id": str(user), "username": "new"}, "nick": f"New {user}", "roles": []}


class Referee:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.clock = SimpleNamespace(now=lambda: self.now)
        self.people = SimpleNamespace(find_name=self.name)
        self.leaving = SimpleNamespace(is_member=self.is_member)
        self.written: list[Change] = []
        self.busy = False

    async def write(self, change: Change) -> list[int]:
        if self.busy:
            raise StoreBusy("locked")
        self.written.append(change)
        return []

    async def is_member(self, guild: int) -> bool:
        return guild == Guild.id

    async def name(self, guild: int, user: int, fallback: str) -> str:
        return f"Old {user}"


class Scene:
    def __init__(self, waiting: int) -> None:
        self.guild, self.referee = Guild(waiting), Referee()
        self.members = Members(cast("Any", self.guild), cast("Any", self.referee))

    async def look(self, *users: int) -> None:
        self.members.refresh(Guild.id, users)
        async with asyncio.timeout(60):
            await self.members.tasks.wait_until_idle()


async def test_members_are_asked_for_together_and_saved_in_one_write() -> None:
    scene = Scene(waiting=3)
    scene.guild.gone = {2}
    await scene.look(1, 2, 3)
    here = (NameMember(7, 1, "New 1"), NameMember(7, 3, "New 3"))
    assert [sorted(change, key=lambda one: one.user) for change in map(cast_all, scene.referee.written)] == [
        [here[0], NameMember(7, 2, "Old 2", here=False), here[1]]
    ]


def cast_all(change: Change) -> list[NameMember]:
    return [one for one in change if isinstance(one, NameMember)]


async def test_answer_about_a_member_is_cached_for_an_hour() -> None:
    scene = Scene(waiting=1)
    await scene.look(1, 2)
    await scene.look(1, 2)
    assert scene.guild.asked == [1, 2]
    scene.referee.now += timedelta(hours=1)
    await scene.look(3)
    assert list(scene.members._asked) == [(7, 3)]  # pyright: ignore[reportPrivateUsage]
    await scene.look(1)
    assert scene.guild.asked == [1, 2, 3, 1]


async def test_members_without_an_answer_are_asked_for_again_an_hour_later() -> None:
    scene = Scene(waiting=1)
    scene.guild.silent = {2}
    await scene.look(1, 2)
    await scene.look(1, 2)
    assert scene.guild.asked == [1, 2]
    assert [[one.user for one in cast_all(change)] for change in scene.referee.written] == [[1]]
    scene.referee.now += timedelta(hours=1)
    await scene.look(2)
    assert scene.guild.asked == [1, 2, 2]


async def test_busy_store_saves_no_names() -> None:
    scene = Scene(waiting=1)
    scene.referee.busy = True
    await scene.look(1)
    assert scene.referee.written == []


async def test_unanswered_question_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "TIMEOUT", 0.01)
    scene = Scene(waiting=9)
    await scene.look(1, 2)
    assert scene.referee.written == []


async def test_user_of_a_server_without_the_bot_is_not_found() -> None:
    scene = Scene(waiting=1)
    assert await scene.members.find(Guild.id + 1, 1) is None
    assert scene.guild.asked == []


def test_member_has_the_name_that_the_server_shows() -> None:
    user = {"id": "3", "username": "ana_1", "global_name": "Ana", "bot": True}
    told = {"user": user, "nick": None, "roles": ["11"]}
    assert read_member(7, told) == DiscordUser(3, "Ana", bot=True, is_member=True, roles=frozenset({7, 11}))
    assert read_member(7, {**told, "nick": "The Ana"}).name == "The Ana"
    assert read_member(7, {**told, "user": {"id": "3", "username": "ana_1"}}).name == "ana_1"
