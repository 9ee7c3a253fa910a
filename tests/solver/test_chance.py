"""The random numbers of house players: every byte as docs/fairness.md specifies."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.referee.proof.version2 import house_key
from bot.solver.players.chance import Chance
from tests.conftest import ROOT

NONCE = bytes(range(32))
AGREED = "fe0ea56cb2f0309d43b2fdc9a53b470f49d553529baaf28dc15fed679af80b1e"
"""the hash of the agreement of the vector in docs/fairness.md"""
KEY = house_key(NONCE, AGREED, (0, 4, 0), 1)


def test_chance_gives_the_numbers_of_the_documentation() -> None:
    chance = Chance(KEY)
    numbers = [chance.number() for _ in range(10)]  # into the second block
    fairness = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
    assert KEY.hex() in fairness
    assert " ".join(map(str, numbers)) in " ".join(fairness.split())


def test_same_key_draws_the_same_numbers() -> None:
    one, other = Chance(KEY), Chance(KEY)
    assert [one.below(13) for _ in range(100)] == [other.below(13) for _ in range(100)]
    assert Chance(house_key(NONCE, AGREED, (0, 4, 1), 1)).number() != Chance(KEY).number()


@pytest.mark.parametrize("bound", [1, 2, 3, 13, 52])
def test_numbers_below_a_bound_are_evenly_distributed(bound: int) -> None:
    chance = Chance(KEY)
    counted = Counter(chance.below(bound) for _ in range(bound * 400))
    assert sorted(counted) == list(range(bound))
    assert all(300 < times < 500 for times in counted.values())


def test_shares_are_uniform_and_samples_have_no_repeats() -> None:
    chance = Chance(KEY)
    shares = [chance.share() for _ in range(2000)]
    assert min(shares) >= 0
    assert max(shares) < 1
    assert 0.47 < sum(shares) / len(shares) < 0.53
    assert sorted(chance.sample("AAKQ", 4)) == ["A", "A", "K", "Q"]
    assert Counter(len(set(chance.sample(range(5), 2))) for _ in range(100)) == {2: 100}


def test_chance_repr_hides_the_key() -> None:
    assert KEY.hex() not in repr(Chance(KEY))
    assert repr(KEY) not in repr(Chance(KEY))
