"""Cards as people see them: text is the truth, and suits stand only where they matter or dress a small match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.engine.cards import ACE_HIGH, ACE_LOW, JOKER, Card, Seat, rank, rank_letter, suit
from bot.engine.choices import Bid
from bot.engine.rules import Rules
from bot.engine.state import Cards, Round
from bot.ui.text.names import join_words
from bot.ui.text.sentences import say
from bot.ui.text.style import LETTERS, PLAIN, Style

SYMBOLS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
SUITS = {"S": "spade", "H": "heart", "C": "club", "D": "diamond"}
SECOND_SUIT = "C"
"""of the prizes, where every one is there twice"""
MAX_DRESSED = 3
MAX_ON_VIEW = 8
"""so many prizes are written out one by one"""
_SHELF = "SHCD"
"""suits as a hand is laid out: colours alternate"""


class Faces:
    """How this match writes its cards: in words, with a picture before each where the style has them."""

    def __init__(self, rules: Rules, style: Style = PLAIN, rounds: Sequence[Round] = ()) -> None:
        self.rules = rules
        self.style = style
        self.rounds = rounds
        """the rounds of the deal so far, by which two prizes of one rank are told apart"""
        self.court, self.signed, self.twice, self.dressed, self._written, self._labels = _dress(rules, style)

    # --- plain -------------------------------------------------------------------------------------------

    def card(self, card: Card) -> str:
        """As a list shows it: K, 14, ♠Q, A high, Joker."""
        known = self._written.get(card)
        if known is None:
            known = self._written[card] = self.style.add_picture(self._face(card), self.label(card))
        return known

    def label(self, card: Card) -> str:
        """The same in words alone, as labels have it."""
        known = self._labels.get(card)
        if known is None:
            known = self._labels[card] = self._label(card)
        return known

    def _label(self, card: Card) -> str:
        if isinstance(card, int):
            return rank_letter(card) if self.court and card > 0 else _number(card)
        if suit(card):
            return self.suit_card(suit(card), rank_letter(rank(card)))
        return {JOKER: "Joker", ACE_HIGH: "A high", ACE_LOW: "A low"}[card]

    def labels(self, cards: Iterable[Card]) -> list[str]:
        """Those of several."""
        known = self._labels
        return [known[card] if card in known else self.label(card) for card in cards]

    def _write_each(self, cards: Iterable[Card]) -> list[str]:
        known = self._written
        return [known[card] if card in known else self.card(card) for card in cards]

    def cards(self, cards: Sequence[Card]) -> str:
        """Several, one space between; what is there three times or more is counted."""
        unique = dict.fromkeys(cards)
        if len(unique) < len(cards) and any(cards.count(card) > 2 for card in unique):
            return " ".join(
                self.card(card) + (f"×{cards.count(card)}" if cards.count(card) > 1 else "") for card in unique
            )
        return " ".join(self._write_each(cards))

    def ranks(self, hand: Sequence[Card]) -> str:
        """A hand where keys are ranks, because suits do not matter: A 2×3 K."""
        held = [rank(card) if isinstance(card, str) and suit(card) else card for card in hand]
        if len(set(held)) == len(held):
            return " ".join(self._write_each(held))
        return " ".join(
            self.card(card) + (f"×{n}" if (n := held.count(card)) > 1 else "") for card in dict.fromkeys(held)
        )

    def prizes_on_view(self, prizes: Sequence[Card]) -> list[str]:
        """Prizes on view one by one; many of them as they are on the keys, each with its number."""
        if len(prizes) <= MAX_ON_VIEW:
            return [self.prize(card) for card in prizes]
        unique = dict.fromkeys(prizes)
        return [self.prize(card) + (f" ×{n}" if (n := prizes.count(card)) > 1 else "") for card in unique]

    def suit_card(self, of: str, written: str) -> str:
        return f"{written}{of}" if self.style.letters else f"{SYMBOLS[of]}{written}"

    # --- pictures ----------------------------------------------------------------------------------------

    def key(self, card: Card, seat: Seat | None) -> str:
        """The picture on a key: a prize that may be picked, or a card as it will lie on the table."""
        return self.style.picture(self._face_at(card, seat)) if self.style.pictures else ""

    def own_card(self, seat: Seat, card: Card) -> str:
        """A card in somebody's hand or bid: the picture is dressed, the words are not."""
        return self.style.add_picture(self._face_at(card, seat), self.label(card))

    def lot(self, prize: int) -> str:
        """A prize where nobody has to know of suits: the picture is dressed, the words are not."""
        return self.style.add_picture(_suit_symbol(self.rules.dress[0], prize), self.label(prize))

    def hand(self, seat: Seat, cards: Sequence[Card]) -> str:
        """Several of them, one space between."""
        return " ".join(self.own_card(seat, card) for card in cards) if self.dressed else self.cards(cards)

    @property
    def without_pictures(self) -> Faces:
        """The same without pictures, for small print."""
        return Faces(self.rules, LETTERS if self.style.letters else PLAIN, self.rounds) if self.style.pictures else self

    def _face_at(self, card: Card, seat: Seat | None) -> str:
        """Which face a card of a seat has, or a prize that may be picked."""
        if self.signed and isinstance(card, int) and seat is None:
            return _creature(card)
        if self.dressed and isinstance(card, int) and seat is not None:
            return _suit_symbol(self.rules.dress[1 + seat], card)
        return self._face(card)

    def _face(self, card: Card) -> str:
        """Which face a card has where no suit dresses it."""
        if isinstance(card, str):
            return _suit_symbol(suit(card), rank(card)) if suit(card) else {JOKER: "joker"}.get(card, "card_A")
        return _creature(card) if card < 0 else f"card_{rank_letter(card) if self.court else card}"

    def _dress_card(self, of: str, card: int) -> str:
        return self.style.add_picture(_suit_symbol(of, card), self.suit_card(of, self.label(card)))

    # --- bids --------------------------------------------------------------------------------------------

    def bid_card(self, seat: Seat, card: Card) -> str:
        """A card on the table, in its seat's suit where the match is dressed."""
        if self.dressed and isinstance(card, int):
            return self._dress_card(self.rules.dress[1 + seat], card)
        return self.card(card)

    def bid(self, seat: Seat, bid: Bid) -> str:
        """♠9; or 7 + 5 = 12, as numbers, because they are added."""
        if len(bid.cards) == 1:
            return self.bid_card(seat, bid.cards[0])
        return self.bid_total(bid.cards)

    def plain_bid(self, bid: Bid) -> str:
        """In words, without a suit that is only dress."""
        return self.label(bid.cards[0]) if len(bid.cards) == 1 else self.bid_total(bid.cards)

    def bid_sum(self, cards: Sequence[Card]) -> str:
        """7 + 5: strongest first."""
        ordered = sorted(cards, key=self.rules.strength, reverse=True)
        return " + ".join(str(rank(card)) if isinstance(card, int) else self.label(card) for card in ordered)

    def bid_total(self, cards: Sequence[Card]) -> str:
        """7 + 5 = 12."""
        return (
            f"{self.bid_sum(cards)} = {sum(map(self.rules.strength, cards))}" if len(cards) > 1 else self.bid_sum(cards)
        )

    # --- prizes ------------------------------------------------------------------------------------------

    def prize(self, card: Card, before: int | None = None) -> str:
        """A prize: ♦Q, Vulture −5, Joker. `before` is how many rounds had been played when it was turned."""
        if isinstance(card, int):
            if self.signed:
                return self.style.add_picture(_creature(card), say("mouse" if card > 0 else "vulture", n=abs(card)))
            if self.dressed:
                return self._dress_card(SECOND_SUIT if self._copy(card, before) else self.rules.dress[0], card)
        return self.card(card)

    def _copy(self, card: Card, before: int | None) -> int:
        """0 for the first of a rank, 1 for the second, where a game has two of each."""
        if not self.twice:
            return 0
        earlier = self.rounds if before is None else self.rounds[:before]
        return min(1, sum(played.prizes.count(card) for played in earlier))

    def prizes(self, cards: Sequence[Card], before: int | None = None) -> str:
        """A pot or a pair."""
        if JOKER in cards:
            return " + ".join(self.prize(card, before) for card in cards)
        return " ".join(self.prize(card, before) for card in cards)

    def prize_list(self, cards: Sequence[Card], before: int | None = None) -> str:
        """Several prizes as a part of a sentence: ♦7, ♦3 and ♦5."""
        if JOKER in cards:
            return self.prizes(cards, before)
        return join_words([self.prize(card, before) for card in cards])

    def taken_prize(self, cards: Sequence[Card], before: int | None = None) -> str:
        """A prize as something that somebody takes: ♦7, the 7, it."""
        if self.signed:
            return say("it")
        bare = isinstance(cards[0], int) and not self.dressed and JOKER not in cards
        text = self.prize_list(cards, before)
        return say("the-prize", card=text) if bare else text

    # --- keys --------------------------------------------------------------------------------------------

    def sort_keys(self, keys: Cards) -> Cards:
        """A keyboard in its order: weak to strong, by suit where suits matter."""
        if keys and all(isinstance(card, str) and suit(card) for card in keys):
            return tuple(sorted(keys, key=lambda card: (_SHELF.index(suit(card)), self.rules.strength(card))))
        return keys

    def sort_coming(self, prizes: Cards) -> Cards:
        """Prizes still to come, small to large; a court card without a value of its own by its rank."""

        if self.rules.face_value:
            return tuple(sorted(prizes))  # pyright: ignore[reportArgumentType]

        def size(card: Card) -> tuple[bool, int]:
            return isinstance(card, str), self.rules.value(card) or rank(card)

        return tuple(sorted(prizes, key=size))

    def suit_order(self, exposed: Cards) -> str:
        """Which suit comes first among equal ranks for this prize: ♦ ♥ ♣ ♠; nothing where suits do not decide."""
        order = self.rules.suit_order(exposed)
        return " beats ".join(of if self.style.letters else SYMBOLS[of] for of in order)


@lru_cache(maxsize=1024)
def _dress(rules: Rules, style: Style) -> tuple[bool, bool, bool, bool, dict[Card, str], dict[Card, str]]:
    """What depends on the rules alone, because the same ones are written again and again: whether court cards are
    letters, whether prizes go below zero (mice and vultures), whether each is there twice, whether suits dress the
    match, and its cards and labels as written so far."""
    sale = rules.sale
    cards = (*sale.prizes, *sale.hand) if sale is not None else rules.pack()
    signed = min((card for card in cards if isinstance(card, int)), default=0) < 0
    if sale is None:
        return rules.court, signed, False, False, {}, {}
    twice = len(set(sale.prizes)) < len(sale.prizes)
    small = bool(sale.hand) and rules.seats <= MAX_DRESSED
    dressed = small and rules.court and not signed and not sale.open
    return rules.court, signed, twice, dressed, {}, {}


def _suit_symbol(of: str, card: int) -> str:
    return f"{SUITS[of]}_{rank_letter(card)}"


def _creature(card: int) -> str:
    return f"mouse_{card}" if card > 0 else f"vulture_{-card}"


def _number(card: int) -> str:
    return f"−{-card}" if card < 0 else str(card)
