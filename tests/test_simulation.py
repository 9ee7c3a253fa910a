"""The simulation of several processes finds no lost bid and no call too many, and finds both where a part is broken.

`make bench ARGS=simulation` simulates a whole day. Here it is a minute, with more troubles and more calls.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from unittest import mock

import pytest

from data.postgres.call_shares import CallShare, divide_calls
from data.postgres.leases import Leases
from data.sql.statement import Statement
from tests.simulation.process import SimulatedProcess
from tests.simulation.world import Plan, Report, simulate

SEED = 5


def minute(seed: int = SEED) -> Report:
    report = simulate(Plan(seed, [(60.0, 60.0)], matches=600, calls_per_bid=1.0, trouble=5.0))
    print(*report.lines(), *report.find_failures(), sep="\n")
    return report


@pytest.mark.parametrize("seed", [SEED, 14])
def test_no_bid_is_lost_and_no_call_is_too_many(seed: int) -> None:
    report = minute(seed)
    assert report.find_failures() == []
    assert report.players.bids > 3000
    assert report.highest > 30, "the limit of calls is reached nearly"
    assert report.refused > 0, "old owners have tried to write"
    assert min(report.troubles.values()) > 0


def test_owners_are_read_once_for_all_interactions_that_wait() -> None:
    with mock.patch.object(Leases, "_read_owners", autospec=True, side_effect=Leases._read_owners) as read:
        minute()
    assert read.call_count < 2500


def test_same_seed_gives_the_same_run() -> None:
    assert [*minute().lines()][:-1] == [*minute().lines()][:-1]


def test_nothing_keeps_dead_processes() -> None:
    kept: list[int] = []

    def count(_: str) -> None:
        gc.collect()
        kept.append(sum(isinstance(each, SimulatedProcess) for each in gc.get_objects()))

    report = simulate(Plan(SEED, [(60.0, 30.0)] * 3, matches=300, trouble=5.0, tell=count))
    assert report.processes > 15
    assert max(kept) < 10


def test_bids_are_lost_without_a_fence() -> None:
    def no_fence(*_: object) -> Iterator[Statement]:
        return iter(())

    with mock.patch.object(Leases, "fence", no_fence):
        report = minute()
    assert report.players.lost
    assert f"seed {SEED}: confirmed bid lost" in report.find_failures()[0]


def test_calls_are_too_many_when_a_share_is_used_at_once() -> None:
    async def renew(share: CallShare, process: int, wanted: int, used: int) -> None:
        await share._session.execute(
            f"UPDATE processes SET wanted = {wanted}, calls = least(calls, {used}) WHERE id = {process}"
        )
        rows = await share._session.fetch("SELECT id, wanted FROM processes")
        share.limit = divide_calls(share._total, {id: max(wanted, 1) for id, wanted in rows}).get(process, 0)

    with mock.patch.object(CallShare, "renew", renew):
        report = minute()
    assert report.over
    assert f"seed {SEED}: too many calls" in report.find_failures()[0]
