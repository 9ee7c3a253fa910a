"""Sage plays the equilibrium of the match's own rules, draws from it by the match's chance, and says when it cannot."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import pytest

from bot.engine.choices import Bid, Choice
from bot.engine.presets import find_offer, offers
from bot.engine.rules import Rules
from bot.engine.series import SINGLE
from bot.engine.state import State
from bot.engine.view import observe
from bot.solver.basis import CARRIED, basis
from bot.solver.draws import Draws
from bot.solver.levels import Level, Question, find_level
from bot.solver.position import Position
from bot.solver.sage import by_points, drawn, library
from bot.solver.scope import position


def sage() -> Level:
    found = find_level("sage")
    assert found is not None
    return found


def begin(key: str, stock: tuple[int, ...] | None = None, **options: Any) -> tuple[Rules, State]:
    game, offer = find_offer(key)
    rules = game.rules(offer.seats or game.seats[0], {**offer.options, **options})
    pack = list(rules.pack())
    random.Random(key).shuffle(pack)
    return rules, rules.start(rules.deal(stock or tuple(pack)))


def ask(rules: Rules, state: State, seat: int, key: object) -> Question:
    return Question(rules, SINGLE, observe(state, seat), (), Draws(str(key).encode()))


def test_it_draws_from_the_mix() -> None:
    """Four cards, prize 2: (.3371, .1360, .5269, 0), Kerr's matrix solved exactly."""
    rules, state = begin("classic", (2, 1, 3, 4), cards=4)
    drawn_so_far = Counter[Choice](sage().mind(ask(rules, state, 0, n)) for n in range(2000))
    shares = [drawn_so_far[Bid((card,))] / 2000 for card in (1, 2, 3, 4)]
    assert shares == pytest.approx([154132 / 457239, 62196 / 457239, 240911 / 457239, 0], abs=0.04)
    assert shares[3] == 0


def test_the_same_chance_draws_the_same_card() -> None:
    rules, state = begin("classic", cards=5)
    assert sage().mind(ask(rules, state, 0, "x")) == sage().mind(ask(rules, state, 0, "x"))


def test_it_looks_at_nothing_but_what_its_seat_sees() -> None:
    """What is to come in which order changes nothing, and neither does the other seat's view."""
    bids = set[Choice]()
    for rest in itertools.permutations((1, 2, 4, 5)):
        rules, state = begin("carry", (3, *rest), cards=5)
        bids.add(sage().mind(ask(rules, state, 1, "x")))
    assert len(bids) == 1


def test_a_share_past_the_last_rounding_is_still_a_card_of_the_mix() -> None:
    assert drawn([2, 5, 9], (0.25, 0.75 - 1e-16, 0.0), 0.9999999999999999) == 5
    assert drawn([2, 5, 9], (0.0, 0.5, 0.5), 0.0) == 5


@pytest.mark.parametrize("key", [offer.key for offer in offers()])
def test_it_plays_every_game(key: str) -> None:
    game, _ = find_offer(key)
    small: dict[str, Any] = (
        {"cards": 5} if any(option.key == "cards" for option in game.options) and key != "fixed-order" else {}
    )
    rules, state = begin(key, **small)
    steps = 0
    while not state.over:
        joint = {seat: sage().mind(ask(rules, state, seat, (steps, seat))) for seat in state.awaited}
        state, _ = rules.resolve(state, joint)
        steps += 1
    assert steps <= rules.facts.longest


@pytest.mark.parametrize(
    ("key", "cards", "says"),
    [
        ("classic", 13, "exact"),
        ("split", 13, "exact"),
        ("misere", 13, "exact"),
        ("known-order", 13, "exact"),
        ("carry", 9, "exact"),
        ("carry", 13, "points"),
        ("sops", 9, "exact"),
        ("sops", 13, "points"),
        ("blind", 13, "even"),
        ("classic", 14, "reader"),
        ("vultures", None, "reader"),
        ("open-draft", None, "sly"),
        ("welsh", None, "sly"),
    ],
)
def test_it_says_what_it_plays_by(key: str, cards: int | None, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.solver.basis.CARRIED", CARRIED[:1])  # whatever somebody has built here
    size: dict[str, Any] = {} if cards is None else {"cards": cards}
    rules, state = begin(key, **size)
    assert basis(rules, observe(state, 0)) == says == basis(rules, observe(state, 1))


def test_it_is_exact_again_when_nine_cards_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.solver.basis.CARRIED", ())
    rules, state = begin("carry")
    said: list[str] = []
    while not state.over:
        said.append(basis(rules, observe(state, 0)))
        state, _ = rules.resolve(state, {seat: rules.prompt(state, seat).lowest() for seat in state.awaited})
    assert said == ["points"] * 4 + ["exact"] * len(said[4:])


def test_the_points_mix_counts_the_pot() -> None:
    """With nothing to come after this prize and the next the pot is all that matters: bid the higher card."""
    here = Position((1, 3), (2, 3), (1, 2), 1, ties="carry", pot=50)
    assert by_points(here).mix == pytest.approx((0, 1))


def test_nobody_beats_it_in_expectation() -> None:
    """Against every fixed bid its mix gives at least the value, in positions of a whole match."""
    rules, state = begin("carry", cards=5)
    dice = random.Random(4)
    while not state.over:
        here = position(rules, observe(state, 0))
        assert here is not None
        found = library().judge(here).answer
        columns = zip(*found.matrix, strict=True)
        worst = min(sum(share * entry for share, entry in zip(found.mix, column, strict=True)) for column in columns)
        assert worst == pytest.approx(found.value, abs=1e-9)
        state, _ = rules.resolve(state, {seat: Bid((dice.choice(state.hands[seat]),)) for seat in state.awaited})
