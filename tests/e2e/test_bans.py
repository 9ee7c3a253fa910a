"""What the operator decides about people and servers: bans, and taking the bot out of a server."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.process.base.version import own_version
from tests.e2e.house import House, has, newcomer, opened, told

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED = "The operator of this bot does not let you use it."
LEAVE = "DELETE /users/@me/guilds/*"


class Office(House):
    """A bot whose settings file the operator edits."""

    settings: Path

    async def reload(self, text: str, answer: str) -> None:
        """Write the settings file, tell the bot to read it, and wait until it logs the answer once more."""
        self.settings.write_text(text, encoding="utf-8")
        process = self.bot.process
        assert process is not None
        seen = self.bot.logged().count(answer)
        process.send_signal(signal.SIGHUP)
        async with asyncio.timeout(30):
            while self.bot.logged().count(answer) == seen:  # noqa: ASYNC110 - a file tells nobody that it has grown
                await asyncio.sleep(0.01)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def office(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Office]:
    folder = tmp_path_factory.mktemp("office")
    async with opened(folder, start=False) as house:
        settings = folder / "env"
        house.bot.command = (*house.bot.command, "--env", str(settings))
        await house.bot.start()
        server = await house.stage.server("Club", ["games"])
        ana, ben = await newcomer(house.stage, "Ana", server), await newcomer(house.stage, "Ben", server)
        office = Office(house.stage, house.bot, ana, ben, server)
        office.settings = settings
        yield office
        assert house.bot.trouble() == []


async def test_first_line_of_the_log_names_the_version(office: Office) -> None:
    assert f"GOPS referee {own_version()}, Python " in office.bot.logged().splitlines()[0]


async def test_banned_person_is_refused_until_the_ban_is_lifted(office: Office) -> None:
    board = await office.challenge()
    await office.reload(f"GOPS_BANNED_USERS={office.ben.id}\n", "banned: 1 people")
    assert told(await office.ben.press("Accept", in_=board)) == REFUSED
    assert told(await office.ben.slash("/gops games")) == REFUSED
    await office.reload("GOPS_BANNED_USERS=ben\n", "bans are unchanged: GOPS_BANNED_USERS must be ids")
    assert told(await office.ben.slash("/gops games")) == REFUSED
    await office.reload("", "banned: 0 people")
    await office.ben.press("Accept", in_=board)
    await office.ben.sees(has("round 1 of"), in_=board)


async def test_banned_server_is_left_at_once_and_whenever_it_invites_the_bot(office: Office) -> None:
    other = await office.stage.server("Other")
    await office.reload(f"GOPS_BANNED_SERVERS={other.id}\n", "banned: 0 people, 1 servers")
    await office.stage.called(LEAVE)
    await office.stage.member(other, "GOPS")
    await office.stage.called(LEAVE, 2)


async def leave(office: Office, server: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "leave", server, "--env", str(office.settings)),
        env=office.bot.environment(),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


async def test_leave_takes_the_bot_out_of_a_server(office: Office) -> None:
    other = await office.stage.server("Another")
    assert await leave(office, other.id) == (0, f"Left server {other.id}.\n")
    assert await leave(office, other.id) == (1, f"gops leave: the bot is in no server {other.id}\n")
