"""Read positions that a user types in, for all games that are solved."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bot.engine.auction.auction import Auction
from bot.engine.cards import read_plain
from bot.engine.variants import bid, classic, find_game, pico, psych, sops, vultures
from bot.solver.coach.advice import Inquiry
from bot.solver.exact import endgame
from bot.solver.exact.endgame import Endgame
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import HIGHEST, MOST_CARDS, MOST_LEAD, MOST_POT, Position

GAMES = tuple(
    (game.key, game.name) for game in (classic.GAME, sops.GAME, vultures.GAME, pico.GAME, bid.GAME, psych.GAME)
)
"""Keys and names of the games whose positions can be typed."""


class TypingError(ValueError):
    """A typed position cannot be read; `why` is the reason, `data` are the words of its message.

    The reasons are "card" (`x`), "repeat" (`x`, `n`), "up-left" (`x`), "one-prize", "cards", "prize", "no-prize",
    "pico", "pot", "lead", too "large" (`game`), "unknown-order" (`game`), and not the "end" of a deal (`game`, `n`).
    """

    def __init__(self, why: str, **data: object) -> None:
        super().__init__(why)
        self.why, self.data = why, data


@dataclass(frozen=True, slots=True)
class TypedPosition:
    """The fields of a form for a position; cards like `A 3 10 K`."""

    mine: str
    theirs: str
    prize: str = ""
    left: str = ""
    ties: str = ""
    game: str = classic.GAME.key
    pot: int = 0
    lead: int = 0
    ordered: bool = False
    """whether both sides know that the prizes left come in the order typed"""
    payoffs: str = ""


def read_cards(text: str, *, prizes: bool = False, times: int = 1) -> tuple[int, ...]:
    """Read cards like A 3 10 K, separated by blanks or commas, in the order typed.

    Prizes may be negative. A card may occur at most `times` times.
    """
    cards = list[int]()
    for word in text.replace(",", " ").split():
        below = prizes and word[0] in "-−"
        digits = word[1:] if below else word
        card = read_plain(digits.upper()) or (int(digits) if digits.isdecimal() and len(digits) <= 2 else 0)
        card = -card if below and isinstance(card, int) else card
        if not isinstance(card, int) or not 1 <= abs(card) <= HIGHEST:
            raise TypingError("card", x=word)
        if cards.count(card) == times:
            raise TypingError("repeat", x=word, n=times)
        cards.append(card)
    return tuple(cards)


def read_typed(typed: TypedPosition) -> Inquiry:
    """Read a typed position. Negative prizes are for Vultures; Pico has no prizes."""
    if typed.game in endgame.GAMES:
        position = _read_endgame(typed)
    else:
        position = _read_duel(typed) if typed.game == pico.GAME.key else _read_auction(typed)
    if abs(typed.lead) > MOST_LEAD:
        raise TypingError("lead")
    return Inquiry(position, typed.lead, typed.payoffs)


def _read_auction(typed: TypedPosition) -> Position:
    hands = _read_hand(typed.mine), _read_hand(typed.theirs)
    mice = typed.game == vultures.GAME.key
    up, later = read_cards(typed.prize, prizes=mice), read_cards(typed.left, prizes=mice)
    if not up:
        later = _read_hidden(typed, later)
    if len(up) > 1:
        raise TypingError("one-prize")
    if not hands[0]:
        raise TypingError("card", x=typed.mine)
    if set(up) & set(later):
        raise TypingError("up-left", x=typed.prize.strip())
    if not len(hands[0]) == len(hands[1]) == len(up) + len(later):
        raise TypingError("cards")
    if len(hands[0]) > MOST_CARDS:
        raise TypingError("large", game=dict(GAMES)[typed.game])
    ties = "carry" if mice else typed.ties or ("carry" if typed.pot else "discard")
    if typed.pot and (ties != "carry" or abs(typed.pot) > MOST_POT):
        raise TypingError("pot")
    return Position(
        *hands,
        (*up, *later) if typed.ordered else tuple(sorted((*up, *later))),
        up[0] if up else None,
        ties=ties,
        pot=typed.pot,
        swap=typed.game == sops.GAME.key,
        ordered=typed.ordered,
    )


def _read_hidden(typed: TypedPosition, later: tuple[int, ...]) -> tuple[int, ...]:
    """Return the prizes of a position before one is turned: those left, in Classic and SOPS A to the number of cards.

    The other questions are about one prize."""
    count, is_about_one = len(_read_hand(typed.mine)), typed.ordered or typed.lead or typed.payoffs
    if is_about_one or len(later) == count - 1 or (not later and typed.game == vultures.GAME.key):
        raise TypingError("prize")
    return later or tuple(range(1, count + 1))


def _read_hand(text: str) -> tuple[int, ...]:
    return tuple(sorted(read_cards(text)))


def _read_duel(typed: TypedPosition) -> Duel:
    if typed.prize.strip() or typed.left.strip() or typed.pot or typed.ordered:
        raise TypingError("no-prize")
    hands = _read_hand(typed.mine), _read_hand(typed.theirs)
    printed = pico.PACKS["pico2"]
    cards = {*hands[0], *hands[1]}
    sizes = sorted(map(len, hands))
    if not cards <= printed.keys() or len(cards) < sum(sizes) or not 2 <= sizes[0] <= sizes[1] <= pico.HAND:
        raise TypingError("pico")
    return Duel(*hands, tuple(sorted(printed.items())))


def _read_endgame(typed: TypedPosition) -> Endgame:
    """Read the end of a deal of Bid or Psych: `left` holds all prizes that may follow, more than will be turned."""
    game = find_game(typed.game)
    if typed.pot or typed.ordered:
        raise TypingError("unknown-order", game=game.name)
    if not typed.prize.strip():
        raise TypingError("prize")
    rules = game.rules(2, {})
    assert isinstance(rules, Auction)
    hands, up = (_read_hand(typed.mine), _read_hand(typed.theirs)), read_cards(typed.prize)
    later = read_cards(typed.left, times=2)
    strange = [str(card) for card in (*hands[0], *hands[1], *up, *later) if card not in rules.hand]
    if strange:
        raise TypingError("card", x=strange[0])
    if len(up) != 1:
        raise TypingError("one-prize")
    if Counter((*up, *later))[up[0]] > (most := rules.prizes.count(up[0])):
        raise TypingError("repeat", x=typed.prize.strip(), n=most)
    if not 1 <= len(hands[0]) == len(hands[1]) <= min(endgame.MOST, len(later) + 1):
        raise TypingError("end", game=game.name, n=endgame.MOST)
    mine, theirs = (tuple(sorted(map(rules.strength, hand))) for hand in hands)
    return Endgame(mine, theirs, rules.value(up[0]), tuple(sorted(map(rules.value, later))), rules.circular)
