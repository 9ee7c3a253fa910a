"""What Discord says of a channel: whether it is a locked thread, and in which server."""

from __future__ import annotations

from typing import Any, cast
from unittest.mock import AsyncMock

from bot.rest.delivery import Delivery
from bot.rest.global_limit import CallBudget
from bot.rest.rest_client import RestClient

THREAD = {"id": "5", "guild_id": "7", "parent_id": "4", "thread_metadata": {"locked": True}}
CHANNEL = {"id": "4", "guild_id": "7"}


def delivery_of(*answers: Any) -> tuple[Delivery, AsyncMock]:
    client = cast("Any", AsyncMock())
    client.call_api.side_effect = answers
    return Delivery(RestClient(client), CallBudget(lambda: 1e9)), client.call_api


async def test_lock_of_a_thread_is_asked_for_each_time() -> None:
    delivery, _ = delivery_of(THREAD, {**THREAD, "thread_metadata": {"locked": False}}, CHANNEL, OSError())
    assert [await delivery.is_locked(5) for _ in range(4)] == [True, False, False, False]


async def test_server_of_a_channel_is_the_one_that_discord_says() -> None:
    delivery, _ = delivery_of(CHANNEL, {"id": "8"}, OSError())
    assert [await delivery.guild_of(4) for _ in range(3)] == [7, 0, 0]
