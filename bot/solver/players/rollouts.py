"""Three and more seats: each card is tried in thousands of games played out against what everybody is expected to bid.

Nothing here is solved. Opponents are modelled by the habits that Reader reads; ways to play on are tried for each own
card, and the card that wins most is bid. Only worker processes import this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.engine.cards import Card, Seat
from bot.engine.choices import Bid, Choice
from bot.engine.rules import Rules
from bot.engine.view import Observation
from bot.solver.kernels.jit import Floats
from bot.solver.players.basis import can_roll
from bot.solver.players.chance import Chance
from bot.solver.players.habits import Habits
from bot.solver.players.reader import learn_habits
from bot.solver.players.simple import list_stakes, rank_prizes

Bools = NDArray[np.bool_]
Places = NDArray[np.int64]

GAMES = 200
"""played out for each own card and each way to play on"""
AFTER = (0, 1, 2)
"""Ways to play on: so many places above the prize."""
SAME = 1e-9
"""scores of shared prizes that differ by less are one"""
STEADY, BESIDE = 0.7, 0.1
"""A habit is kept so often, and the place on either side of it taken so often."""


@dataclass(frozen=True)
class RolloutTable:
    """What is to be played, by places of cards and of prizes."""

    keys: list[Card]
    hands: Bools
    """[seat, place]"""
    me: Seat
    scores: Floats
    stake: float
    later: Floats
    """what the prizes to come are worth"""
    here: Places
    """for each of them the place that stands where it stands"""
    ties: str
    least: bool


def choose_by_rollouts(rules: Rules, seen: Observation, past: Sequence[Observation], chance: Chance) -> Choice | None:
    """The card that wins most; None where this is no game for it."""
    prompt = seen.prompt
    assert prompt is not None
    if not can_roll(rules, seen):
        return None
    dice = np.random.default_rng(chance.number())
    keys, me = list(seen.keys), prompt.seat
    table = _lay_table(rules, seen, keys)
    others = {seat: learn_habits(rules, (*past, seen), seat) for seat in range(seen.seats) if seat != me}
    share = rank_prizes(rules, list_stakes(rules, seen), seen.exposed)
    shares = _find_win_shares(table, [keys.index(card) for card in prompt.options], others, share, dice)
    return Bid((prompt.options[int(shares.argmax())],))


def _lay_table(rules: Rules, seen: Observation, keys: list[Card]) -> RolloutTable:
    assert seen.prompt is not None
    hands: Bools = np.zeros((seen.seats, len(keys)), dtype=np.bool_)
    for seat, hand in enumerate(seen.hands):
        hands[seat, [keys.index(card) for card in hand or ()]] = True
    values = list_stakes(rules, seen)
    later = list(seen.to_come or ())
    here = [round(rank_prizes(rules, values, (card,)) * (len(keys) - 1)) for card in later]
    assert seen.worth is not None
    return RolloutTable(
        keys=keys,
        hands=hands,
        me=seen.prompt.seat,
        scores=np.array([float(score) for score in seen.scores]),
        stake=float(seen.worth),
        later=np.array([float(rules.value(card)) for card in later]),
        here=np.array(here, dtype=np.int64),
        ties=str(rules.options["ties"]),
        least=rules.least_wins,
    )


def _find_win_shares(
    table: RolloutTable, mine: list[int], others: dict[Seat, Habits], share: float, chance: np.random.Generator
) -> Floats:
    """How often each of these cards wins the deal, with the best way to play on; a shared win is a part of one.

    Every card and every way to play on meets the same luck, so that what differs is the card.
    """
    ways = len(mine) * len(AFTER)
    rows = ways * GAMES
    places = table.hands.shape[1]
    hands: Bools = np.repeat(table.hands[None], rows, axis=0)
    bids: Places = np.zeros((rows, len(table.hands)), dtype=np.int64)
    bids[:, table.me] = np.repeat(mine, len(AFTER) * GAMES)
    after = np.tile(np.repeat(AFTER, GAMES), len(mine))
    models: dict[Seat, _OpponentModel] = {}
    for seat, habits in others.items():
        held = np.flatnonzero(table.hands[seat])
        weights = np.array(list(habits.guess([table.keys[place] for place in held], share).values()))
        bids[:, seat] = np.tile(chance.choice(held, size=GAMES, p=weights / weights.sum()), ways)
        models[seat] = _OpponentModel.of(habits, places, GAMES, chance)
    scores: Floats = np.repeat(table.scores[None], rows, axis=0)
    pot: Floats = np.zeros(rows)
    stake: Floats = np.full(rows, table.stake)
    rounds = int(table.hands[table.me].sum()) - 1
    order = np.argsort(chance.random((GAMES, len(table.later))), axis=1)[:, :rounds]
    every = np.arange(rows)
    for turn in range(rounds + 1):
        pot = _settle_round(table.ties, scores, stake + pot, bids)
        for seat in range(bids.shape[1]):
            hands[every, seat, bids[:, seat]] = False
        if turn == rounds:
            break
        prize = order[:, turn]
        stake, here = np.tile(table.later[prize], ways), table.here[prize]
        bids[:, table.me] = _find_nearest(hands[:, table.me], np.tile(here, ways) + after)
        for seat, model in models.items():
            luck = np.tile(chance.random((GAMES, places)), (ways, 1))
            bids[:, seat] = _find_nearest(hands[:, seat], np.tile(model.wanted(here, chance), ways), luck)
    best = scores.min(axis=1) if table.least else scores.max(axis=1)
    winners = np.abs(scores - best[:, None]) < SAME
    won = winners[:, table.me] / winners.sum(axis=1)
    return won.reshape(len(mine), len(AFTER), GAMES).mean(axis=2).max(axis=1)


@dataclass(frozen=True)
class _OpponentModel:
    """How one opponent is expected to go on: a habit for each game, drawn by how far it is trusted."""

    places: int
    turned: Bools
    any: Bools
    above: Places

    @staticmethod
    def of(habits: Habits, places: int, games: int, chance: np.random.Generator) -> _OpponentModel:
        kinds = habits.kinds()
        weights = np.array([weight for _, weight in kinds])
        drawn = chance.choice(len(kinds), size=games, p=weights / weights.sum())
        names = np.array([0 if isinstance(kind, str) else kind for kind, _ in kinds])
        is_any = np.array([kind == "any" for kind, _ in kinds])
        is_turned = np.array([kind == "turned" for kind, _ in kinds])
        return _OpponentModel(places, is_turned[drawn], is_any[drawn], names[drawn])

    def wanted(self, here: Places, chance: np.random.Generator) -> Places:
        """The place that each of them aims at; -1: any card."""
        aim = np.where(self.turned, self.places - 1 - here, (here + self.above) % self.places)
        luck = chance.random(len(here))
        aim = aim + (luck > STEADY).astype(np.int64) - 2 * (luck > STEADY + BESIDE).astype(np.int64)
        return np.where(self.any | (luck > STEADY + 2 * BESIDE), -1, np.clip(aim, 0, self.places - 1))


def _find_nearest(hands: Bools, wanted: Places, luck: Floats | None = None) -> Places:
    """The card at the place that is wanted, or the next above it, or the highest; where the place is below zero, any:
    the one with the most `luck`."""
    places: Places = np.arange(hands.shape[1], dtype=np.int64)
    fits: Bools = hands & (places >= wanted[:, None])
    highest: Places = hands.shape[1] - 1 - hands[:, ::-1].argmax(axis=1)
    found: Places = np.where(fits.any(axis=1), fits.argmax(axis=1), highest)
    if luck is not None and (wanted < 0).any():
        found = np.where(wanted < 0, (hands * luck).argmax(axis=1), found)
    return found


def _settle_round(ties: str, scores: Floats, stake: Floats, bids: Places) -> Floats:
    """Who takes what, added to the scores; what is carried on."""
    ranks = np.where((stake < 0)[:, None], -bids, bids)
    if ties.startswith("unique"):
        alone = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2) == 1
        ranks = np.where(alone, ranks, -1000)
        top = alone.any(axis=1)
    else:
        top = np.ones(len(stake), dtype=np.bool_)
    winners = (ranks == ranks.max(axis=1)[:, None]) & top[:, None]
    count = winners.sum(axis=1)
    paid = (count > 0) if ties == "split" else count == 1
    scores += np.where(paid[:, None] & winners, (stake / np.maximum(count, 1))[:, None], 0.0)
    return np.where(paid, 0.0, stake) if ties.endswith("carry") else np.zeros(len(stake))
