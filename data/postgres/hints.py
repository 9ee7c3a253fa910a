"""Herald between processes on one database: which matches were changed. They are there to be quick, and may be lost.

Never in the transaction of a change: that would make every change wait for every other one. They are gathered for a
moment, and told on a connection of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress

from data.postgres.driver import BUSY, CUT, Single, alone, listening

log = logging.getLogger(__name__)

CHANNEL = "gops_changed"

GATHERED = 0.02
"""seconds"""

LONGEST = 7000
"""characters of one hint, of which PostgreSQL takes 8,000"""

AGAIN_AFTER = 1.0
"""seconds between tries to listen; meanwhile nothing is heard"""


class Herald:
    """Tells the others. What cannot be told is left: they find it by themselves."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._gathered: dict[str, int] = {}
        self._telling: asyncio.Task[None] | None = None
        self._link: Single | None = None

    def tell(self, id: str, version: int) -> None:
        """This match has this version now; 0 where only its surfaces were changed."""
        self._gathered[id] = max(version, self._gathered.get(id, 0))
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell(), name="hints")

    async def close(self) -> None:
        """What was gathered is told."""
        while self._telling is not None:
            await asyncio.wait([self._telling])
        link, self._link = self._link, None
        if link is not None:
            with suppress(*CUT, *BUSY):
                await link.close()

    async def _tell(self) -> None:
        try:
            await asyncio.sleep(GATHERED)
            while self._gathered:
                told, self._gathered = self._gathered, {}
                await self._told(told)
        finally:
            self._telling = None

    async def _told(self, told: Mapping[str, int]) -> None:
        try:
            if self._link is None:
                self._link = await alone(self._address)
            for payload in written(told):
                await self._link.fetchval("SELECT pg_notify($1, $2)", CHANNEL, payload)
        except (*CUT, *BUSY) as error:
            log.info("a hint was not told: %s", type(error).__name__)
            link, self._link = self._link, None
            if link is not None:
                link.terminate()


def written(told: Mapping[str, int]) -> list[str]:
    """In as many hints as it takes."""
    payloads = [""]
    for id, version in told.items():
        one = f"{id}:{version} "
        if len(payloads[-1]) + len(one) > LONGEST:
            payloads.append("")
        payloads[-1] += one
    return payloads


def read(payload: str) -> dict[str, int]:
    """What is no hint of ours is none."""
    told: dict[str, int] = {}
    for one in payload.split():
        id, _, version = one.partition(":")
        if id and version.isascii() and version.isdecimal():
            told[id] = int(version)
    return told


class Ear:
    """Hears what the others tell, until it is closed."""

    def __init__(self, address: str, heard: Callable[[Mapping[str, int]], None]) -> None:
        self._address = address
        self._heard = heard
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._listen(), name="ear")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(self._address, CHANNEL, lambda payload: self._heard(read(payload))) as ended:
                    await ended.wait()
                log.info("the connection that hears hints has ended; making another")
            except (*CUT, *BUSY) as error:
                log.info("hints cannot be heard (%s); trying again", type(error).__name__)
            await asyncio.sleep(AGAIN_AFTER)
