"""The zero-sum display of rules.md 2.1: a difference that never changes who wins."""

from fractions import Fraction

import pytest

from bot.engine.record.record import read_record
from bot.engine.record.replay import replay
from bot.engine.variants import GAMES, find_game
from tests import golden_cases


@pytest.mark.parametrize(
    ("case", "margins"),
    [
        ("G1.1 discard", (-1, 1)),
        ("G1.1 carry", (2, -2)),
        ("G1.1 split", (-1, 1)),
        ("G1.5 split", (0, 0)),
        ("G1.6 split", (89, -89)),
    ],
)
def test_margins_are_the_differences_of_scores(case: str, margins: tuple[Fraction, Fraction]) -> None:
    record = next(one["record"] for one in golden_cases.load("classic") if one["case"] == case)
    state = replay(read_record(record)).match.finished[0]
    assert state.rules.margins(state) == margins


def test_margins_exist_only_for_two_seats_of_classic_and_sops() -> None:
    three = find_game("classic").rules(3)
    deal = three.deal(three.pack())
    assert three.margins(three.start(deal)) is None
    assert [game.key for game in GAMES if game.margin] == ["classic", "sops"]
