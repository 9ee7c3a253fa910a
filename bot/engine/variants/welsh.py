"""Welsh Warfare, by Rhys Morgan (rules.md 4.6): no prizes; the winner of a trick captures its cards."""

from dataclasses import dataclass
from functools import cached_property

from bot.engine.auction import deals
from bot.engine.cards import (
    PACK,
    STANDARD,
    SUITS,
    Card,
    Points,
    Seat,
    face,
    rank,
    rank_letter,
    read_plain,
    read_suited,
    suit,
)
from bot.engine.choices import Bid, Choice, Choices, Kind, Prompt
from bot.engine.counted import Counted
from bot.engine.events import (
    Bids,
    BidsRevealed,
    CardRemoved,
    CardsCaptured,
    CardsReturned,
    CardsSetAside,
    SeatEliminated,
    SeatLeftTrick,
    SubRoundStarted,
    Tied,
)
from bot.engine.facts import Facts
from bot.engine.guide import Guide, Note
from bot.engine.options import Number, Options, Switch
from bot.engine.refusals import Illegal
from bot.engine.rules import Game, Rules
from bot.engine.series import Series
from bot.engine.state import Cards, Deal, Round, State, Workbench

SUIT_OF_SEAT = "SHDC"


@dataclass(frozen=True)
class Welsh(Rules):
    """Four seats, four suits, one winner."""

    tricks: int
    attrition: bool

    by_wins = True
    round_word = "trick"
    tie_break = "the higher sum of ranks"

    def read_card(self, value: object) -> Card | None:
        return read_suited(value) or read_plain(value)

    def strength(self, card: Card) -> int:
        """Return the rank for the order of a hand: K high, A low. The table decides if an Ace is high."""
        return 4 * rank(card) + SUITS.find(suit(card))

    def bid_rank(self, card: Card) -> int:
        return rank(card)

    def pack(self) -> Cards:
        return ()

    def deal(self, shuffled: Cards) -> Deal:
        return Deal((), tuple(tuple(rank_letter(r) + of for r in STANDARD) for of in SUIT_OF_SEAT))

    def check(self, deal: Deal, given: frozenset[str], previous: Deal | None) -> Deal:
        if "hands" not in given and not deal.partial:
            return self.deal(())
        deals.check_hands(self, deal.hands, deal.partial, equal=False)
        deals.check_pack(PACK, deal.hands, (*deal.stock, *deal.out), deal.partial, len(STANDARD))
        if not deal.partial:
            for seat, hand in enumerate(deal.hands):
                deals.check_one_suit(hand, seat)
        return deal

    # --- a trick -----------------------------------------------------------------------------------------

    def start(self, deal: Deal) -> State:
        return deals.begin_deal(self, deal, self.begin_trick)

    def begin_trick(self, table: Workbench) -> None:
        active = tuple(seat for seat in table.seats if table.hands[seat])
        if len(active) <= 1:
            table.finish()
        elif len(table.rounds) >= self.tricks:
            table.finish("cap")  # RULING W3
        else:
            table.awaited = active
            table.choosers = False

    def prompt(self, state: State, seat: Seat) -> Prompt:
        """Ask for a bid by rank, because suits never matter (RULING W1)."""
        return Prompt(seat, Kind.COMMIT, tuple(map(rank, state.hands[seat])))

    def keys(self, state: State, seat: Seat) -> Cards:
        return STANDARD

    def check_choice(self, state: State, seat: Seat, choice: Choice) -> None:
        super().check_choice(state, seat, self.by_rank(choice))
        if isinstance(choice, Bid):
            for card in choice.cards:
                if isinstance(card, str) and card not in state.hands[seat]:
                    if card in state.aside[seat]:
                        raise Illegal("seat-set-card-aside", card=face(card), seat=seat, round=self.round_word)
                    hand = " ".join(map(face, state.hands[seat]))
                    raise Illegal("seat-lacks-card", card=face(card), seat=seat, hand=hand)

    def by_rank(self, choice: Choice) -> Choice:
        return Bid(tuple(map(rank, choice.cards))) if isinstance(choice, Bid) else choice

    def refuse_card(self, state: State, seat: Seat, card: Card, prompt: Prompt) -> None:
        if rank(card) in map(rank, state.aside[seat]):
            raise Illegal("seat-set-card-aside", card=face(card), seat=seat, round=self.round_word)
        super().refuse_card(state, seat, card, prompt)

    def physical(self, state: State, seat: Seat, choice: Choice) -> Choice:
        """Return the card to bid for a rank: of equal ranks clubs, then diamonds, hearts, spades (RULING W1)."""
        if isinstance(choice, Bid) and isinstance(choice.cards[0], int):
            return self.bid(next(card for card in state.hands[seat] if rank(card) == choice.cards[0]))
        return choice

    def play(self, table: Workbench, choices: Choices, forced: frozenset[Seat]) -> None:
        state = table.freeze()
        bids: list[Bid | None] = [None] * self.seats
        for seat in table.awaited:
            bid = self.physical(state, seat, choices[seat])
            assert isinstance(bid, Bid)
            table.choosers = table.choosers or len(set(map(rank, table.hands[seat]))) > 1
            table.hands[seat].remove(bid.cards[0])
            table.table[seat] = bid.cards[0]
            bids[seat] = bid
        table.emit(BidsRevealed(tuple(bids), tuple(sorted(forced))))
        self.settle(table, tuple(bids))

    def settle(self, table: Workbench, bids: Bids) -> None:
        """Compare the cards on the table until one seat is alone at the top, or seats have to bid again."""
        while True:
            tops = highest_seats(table.table)
            if len(tops) == 1:
                self.capture(table, bids, tops[0])
                return
            table.emit(Tied(tops))
            self.set_aside(table, tops)
            again = tuple(seat for seat in tops if table.hands[seat])
            for seat in tops:
                if not table.hands[seat]:
                    table.emit(SeatLeftTrick(seat))
            others = sum(card is not None for card in table.table)
            if others + len(again) <= 1:
                self.void(table, bids)
                return
            if again:
                table.again = (*table.again, bids)
                table.awaited = again
                table.emit(SubRoundStarted(again, spent=False))
                return

    def set_aside(self, table: Workbench, seats: tuple[Seat, ...]) -> None:
        moved: list[tuple[Seat, Card]] = []
        for seat in seats:
            card = table.table[seat]
            assert card is not None
            table.table[seat] = None
            table.aside[seat].append(card)
            moved.append((seat, card))
        table.emit(CardsSetAside(tuple(moved)))

    def capture(self, table: Workbench, bids: Bids, winner: Seat) -> None:
        """Give the winner the cards on the table; with attrition the winning card goes out of play."""
        own = table.table[winner]
        assert own is not None
        cards = tuple(card for card in table.table if card is not None)
        table.clear_table()
        if self.attrition:
            table.out.append(own)
            table.emit(CardRemoved(winner, own))
            cards = tuple(card for card in cards if card != own)
        table.hands[winner] = sorted((*table.hands[winner], *cards), key=self.strength)
        table.emit(CardsCaptured(winner, cards))
        table.voids = 0
        self.end_trick(table, bids, "award", (winner,))

    def void(self, table: Workbench, bids: Bids) -> None:
        """End the trick without a winner and return all cards (RULING W2)."""
        home = [(seat, card) for seat, card in enumerate(table.table) if card is not None]
        for seat, card in home:
            table.hands[seat] = sorted((*table.hands[seat], card), key=self.strength)
        table.clear_table()
        if home:
            table.emit(CardsReturned(tuple(home)))
        table.voids += 1
        self.end_trick(table, bids, "void", ())

    def end_trick(self, table: Workbench, bids: Bids, outcome: str, winners: tuple[Seat, ...]) -> None:
        table.send_home()
        for seat in (*table.awaited, *(s for bids in table.again for s, bid in enumerate(bids) if bid)):
            if not table.hands[seat] and SeatEliminated(seat) not in table.log:
                table.emit(SeatEliminated(seat))
        choosers = table.choosers
        table.close_round(bids, outcome, winners)
        if outcome == "void" and (not choosers or table.voids >= 3):
            table.finish("deadlock")  # RULING W4
        else:
            self.begin_trick(table)

    # --- result ------------------------------------------------------------------------------------------

    def remark(self, bids: Bids, prizes: Cards) -> str:
        return "Ace beats Kings." if has_ace_and_king(bids) else ""

    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        return tuple(len(cards) for cards in holdings(state))

    def tallies(self, state: State) -> tuple[str, ...]:
        """Tell the sums of ranks between the seats with most cards, if several have as many when the deal is over."""
        most = max(self.score(state))
        if not state.over or self.score(state).count(most) == 1:
            return ()
        return tuple(f"ranks add up to {ranks}" if held == most else "" for held, ranks in self.standing(state))

    def standing(self, state: State) -> tuple[tuple[int, int], ...]:
        """Rank by number of cards, then by the sum of ranks (RULING W3)."""
        return tuple((len(cards), sum(map(rank, cards))) for cards in holdings(state))

    @cached_property
    def facts(self) -> Facts:
        return Facts(lowest=0, highest=52, longest=self.tricks * 26)


