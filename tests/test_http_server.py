"""Interactions by HTTP: the server opens, and Discord gets its address and checks it."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app import Bot
from bot.discord_internals import api_calls
from bot.errors import SettingsError
from bot.playground.server import TOKEN, Playground
from bot.process.http_server import InteractionEndpoint, register_endpoint
from bot.referee.model.changes import SaveNote
from tests.operate.ports import free_port


@dataclass
class Scene:
    """A bot that has logged in."""

    client: Bot
    playground: Playground
    notes: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def told(self) -> str | None:
        """The endpoint that Discord knows."""
        return next(iter(self.playground.core.world.apps.values())).endpoint

    async def again(self) -> None:
        """As after a restart."""
        self.client._application = await self.client.application_info()

    async def note(self, key: str) -> str | None:
        return self.notes.get(key)

    async def write(self, change: tuple[SaveNote, ...]) -> None:
        self.notes.update((one.key, one.value) for one in change)


@pytest.fixture
async def scene(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scene]:
    async with Playground() as playground:
        playground.add_bot()
        monkeypatch.setattr(api_calls.Route, "BASE", f"{playground.address}/api/v10")
        client = Bot()
        scene = Scene(client, playground)
        parts: Any = SimpleNamespace(referee=SimpleNamespace(store=scene, write=scene.write))
        client.services = parts
        try:
            await login(client)
            yield scene
        finally:
            await client.close()


async def login(client: Bot) -> None:
    """Without the features."""

    async def nothing() -> None: ...

    client.setup_hook = nothing  # type: ignore[method-assign]
    await client.login(TOKEN)


async def test_endpoint_that_answers_is_registered_and_can_be_withdrawn(scene: Scene) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}/x"
    http_server = InteractionEndpoint(("127.0.0.1", port), address, lambda _: None)
    await http_server.open(scene.client, asyncio.Event())
    await http_server.register_endpoint(scene.client)
    assert scene.told == address
    await http_server.close()
    await http_server.close()
    await scene.again()
    await register_endpoint(scene.client, address)  # known already: nothing is tried
    await register_endpoint(scene.client, "")
    assert scene.told is None, "what we told is ours to take back"
    assert list(scene.notes.values()) == [""]


async def test_unreachable_endpoint_is_logged_and_changes_nothing(
    scene: Scene, caplog: pytest.LogCaptureFixture
) -> None:
    await register_endpoint(scene.client, f"http://127.0.0.1:{free_port()}/")
    assert "Discord does not take GOPS_ENDPOINT" in caplog.text
    assert "could not be verified" in caplog.text
    assert (scene.told, scene.notes) == (None, {})


async def test_endpoint_set_by_the_operator_stays(scene: Scene) -> None:
    app = next(iter(scene.playground.core.world.apps.values()))
    app.endpoint = "https://elsewhere.example/"
    await scene.again()
    await register_endpoint(scene.client, "")
    assert scene.told == "https://elsewhere.example/"


async def test_taken_port_is_refused_by_its_setting(scene: Scene) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        http_server = InteractionEndpoint(taken.getsockname(), "", lambda _: None)
        with pytest.raises(SettingsError, match=r"GOPS_LISTEN: 127\.0\.0\.1:[0-9]+ cannot be opened"):
            await http_server.open(scene.client, asyncio.Event())
        await http_server.close()


def test_missing_pynacl_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "bot.interactions.transports.http", raising=False)
    monkeypatch.setitem(sys.modules, "nacl.exceptions", None)
    with pytest.raises(SettingsError, match=r"requirements-http\.txt"):
        InteractionEndpoint(("127.0.0.1", 0), "", lambda _: None)
