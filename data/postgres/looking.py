"""Looking into a database without changing it, not even its schema."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.errors import DamagedMatch
from data.postgres.alone import BOT
from data.postgres.driver import Single, alone
from data.postgres.migrate import check
from data.postgres.trouble import judged
from data.sql import folding
from data.sql.schema import load

T = TypeVar("T")


async def version(address: str) -> int:
    """How many migrations it has behind it. Raises `DatabaseError`, `StoreBusy` and `StoreReadOnly`."""
    return await _looked(address, lambda link: check(link, load()))


HELD = """SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE locktype = 'advisory' AND granted AND classid = 0 AND objid = $1 AND datname = current_database()"""


async def is_led(address: str) -> bool:
    """Whether a bot runs on it: the only one, or the keeper that leads."""
    return bool(await _looked(address, lambda link: link.fetchval(HELD, BOT)))


async def note(address: str, key: str) -> str | None:
    """What is noted under a key; nothing where there are no tables yet."""

    async def look(link: Single) -> str | None:
        if not await check(link, load()):
            return None
        return await link.fetchval("SELECT value FROM notes WHERE key = $1", key)

    return await _looked(address, look)


FOLDED = "SELECT id, folded FROM matches WHERE folded IS NOT NULL AND id > $1 ORDER BY id LIMIT 500"


async def folded_flaw(address: str) -> str:
    """What is wrong with a folded match; nothing where all of them are what was written."""

    async def look(link: Single) -> str:
        last = "" if await check(link, load()) == len(load()) else None
        while last is not None and (rows := await link.fetch(FOLDED, last)):
            for id, folded in rows:
                try:
                    folding.check(id, folded)
                except DamagedMatch as damaged:
                    return damaged.what
            last = rows[-1][0]
        return ""

    return await _looked(address, look)


async def _looked(address: str, look: Callable[[Single], Awaitable[T]]) -> T:
    try:
        link = await alone(address)
        try:
            return await look(link)
        finally:
            await link.close()
    except Exception as error:
        raise judged(error) from error
