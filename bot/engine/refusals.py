"""Refusals as data: an id, the values of the sentence's placeholders, and the sentence itself.

    RuleError
    ├── Unreadable   it cannot be understood: malformed, of the wrong type, an unknown name
    ├── BadSetup     a game, its options or its series do not fit together
    ├── BadDeal      cards that cannot have been dealt
    ├── Illegal      understood, but not allowed now
    └── NotAwaited   stale, or nothing is asked of this seat

A refusal never changes a state. Sentences about a choice name the seat, as a record does; the interface has its own
sentences for a player who pressed a key.
"""

from collections.abc import Mapping

from bot.engine.counted import Counted, Sentence


class RuleError(Exception):
    """Something was not accepted; nothing changed."""

    def __init__(self, id: str, **data: object) -> None:
        super().__init__(id)
        self.id = id
        self.data = data

    def __str__(self) -> str:
        return SENTENCES[self.id].format(
            **{key: value if key in OURS else printable(value) for key, value in self.data.items()}
        )


OURS = ("list", "all")
"""Values that are never shortened: lists that the sentence itself announces."""

LONGEST = 200
"""Characters of a value that a sentence repeats."""
MOST_DIGITS = 20


def printable(value: object) -> object:
    """Make a value fit for one line of text: short, without line breaks, control characters or lone surrogates."""
    if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
        return f"{'-' if value < 0 else ''}{_first_digits(abs(value))}…"
    if not isinstance(value, str):
        return value
    text = value if len(value) <= LONGEST else f"{value[: LONGEST - 1]}…"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _first_digits(value: int) -> int:
    """Return the first digits of a large number, which Python may refuse to write in full."""
    size = int(value.bit_length() * 0.30103)
    return value // 10 ** max(size - MOST_DIGITS + 1, 0)


class Unreadable(RuleError):
    """It cannot be understood."""


class BadSetup(RuleError):
    """A game, its options or its series do not fit together."""


class BadDeal(RuleError):
    """Cards that cannot have been dealt."""


class Illegal(RuleError):
    """Understood, but not allowed now."""


class NotAwaited(RuleError):
    """Stale, or nothing is asked of this seat."""


