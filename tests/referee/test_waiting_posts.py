"""The message that shows who waits for an opponent: when it is edited, posted again, and what a crash leaves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.messages.posts import OLD, Posts
from bot.referee.model.changes import SaveGuild
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.surfaces import Surface
from bot.rest.call_result import Attempt, CallResult
from bot.ui.message import Message
from tests.referee.stage import ANA, BEN, CEM, HERE, Person, Table

ROLE = 77


class Discord:
    """The calls of the bot, as Discord would take them."""

    def __init__(self, table: Table) -> None:
        self.calls: list[str] = []
        self.posts: dict[str, int] = {}
        """messages by nonce"""
        self.roles: list[tuple[int, ...]] = []
        self.result = CallResult.DONE
        self.table = table
        delivery: Any = self
        posts = Posts(table.referee, delivery)
        how: Any = table.sleeper
        how.remind = lambda deadline: posts.due[deadline.kind](deadline)

    async def post(self, channel: int, message: Message, nonce: str, silent: bool = False) -> tuple[CallResult, int]:
        assert len(nonce) <= 25
        self.calls.append("post")
        if self.result is CallResult.DONE:
            self.roles.append(message.roles)
            return self.result, self.posts.setdefault(nonce, 100 + len(self.posts))
        return self.result, 0

    async def edit(self, surface: Surface, message: Message, now: object) -> Attempt:
        self.calls.append(f"edit {surface.message} {message.content.splitlines()[-1]}")
        return Attempt(self.result)

    async def delete(self, channel: int, message: int) -> CallResult:
        self.calls.append(f"delete {message}")
        return CallResult.DONE

    async def seen(self, seconds: float = 0) -> list[str]:
        """The calls until then."""
        before = len(self.calls)
        self.table.clock.forward(seconds)
        await self.table.fire()
        return [call.translate({0x2068: None, 0x2069: None}) for call in self.calls[before:]]


@pytest.fixture
def discord(table: Table) -> Discord:
    return Discord(table)


async def find(table: Table, person: Person, game: str) -> None:
    await table.referee.searches.begin(HERE, person, game)


async def test_it_is_edited_once_in_five_seconds_and_goes_with_the_last(table: Table, discord: Discord) -> None:
    await find(table, ANA, "quick")
    assert await discord.seen() == ["post"]
    await find(table, BEN, "misere")
    await find(table, CEM, "split")
    assert await discord.seen(4) == []
    assert await discord.seen(2) == ["edit 100 Split ties: Cem"]
    for person in (ANA, BEN, CEM):
        await table.referee.searches.stop(person.user)
    assert await discord.seen(6) == ["delete 100"]
    await find(table, ANA, "quick")
    assert await discord.seen(6) == ["post"]


async def test_it_is_posted_again_when_it_is_an_hour_old(table: Table, discord: Discord) -> None:
    await find(table, ANA, "quick")
    await discord.seen()
    [post] = await table.store.search_posts(HERE.guild)
    await table.referee.searches.save_post(replace(post, posted=post.posted - OLD), post)
    await find(table, BEN, "misere")
    assert await discord.seen(6) == ["delete 100", "post"]
    [fresh] = await table.store.search_posts(HERE.guild)
    assert (fresh.message, fresh.posted) == (101, table.clock.now())


async def test_a_post_that_may_have_arrived_is_not_made_twice(table: Table, discord: Discord) -> None:
    discord.result = CallResult.LATER
    await find(table, ANA, "quick")
    assert await discord.seen() == ["post"]
    discord.result = CallResult.DONE
    after = Discord(Table(table.store, table.clock, "another"))
    after.posts = discord.posts
    calls = await after.seen(6)
    assert calls == ["post"]
    assert len(after.posts) == 1
    assert await after.seen(6) == []


async def test_the_role_is_pinged_once_an_hour(table: Table, discord: Discord) -> None:
    await table.store.write((SaveGuild(GuildSettings(HERE.guild, search_role=ROLE), None),))
    for wait, roles in ((0, (ROLE,)), (1800, ()), (1900, (ROLE,))):
        table.clock.forward(wait)
        await find(table, ANA, "quick")
        await discord.seen()
        assert discord.roles[-1] == roles
        await table.referee.searches.stop(ANA.user)
        await discord.seen(6)
    assert len(discord.roles) == 3


async def test_a_pair_is_posted_once_and_given_up_where_it_cannot_be(table: Table, discord: Discord) -> None:
    await find(table, ANA, "quick")
    await find(table, BEN, "quick")
    search = await table.store.search(ANA.user)
    assert search is not None
    discord.result = CallResult.LATER
    await discord.seen()
    discord.result = CallResult.DONE
    await discord.seen(6)
    lobby = await table.store.lobby(search.lobby)
    assert lobby is not None
    assert lobby.message in discord.posts.values()
    await table.referee.challenges.decline(lobby.id, BEN.user)
    discord.result = CallResult.FORBIDDEN
    await find(table, CEM, "quick")
    await discord.seen()
    assert await table.store.searches_in(HERE.guild) == []
