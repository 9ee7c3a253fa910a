"""Processes share the calls that Discord counts, and never make more together than it allows."""

from __future__ import annotations

import random
from contextlib import AsyncExitStack

from hypothesis import given
from hypothesis import strategies as st

from data.postgres.call_shares import PAUSE, CallShare, divide_calls
from data.postgres.database import PostgresDatabase
from data.postgres.lease_session import LeaseSession
from tests.data.postgres.test_leases import STEADY, address, undo

__all__ = ["address", "undo"]

TOTAL = 40


@given(st.dictionaries(st.integers(1, 100), st.integers(1, 100), min_size=1, max_size=12), st.integers(1, 100))
def test_calls_are_divided_by_demand_and_whole(wanted: dict[int, int], total: int) -> None:
    shares = divide_calls(total, wanted)
    assert sum(shares.values()) == total
    for process, share in shares.items():
        assert share >= min(wanted[process], total // len(wanted)), "nobody's demand takes an equal part from another"


async def empty(address: str) -> None:
    async with await PostgresDatabase.open(address) as database, database._pool.acquire() as connection:
        await connection.execute("DELETE FROM processes")


async def enter(address: str, undo: AsyncExitStack) -> tuple[int, CallShare]:
    """A process that has joined, with its number."""
    session = LeaseSession(address, "gops", STEADY)
    undo.push_async_callback(session.close)
    [[id]] = await session.fetch(
        "INSERT INTO processes (name, address, version, beat) VALUES ('gops', '', 1, 0) RETURNING id"
    )
    return id, CallShare(session, TOTAL)


async def test_shares_follow_demand_and_never_exceed_the_limit(address: str, undo: AsyncExitStack) -> None:
    await empty(address)
    chance = random.Random(7)
    first, share = await enter(address, undo)
    await share.renew(first, 0, 0)
    assert share.limit == TOTAL, "one process has all"
    second, third = [await enter(address, undo) for _ in range(2)]
    shares = dict([(first, share), second, third])
    used = dict.fromkeys(shares, 0)
    for _ in range(100):
        id = chance.choice([*shares])
        used[id] = chance.randint(0, shares[id].limit)  # calls under way, which Discord counts later
        await shares[id].renew(id, chance.choice([0, 5, 100]), used[id])
        assert sum(max(share.limit, used[id]) for id, share in shares.items()) <= TOTAL
    for _ in range(3):
        for id, share in shares.items():
            await share.renew(id, 100 if id == second[0] else 3, 0)
    assert [share.limit for share in shares.values()] == [3, 34, 3]


async def test_share_of_a_dead_process_is_divided_among_the_others(address: str, undo: AsyncExitStack) -> None:
    await empty(address)
    shares = dict([await enter(address, undo) for _ in range(2)])
    for _ in range(3):
        for id, share in shares.items():
            await share.renew(id, 100, 0)
    assert [share.limit for share in shares.values()] == [20, 20]
    (first, living), (second, dead) = shares.items()
    await living._session.execute(f"DELETE FROM processes WHERE id = {second}")
    for _ in range(PAUSE):
        await living.renew(first, 100, 0)
        assert living.limit == TOTAL // 2, "Discord counts what the dead process has called"
    await living.renew(first, 100, 0)
    assert living.limit == TOTAL
    await dead.renew(second, 100, 0)
    assert dead.limit == 0, "a process without a row may call nothing"
