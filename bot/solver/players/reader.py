"""Reader, a house player that learns its opponents' habits from this match's revealed bids and best-responds to them.

It predicts each opponent's bid for each prize to come, assigns its cards to the prizes so that the expected points are
the most, and bids the card assigned to the current prize. Against random bids this is matching, the best response
(Ross 1971). Against a matcher it is the next higher card, and the lowest card for the king.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from bot.engine.auction.auction import Auction
from bot.engine.cards import Card, Seat
from bot.engine.choices import Bid, Choice, Kind
from bot.engine.rules import Rules
from bot.engine.view import Observation
from bot.solver.players.chance import Chance
from bot.solver.players.habits import Habits, ShownBid
from bot.solver.players.simple import choose_matcher_bid, choose_sly_bid, draw_offset, list_stakes, rank_prizes


def find_best_assignment(gains: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row, each column used at most once, that maximises the sum of the gains.

    There must be at least as many columns as rows. This is the Hungarian method: it adds the rows one by one, each by
    the shortest augmenting path.
    """
    rows, columns = len(gains), len(gains[0])
    row_price, column_price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    holder = [0] * (columns + 1)  # the row of each column, from 1; 0 if the column is free
    for row in range(1, rows + 1):
        holder[0] = row
        cheapest, before = [float("inf")] * (columns + 1), [0] * (columns + 1)
        done = [False] * (columns + 1)
        at = 0
        while holder[at]:
            done[at] = True
            owner, step, following = holder[at], float("inf"), 0
            for column in range(1, columns + 1):
                if done[column]:
                    continue
                price = -gains[owner - 1][column - 1] - row_price[owner] - column_price[column]
                if price < cheapest[column]:
                    cheapest[column], before[column] = price, at
                if cheapest[column] < step:
                    step, following = cheapest[column], column
            for column in range(columns + 1):
                if done[column]:
                    row_price[holder[column]] += step
                    column_price[column] -= step
                else:
                    cheapest[column] -= step
            at = following
        while at:
            holder[at], at = holder[before[at]], before[at]
    assignment = [0] * rows
    for column in range(1, columns + 1):
        if holder[column]:
            assignment[holder[column] - 1] = column - 1
    return assignment


@dataclass(frozen=True, slots=True)
class RankedGuess:
    """The probabilities of the cards of a hand, by their strength."""

    strengths: tuple[int, ...]
    """in ascending order"""
    below: list[float]
    """[n]: the probability of the first n strengths together"""
    above: list[float]
    """[n]: the probability of the other strengths together"""

    @staticmethod
    def of(guess: list[tuple[int, float]]) -> RankedGuess:
        strengths, likely = zip(*sorted(guess), strict=True) if guess else ((), ())
        return RankedGuess(
            strengths, [*accumulate(likely, initial=0.0)], [*accumulate(reversed(likely), initial=0.0)][::-1]
        )

    def compare(self, mine: int) -> tuple[float, float]:
        """Return the probability of a lower card than this strength, and the probability of a higher card."""
        return self.below[bisect_left(self.strengths, mine)], self.above[bisect_right(self.strengths, mine)]


def can_read(rules: Rules, seen: Observation) -> bool:
    """Return True if habits can be read: bids of one card, one open prize, and public hands and bids."""
    return (
        isinstance(rules, Auction)
        and not (rules.expose or rules.blind or rules.hides_bids or rules.swap or rules.circular or rules.returned)
        and rules.additive
        and rules.per_bid == 1
        and rules.facts.public_hands
        and seen.to_come is not None
        and seen.seat is not None
        and len(seen.exposed) == 1
        and all(hand is not None for hand in seen.hands)
    )


def choose_reader_bid(rules: Rules, seen: Observation, past: Sequence[Observation], chance: Chance) -> Choice:
    """Return the best response to the opponents' habits; choose as Sly if habits cannot be read."""
    prompt = seen.prompt
    assert prompt is not None
    if prompt.kind is Kind.PICK or not can_read(rules, seen):
        return choose_sly_bid(rules, seen, draw_offset(seen, chance))
    seat = prompt.seat
    others = {
        other: learn_habits(rules, (*past, seen), other)
        for other in range(seen.seats)
        if other != seat and seen.hands[other]
    }
    later = seen.to_come or ()
    prizes = [seen.exposed[0], *later][: len(prompt.options)]
    if not others or not prizes:
        return choose_matcher_bid(rules, seen)
    values = list_stakes(rules, seen)
    gains = [
        _PrizeContest(rules, seen, others, values, prize, is_open=not at).list_gains(prompt.options)
        for at, prize in enumerate(prizes)
    ]
    # Add noise: otherwise a player who knows the predicted habits could predict this bid, and several readers at a
    # table would always make equal bids.
    stray = 0.1 if seen.seats == 2 else 0.25
    gains = [[gain * (1 + stray * (chance.share() - 0.5)) for gain in row] for row in gains]
    return Bid((prompt.options[find_best_assignment(gains)[0]],))


def learn_habits(rules: Rules, deals: Sequence[Observation], other: Seat) -> Habits:
    """Build the habits of an opponent from the bids revealed so far."""
    habits = Habits(deals[-1].keys)
    for shown in list_shown_bids(rules, deals, other):
        habits.watch(shown)
    return habits


def list_shown_bids(rules: Rules, deals: Sequence[Observation], other: Seat) -> Iterator[ShownBid]:
    """Yield the revealed bids of an opponent, in the order of the deals."""
    for seen in deals:
        values = list_stakes(rules, seen)
        hand = list(seen.keys)
        for played in seen.rounds:
            prizes = played.prizes
            for bids in (*played.again, played.bids):
                bid = bids[other]
                if bid is None or bid.cards[0] not in hand:
                    continue
                if prizes:
                    yield ShownBid(tuple(hand), rank_prizes(rules, values, prizes), bid.cards[0])
                hand.remove(bid.cards[0])
        for bids in seen.again:
            bid = bids[other]
            if bid is not None and bid.cards[0] in hand:
                yield ShownBid(tuple(hand), rank_prizes(rules, values, seen.exposed), bid.cards[0])
                hand.remove(bid.cards[0])


@dataclass(frozen=True)
class _PrizeContest:
    """A prize, and the opponents who will bid for it."""

    rules: Rules
    seen: Observation
    others: dict[Seat, Habits]
    values: list[int]
    """the distinct values of all prizes of the deal, ascending"""
    prize: Card
    is_open: bool

    def list_gains(self, hand: Sequence[Card]) -> list[float]:
        """Return the expected gain of each own card on this prize."""
        share = rank_prizes(self.rules, self.values, (self.prize,))
        strength = self.rules.strength
        guesses: list[RankedGuess] = []
        for other, habits in self.others.items():
            guess = habits.guess(self.seen.hands[other] or (), share)
            guesses.append(RankedGuess.of([(strength(card), likely) for card, likely in guess.items()]))
        worth = self.rules.value(self.prize)
        if self.is_open and self.seen.worth is not None:
            worth = float(self.seen.worth)
        return [worth * self._find_chance(strength(card), guesses, worth < 0) for card in hand]

    def _find_chance(self, mine: int, guesses: list[RankedGuess], lowest_takes: bool) -> float:
        """Return the probability that this strength takes the prize; with two seats minus that of the other seat."""
        take, lose = 1.0, 0.0
        for guess in guesses:
            below, above = guess.compare(mine)
            if lowest_takes:
                below, above = above, below
            take, lose = take * below, above
        chance = take - lose if len(guesses) == 1 else take
        return -chance if self.rules.least_wins else chance
