"""A stand-in per test module, a bot by hand, and a discord.py bot in a process of its own."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest_asyncio

from bot.playground.protocol import schema
from bot.playground.server import TOKEN, Playground
from tests.driver import Server, Stage
from tests.playground.raw import RawBot

SAMPLE = Path(__file__).with_name("sample_bot.py")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def playground() -> AsyncGenerator[Playground]:
    """Held to Discord's description; every answer was, too, once the module is done."""
    playground = Playground(schema=schema.find(), check_answers=True)
    playground.add_bot()
    playground.core.settings.identify_seconds = 0.0  # each test begins sessions of its own
    async with playground:
        yield playground
        assert playground.pipeline.answer_faults == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(playground: Playground) -> AsyncGenerator[Stage]:
    async with Stage.connect(playground.address, patience=30) as stage:
        yield stage


@pytest_asyncio.fixture(loop_scope="module")
async def club(stage: Stage, playground: Playground) -> AsyncGenerator[Server]:
    """A fresh server for every test, in a stand-in where nothing is broken or exhausted."""
    playground.pipeline.limits.forget()
    server = await stage.server("Club", ["games", "talk"])
    yield server
    await stage.clear_faults()
    await stage.delete(server)


@pytest_asyncio.fixture(loop_scope="module")
async def raw(playground: Playground) -> AsyncGenerator[RawBot]:
    """The bot, by hand: its gateway connection and its calls."""
    async with RawBot.connect(playground.address, TOKEN) as bot:
        yield bot


@contextlib.asynccontextmanager
async def running(address: str, *, heartbeat_timeout: float = 60.0) -> AsyncGenerator[asyncio.subprocess.Process]:
    """The sample bot as a process."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SAMPLE), address, TOKEN, str(heartbeat_timeout), stderr=asyncio.subprocess.PIPE
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sample(stage: Stage) -> AsyncGenerator[asyncio.subprocess.Process]:
    async with running(stage.address) as process:
        await stage.bot_ready()
        yield process
