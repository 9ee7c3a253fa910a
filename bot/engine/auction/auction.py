"""The auction: a prize is exposed, every seat bids in secret, the highest takes it (rules.md 2, 5 and 6).

Orthogonal options are parameters; a game that differs in more overrides a hook in its own file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar

from bot.engine.auction import combinations, deals, picks
from bot.engine.cards import STANDARD, Card, Points, Seat, faces, rank, simplify
from bot.engine.choices import Bid, Choices, Kind, Prompt
from bot.engine.events import (
    Bids,
    BidsCancelled,
    BidsRevealed,
    CardsSetAside,
    HandsSwitched,
    PrizeRevealed,
    PrizesAwarded,
    PrizesCarried,
    PrizesLost,
    PrizesShared,
    SubRoundStarted,
    Tied,
)
from bot.engine.facts import Facts, Sale
from bot.engine.refusals import BadSetup, Illegal
from bot.engine.rules import DRESS, Rules
from bot.engine.state import Cards, Deal, State, Workbench

PUBLIC_ORDERS = ("ascending", "descending", "custom", "random-public")


@dataclass(frozen=True)
class Auction(Rules):
    """Seats with equal hands bid for a deck of prizes. The parameters are those of rules.md 5.1."""

    hand: Cards
    """what every seat holds at the start, weak to strong"""
    prizes: Cards
    """every prize of a full deal, in ascending order"""
    ties: str = "discard"
    """discard, carry, split or rebid"""
    cancel: bool = False
    """True if equal bids strike each other out, at every rank"""
    swap: bool = False
    """True if a tie makes the two seats exchange their hands"""
    blind: bool = False
    """True if bids come before the prize is turned"""
    per_bid: int = 1
    remainder: str = "drop"
    order: str = "random"
    listed: Cards = ()
    """the prizes of a custom order, if the options list them"""
    expose: int = 0
    """open prizes: how many are exposed (a draft) or kept on view (a row); 0 auctions one at a time"""
    pickers: int = 1
    row: bool = False
    hides_bids: bool = False
    shows_bids_once: bool = False
    least_wins: bool = False
    ends_early: bool = False
    shows_margin: bool = False
    prize_suit: str = "D"

    circular: ClassVar[bool] = False
    """True if the comparison is defined for two single cards only"""
    returned: ClassVar[bool] = False
    """True if tied bids come back after the round instead of being spent"""
    additive: ClassVar[bool] = True
    """True if a deal score is the sum of the values won"""

    def __post_init__(self) -> None:
        combinations.refuse_combinations(self)

    # --- cards -------------------------------------------------------------------------------------------

    def strength(self, card: Card) -> int:
        return card if isinstance(card, int) else 0

    def value(self, prize: Card) -> int:
        """Return what a prize scores."""
        return prize if isinstance(prize, int) else 0

    def pack(self) -> Cards:
        return self.prizes if self.order in ("random", "random-public") else ()

    def deal(self, shuffled: Cards) -> Deal:
        if self.order == "custom" and not self.listed:
            # A record may list them for each deal; a new deal needs them in the options.
            example = self.prizes[::-1]
            raise BadSetup("order-needed", list=faces(example, court=max(map(rank, self.hand)) <= STANDARD[-1]))
        stock = self.fixed_order() if self.order not in ("random", "random-public") else shuffled
        return Deal(stock, (self.hand,) * self.seats)

    def fixed_order(self) -> Cards:
        """Return the order of the prizes if the options fix it, else () (RULING P1)."""
        if self.order == "descending":
            return self.prizes[::-1]
        return self.prizes if self.order == "ascending" else self.listed

    def check(self, deal: Deal, given: frozenset[str], previous: Deal | None) -> Deal:
        return deals.check_auction(self, deal, given)

    # --- rounds ------------------------------------------------------------------------------------------

    def start(self, deal: Deal) -> State:
        return deals.begin_deal(self, deal, self.begin_round)

    def bid_size(self, held: int) -> int:
        """Return how many cards a seat with `held` cards bids next; 0 if it is out of cards (RULINGS K1, K2)."""
        if held >= self.per_bid:
            return self.per_bid
        return held if self.remainder == "short-last" else 0

    def begin_round(self, table: Workbench) -> None:
        """Expose the next prizes and ask every seat, or end the deal."""
        if self.bid_size(len(table.hands[0])) and (bool(table.stock) if self.blind else self.turn_prizes(table)):
            table.awaited = tuple(table.seats)
        else:
            table.finish()

    def turn_prizes(self, table: Workbench) -> bool:
        """Expose the next prizes; return True if a prize is up for auction."""
        if self.expose:
            want = self.expose - len(table.exposed) if self.row else self.expose
        else:
            want = 1
        self.reveal(table, want)
        return bool(table.exposed)

    def reveal(self, table: Workbench, count: int) -> None:
        """Expose the next `count` cards of the stock."""
        prizes, table.stock = table.stock[:count], table.stock[count:]
        if prizes:
            table.exposed += prizes
            table.fresh += prizes
            table.emit(PrizeRevealed(tuple(prizes)))

    def prompt(self, state: State, seat: Seat) -> Prompt:
        if state.turns:
            return picks.pick_prompt(self, state, seat)
        return Prompt(seat, Kind.COMMIT, self.options_of(state, seat), self.bid_size(len(state.hands[seat])))

    def options_of(self, state: State, seat: Seat) -> Cards:
        """Return what a seat may bid, weak to strong."""
        return state.hands[seat]

    def has_switched(self, state: State) -> bool:
        """Return True if the hands have changed places in this deal; only with `swap` they can."""
        return any(isinstance(event, HandsSwitched) for one in state.rounds for event in one.events)

    def refuse_card(self, state: State, seat: Seat, card: Card, prompt: Prompt) -> None:
        if self.swap and self.has_switched(state) and card not in state.spent[seat] and card in state.hands[1 - seat]:
            hand = " ".join(map(self.face, prompt.options))
            raise Illegal("seat-lost-card", card=self.face(card), seat=seat, hand=hand)
        super().refuse_card(state, seat, card, prompt)

    def play(self, table: Workbench, choices: Choices, forced: frozenset[Seat]) -> None:
        if table.turns:
            picks.take_pick(self, table, choices, forced)
            return
        bids: Bids = tuple(bid if isinstance(bid := choices.get(seat), Bid) else None for seat in table.seats)
        if self.blind:
            self.turn_prizes(table)  # the prize is turned and the bids are revealed in one step (rules.md 2.6)
        table.take(bids)
        table.emit(BidsRevealed(bids, tuple(sorted(forced))))
        tiers = self.tiers(table, bids)
        alone = [tier[0] for tier in tiers if len(tier) == 1] if self.cancel else []
        cancelled = tuple(sorted(seat for tier in tiers if len(tier) > 1 for seat in tier))
        if alone and cancelled:
            table.emit(BidsCancelled(cancelled))
        if self.expose:
            picks.begin_picks(self, table, bids, tuple(alone[: self.pickers]))
        elif self.cancel and alone:
            self.award(table, bids, alone[0])
        elif not self.cancel and len(tiers[0]) == 1:
            self.award(table, bids, tiers[0][0])
        else:
            self.resolve_tie(table, bids, tuple(sorted(tiers[0])))

    # --- who wins ----------------------------------------------------------------------------------------

    def tiers(self, table: Workbench, bids: Bids) -> list[list[Seat]]:
        """Return seats grouped by the strength of their bids, best first."""
        groups: dict[int, list[Seat]] = {}
        for seat, bid in enumerate(bids):
            if bid is not None:
                groups.setdefault(self.bid_strength(table, bid), []).append(seat)
        # A pot below zero goes to the lowest bid; a pot of zero counts as positive (rules.md 4.1).
        below_zero = self.stake(table) < 0
        return [groups[key] for key in sorted(groups, reverse=not below_zero)]

    def bid_strength(self, table: Workbench, bid: Bid) -> int:
        """Return the sum of the ranks (rules.md 2.3)."""
        return sum(map(self.strength, bid.cards))

    def stake(self, table: Workbench | State) -> int:
        """Return the value of all prizes that are auctioned now."""
        return sum(map(self.value, table.pot)) + sum(map(self.value, table.exposed))

    def award(self, table: Workbench, bids: Bids, seat: Seat) -> None:
        points = self.stake(table) if self.additive else 0
        prizes = table.gather()
        table.won[seat] += prizes
        table.pay(seat, points)
        table.emit(PrizesAwarded(seat, prizes, points))
        self.close_round(table, bids, "award", (seat,))

    def resolve_tie(self, table: Workbench, bids: Bids, seats: tuple[Seat, ...]) -> None:
        """Apply the tie rule: no bid is alone at the top."""
        table.emit(Tied(seats))
        if self.ties == "rebid":
            self.bid_again(table, bids)
        elif self.ties == "split":
            each = simplify(Fraction(self.stake(table), len(seats)))
            prizes = table.gather()
            table.out += prizes
            for seat in seats:
                table.pay(seat, each)
            table.emit(PrizesShared(seats, prizes, each))
            self.close_round(table, bids, "share", seats)
        elif self.ties == "carry":
            carried = tuple(table.exposed)
            table.pot += table.exposed
            table.exposed = []
            table.emit(PrizesCarried(carried))
            self.close_round(table, bids, "hold", ())
        else:
            self.lose_prizes(table, table.gather())
            self.close_round(table, bids, "drop", ())

    def lose_prizes(self, table: Workbench, prizes: Cards) -> None:
        """Move prizes out of play without scoring them."""
        table.out += prizes
        table.unscored += sum(map(self.value, prizes))
        table.emit(PrizesLost(prizes))

    def bid_again(self, table: Workbench, bids: Bids) -> None:
        """Start a sub-round for the same prize, or lose the prize if no cards are left (RULINGS D1, K2)."""
        if self.returned:
            for seat, bid in enumerate(bids):
                if bid is not None:
                    table.aside[seat] += map(self.card, bid.cards)
            table.emit(CardsSetAside(tuple((seat, cards[-1]) for seat, cards in enumerate(table.aside))))
        else:
            table.spend(bids)
        if self.bid_size(len(table.hands[0])):
            table.again = (*table.again, bids)
            table.emit(SubRoundStarted(table.awaited, spent=not self.returned))
            return
        if self.returned:  # RULING T3: the first tied card of each seat is spent, the later ones return
            for seat, cards in enumerate(table.aside):
                table.spent[seat].append(cards.pop(0))
        self.lose_prizes(table, table.gather())
        self.close_round(table, tuple(None for _ in bids), "drop", (), last=bids)

    # --- the end of a round ------------------------------------------------------------------------------

    def close_round(
        self, table: Workbench, bids: Bids, outcome: str, winners: tuple[Seat, ...], last: Bids | None = None
    ) -> None:
        """Spend the bids, return the cards set aside, exchange hands if the rules say so, and begin the next round.

        `last` are the bids of the last sub-round, if its cards have left the hands already.
        """
        table.spend(bids)
        table.send_home()
        if self.swap and any(table.hands) and outcome in ("hold", "drop", "share"):
            # RULING S2: bids are spent first, then the remaining hands change places.
            table.hands.reverse()
            table.emit(HandsSwitched((0, 1)))
        table.close_round(last or bids, outcome, winners)
        if self.ends_early and self.bid_size(len(table.hands[0])) and self.is_clinched(table):
            table.finish("clinched")  # not after the last round, which ends the deal anyway
        else:
            self.begin_round(table)

    def is_clinched(self, table: Workbench) -> bool:
        """Return True if one seat stays ahead even if others get every prize left (RULING C8)."""
        rounds = self.rounds_left(len(table.hands[0]))
        stock = table.stock
        if not self.has_public_order:
            # Assume the best prizes, not the actual ones: the end of the deal must not reveal the stock.
            stock = sorted(stock, key=self.value, reverse=True)
        to_come = stock if self.row else stock[: rounds * max(1, self.expose)]
        rest = self.stake(table) + sum(map(self.value, to_come))
        sign = -1 if self.least_wins else 1
        marks = sorted((sign * points for points in table.points), reverse=True)
        return marks[0] > marks[1] + rest

    # --- result ------------------------------------------------------------------------------------------

    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        return tuple(state.points)

    def standing(self, state: State) -> tuple[Points, ...]:
        scores = self.score(state)
        return tuple(-points for points in scores) if self.least_wins else scores

    def rounds(self, deal: Deal) -> int | None:
        """Return the number of rounds; None if ties use up cards, or a pick market may run dry early."""
        if self.ties == "rebid" and not self.returned:
            return None
        return self.rounds_left(len(deal.hands[0]))

    def open_rounds(self, deal: Deal) -> int | None:
        total = self.rounds(deal)
        if total is None or self.expose:  # a prize may be picked after bids that are forced
            return total
        last = len(deal.hands[0]) - self.per_bid * (total - 1)
        return total - (last <= self.per_bid)

    def rounds_left(self, held: int) -> int:
        """Return how often a seat with `held` cards bids."""
        full, rest = divmod(held, self.per_bid)
        return full + (rest > 0 and self.remainder == "short-last")

    def worth(self, state: State) -> Points | None:
        return self.stake(state) if self.additive else None

    def keys(self, state: State, seat: Seat) -> Cards:
        # The keyboard has the cards of both hands, so that it stays the same after a switch (SOPS).
        held = {card for hand in state.deal.hands for card in hand} if self.swap else state.deal.hands[seat]
        return self.usual_keys if held == self.hand else tuple(sorted(held, key=self.strength))

    @cached_property
    def usual_keys(self) -> Cards:
        """The keyboard of the hand that every seat holds at the start."""
        return tuple(sorted(self.hand, key=self.strength))

    def shared_keys(self, state: State) -> Cards:
        # No shared keyboard if a bid takes several presses, or if the hands differ after a switch (SOPS).
        if self.per_bid > 1 or (self.swap and self.has_switched(state)):
            return ()
        return super().shared_keys(state)

    @cached_property
    def facts(self) -> Facts:
        return combinations.auction_facts(self)

    @cached_property
    def sale(self) -> Sale:
        return Sale(
            prizes=self.prizes,
            hand=self.hand,
            ties=self.ties,
            cancel=self.cancel,
            swap=self.swap,
            returned=self.returned,
            circular=self.circular,
            additive=self.additive,
            open=bool(self.expose),
            row=self.row,
            blind=self.blind,
            pickers=self.pickers,
        )

    @cached_property
    def has_face_values(self) -> bool:
        return all(isinstance(prize, int) and self.value(prize) == prize for prize in self.prizes)

    @property
    def has_public_order(self) -> bool:
        """True if all seats know the order of the prizes."""
        return self.order in PUBLIC_ORDERS

    @property
    def has_court_letters(self) -> bool:
        return not any(isinstance(card, int) and card > 13 for card in (*self.hand, *self.prizes))

    def can_win(self, hands: Sequence[Cards], seat: Seat) -> bool:
        return combinations.can_outbid(self, hands, seat)

    def goal(self, pile: Cards = ()) -> str:
        return "the fewest points win" if self.least_wins else self.game.goal

    def dress(self, deal: int = 1) -> str:
        """Return the suits of a deal. If a suit was agreed for the prizes, all deals have it."""
        if self.prize_suit == DRESS[0]:
            return super().dress(deal)
        return self.prize_suit + "SHCD".replace(self.prize_suit, "")
