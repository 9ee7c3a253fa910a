"""Choose a card by Monte Carlo rollouts, for tables of three or more seats. Only worker processes import this.

Each own card is combined with several policies for the later rounds. The opponents bid by the habits that Reader
learns. The card that wins most often with its best policy is bid. Nothing is solved.
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
"""the number of rollouts for each own card and each policy"""
AFTER = (0, 1, 2)
"""policies for later rounds: bid this many places above the prize's rank"""
SAME = 1e-9
"""scores of shared prizes that differ by less are equal"""
STEADY, BESIDE = 0.7, 0.1
"""the probability that a habit is followed, and that the place on either side is taken instead"""


@dataclass(frozen=True)
class RolloutTable:
    """The state before the rollouts; cards and prizes are given by their places in `keys`."""

    keys: list[Card]
    hands: Bools
    """[seat, place]"""
    me: Seat
    scores: Floats
    stake: float
    later: Floats
    """the values of the prizes to come"""
    centres: Places
    """for each prize to come the place with the same rank"""
    ties: str
    least: bool


def choose_by_rollouts(rules: Rules, seen: Observation, past: Sequence[Observation], chance: Chance) -> Choice | None:
    """Return the card that wins most rollouts; None if rollouts cannot play this game."""
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
    centres = [round(rank_prizes(rules, values, (card,)) * (len(keys) - 1)) for card in later]
    assert seen.worth is not None
    return RolloutTable(
        keys=keys,
        hands=hands,
        me=seen.prompt.seat,
        scores=np.array([float(score) for score in seen.scores]),
        stake=float(seen.worth),
        later=np.array([float(rules.value(card)) for card in later]),
        centres=np.array(centres, dtype=np.int64),
        ties=str(rules.options["ties"]),
        least=rules.least_wins,
    )


def _find_win_shares(
    table: RolloutTable, mine: list[int], others: dict[Seat, Habits], share: float, chance: np.random.Generator
) -> Floats:
    """Return the win rate of each of these cards with its best policy; a shared win counts as a fraction.

    All cards and policies share the same random numbers, which reduces the variance of their differences.
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
        stake, centre = np.tile(table.later[prize], ways), table.centres[prize]
        bids[:, table.me] = _find_nearest(hands[:, table.me], np.tile(centre, ways) + after)
        for seat, model in models.items():
            luck = np.tile(chance.random((GAMES, places)), (ways, 1))
            bids[:, seat] = _find_nearest(hands[:, seat], np.tile(model.choose_aims(centre, chance), ways), luck)
    best = scores.min(axis=1) if table.least else scores.max(axis=1)
    winners = np.abs(scores - best[:, None]) < SAME
    won = winners[:, table.me] / winners.sum(axis=1)
    return won.reshape(len(mine), len(AFTER), GAMES).mean(axis=2).max(axis=1)


@dataclass(frozen=True)
class _OpponentModel:
    """The later bids of one opponent: a habit for each rollout, drawn by the weights of the habits."""

    places: int
    turned: Bools
    any: Bools
    above: Places

    @staticmethod
    def of(habits: Habits, places: int, games: int, chance: np.random.Generator) -> _OpponentModel:
        kinds = habits.list_weights()
        weights = np.array([weight for _, weight in kinds])
        drawn = chance.choice(len(kinds), size=games, p=weights / weights.sum())
        names = np.array([0 if isinstance(kind, str) else kind for kind, _ in kinds])
        is_any = np.array([kind == "any" for kind, _ in kinds])
        is_turned = np.array([kind == "turned" for kind, _ in kinds])
        return _OpponentModel(places, is_turned[drawn], is_any[drawn], names[drawn])

    def choose_aims(self, centre: Places, chance: np.random.Generator) -> Places:
        """Return the place at which the opponent aims in each rollout; -1 for any card."""
        aim = np.where(self.turned, self.places - 1 - centre, (centre + self.above) % self.places)
        luck = chance.random(len(centre))
        aim = aim + (luck > STEADY).astype(np.int64) - 2 * (luck > STEADY + BESIDE).astype(np.int64)
        return np.where(self.any | (luck > STEADY + 2 * BESIDE), -1, np.clip(aim, 0, self.places - 1))


def _find_nearest(hands: Bools, wanted: Places, luck: Floats | None = None) -> Places:
    """Return the card at the wanted place, else the next higher card, else the highest.

    For a place of -1 return the card with the most `luck`.
    """
    places: Places = np.arange(hands.shape[1], dtype=np.int64)
    fits: Bools = hands & (places >= wanted[:, None])
    highest: Places = hands.shape[1] - 1 - hands[:, ::-1].argmax(axis=1)
    nearest: Places = np.where(fits.any(axis=1), fits.argmax(axis=1), highest)
    if luck is not None and (wanted < 0).any():
        nearest = np.where(wanted < 0, (hands * luck).argmax(axis=1), nearest)
    return nearest


def _settle_round(ties: str, scores: Floats, stake: Floats, bids: Places) -> Floats:
    """Add the stake to the scores of the winners; return the pot that is carried on."""
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
