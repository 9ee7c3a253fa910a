"""Cards in text: ranks, suits and pictures.

A card has a suit if the rules use suits. In a small match without suits each seat and the prizes get one: the match is
dressed. In a series each deal has the next suits.
"""

from __future__ import annotations

from collections.abc import Sequence
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
MAX_DRESSED = 3
"""seats of a match that can be dressed: there are four suits, and prizes take one"""
MAX_ON_VIEW = 8
"""prizes on view that are written out one by one"""
_SUIT_ORDER = "SHCD"
"""order of suits in a hand, in which colours alternate"""


class Faces:
    """Writer of the cards of one match: in words, with a picture before each card if the style has pictures."""

    def __init__(self, rules: Rules, style: Style = PLAIN, rounds: Sequence[Round] = (), deal: int = 1) -> None:
        """`deal` is the number of the deal in its series, from 1."""
        self.rules = rules
        self.style = style
        self.rounds = rounds
        """rounds of the deal so far, which tell the second prize of a rank from the first"""
        self.deal = deal
        self._suits = rules.dress(deal)
        """of the prizes, then of each seat; the last one also of a second prize of its rank"""
        self.has_court, self.is_signed, self.has_pairs, self.is_dressed, self._written, self._labels = _dress(
            rules, style
        )

    # --- plain -------------------------------------------------------------------------------------------

    def card(self, card: Card) -> str:
        """Return a card as lists show it, for example "K", "14", "♠Q", "A high" or "Joker"."""
        text = self._written.get(card)
        if text is None:
            label = self.label(card)
            bare = rank_letter(rank(card)) if isinstance(card, str) and suit(card) else label
            text = self._written[card] = self.style.add_picture(self._face(card), bare, label)
        return text

    def label(self, card: Card) -> str:
        """Return a card in words alone, as labels of buttons show it."""
        text = self._labels.get(card)
        if text is None:
            text = self._labels[card] = self._label(card)
        return text

    def _label(self, card: Card) -> str:
        if isinstance(card, int):
            return rank_letter(card) if self.has_court and card > 0 else _number(card)
        if suit(card):
            return self.suit_card(suit(card), rank_letter(rank(card)))
        return {JOKER: "Joker", ACE_HIGH: "A high", ACE_LOW: "A low"}[card]

    def cards(self, cards: Sequence[Card]) -> str:
        """Join cards with spaces. If a card is there three times or more, count equal cards: "K×3"."""
        unique = dict.fromkeys(cards)
        if len(unique) < len(cards) and any(cards.count(card) > 2 for card in unique):
            return self._count_cards(cards)
        cache = self._written
        return " ".join([cache[card] if card in cache else self.card(card) for card in cards])

    def ranks(self, hand: Sequence[Card]) -> str:
        """Return a hand by ranks, for games without suits: "A 2×3 K"."""
        held = [rank(card) if isinstance(card, str) and suit(card) else card for card in hand]
        if len(set(held)) == len(held):
            return self.cards(held)
        return self._count_cards(held)

    def _count_cards(self, cards: Sequence[Card]) -> str:
        counts = {self.card(card): cards.count(card) for card in dict.fromkeys(cards)}
        return " ".join(f"{card}×{count}" if count > 1 else card for card, count in counts.items())

    def prizes_on_view(self, prizes: Sequence[Card]) -> list[str]:
        """Return the prizes on view one by one. If they are many, return each one once with its count."""
        if len(prizes) <= MAX_ON_VIEW:
            return [self.prize(card) for card in prizes]
        unique = dict.fromkeys(prizes)
        return [self.prize(card) + (f" ×{n}" if (n := prizes.count(card)) > 1 else "") for card in unique]

    def suit_card(self, of: str, written: str) -> str:
        """Return a rank with its suit `of`: "♠Q", or "QS" in the style with letters."""
        return f"{written}{of}" if self.style.uses_letters else f"{SYMBOLS[of]}{written}"

    # --- pictures ----------------------------------------------------------------------------------------

    def key_picture(self, card: Card, seat: Seat | None) -> str:
        """Return the picture on a key of this seat's card, or of a prize if `seat` is None; empty without pictures."""
        return self.style.picture(self._face_at(card, seat)) if self.style.pictures else ""

    def own_card(self, seat: Seat, card: Card) -> str:
        """Return a card in the hand or bid of a seat. The picture is dressed, the words are not."""
        words = self.label(card)
        return self.style.add_picture(self._face_at(card, seat), words) if self.style.pictures else words

    def prize_by_rank(self, prize: int) -> str:
        """Return a prize for a reader who does not know suits yet. The picture is dressed, the words are not."""
        return self.style.add_picture(_suit_symbol(self._suits[0], prize), self.label(prize))

    def hand(self, seat: Seat, cards: Sequence[Card]) -> str:
        """Return the cards of a seat, joined with spaces."""
        return " ".join(self.own_card(seat, card) for card in cards) if self.is_dressed else self.cards(cards)

    @property
    def without_pictures(self) -> Faces:
        """Faces of the same match without pictures, for small print."""
        if not self.style.pictures:
            return self
        return Faces(self.rules, LETTERS if self.style.uses_letters else PLAIN, self.rounds, self.deal)

    def seat_face(self, card: Card, seat: Seat) -> str:
        """Return the name of the face of a seat's card, dressed; an Ace that was declared high is "spade_A+"."""
        if card in (ACE_HIGH, ACE_LOW):
            return self._face_at(1, seat) + str(card)[-1]
        return self._face_at(card, seat)

    def prize_face(self, card: Card, before: int | None = None) -> str:
        """Return the name of the face of a prize, dressed; `before` is as in `prize`."""
        if self.is_dressed and isinstance(card, int):
            return _suit_symbol(self.prize_suit(card, before), card)
        return self._face_at(card, None)

    def _face_at(self, card: Card, seat: Seat | None) -> str:
        """Return the face of this seat's card, or of a prize if `seat` is None."""
        if self.is_signed and isinstance(card, int) and seat is None:
            return _creature(card)
        if self.is_dressed and isinstance(card, int) and seat is not None:
            return _suit_symbol(self._suits[1 + seat], card)
        return self._face(card)

    def _face(self, card: Card) -> str:
        """Return the face of a card without the suit of a dressed match."""
        if isinstance(card, str):
            return _suit_symbol(suit(card), rank(card)) if suit(card) else {JOKER: "joker"}.get(card, "card_A")
        return _creature(card) if card < 0 else f"card_{rank_letter(card) if self.has_court else card}"

    def _dress_card(self, of: str, card: int) -> str:
        key = of, card
        if key not in self._written:
            words = self.suit_card(of, self.label(card))
            self._written[key] = self.style.add_picture(_suit_symbol(of, card), self.label(card), words)
        return self._written[key]

    # --- bids --------------------------------------------------------------------------------------------

    def bid_card(self, seat: Seat, card: Card) -> str:
        """Return a card on the table, in the suit of its seat if the match is dressed."""
        if self.is_dressed and isinstance(card, int):
            return self._dress_card(self._suits[1 + seat], card)
        return self.card(card)

    def seat_suit(self, seat: Seat) -> str:
        """Return the suit of a seat in a dressed match; empty in another one."""
        return self._suits[1 + seat] if self.is_dressed else ""

    def bid(self, seat: Seat, bid: Bid) -> str:
        """Return a bid: "♠9", or "7 + 5 = 12" for a bid of several cards."""
        if len(bid.cards) == 1:
            return self.bid_card(seat, bid.cards[0])
        return self.bid_total(bid.cards)

    def plain_bid(self, bid: Bid) -> str:
        """Return a bid in words, without the suit of a dressed match."""
        return self.label(bid.cards[0]) if len(bid.cards) == 1 else self.bid_total(bid.cards)

    def bid_sum(self, cards: Sequence[Card]) -> str:
        """Return the cards of a bid as a sum, strongest first: "7 + 5"."""
        ordered = sorted(cards, key=self.rules.strength, reverse=True)
        return " + ".join(str(rank(card)) if isinstance(card, int) else self.label(card) for card in ordered)

    def bid_total(self, cards: Sequence[Card]) -> str:
        """Return the cards of a bid with their total: "7 + 5 = 12"."""
        written = self.bid_sum(cards)
        return f"{written} = {sum(map(self.rules.strength, cards))}" if len(cards) > 1 else written

    # --- prizes ------------------------------------------------------------------------------------------

    def prize(self, card: Card, before: int | None = None) -> str:
        """Return a prize: "♦Q", "Vulture −5", "Joker". `before` is the number of rounds played before it was turned."""
        if isinstance(card, int):
            if self.is_signed:
                return self.style.add_picture(_creature(card), say("mouse" if card > 0 else "vulture", n=abs(card)))
            if self.is_dressed:
                return self._dress_card(self.prize_suit(card, before), card)
        return self.card(card)

    def prizes_with_suit(self, cards: Sequence[Card]) -> str:
        """Return prizes for a heading: where suits decide, a picture, which is small, has its suit beside it."""
        if not self.rules.suit_order(tuple(cards)):
            return self.prizes(cards)
        return " ".join(self.style.add_picture(self._face(card), self.label(card)) for card in cards)

    def prize_suit(self, card: Card, before: int | None = None) -> str:
        """Return the suit of a prize in a dressed match; empty in another one."""
        if not self.is_dressed or not isinstance(card, int):
            return ""
        is_second = self.has_pairs and any(card in played.prizes for played in self.rounds[:before])
        return self._suits[-1 if is_second else 0]

    def prizes(self, cards: Sequence[Card], before: int | None = None) -> str:
        """Return a pot, or a prize of several cards, without words between the cards."""
        if JOKER in cards:
            return " + ".join([self.prize(card, before) for card in cards])
        return " ".join([self.prize(card, before) for card in cards])

    def prize_list(self, cards: Sequence[Card], before: int | None = None) -> str:
        """Return several prizes as a part of a sentence: "♦7, ♦3 and ♦5"."""
        if JOKER in cards:
            return self.prizes(cards, before)
        return join_words([self.prize(card, before) for card in cards])

    def taken_prize(self, cards: Sequence[Card], before: int | None = None) -> str:
        """Return a prize as the object of "takes": "♦7", "the 7" or "it"."""
        if self.is_signed:
            return say("it")
        is_bare_rank = isinstance(cards[0], int) and not self.is_dressed and JOKER not in cards
        text = self.prize_list(cards, before)
        return say("the-prize", card=text) if is_bare_rank else text

    # --- keys --------------------------------------------------------------------------------------------

    def sort_keys(self, keys: Cards) -> Cards:
        """Return keys in the order of a keyboard: by suit if all cards have suits, weak to strong in each."""
        if keys and all(isinstance(card, str) and suit(card) for card in keys):
            return tuple(sorted(keys, key=lambda card: (_SUIT_ORDER.index(suit(card)), self.rules.strength(card))))
        return keys

    def sort_coming(self, prizes: Cards) -> Cards:
        """Sort prizes to come from small to large. A court card without a value is sorted by its rank."""

        if self.rules.has_face_values:
            return tuple(sorted(prizes))  # pyright: ignore[reportArgumentType]

        def size(card: Card) -> tuple[bool, int]:
            return isinstance(card, str), self.rules.value(card) or rank(card)

        return tuple(sorted(prizes, key=size))

    def suit_order(self, exposed: Cards) -> str:
        """Return which suit beats which among equal ranks for this prize; empty if suits do not decide."""
        order = self.rules.suit_order(exposed)
        return " beats ".join([of if self.style.uses_letters else SYMBOLS[of] for of in order])