def holdings(state: State | Workbench) -> list[Cards]:
    """Return all cards that each seat owns, in every zone."""
    return [
        (*hand, *aside, *(() if card is None else (card,)))
        for hand, aside, card in zip(state.hands, state.aside, state.table, strict=True)
    ]


def highest_seats(table: list[Card | None]) -> tuple[Seat, ...]:
    """Return the seats at the top: K high, A low, but an Ace beats all cards if a King is on the table."""
    ranks = [0 if card is None else rank(card) for card in table]
    if 13 in ranks and 1 in ranks:
        ranks = [14 if number == 1 else number for number in ranks]
    top = max(ranks)
    return tuple(seat for seat, number in enumerate(ranks) if number == top)


def has_ace_and_king(bids: Bids) -> bool:
    return {1, 13} <= {rank(card) for bid in bids if bid is not None for card in bid.cards}


def has_ace_against_king(played: Round) -> bool:
    return any(has_ace_and_king(event.bids) for event in played.events if isinstance(event, BidsRevealed))


def build(game: Game, seats: int, options: Options) -> Rules:
    return Welsh(game, seats, options, options["tricks"], options["attrition"])


GAME = Game(
    key="welsh",
    name="Welsh Warfare",
    title="For four: capture cards until one player has them all",
    seats=(4, 4),
    sections=("4.6",),
    options=(
        Number(
            "tricks",
            "How many tricks a deal has at most",
            20,
            500,
            52,
            words=Counted("1 trick a deal", "{n} tricks a deal"),
        ),
        Switch("attrition", "The winning card of each trick is then out of play", words="winning cards go out of play"),
    ),
    series=Series("first-to", 2),
    build=build,
    excludes=(("info", "win-only", "win-only-welsh"), ("clinch", True, "clinch")),  # RULING C8
    guide=Guide(
        line="Everybody starts with one suit. The highest card captures the other cards of the trick.",
        round="Each player with cards chooses one in secret, and all are revealed. K is highest and A lowest, but if a"
        " K and an A are on the table, every A beats the Ks. The winner takes all cards on the table into the hand.",
        ties="Players who tie for the highest card set it aside and bid another. The other cards stay on the table. A"
        " player with no other card leaves the trick. After the trick the cards set aside return to their hands. If"
        " one player or none is left in the trick, nobody captures anything.",
        winning="A player who has all the cards wins the deal. After 52 tricks the player with most cards wins (if"
        " equal, the higher sum of ranks). Three tricks in a row without a winner also end the deal.",
        example="A A K K: the Aces tie and are set aside, and their owners bid K and J. Now three Ks tie and are set"
        " aside, and their owners bid Q, J and 5. The Q takes the four cards on the table.",
    ),
    notes=(
        Note("tricks", None, "winning", "", swaps=(("52 tricks", Counted("1 trick", "{n} tricks")),)),
        Note(
            "attrition",
            True,
            "round",
            "",
            swaps=(
                (
                    "The winner takes all cards on the table into the hand.",
                    "The winner takes the other cards into the hand. The winning card is out of play for this deal.",
                ),
            ),
        ),
    ),
    goal="capture all the cards. The highest card takes the trick."
    " An Ace is lowest, but it beats a King that is on the table",
    point=has_ace_against_king,
    tips=(
        "An Ace is the best card against Kings and the worst without them.",
        "A tie costs nothing, but then you bid a second card: keep one that you can afford to lose.",
        "Many cards are not enough: low cards lose every trick.",
    ),
)
