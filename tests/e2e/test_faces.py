"""Card faces over sockets: uploaded behind a start, drawn, refused, taken away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from bot.pictures.album import album
from bot.pictures.faces import names
from tests.e2e.house import House, opened
from tests.forked import forked

pytestmark = pytest.mark.asyncio(loop_scope="module")

PICTURE = "data:image/png;base64,iVBORw0KGgo="

TOLD = "Told Discord of 2 commands.\nUploaded 1 card faces, deleted 1 old ones.\n"


class Portal:
    """The emojis of the application, as its owner sees them."""

    def __init__(self, house: House) -> None:
        self.api = f"{house.stage.address}/api/v10"
        self.app = ""

    async def call(self, method: str, path: str = "", **body: Any) -> Any:
        headers = {"Authorization": "Bot playground"}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.request(method, self.api + path, json=body or None) as told,
        ):
            assert told.status < 300, await told.text()
            return await told.json() if told.status != 204 else None

    async def emojis(self) -> dict[str, str]:
        """Their names and ids."""
        self.app = self.app or (await self.call("GET", "/users/@me"))["id"]
        return {one["name"]: one["id"] for one in (await self.call("GET", f"/applications/{self.app}/emojis"))["items"]}

    async def add(self, name: str) -> None:
        await self.call("POST", f"/applications/{self.app}/emojis", name=name, image=PICTURE)

    async def delete(self, name: str) -> None:
        await self.call("DELETE", f"/applications/{self.app}/emojis/{(await self.emojis())[name]}")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def drawn(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    """One bot with faces for the whole module: uploading them takes some seconds."""
    async with opened(tmp_path_factory.mktemp("drawn"), start=False) as house:
        house.bot.settings["GOPS_FACES"] = "on"
        await house.bot.start()
        await house.bot.logs(f"uploaded {len(names())} card faces, deleted 0 old ones")
        yield house
        assert house.bot.trouble() == []


async def test_they_are_uploaded_once_and_kept_right_by_sync(drawn: House, tmp_path: Path) -> None:
    """Only what is missing is uploaded again, and other emojis are left alone."""
    portal, wanted = Portal(drawn), {face.emoji for face in album()}
    assert set(await portal.emojis()) == wanted
    await drawn.bot.stop()
    await portal.delete(album()[0].emoji)
    for name in ("spade_A_0000", "party"):
        await portal.add(name)
    with (tmp_path / "told").open("wb") as told:
        sync = forked(("-m", "bot", "sync"), told, drawn.bot.environment())
        assert await asyncio.wait_for(sync.wait(), 60) == 0
    assert (tmp_path / "told").read_text().endswith(TOLD)
    assert set(await portal.emojis()) == wanted | {"party"}
    await drawn.stage.reset_calls()
    await drawn.bot.start()
    await drawn.stage.called("GET /applications/*/emojis")
    assert (await drawn.stage.calls()).of("POST /applications/*/emojis") == 0