@lru_cache(maxsize=1024)
def _dress(rules: Rules, style: Style) -> tuple[bool, bool, bool, bool, dict[object, str], dict[Card, str]]:
    """Return what depends on rules and style alone, cached because every message needs it.

    These are: whether court cards are letters, whether prizes go below zero (mice and vultures), whether each prize is
    there twice, whether suits dress the match, and the caches of written cards and of labels.
    """
    sale = rules.sale
    cards = (*sale.prizes, *sale.hand) if sale is not None else rules.pack()
    is_signed = min((card for card in cards if isinstance(card, int)), default=0) < 0
    if sale is None:
        return rules.has_court_letters, is_signed, False, False, {}, {}
    has_pairs = len(set(sale.prizes)) < len(sale.prizes)
    is_small = bool(sale.hand) and rules.seats <= MAX_DRESSED
    is_dressed = is_small and rules.has_court_letters and not is_signed and not sale.open
    return rules.has_court_letters, is_signed, has_pairs, is_dressed, {}, {}


def _suit_symbol(of: str, card: int) -> str:
    return f"{SUITS[of]}_{rank_letter(card)}"


def _creature(card: int) -> str:
    return f"mouse_{card}" if card > 0 else f"vulture_{-card}"


def _number(card: int) -> str:
    return f"−{-card}" if card < 0 else str(card)
