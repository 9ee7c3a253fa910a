"""A bot of several processes, in the drawer: how each is, and what kills it."""

from __future__ import annotations

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from bot.playground import supervisor
from bot.playground.supervisor import Supervisor
from tests.page.house import drawer
from tests.page.scene import Scene
from tests.page.warm import PAUSES

pytestmark = pytest.mark.asyncio(loop_scope="session")  # where the browser is

SLEEPS = shutil.which("sleep") or "sleep"


class Company(Supervisor):
    """Three programs that do nothing."""

    def __init__(self, folder: Path) -> None:
        super().__init__((SLEEPS, "600"), {}, folder / "none")
        names = ("Worker 1", "Keeper 1", "PostgreSQL")
        self.parts = {name: Supervisor((SLEEPS, "600"), {}, folder / "log", name) for name in names}

    def describe(self) -> dict[str, Any]:
        known = {name: {**one.describe(), "doing": ""} for name, one in self.parts.items()}
        known["Keeper 1"]["doing"] = "standing by: another keeper leads"
        return {"state": "running", "note": "All of them are running.", "parts": known}


@asynccontextmanager
async def company(scene: Scene, folder: Path) -> AsyncGenerator[Company]:
    company = Company(folder)
    scene.playground.keep(company)
    for one in company.parts.values():
        one.changed = scene.playground.process.changed
        await one.start()
    try:
        yield company
    finally:
        for one in company.parts.values():
            await one.close()


async def test_each_process_can_be_killed(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "PAUSES", PAUSES)
    async with company(scene, tmp_path) as these:
        tools = await drawer(scene.ana.page)
        listed = tools.get_by_role("list", name="Processes").get_by_role("listitem")
        await expect(listed).to_have_count(3)
        await expect(listed.nth(0)).to_contain_text("Worker 1 is running.")
        await expect(listed.nth(1)).to_contain_text("Keeper 1: standing by: another keeper leads.")
        key = tools.get_by_role("button", name="Kill Worker 1")
        await key.focus()
        await key.press("Enter")
        await expect(listed.nth(0)).to_contain_text("Worker 1 was killed (SIGKILL); it is started again in 2 s.")
        await expect(listed.nth(0)).to_contain_text("Worker 1 is running.")
        await expect(key).to_be_focused()
        assert {name: one.describe()["starts"] for name, one in these.parts.items()} == {
            "Worker 1": 2,
            "Keeper 1": 1,
            "PostgreSQL": 1,
        }
        for width in (1280, 400):
            await scene.ana.page.set_viewport_size({"width": width, "height": 860})
            box = await tools.get_by_role("list", name="Processes").bounding_box()
            inside = await key.bounding_box()
            assert box is not None
            assert inside is not None
            assert inside["x"] + inside["width"] <= box["x"] + box["width"]
        answer = await scene.ana.page.request.post(
            f"{scene.playground.address}/play/process", data={"do": "kill", "part": "Worker 7"}
        )
        assert (await answer.json())["error"] == "No part of the bot is called Worker 7."
