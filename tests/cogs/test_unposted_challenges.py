"""A challenge whose message Discord does not take is no challenge, and never in the way of the next one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.interactions.shared.pressed_lobby import post_lobby
from bot.referee.lobby.setups import Wish
from bot.referee.model.model import LobbyState
from tests.cogs.show.table import ANA, BEN
from tests.memory_store import MemoryStore
from tests.referee.stage import HERE, Table


class Refusing:
    """The answer to a command in a place where the bot may not speak."""

    hidden = False

    async def send(self, *_: object, **__: object) -> int:
        told: Any = SimpleNamespace(status=403, reason="Forbidden")
        raise discord.HTTPException(told, {"code": 50013, "message": "Missing Permissions"})


async def test_challenge_that_cannot_be_posted_is_withdrawn() -> None:
    table = Table(MemoryStore())
    lobby = await table.referee.challenges.open(HERE, ANA, [BEN], Wish())
    asked = cast("Any", SimpleNamespace(referee=table.referee, answer=Refusing()))
    with pytest.raises(discord.HTTPException):
        await post_lobby(asked, lobby)
    assert (await table.referee.lobbies.get(lobby.id)).state is LobbyState.WITHDRAWN
