"""The partition of a code is that of its server, and neither hash nor number ever changes."""

from __future__ import annotations

import pytest

from bot.referee.lobby.setups import Wish
from bot.referee.model.participant import Person, Place
from bot.referee.model.partitions import PARTITIONS, partition_of, partition_of_owner
from bot.solver.players.levels import SLY
from tests.referee.stage import ANA, Table


@pytest.mark.parametrize(
    ("key", "partition"), [("K7Q2", 32), ("2222", 57), ("ZZZZZ", 35), (81384788765712384, 1), (0, 33)]
)
def test_a_key_is_in_the_same_partition_for_ever(key: str | int, partition: int) -> None:
    assert PARTITIONS == 64
    assert partition_of(key) == partition


@pytest.mark.parametrize(
    ("owner", "key"), [("K7Q2", "K7Q2"), ("server 4711", 4711), ("season 4711 3", 4711), ("message 8 15", 8)]
)
def test_a_deadline_is_in_the_partition_of_its_match_server_channel_or_person(owner: str, key: str | int) -> None:
    assert partition_of_owner(owner) == partition_of(key)


async def test_a_code_is_in_the_partition_of_its_server(table: Table) -> None:
    for guild in range(1, 9):
        place = Place(guild, 2)
        challenge = await table.referee.challenges.open(place, ANA, [Person(100 + guild, "Ben")], Wish())
        practice = await table.referee.practice.begin(place, ANA, SLY, Wish())
        assert partition_of(challenge.id) == partition_of(practice.live.stored.id) == partition_of(guild)
        await table.referee.challenges.withdraw(challenge.id, ANA.user)
        await table.referee.matches.resign(practice.live.stored.id, ANA.user)


async def test_codes_without_a_server_are_in_any_partition(table: Table) -> None:
    codes = [await table.referee.repository.new_id() for _ in range(30)]
    assert len({partition_of(code) for code in codes}) > 10


async def test_a_code_of_a_match_that_changes_while_it_is_looked_up_is_drawn_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, looked_up = table.referee.repository, list[str]()

    async def known_id(code: str) -> bool:
        looked_up.append(code)
        repository.notify(code)
        return len(looked_up) == 1

    monkeypatch.setattr(repository.store, "known_id", known_id)
    assert await repository.new_id() == looked_up[1] != looked_up[0]
