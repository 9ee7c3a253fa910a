"""Looking into a database without changing it, not even its schema."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from data.postgres.alone import BOT
from data.postgres.driver import Single, alone
from data.postgres.migrate import check
from data.postgres.trouble import judged
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


async def _looked(address: str, look: Callable[[Single], Awaitable[T]]) -> T:
    try:
        link = await alone(address)
        try:
            return await look(link)
        finally:
            await link.close()
    except Exception as error:
        raise judged(error) from error
