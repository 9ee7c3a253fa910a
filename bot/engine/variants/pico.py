"""Pico (rules.md 4.2): no prizes; the higher card wins unless it is more than double the lower."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from bot.engine.auction import deals
from bot.engine.cards import Card, Points, Seat
from bot.engine.choices import Bid, Choices, Kind, Prompt
from bot.engine.events import Bids, BidsRevealed, CardScored
from bot.engine.facts import Facts
from bot.engine.guide import Guide, Note
from bot.engine.options import OneOf as Words
from bot.engine.options import Options
from bot.engine.refusals import BadDeal
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.state import Cards, Deal, Round, State, Workbench

HAND = 5

PACKS: Mapping[str, Mapping[int, int]] = {
    "pico2": {4: 1, **dict.fromkeys((5, 6, 7), 2), **dict.fromkeys(range(8, 14), 3), 16: 4},
    # RULING I1: of the first edition only "1 to 4 points, more on higher cards" is known.
    "pico1": {
        **dict.fromkeys((2, 3, 4), 1),
        **dict.fromkeys((5, 6, 7), 2),
        **dict.fromkeys((8, 9, 10, 13), 3),
        16: 4,
    },
}
"""Points printed on each card."""
VALUES: Mapping[str, str] = {
    "pico2": "4 scores 1, 5 to 7 score 2, 8 to 13 score 3, 16 scores 4.",
    "pico1": "2 to 4 score 1, 5 to 7 score 2, 8 to 10 and 13 score 3, 16 scores 4.",
}


@dataclass(frozen=True)
class Pico(Rules):
    """Two seats bid cards against each other; the winning card is scored, the losing one returns to its owner."""

    printed: Mapping[int, int] = field(hash=False)

    def strength(self, card: Card) -> int:
        return card if isinstance(card, int) else 0

    def pack(self) -> Cards:
        return tuple(self.printed)

    def deal(self, shuffled: Cards) -> Deal:
        return Deal((), (shuffled[:HAND], shuffled[HAND : 2 * HAND]), shuffled[2 * HAND :])

    def redeal(self, previous: Deal) -> Deal:
        """Return the deal with the hands exchanged."""
        return Deal((), previous.hands[::-1], previous.out, previous.partial)

    def check(self, deal: Deal, given: frozenset[str], previous: Deal | None) -> Deal:
        if deal.stock:
            raise BadDeal("stock-none", game=self.game.name)
        if "hands" not in given:
            if previous is None:
                raise BadDeal("hand-missing", game=self.game.name)
            deal = self.redeal(previous)
        deals.check_hands(self, deal.hands, deal.partial, equal=not deal.partial)
        held = {card for hand in deal.hands for card in hand}
        if not deal.out and not deal.partial:
            deal = Deal((), deal.hands, tuple(card for card in self.printed if card not in held))
        deals.check_pack(self.pack(), deal.hands, deal.out, deal.partial, HAND)
        if previous is not None:
            exchanged = [sorted(hand, key=self.strength) for hand in previous.hands[::-1]]
            if [sorted(hand, key=self.strength) for hand in deal.hands] != exchanged:
                raise BadDeal("hand-exchanged")
        return deal

    def start(self, deal: Deal) -> State:
        return deals.begin_deal(self, deal, self.begin_trick)

    def begin_trick(self, table: Workbench) -> None:
        """Ask both seats, or end the deal if a seat has one card left."""
        if min(map(len, table.hands)) <= 1:
            table.finish("one-card")
        else:
            table.awaited = (0, 1)

    def prompt(self, state: State, seat: Seat) -> Prompt:
        return Prompt(seat, Kind.COMMIT, state.hands[seat])

    def play(self, table: Workbench, choices: Choices, forced: frozenset[Seat]) -> None:
        bids = tuple(bid for seat in (0, 1) if isinstance(bid := choices[seat], Bid))
        cards = [self.strength(bid.cards[0]) for bid in bids]
        table.emit(BidsRevealed(bids, tuple(sorted(forced))))
        high = 0 if cards[0] > cards[1] else 1
        winner = high if cards[high] <= 2 * cards[1 - high] else 1 - high
        card = cards[winner]
        table.hands[winner].remove(card)
        table.won[winner].append(card)
        table.pay(winner, self.printed[card])
        table.emit(CardScored(winner, card, self.printed[card]))
        table.close_round(bids, "award", (winner,))
        self.begin_trick(table)

    def remark(self, bids: Bids, prizes: Cards) -> str:
        low, high = sorted(self.strength(bid.cards[0]) for bid in bids if bid is not None)
        return f"{high} is more than double." if high > 2 * low else ""

    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        return tuple(state.points)

    @property
    def card_values(self) -> str:
        """Return what the cards of this pack score."""
        return VALUES[self.options["pack"]]

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=0, highest=13, longest=7)


def build(game: Game, seats: int, options: Options) -> Rules:
    return Pico(game, seats, options, PACKS[options["pack"]])


def is_won_by_low_card(played: Round) -> bool:
    low = min(card for bid in played.bids if bid is not None for card in bid.cards if isinstance(card, int))
    return any(isinstance(event, CardScored) and event.card == low for event in played.events)


GAME = Game(
    key="pico",
    name="Pico",
    title="For two: the higher card wins, but not if it is more than double",
    seats=(2, 2),
    sections=("4.2",),
    series=Series("deals", 2),  # RULING I2: equal sums are a draw
    options=(
        Words(
            "pack",
            "Which cards",
            {"pico2": "Pico 2: 4 to 13 and 16", "pico1": "First edition: 2 to 10, 13 and 16"},
            "pico2",
            {"pico2": "second edition", "pico1": "first edition"},
        ),
    ),
    build=build,
    excludes=(("info", "win-only", "win-only-pico"), ("clinch", True, "clinch")),  # RULING C8
    guide=Guide(
        line="The higher card wins, unless it is more than double the lower card. Then the lower card wins.",
        round="Each player holds 5 of the 11 cards, and everybody knows both hands. Both players choose a card in"
        " secret, and both cards are revealed. The winning card scores for its owner. The losing card returns to its"
        " owner's hand.",
        ties="There are none: every card is there once.",
        winning="Cards score the points printed on them: 4 scores 1; 5 to 7 score 2; 8 to 13 score 3; 16 scores 4."
        " A deal ends when a player has one card left. In every second deal each player starts"
        " with the cards that the other one had.",
        example="10 beats 5: exactly double still wins. 4 beats 10, because 10 is more than double 4. The 4 scores 1.",
    ),
    notes=(
        Note(
            "pack",
            "pico1",
            "winning",
            "The cards of the first edition are 2 to 10, 13 and 16. 2, 3 and 4 score 1; 5, 6 and 7 score 2; 8, 9, 10"
            " and 13 score 3; 16 scores 4. A deal ends when a player has one card left. In every second deal"
            " each player starts with the cards that the other one had.",
            True,
        ),
    ),
    goal="win with the cards that score most. The higher card wins,"
    " unless it is more than double the lower card. Then the lower card wins",
    point=is_won_by_low_card,
    tips=(
        "Look at the other hand for a card that each of your cards beats, and for one that none of yours beats.",
        "The 16 loses to every card below 8. The 4 loses to 5, 6, 7 and 8.",
        "A card that wins leaves your hand, and the deal ends with one card left: count who gets there first.",
    ),
)
