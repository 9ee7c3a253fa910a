"""The doctor computes the permissions of the bot in the channels that servers chose, and names missing ones."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.operate.doctor.report import Diagnosis, Severity, well
from bot.playground.protocol import schema
from bot.playground.server import Playground
from bot.playground.world.model import Channel, ChannelType, Overwrite
from bot.playground.world.permission import bits
from bot.referee.model.changes import SaveGuild
from bot.referee.model.guild_settings import Band, GuildSettings
from data.sql.steps import build_statements
from tests.migrated import migrated
from tests.operate.test_doctor import Apart


class Decided(Apart):
    """A server that chose something, and a bot that nobody started."""

    def decide(self, **settings: object) -> None:
        database = self.folder / "gops.sqlite3"
        saved = SaveGuild(GuildSettings(self.guild.id, **settings), None)  # pyright: ignore[reportArgumentType]
        with closing(sqlite3.connect(migrated(database))) as connection, connection:
            for one in build_statements((saved,)):
                connection.execute(one.sql, one.params)

    def add(self, name: str, type_: ChannelType = ChannelType.TEXT) -> Channel:
        return self.playground.core.world.add_channel(self.guild, name, type_)

    def overwrite(self, channel: Channel, who: int, *, allow: int = 0, deny: int = 0) -> None:
        self.playground.core.world.set_overwrite(channel, Overwrite(who, who == self.app.id, allow, deny))

    async def lacks(self) -> list[str]:
        """Return the missing permissions, without the name of the server."""
        found: list[Diagnosis] = await self.look("channels")
        assert {one.severity for one in found} == {Severity.TROUBLE}
        return [one.said.removeprefix(f"Playground ({self.guild.id})") for one in found]


@pytest.fixture
async def decided(tmp_path: Path) -> AsyncIterator[Decided]:
    playground = Playground(schema=schema.find())
    playground.add_bot("GOPS")
    async with playground:
        yield Decided(playground, tmp_path)


async def test_server_without_chosen_channels_is_well(decided: Decided) -> None:
    nothing = [well("the bot has its permissions in the chosen channels; servers that chose some: 0")]
    assert await decided.look("channels") == nothing, "there is no database yet"
    decided.decide()
    assert await decided.look("channels") == nothing
    (decided.folder / "gops.sqlite3").write_bytes(b"no database" * 500)
    assert (await decided.look("channels"))[0].severity is Severity.UNKNOWN


async def test_overwrites_of_everyone_roles_and_the_bot_apply_in_order(decided: Decided) -> None:
    [role] = decided.guild.members[decided.app.id].roles
    games, log, secret = decided.add("play"), decided.add("log"), decided.add("secret")
    decided.decide(channels=(games.id,), log=log.id, champions=secret.id)
    assert (await decided.look("channels"))[0].severity is Severity.WELL
    everything = bits("SEND_MESSAGES", "ATTACH_FILES", "READ_MESSAGE_HISTORY")
    decided.overwrite(games, decided.guild.id, deny=everything)
    decided.overwrite(games, role, allow=everything)
    assert (await decided.look("channels"))[0].severity is Severity.WELL, "a role is heard after everyone"
    decided.overwrite(games, decided.app.id, deny=bits("SEND_MESSAGES", "ATTACH_FILES"))
    decided.overwrite(log, role, deny=everything)
    decided.overwrite(secret, decided.app.id, deny=bits("VIEW_CHANNEL"))
    assert sorted(await decided.lacks()) == sorted(
        [
            f", channel {log.id}: the bot lacks Send Messages there",
            f", channel {secret.id}: the bot lacks View Channels there",
            f", channel {games.id}: the bot lacks Send Messages, Attach Files there",
        ]
    )


async def test_deleted_channel_is_named(decided: Decided) -> None:
    decided.decide(log=123456789)
    [found] = await decided.look("channels")
    assert found.said.endswith(", channel 123456789: the channel was deleted")
    assert "/gops settings" in found.do


async def test_threads_and_roles_by_rating_need_permissions_of_their_own(decided: Decided) -> None:
    for role in decided.guild.roles.values():
        role.permissions &= ~bits("CREATE_PUBLIC_THREADS", "MANAGE_ROLES")
    decided.decide(threads=True, bands=(Band(1500, 5),))
    assert await decided.lacks() == [": the bot lacks Manage Roles, Create Public Threads"]


async def test_threads_are_checked_in_each_chosen_channel(decided: Decided) -> None:
    games = decided.add("play")
    decided.overwrite(games, decided.guild.id, deny=bits("CREATE_PUBLIC_THREADS"))
    decided.overwrite(games, decided.guild.members[decided.app.id].roles[0], deny=bits("SEND_MESSAGES_IN_THREADS"))
    decided.decide(threads=True, channels=(games.id,))
    assert await decided.lacks() == [
        f", channel {games.id}: the bot lacks Create Public Threads, Send Messages in Threads there"
    ]


async def test_forum_needs_only_messages_in_threads(decided: Decided) -> None:
    forum = decided.add("posts", ChannelType.FORUM)
    decided.overwrite(forum, decided.guild.id, deny=bits("SEND_MESSAGES"))
    decided.decide(channels=(forum.id,))
    assert (await decided.look("channels"))[0].severity is Severity.WELL
    decided.overwrite(forum, decided.app.id, deny=bits("SEND_MESSAGES_IN_THREADS"))
    assert await decided.lacks() == [f", channel {forum.id}: the bot lacks Send Messages in Threads there"]


async def test_server_that_the_bot_left_is_skipped(decided: Decided) -> None:
    decided.decide(threads=True)
    decided.playground.core.world.remove_member(decided.guild, decided.app.id)
    assert (await decided.look("channels"))[0].severity is Severity.WELL
