"""The pace of old messages: as Discord is believed to count, and slower after each refusal."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import discord
import pytest

from bot.rest import old_message_limit
from bot.rest.old_message_limit import AGE, EDITS, SLOWEST, WINDOW, OldMessageLimit, is_old

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.at = 50.0

    def monotonic(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock by which the limit goes."""
    clock = Clock()
    monkeypatch.setattr(old_message_limit, "time", clock)
    return clock


def test_message_is_old_from_one_hour_on() -> None:
    made = discord.utils.time_snowflake(NOW)
    assert not is_old(made, NOW + AGE - timedelta(seconds=1))
    assert is_old(made, NOW + AGE)
    assert not is_old(0, NOW), "known by its token alone"


def test_never_more_than_so_many_in_a_window_of_a_channel(clock: Clock) -> None:
    aged = OldMessageLimit()
    waits = [aged.reserve(1) for _ in range(7)]
    assert waits == [0, 0, 0, WINDOW, WINDOW, WINDOW, 2 * WINDOW]
    assert aged.delay(2) == 0, "another channel"
    clock.at += 3 * WINDOW + 1
    assert aged.delay(1) == 0
    aged.reserve(2)
    kept = aged._turns  # pyright: ignore[reportPrivateUsage]
    assert [*kept] == [2], "nothing is kept of a channel in which nothing happens"


def test_a_refusal_makes_it_slower_and_what_goes_well_faster_again(clock: Clock) -> None:
    aged = OldMessageLimit()
    aged.record_refusal()
    slower = aged.window
    assert slower > WINDOW
    for _ in range(EDITS):
        aged.reserve(1)
    assert aged.delay(1) == slower
    for _ in range(1000):
        aged.record_success()
    assert aged.window == WINDOW
    for _ in range(100):
        clock.at += SLOWEST
        aged.record_refusal()
    assert aged.window == SLOWEST


def test_channels_that_are_refused_at_once_make_it_slower_once(clock: Clock) -> None:
    """As after a restart, which knows nothing of the edits before it."""
    aged = OldMessageLimit()
    for _ in range(20):
        aged.record_refusal()
    once = aged.window
    assert WINDOW < once < 2 * WINDOW
    clock.at += once
    aged.record_refusal()
    assert aged.window > once


@pytest.mark.parametrize("real", [6.0, 20.0])
def test_pace_follows_what_discord_accepts(clock: Clock, real: float) -> None:
    """A day of edits in one channel, against a Discord that takes 3 in 6 seconds, and one that takes 3 in 20."""
    aged = OldMessageLimit()
    taken: list[float] = []
    refused = 0
    for _ in range(2000):
        clock.at += aged.reserve(1)
        if len([one for one in taken if one > clock.at - real]) >= EDITS:
            refused += 1
            aged.record_refusal()
        else:
            taken.append(clock.at)
            aged.record_success()
    assert refused == 0 if real == WINDOW else refused < 60
