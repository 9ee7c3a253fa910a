"""What a process forwards, when that fails."""

import asyncio
import gc
from unittest.mock import Mock

import pytest

from bot.process.sharing import Sharing


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
