"""A bot runs on uvloop, and where there is none on asyncio's own loop."""

from __future__ import annotations

import asyncio
import sys

import pytest

from bot.process.base import event_loop


async def whose() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_it_is_uvloop() -> None:
    assert event_loop.run(whose()) == ("uvloop" if sys.platform != "win32" else "asyncio.windows_events")


def test_without_it_everything_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert event_loop.run(whose()).startswith("asyncio.")
