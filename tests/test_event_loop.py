"""The bot runs on uvloop, and without uvloop on the loop of asyncio."""

from __future__ import annotations

import asyncio
import sys

import pytest

from bot.process.base import event_loop


async def whose() -> str:
    return type(asyncio.get_running_loop()).__module__


def test_bot_runs_on_uvloop() -> None:
    assert event_loop.run(whose()) == ("uvloop" if sys.platform != "win32" else "asyncio.windows_events")


def test_bot_runs_on_asyncio_without_uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert event_loop.run(whose()).startswith("asyncio.")
