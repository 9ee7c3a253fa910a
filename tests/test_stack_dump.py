"""The output of SIGUSR1: places in the code, and never a value."""

import asyncio
from collections.abc import AsyncIterator

from bot.process.base import event_loop


async def seals(card: str, given: asyncio.Event) -> str:
    await given.wait()
    return card


async def asked(card: str, given: asyncio.Event) -> AsyncIterator[str]:
    yield await seals(card, given)


async def plays(card: str, given: asyncio.Event) -> None:
    async for _ in asked(card, given):
        pass


async def test_stack_dump_shows_a_task_from_its_start_to_its_wait() -> None:
    given = asyncio.Event()
    task = asyncio.create_task(plays("the king of spades", given), name="ana")
    await asyncio.sleep(0)
    told = event_loop.describe_task(task)
    given.set()
    await task
    first, *places = told.splitlines()
    assert first == "ana:"
    names = [place.split()[1] for place in places]
    assert names == ["plays", "asked", "seals", "Event.wait"]
    assert all(place.startswith(("  tests/test_stack_dump.py:", "  asyncio/locks.py:")) for place in places)
    assert "king" not in told
