"""Matches that the solver can solve, and their positions as the seats see them."""

import random
from dataclasses import replace

import pytest

from bot.engine.choices import Bid
from bot.engine.match import new_match
from bot.engine.text.presets import find_offer, list_offers
from bot.engine.view import observe
from bot.solver.exact.goal import TO_WIN
from bot.solver.exact.pico import Duel
from bot.solver.exact.scope import EVEN, convert_card, find_auction_position, find_position, find_scope
from bot.solver.tables.library import Library
from tests.solver import slow

AUCTIONS = {"classic", "carry", "split", "quick", "fixed-order", "known-order", "misere", "sops"}
DUELS = {"pico", "pico1"}
SOLVED = {*AUCTIONS, *DUELS, "blind", "vultures"}


@pytest.mark.parametrize("key", [offer.key for offer in list_offers()])
def test_every_preset_is_solvable_or_gives_a_reason(key: str) -> None:
    game, offer = find_offer(key)
    found = find_scope(new_match(game, offer.seats or game.seats[0], offer.options).rules)
    assert found.is_solvable == (key in SOLVED)
    assert bool(found.why) != found.is_solvable
    assert (found.method == EVEN) == (key == "blind")


@pytest.mark.parametrize("key", sorted(AUCTIONS))
def test_values_of_both_seats_are_opposite_in_every_position(key: str) -> None:
    """In a whole match: one seat expects what the other loses, and every mix is over the cards in hand."""
    game, offer = find_offer(key)
    dice = random.Random(key)
    match = new_match(game, 2, {**offer.options, "cards": 5})
    pack = list(match.rules.pack())
    dice.shuffle(pack)
    match, _ = match.begin(match.rules.deal(tuple(pack)))
    library, looked = Library(), 0
    while not match.over:
        assert match.state is not None
        seen = [observe(match.state, seat) for seat in (0, 1)]
        here = [find_auction_position(match.rules, each) for each in seen]
        first, second = here
        assert first is not None
        assert second is not None
        mine, theirs = library.judge(first), library.judge(second)
        assert mine.answer.value == pytest.approx(-theirs.answer.value, abs=1e-9)
        found = find_scope(match.rules)
        assert {convert_card(card, found) for card in first.mine} == set(seen[0].hands[0] or ())
        looked += 1
        bids = {prompt.seat: Bid((dice.choice(prompt.options),)) for prompt in match.prompts()}
        match, _ = match.resolve(bids)
    assert looked >= 4


@pytest.mark.parametrize("key", sorted(SOLVED - {"blind"}))
def test_position_after_bids_equals_the_position_in_the_match(key: str) -> None:
    """Cards, prizes, pots and leads, for either seat, round after round, ties among them."""
    game, offer = find_offer(key)
    dice, looked = random.Random(key), 0
    for _ in range(4):
        rules = game.rules(2, {**offer.options, **({"cards": 6} if key in AUCTIONS else {})})
        pack = list(rules.pack())
        dice.shuffle(pack)
        state = rules.start(rules.deal(tuple(pack)))
        expected: dict[int, object] = {}
        while not state.over:
            here = {seat: find_position(rules, observe(state, seat), TO_WIN) for seat in (0, 1)}
            for seat, one in here.items():
                if seat in expected and one is not None:
                    assert replace(one, **({} if isinstance(one, Duel) else {"up": None})) == expected[seat]
                    looked += 1
            bids = [dice.choice(rules.prompt(state, seat).options) for seat in (0, 1)]
            if bids[0] in rules.prompt(state, 1).options and dice.random() < 0.4:
                bids[1] = bids[0]
            cards = [convert_card(int(bid), find_scope(rules)) for bid in bids]
            expected = {seat: one.after(cards[seat], cards[1 - seat]) for seat, one in here.items() if one}
            state, _ = rules.resolve(state, {seat: Bid((bid,)) for seat, bid in enumerate(bids)})
    assert looked > 20


def test_vultures_positions_are_found_from_thirteen_cards_on() -> None:
    rules = find_offer("vultures")[0].rules(2, {})
    state = rules.start(rules.deal(rules.pack()))
    seen: list[bool] = []
    while not state.over:
        seen.append(find_position(rules, observe(state, 0)) is not None)
        state, _ = rules.resolve(state, {seat: rules.prompt(state, seat).lowest() for seat in state.awaited})
    assert seen == [False] * 2 + [True] * 13


def test_all_blind_bids_have_the_same_value() -> None:
    """Ross: before the prize is turned all bids have the same value, with any hands."""
    from fractions import Fraction

    def rows(mine: slow.Cards, theirs: slow.Cards, prizes: slow.Cards) -> slow.Matrix:
        return [
            [
                sum(
                    slow.sign(a - b) * p
                    + blind(slow.without(mine, a), slow.without(theirs, b), slow.without(prizes, p))
                    for p in prizes
                )
                / Fraction(len(prizes))
                for b in theirs
            ]
            for a in mine
        ]

    def blind(mine: slow.Cards, theirs: slow.Cards, prizes: slow.Cards) -> Fraction:
        return slow.game_value(rows(mine, theirs, prizes)) if mine else Fraction(0)

    for mine, theirs in (((1, 2, 3), (1, 2, 3)), ((1, 4, 5), (2, 3, 6))):
        game = rows(mine, theirs, (1, 2, 4))
        even = [sum(column) / len(mine) for column in zip(*game, strict=True)]
        assert min(even) == slow.game_value(game)
