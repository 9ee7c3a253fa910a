"""`gops COMMAND` beside a bot that runs, or one that was stopped."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.house import House


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


async def gops(
    environment: Mapping[str, str], *arguments: str, folder: Path | None = None, patience: float = 120.0
) -> Said:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        env={**os.environ, **environment},
        cwd=folder,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(process.communicate(), patience)
    assert process.returncode is not None
    assert b"Traceback" not in err, err.decode()
    return Said(process.returncode, out.decode(), err.decode())


async def beside(house: House, *arguments: str) -> Said:
    """With the settings of this bot."""
    return await gops(house.bot.environment(), *arguments)
