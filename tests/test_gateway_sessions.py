"""The order of gateway sessions: one shard of a bucket after the other, within the sessions of a day."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.process.sessions import APART, JITTER, SessionLimit
from tests import virtual_time

START = datetime(2026, 11, 26, 9, 0, tzinfo=UTC)
STEP = (APART + JITTER).total_seconds()
HOUR = 3600.0


def told(remaining: int = 1000, reset_after: float = 24 * HOUR, max_concurrency: int = 1) -> dict[str, Any]:
    """Return the answer of Discord about session starts."""
    reset = round(reset_after * 1000)
    return {"total": 1000, "remaining": remaining, "reset_after": reset, "max_concurrency": max_concurrency}


def begun(shards: int, start: dict[str, Any], until: float = 100.0, broken: int | None = None) -> dict[int, float]:
    """When each of so many shards began its session; `broken` fails once, after 20 seconds, before it says anything."""
    times: dict[int, float] = {}

    async def keep(_: str) -> None: ...

    async def all_shards() -> None:
        loop = asyncio.get_running_loop()
        first = loop.time()
        limit = SessionLimit(lambda: START + timedelta(seconds=loop.time()), keep, None)
        limit.heed(start)
        failing = {broken}

        async def begin(shard: int) -> None:
            async with limit.turn(shard):
                if shard in failing:
                    failing.clear()
                    await asyncio.sleep(20)
                    raise OSError("refused")
                await limit.begin(shard)
                times[shard] = round(loop.time() - first, 2)

        tasks = [asyncio.create_task(begin(shard)) for shard in range(shards)]
        await asyncio.wait(tasks, timeout=until)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    virtual_time.run(all_shards())
    return times


def test_shards_of_one_bucket_begin_one_after_the_other() -> None:
    assert begun(3, told()) == pytest.approx({0: 0, 1: STEP, 2: 2 * STEP}, abs=0.05)


def test_shards_of_different_buckets_begin_at_once() -> None:
    assert begun(5, told(max_concurrency=2)) == pytest.approx({0: 0, 1: 0, 2: STEP, 3: STEP, 4: 2 * STEP}, abs=0.05)


def test_shard_that_cannot_connect_gives_its_turn_to_the_next() -> None:
    assert begun(2, told(), broken=0) == pytest.approx({1: 20}, abs=0.05)


def test_no_session_begins_while_none_is_left(caplog: pytest.LogCaptureFixture) -> None:
    assert begun(1, told(remaining=0, reset_after=2 * HOUR), until=2 * HOUR - 1) == {}
    assert "the next one begins in 7200 s" in caplog.text
    caplog.set_level(logging.CRITICAL)
    assert begun(1, told(remaining=0, reset_after=2 * HOUR), until=3 * HOUR) == {0: pytest.approx(2 * HOUR, abs=1)}


def test_last_session_of_a_day_goes_to_one_shard() -> None:
    """If two buckets both took it in the same instant, Discord would reset the token."""
    times = begun(3, told(remaining=1, reset_after=HOUR, max_concurrency=3), until=2 * HOUR)
    assert sorted(times.values()) == pytest.approx([0, HOUR, HOUR], abs=1)


def test_sessions_are_counted_down_between_two_answers() -> None:
    times = begun(4, told(remaining=3, reset_after=HOUR), until=2 * HOUR)
    assert times == pytest.approx({0: 0, 1: STEP, 2: 2 * STEP, 3: HOUR}, abs=1)
