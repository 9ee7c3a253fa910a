"""What properties and fuzzing found, each as one small case that stays."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from bot.engine.choices import Bid
from bot.engine.refusals import BadSetup
from bot.engine.rules import Rules
from bot.engine.state import Deal, State
from bot.engine.variants import GAMES, find


def classic(seats: int = 2, **options: Any) -> Rules:
    return find("classic").rules(seats, options)


def played(rules: Rules, stock: Sequence[int], *rounds: Sequence[int]) -> State:
    """A deal of one-card bids."""
    hand = rules.deal(rules.pack()).hands[0]
    state = rules.start(Deal(tuple(stock), (hand,) * rules.seats))
    for bids in rounds:
        state, _ = rules.resolve(state, {seat: Bid((card,)) for seat, card in enumerate(bids)})
    return state


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_states_can_be_hashed(game: Any) -> None:
    rules = game.rules(game.seats[0])
    deal = rules.deal(rules.pack())
    assert len({rules.start(deal), rules.start(deal)}) == 1
