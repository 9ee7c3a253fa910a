"""What a process forwards, and what it begins with new partitions, when that fails."""

import asyncio
import gc
from unittest.mock import AsyncMock, Mock

import pytest

from bot.process import sharing as process_sharing
from bot.process.sharing import Sharing
from bot.referee.model.changes import PartitionMoved


async def test_failure_of_what_is_forwarded_is_logged_without_what_it_holds(caplog: pytest.LogCaptureFixture) -> None:
    """A process that had lost its lease closed its session under it: a traceback, which may name cards, was logged."""
    sharing = Sharing(Mock(leases=Mock(schema=1, process=1)), "token")

    async def fail() -> None:
        raise RuntimeError("the bid is K")

    sharing._start(fail())
    await asyncio.wait({*sharing._forwarding})
    await asyncio.sleep(0)  # what is done after a task
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == ["an interaction was not handled: RuntimeError"]


async def test_catching_up_goes_on_after_one_of_the_partitions_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards of all other partitions stayed behind, and the house did not bid."""
    monkeypatch.setattr(process_sharing, "SESSION_SECONDS", 0.0)
    client = Mock(keep_shards=AsyncMock())
    client.services.publisher.catch_up = AsyncMock(side_effect=[PartitionMoved("another process owns it"), None])
    thinking = Mock(catch_up=AsyncMock())
    parts = Mock(leases=Mock(schema=1, process=1), client=client, thinking=thinking, before=AsyncMock())
    sharing = Sharing(parts, "token")
    await sharing.gain({5})
    assert sharing._catching_up is not None
    await sharing._catching_up
    assert client.services.publisher.catch_up.await_count == 2
    thinking.catch_up.assert_awaited_once()
