"""Each process knows in which servers the bot is, whichever of them hears of it."""

from __future__ import annotations

import pytest

from bot.referee.model.changes import PartitionMoved
from bot.referee.model.partitions import PARTITIONS
from tests.data.postgres.test_jobs import Member, two
from tests.data.postgres.test_leases import address, undo

__all__ = ["address", "two", "undo"]


async def test_removal_of_the_bot_is_known_in_every_process(two: tuple[Member, Member]) -> None:
    first, second = two
    guild = second.find_place().guild
    await second.referee.leaving.note_member(guild)
    assert [await member.referee.leaving.is_member(guild) for member in two] == [True, True]
    await second.referee.leaving.note_removed(guild)
    assert [await member.referee.leaving.is_member(guild) for member in two] == [False, False]
    await second.referee.leaving.note_member(guild)
    assert await first.referee.leaving.is_member(guild)


async def test_event_that_another_process_has_to_store_says_nothing_here(two: tuple[Member, Member]) -> None:
    """The server's partition was handed over while the event came."""
    first, second = two
    guild = second.find_place().guild
    with pytest.raises(PartitionMoved):
        await first.referee.leaving.note_removed(guild)
    await second.referee.leaving.note_member(guild)
    assert await first.referee.leaving.is_member(guild)
    await second.end()
    await first.until(PARTITIONS)
    assert await first.referee.leaving.is_member(guild)
