"""Base of all games: a declared `Game`, and `Rules`, which is a game with its options and seats, ready to referee.

The base knows no game. A game is one file in `variants/` that declares a `Game` and builds its `Rules`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, cast

from bot.engine.cards import Card, Points, Seat, face, read_plain, simplify
from bot.engine.choices import Bid, Choice, Choices, Kind, Pick, Prompt
from bot.engine.events import Bids, Event
from bot.engine.facts import Facts, Sale
from bot.engine.guide import Guide, Note, Tip
from bot.engine.options import Option, Options, read_options
from bot.engine.refusals import BadDeal, BadSetup, Illegal, NotAwaited, Unreadable
from bot.engine.series import SINGLE, Series
from bot.engine.state import Cards, Deal, Round, State, Workbench

DRESS = "DSHC"
"""suits that decorate the cards of a first deal: of the prizes, then of each seat"""


@dataclass(frozen=True)
class Game:
    """A set of rules under its permanent name, with everything that help, docs and pickers need."""

    key: str
    name: str
    title: str
    """one line for pickers"""
    seats: tuple[int, int]
    """the fewest and the most"""
    build: Callable[[Game, int, Options], Rules]
    guide: Guide
    tips: tuple[str, ...]
    """Plain sentences on how to play well, valid for all options."""
    sections: tuple[str, ...]
    """its sections of rules.md"""
    options: tuple[Option, ...] = field(default=(), hash=False)
    excludes: tuple[tuple[str, object, str], ...] = ()
    """options of other games that this game refuses: option, value, and the id of the refusal (rules.md 5.3)"""
    refused_words: tuple[tuple[str, str], ...] = ()
    """words of a rule of the source that is not played here, and the id of the refusal that gives the reason"""
    series: Series = SINGLE
    """the default series"""
    notes: tuple[Note, ...] = ()
    """what each option changes; a test finds options without a note"""
    goal: str = ""
    """the goal of the game, if the scores on a board do not show it"""
    card_values: str = ""
    """what cards are worth, if that differs from their rank"""
    point: Callable[[Round], bool] = lambda played: True
    """True if a round shows what this game is about: its worked example has one that does"""
    more_tips: tuple[Tip, ...] = ()
    """tips for some options, which come before the others"""
    margin: str = ""
    """Text of the zero-sum display, for games that offer it (rules.md 2.1)."""

    @property
    def seat_range(self) -> str:
        fewest, most = self.seats
        return f"{fewest}" if fewest == most else f"{fewest} to {most}"

    def rules(self, seats: int, options: Mapping[str, Any] | None = None) -> Rules:
        """Return the rules for this many seats, with validated options."""
        given = options or {}
        for key, value, id in self.excludes:
            if given.get(key) == value:
                raise BadSetup(id, game=self.name, n=seats, option=key)
        values = read_options(self.name, self.options, given)
        fewest, most = self.seats
        if not fewest <= seats <= most:
            if fewest == most:
                raise BadSetup("fixed-seats", game=self.name, n=fewest)
            raise BadSetup("wrong-seats", game=self.name, range=self.seat_range, n=seats)
        return _intern_rules(self.build(self, seats, values))

    def __hash__(self) -> int:
        return hash(self.key)  # fast, because every press looks up rules in a cache


@lru_cache(maxsize=512)
def _intern_rules(rules: Rules) -> Rules:
    """Return the first created of all equal rules: then results cached by identity serve all matches."""
    return rules


@dataclass(frozen=True)
class Rules(ABC):
    """A game with options and seats. All methods are pure; `resolve` returns a new state."""

    game: Game
    seats: int
    options: Options = field(hash=False)

    # Not fields: a game overrides them with a class attribute or a field.
    least_wins = False
    """True if the lowest total wins (misère)."""
    by_wins = False
    """True if a series adds up won deals instead of points."""
    round_word = "round"
    """What a round is called: a trick where players win each other's cards and no prizes."""
    tie_break = ""
    """What ranks seats with equal deal scores, after "wins by"; empty if such seats share the place."""
    hides_bids = False
    """True if bids stay hidden until the deal ends (win-only information)."""
    shows_bids_once = False
    """True if bids are shown at their reveal only, and hidden again until the deal ends."""
    shows_margin = False
    """True if a score is shown as a difference: what one of two seats gains, the other loses."""
    ends_early = False
    """True if a deal ends as soon as nobody can catch up (clinch)."""

    # --- cards -------------------------------------------------------------------------------------------

    def read_card(self, value: object) -> Card | None:
        """Return a card of this game from a record, None if it is not one."""
        return read_plain(value)

    def card(self, token: Card) -> Card:
        """Return the card of a bid. They differ if the bid declares its card, such as an Ace as high."""
        return token

    @abstractmethod
    def strength(self, card: Card) -> int:
        """Return how high a card (or declared card) bids; also the order in which a hand is shown."""

    def bid_rank(self, card: Card) -> int:
        """Return the rank of a bid card, suits aside: what RULING C4 calls lowest."""
        return self.strength(card)

    @abstractmethod
    def pack(self) -> Cards:
        """Return the cards to shuffle for a deal; empty if a deal has no chance."""

    @abstractmethod
    def deal(self, shuffled: Cards) -> Deal:
        """Return a deal from the shuffled pack."""

    def redeal(self, previous: Deal) -> Deal | None:
        """Return the deal that must follow another one; None if the game does not fix it."""
        return None

    @abstractmethod
    def check(self, deal: Deal, given: frozenset[str], previous: Deal | None) -> Deal:
        """Return a deal from a record: completed where the game fixes it, refused where it cannot have been dealt.

        `given` names the zones that the record wrote out.
        """

    # --- play --------------------------------------------------------------------------------------------

    @abstractmethod
    def start(self, deal: Deal) -> State:
        """Return the state in which the first choices are awaited."""

    @abstractmethod
    def prompt(self, state: State, seat: Seat) -> Prompt:
        """Return the prompt of an awaited seat."""

    @abstractmethod
    def play(self, table: Workbench, choices: Choices, forced: frozenset[Seat]) -> None:
        """Apply one joint set of legal choices to the table."""

    def prompts(self, state: State) -> tuple[Prompt, ...]:
        """Return the prompts of all awaited seats."""
        return tuple(self.prompt(state, seat) for seat in state.awaited)

    def resolve(
        self, state: State, choices: Choices, forced: frozenset[Seat] = frozenset()
    ) -> tuple[State, tuple[Event, ...]]:
        """Check and resolve one joint choice of all awaited seats. Return the new state and the events.

        A state never contains half a round; changing a sealed bid (RULING C1) is up to the referee.
        """
        for seat in choices:
            self.check_choice(state, seat, choices[seat])
        for seat in state.awaited:
            if seat not in choices:
                raise NotAwaited("seat-not-asked", seat=seat)
        return self.apply(state, choices, forced)

    def apply(self, state: State, choices: Choices, forced: frozenset[Seat]) -> tuple[State, tuple[Event, ...]]:
        """Do what `resolve` does, for choices that have been checked."""
        table = Workbench(state)
        self.play(table, choices, forced)
        return table.freeze(), tuple(table.log)

    def check_choice(self, state: State, seat: Seat, choice: Choice) -> None:
        """Refuse a choice that this seat may not make now (RULING C2)."""
        if state.over:
            raise NotAwaited("deal-over")
        if not 0 <= seat < self.seats:
            raise NotAwaited("no-such-seat", seat=seat)
        if seat not in state.awaited:
            if state.turns:
                raise NotAwaited("seat-not-next", seat=seat, next=state.turns[0])
            raise NotAwaited("seat-not-asked", seat=seat)
        prompt = self.prompt(state, seat)
        if isinstance(choice, Pick) is not (prompt.kind is Kind.PICK):
            given, asked = ("pick", "bid") if isinstance(choice, Pick) else ("bid", "pick")
            raise Illegal("wrong-kind", asked=asked, given=given)
        if isinstance(choice, Pick):
            if choice.prize not in prompt.options:
                cards = " ".join(map(self.face, prompt.options))
                raise Illegal("prize-not-open", card=self.face(choice.prize), cards=cards)
            return
        if len(choice.cards) != prompt.size:
            id = "bid-too-small" if len(choice.cards) < prompt.size else "bid-too-large"
            raise Illegal(id, k=prompt.size, n=len(choice.cards))
        for card in choice.cards:
            if card not in prompt.options:
                self.refuse_card(state, seat, card, prompt)
            if prompt.size > 1 and choice.cards.count(card) > prompt.options.count(card):
                raise Illegal("same-card-twice", card=self.face(card))

    def refuse_card(self, state: State, seat: Seat, card: Card, prompt: Prompt) -> None:
        """Say why a card cannot be bid."""
        physical = self.card(card)
        hand = " ".join(map(self.face, prompt.options))
        if physical in state.aside[seat]:
            raise Illegal("seat-set-card-aside", card=self.face(card), seat=seat, round=self.round_word)
        if physical in state.spent[seat]:
            raise Illegal("seat-spent-card", card=self.face(card), seat=seat, hand=hand)
        raise Illegal("seat-lacks-card", card=self.face(card), seat=seat, hand=hand)

    def read_choice(self, state: State, seat: Seat, value: object) -> Choice:
        """Return a choice as the record writes it: a card, a list of cards, or {"pick": card}."""
        if isinstance(value, dict):
            named = cast("dict[object, object]", value)
            if list(named) != ["pick"]:
                raise Unreadable("deal-shape", what='a pick is written {"pick": card}')
            return Pick(self._read_bid_card(named["pick"]))
        if isinstance(value, list):
            return self.bid(*(self._read_bid_card(item) for item in cast("list[object]", value)))
        return self.bid(self._read_bid_card(value))

    def _read_bid_card(self, value: object) -> Card:
        card = self.read_card(value)
        if card is None:
            raise Unreadable("choice-unknown", card=_shorten(value))
        return card

    def bid(self, *cards: Card) -> Bid:
        """Return a bid, its cards in order from weak to strong."""
        return Bid(cards if len(cards) < 2 else tuple(sorted(cards, key=self.strength)))

    def physical(self, state: State, seat: Seat, choice: Choice) -> Choice:
        """Return the choice with its exact cards; a bid may be given by rank."""
        return choice

    # --- result ------------------------------------------------------------------------------------------

    @abstractmethod
    def score(self, state: State | Workbench) -> tuple[Points, ...]:
        """Return each seat's deal score as if the deal ended now."""

    @property
    def tips(self) -> tuple[str, ...]:
        """Return the tips for these rules."""
        own = (tip.text for tip in self.game.more_tips if tip.applies(self.options, self.seats))
        return (*own, *self.game.tips)

    def remark(self, bids: Bids, prizes: Cards) -> str:
        """Explain the order of these bids if their ranks alone do not; `prizes` were turned last."""
        return ""

    def explain(self, pile: Cards) -> str:
        """Explain in words what a pile of won prizes scores, if it is not their sum and depends on no other pile."""
        return ""

    def tallies(self, state: State) -> tuple[str, ...]:
        """Explain each seat's deal score in words, if it is not the sum of the won prizes; a seat may have none."""
        return ()

    def margins(self, state: State | Workbench) -> tuple[Points, ...] | None:
        """Return what one seat gained and the other lost; it never changes who wins (rules.md 2.1)."""
        if not self.facts.margin or not self.game.margin:
            return None
        first, second = self.score(state)
        return simplify(first - second), simplify(second - first)

    def standing(self, state: State) -> tuple[Any, ...]:
        """Return one comparable value per seat that ranks the seats of a deal; higher is better (RULING C7)."""
        return self.score(state)

    def winner(self, state: State) -> Seat | None:
        """Return the single seat at the top of a deal; None for a shared first place (RULING F1)."""
        standing = self.standing(state)
        best = max(standing)
        return standing.index(best) if standing.count(best) == 1 else None

    @cached_property
    @abstractmethod
    def facts(self) -> Facts:
        """The facts that hold for every deal."""

    def face(self, card: Card) -> str:
        """Return a card of this game for people."""
        return face(card, self.has_court_letters)

    @property
    def has_court_letters(self) -> bool:
        """True if A J Q K are written as letters; with cards above 13 all are plain numbers (RULING N1)."""
        return not any(isinstance(card, int) and card > 13 for card in self.pack())

    def goal(self, pile: Cards = ()) -> str:
        """Return the goal of the game if scores do not show it; `pile` is what one seat has won so far."""
        return self.game.goal

    @property
    def card_values(self) -> str:
        """Return what cards are worth in this game, if that differs from their rank."""
        return self.game.card_values

    def dress(self, deal: int = 1) -> str:
        """Return the suits that only decorate the cards of a small match: of the prizes, then of each seat.

        `deal` is the number of a deal in its series, from 1. Each deal has the next suits.
        """
        turned = (deal - 1) % len(DRESS)
        return DRESS[turned:] + DRESS[:turned]

    @property
    def has_public_order(self) -> bool:
        """True if all seats know the order of the prizes."""
        return False

    def keys(self, state: State, seat: Seat) -> Cards:
        """Return every card that this seat could bid at some time in this deal, weak to strong: its keyboard."""
        return tuple(sorted(state.deal.hands[seat], key=self.strength))

    def shared_keys(self, state: State) -> Cards:
        """Return one keyboard for all seats; () if hands differ or are hidden."""
        first, *others = state.deal.hands
        if not self.facts.public_hands:
            return ()
        if any(hand != first and sorted(hand, key=str) != sorted(first, key=str) for hand in others):
            return ()
        return self.keys(state, 0)

    @cached_property
    def sale(self) -> Sale | None:
        """How this game sells its prizes; None for games without prizes."""
        return None

    def suit_order(self, exposed: Cards) -> str:
        """Return which suits win among equal ranks for the prizes auctioned now; "" if suits do not matter."""
        return ""

    def rounds(self, deal: Deal) -> int | None:
        """Return how many rounds this deal has; None if that is not fixed from the start."""
        return None

    def open_rounds(self, deal: Deal) -> int | None:
        """Return how many rounds may leave a seat a choice."""
        return self.rounds(deal)

    def value(self, prize: Card) -> int:
        """Return what a prize scores by itself."""
        return 0

    @cached_property
    def has_face_values(self) -> bool:
        """True if every prize is a number and scores that number."""
        return False

    def values(self, prizes: Cards) -> Sequence[Points]:
        """Return the score of each prize by itself."""
        return prizes if self.has_face_values else tuple(map(self.value, prizes))  # pyright: ignore[reportReturnType]

    def worth(self, state: State) -> Points | None:
        """Return the value at stake now; None if prizes have no fixed value."""
        return None

    def can_win(self, hands: Sequence[Cards], seat: Seat) -> bool:
        """Return True if a bid from this hand may win a prize above zero against bids from the others."""
        return True


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def check_distinct(cards: Cards, where: str) -> None:
    """Refuse cards that contain a card twice."""
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise BadDeal("card-twice", where=where, card=face(twice))