SENTENCES: Mapping[str, Sentence] = {
    # games and options
    "unknown-game": 'There is no game "{x}". Did you mean {y}? All games: {all}',
    "no-such-game": 'There is no game "{x}". All games: {all}',
    "unknown-option": '{game} has no rule "{x}". It has: {list}',
    "ace-spoken": "{game}: an Ace is high or low with the sealed bid. If that were said after the cards are shown, the"
    " slowest player could look first.",
    "option-elsewhere": '{game} does not have the rule "{x}".',
    "option-of-others": '{game} does not have the rule "{x}". It works in: {list}.',
    "bad-value": "{option} must be {range}.",
    "asked-twice": '"{x}" and "{y}" do not go together. Choose one of them.',
    "short-last-single": "A short last bid needs 2 or 3 cards a bid: with 1 card a bid, no cards are left over.",
    "wrong-seats": "{game} is for {range} players, not for {n}.",
    "fixed-seats": Counted("{game} is for exactly 1 player.", "{game} is for exactly {n} players."),
    # rules that exclude each other: every row of rules.md 5.3
    "rebid-seats": "Bidding again after a tie needs exactly 2 players here: with more, hands would become unequal.",
    "open-split": "With open prizes ties cannot be split: prizes are picked whole.",
    "open-rebid": "Open prizes cannot go with bidding again: equal bids get no pick.",
    "open-swap": "Open prizes cannot go with swapping cards.",
    "open-blind": "Open prizes cannot be blind: they lie face up before you bid.",
    "swap-seats": "Swapping cards is for 2 players.",
    "swap-win-only": "Swapping cards would show what win-only hides.",
    "swap-rebid": "Swapping cards cannot go with bidding again.",
    "compare-seats": "{game} is for 2 players only.",
    "compare-cards": "{game} takes one card a bid.",
    "order-blind": "A public prize order makes blind bids pointless. Choose one of the two.",
    "clinch": "{game} has no early win: points can still change.",
    "clinch-series": "No early win in this series: all points of a deal count.",
    "win-only-open": "Win-only cannot go with open prizes: it would show the bids.",
    "win-only-pico": "Win-only cannot go with Pico: it would show the bids.",
    "win-only-welsh": "Win-only cannot go with Welsh Warfare: it would show the bids.",
    "win-only-rebid": "Win-only cannot go with bidding again: it would show the bids.",
    "win-only-split": "Win-only cannot go with split ties: it would show the bids.",
    "negative-open": "Prizes below zero cannot go with open prizes.",
    "margin-seats": "Scores can be a difference only between 2 players with one prize at a time.",
    "suits-few": "Suits need at most 3 players, at most 13 cards and one prize at a time. Otherwise cards are numbers.",
    "negative-clinch": "Prizes below zero rule out an early win.",
    "cards-range": "A hand has 2 to 25 cards.",
    "bid-cards-range": "A bid takes 1 to 3 cards and no more than the hand has.",
    "row-size": Counted("The open row shows 1 prize.", "The open row shows 1 to {n} prizes."),
    "row-winners": "With an open row exactly one player picks each round.",
    "open-winners": Counted(
        "With open prizes 1 player picks each round.", "With open prizes 1 to {n} players pick each round."
    ),
    "order-needed": 'A custom order needs the prizes listed, for example "prizes in the order {list}".',
    "order-listed": "Prizes can be listed only for a custom order.",
    "order-wrong": "The order must name each of {cards} once.",
    "series-unknown": 'There is no series "{x}". Choose one of: {list}.',
    "series-odd": "A best-of series has an odd number of deals.",
    # deals
    "deal-shape": "{what}",
    "card-unknown": "{where}: {card} is not a card of this game.",
    "choice-unknown": "{card} is not a card of this game.",
    "card-twice": "{where}: {card} is there twice.",
    "card-often": Counted("{where}: {card} is there once.", "{where}: {card} is there {n} times."),
    "hand-missing": "{game} needs every hand written out.",
    "hands-count": Counted("there is 1 hand for {seats} seats.", "there are {n} hands for {seats} seats."),
    "hands-unequal": "the hands are of unequal length: {lengths}.",
    "hand-size": Counted(
        "the hand of seat {seat} has 1 card, not {want}.", "the hand of seat {seat} has {n} cards, not {want}."
    ),
    "hand-fixed": "the hand of seat {seat} must be {want}.",
    "hand-exchanged": "the hands must be those of the deal before, swapped.",
    "stock-missing": "{game} needs its stock, top card first.",
    "stock-none": "{game} has no stock.",
    "stock-size": Counted("the stock has 1 card, not {want}.", "the stock has {n} cards, not {want}."),
    "stock-order": "the stock is not in the order agreed: {want}.",
    "pack-mismatch": "{card} should be somewhere once.",
    # choices
    "wrong-kind": "this needs a {asked}, not a {given}.",
    "seat-not-asked": "seat {seat} has nothing to do now.",
    "no-such-seat": "there is no seat {seat}.",
    "already-chosen": "seat {seat} has chosen already in this round.",
    "seat-not-next": "seat {next} picks now, not seat {seat}.",
    "prize-not-open": "{card} is not among the open prizes: {cards}.",
    "seat-lacks-card": "seat {seat} does not hold {card}; its cards are {hand}.",
    "seat-spent-card": "seat {seat} has spent {card}; its cards are {hand}.",
    "seat-lost-card": "{card} went to the other seat when both swapped their cards; seat {seat} holds {hand}.",
    "seat-set-card-aside": "{card} of seat {seat} is set aside until this {round} ends.",
    "bid-too-small": Counted("a bid takes 1 card now, not {n}.", "a bid takes {k} cards now, not {n}.", by="k"),
    "bid-too-large": Counted("a bid takes 1 card now, not {n}.", "a bid takes {k} cards now, not {n}.", by="k"),
    "same-card-twice": "{card} cannot be bid twice at once.",
    "ace-bare": 'an Ace is bid as "A+" (high) or "A-" (low).',
    "not-forced": "the referee would have forced {want}, not {card}.",
    "deal-over": "the deal is over.",
    "deal-open": "the deal before it is not finished.",
    "seat-gone": "seat {seat} has left.",
    "match-ended": "the match is over.",
}
