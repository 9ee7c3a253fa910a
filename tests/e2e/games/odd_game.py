"""A game that only these tests know, with prompts and an event of its own, and the bot that plays it.

`python -m tests.e2e.games.odd_game run` is the ordinary program, with one more game in the registry.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property

from bot.__main__ import main
from bot.engine import variants
from bot.engine.auction import deals
from bot.engine.cards import Card, Points, Seat
from bot.engine.choices import Bid, Choices, Kind, Pick, Prompt
from bot.engine.events import BidsRevealed, Event, PickMade, PrizeRevealed, PrizesLost
from bot.engine.facts import Facts
from bot.engine.guide import Guide
from bot.engine.options import Options, Switch
from bot.engine.rules import Game, Rules
from bot.engine.state import Cards, Deal, State, Workbench

HAND = 6


@dataclass(frozen=True, slots=True)
class Sneezed(Event):
    """The dearest bid pays a point; nothing in the Discord layer has ever heard of it."""

    seat: Seat


@dataclass(frozen=True)
class Market(Rules):
    """Hands are dealt and private. Two stalls are open; two cards make the first bid, then one. Whoever bids second
    picks a stall, then the one who bid least takes the other; the highest bid sneezes and pays a point."""

    sneezing: bool

    def strength(self, card: Card) -> int:
        return card if isinstance(card, int) else 0

    def pack(self) -> Cards:
        return tuple(range(1, 41))

    def deal(self, shuffled: Cards) -> Deal:
        hands = tuple(shuffled[HAND * seat : HAND * (seat + 1)] for seat in range(self.seats))
        rest = shuffled[HAND * self.seats :]
        return Deal(rest[: 2 * (HAND - 1)], hands, rest[2 * (HAND - 1) :])

    def check(self, deal: Deal, given: frozenset[str], previous: Deal | None) -> Deal:
        deals.check_hands(self, deal.hands, deal.partial, equal=True)
        return deal

    def start(self, deal: Deal) -> State:
        return deals.begin_deal(self, deal, self.open_stalls)

    def open_stalls(self, table: Workbench) -> None:
        if not table.hands[0]:
            table.finish()
            return
        prizes, table.stock = table.stock[:2], table.stock[2:]
        table.exposed += prizes
        table.fresh += prizes
        table.emit(PrizeRevealed(tuple(prizes)))
        table.awaited = tuple(table.seats)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        if state.turns:
            return Prompt(seat, Kind.PICK, tuple(sorted(state.exposed, key=self.value, reverse=True)))
        return Prompt(seat, Kind.COMMIT, state.hands[seat], 1 if state.rounds else 2)

    def play(self, table: Workbench, choices: Choices, forced: frozenset[Seat]) -> None:
        if not table.turns:
            bids = tuple(bid if isinstance(bid := choices[seat], Bid) else None for seat in table.seats)
            table.take(bids)
            table.emit(BidsRevealed(bids, tuple(sorted(forced))))
            sums = {seat: sum(map(self.strength, bid.cards)) for seat, bid in enumerate(bids) if bid is not None}
            order = sorted(sums, key=lambda seat: (sums[seat], seat), reverse=True)
            if self.sneezing:
                table.pay(order[0], -1)
                table.emit(Sneezed(order[0]))
            table.bids, table.winners = bids, (order[1], order[-1])
            table.turns = [order[1], order[-1]]
        else:
            seat = table.turns.pop(0)
            choice = choices[seat]
            assert isinstance(choice, Pick)
            table.exposed.remove(choice.prize)
            table.won[seat].append(choice.prize)
            table.pay(seat, self.value(choice.prize))
            table.picks = (*table.picks, (seat, choice.prize))
            table.emit(PickMade(seat, choice.prize, self.value(choice.prize), seat in forced))
        table.awaited = tuple(table.turns[:1])
        if not table.turns:
            if table.exposed:
                table.emit(PrizesLost(table.gather()))
            table.close_round(table.bids, "award", table.winners)
            self.open_stalls(table)

    def value(self, prize: Card) -> int:
        """Odd stalls are worth their number, even ones cost half of it."""
        number = self.strength(prize)
        return number if number % 2 else -number // 2

    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        return tuple(state.points)

    def rounds(self, deal: Deal) -> int:
        return len(deal.hands[0]) - 1

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=-200, highest=200, longest=3 * (HAND - 1), public_hands=False)


def build(game: Game, seats: int, options: Options) -> Rules:
    return Market(game, seats, options, not options["healthy"])


GAME = Game(
    key="stalls",
    name="Sneezing Market",
    title="The second bid picks a stall, the highest sneezes",
    seats=(2, 5),
    sections=("0.0",),
    options=(Switch("healthy", "Nobody sneezes"),),
    build=build,
    guide=Guide(
        line="Two stalls are open; bid for the right to choose.",
        round="Seal two cards at first, then one. The second highest picks a stall, the lowest takes the other.",
        ties="Of equal bids the later seat counts as higher.",
        winning="Odd stalls are worth their number, even ones cost half of it.",
        example="Bids 30, 12 and 4 for 9 and 8: 12 picks the 9, 4 is left the 8 and loses 4 points.",
    ),
    tips=("Be second.",),
)

if __name__ == "__main__":
    variants.GAMES.append(GAME)
    sys.exit(main(sys.argv[1:]))
