"""What the bot does where the application cannot be installed in both ways, and how it says so."""

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.e2e.house import House, opened

pytestmark = pytest.mark.asyncio

EXIT_SETUP = 78


async def call(house: House, method: str, path: str, body: Any = None) -> Any:
    """One call with the bot's token; its JSON."""
    url, headers = f"{house.stage.address}/api/v10{path}", {"Authorization": "Bot playground"}
    async with aiohttp.ClientSession(headers=headers) as session, session.request(method, url, json=body) as answer:
        answer.raise_for_status()
        return await answer.json()


async def allow_only(house: House, *types: str) -> None:
    """Let the application be installed in these ways alone, as a switch in the developer portal does."""
    config = {one: {"oauth2_install_params": None} for one in types}
    await call(house, "PATCH", "/applications/@me", {"integration_types_config": config})


async def registered_types(house: House) -> set[tuple[int, ...]]:
    id = (await call(house, "GET", "/applications/@me"))["id"]
    told = await call(house, "GET", f"/applications/{id}/commands")
    return {tuple(sorted(one["integration_types"])) for one in told}


async def test_commands_follow_the_install_types_of_the_application(tmp_path: Path) -> None:
    """With User Install off they are registered for servers alone; with it on again, for people too."""
    async with opened(tmp_path, start=False) as house:
        await allow_only(house, "0")
        await house.bot.start()
        assert await registered_types(house) == {(0,)}
        assert "User Install is off at https://discord.com/developers/applications" in house.bot.logged()
        assert (await call(house, "GET", "/applications/@me"))["integration_types_config"] == {"0": {}}
        await house.match()
        await house.bot.stop()
        await allow_only(house, "0", "1")
        await house.bot.start()
        assert await registered_types(house) == {(0, 1)}
        assert house.bot.trouble() == []


async def test_without_guild_install_the_bot_does_not_start(tmp_path: Path) -> None:
    async with opened(tmp_path, start=False) as house:
        await allow_only(house, "1")
        await house.bot.spawn()
        assert house.bot.process is not None
        assert await house.bot.process.wait() == EXIT_SETUP
        assert (
            "the bot cannot be added to servers: switch on Guild Install at https://discord.com/" in house.bot.logged()
        )
