"""One window, and a bot that is written by hand, so that everything is tried and not only what GOPS sends."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
from playwright.async_api import Browser

from bot.playground.server import TOKEN, Playground
from tests.page.house import House, Window
from tests.playground.raw import RawBot

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c6360606000000004000127"
    "34270a0000000049454e44ae426082"
)


class Scene:
    """Ana's window, and the bot that writes to it."""

    def __init__(self, playground: Playground, bot: RawBot, ana: Window) -> None:
        self.playground = playground
        self.bot = bot
        self.ana = ana
        self.channel = next(iter(next(iter(playground.core.world.guilds.values())).channels))

    async def post(self, **body: Any) -> str:
        told = await self.bot.call("POST", f"/channels/{self.channel}/messages", body)
        assert told.status == 200, told.body
        return told.body["id"]

    async def post_files(self, body: str, **files: bytes) -> None:
        form = aiohttp.FormData()
        form.add_field("payload_json", body, content_type="application/json")
        for number, (name, content) in enumerate(files.items()):
            form.add_field(f"files[{number}]", content, filename=name.replace("_", "."))
        headers = {"Authorization": f"Bot {TOKEN}"}
        url = f"{self.playground.address}/api/v10/channels/{self.channel}/messages"
        async with self.bot.session.post(url, data=form, headers=headers) as answer:
            assert answer.status == 200, await answer.text()

    async def answer(self, **body: Any) -> dict[str, Any]:
        """Wait for an interaction and answer it; what it was."""
        made = await self.bot.gateway.until("INTERACTION_CREATE")
        told = await self.bot.call("POST", f"/interactions/{made['id']}/{made['token']}/callback", body, token=None)
        assert told.status == 204, told.body
        return made

    async def made(self) -> dict[str, Any]:
        """The next interaction, unanswered."""
        return await self.bot.gateway.until("INTERACTION_CREATE")

    async def forward(self, seconds: float) -> None:
        """Move the clock."""
        body = f'{{"forward": {seconds}}}'
        await self.ana.page.evaluate("body => fetch('/play/clock', { method: 'PUT', body })", body)


@asynccontextmanager
async def staged(browser: Browser) -> AsyncGenerator[Scene]:
    playground = Playground()
    playground.add_bot()
    async with (
        playground,
        RawBot.connect(playground.address, TOKEN) as bot,
        House(playground.address, browser) as house,
    ):
        yield Scene(playground, bot, Window(await house.open("?as=Ana"), "Ana"))
        assert house.errors == []
