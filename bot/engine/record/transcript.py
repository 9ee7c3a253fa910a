"""A match in plain sentences, one line a round, for people who read a record."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from bot.engine.cards import Card, Points, Seat, face, faces, format_points
from bot.engine.choices import Bid
from bot.engine.counted import Counted
from bot.engine.events import (
    Bids,
    BidsCancelled,
    BidsRevealed,
    CardRemoved,
    CardsCaptured,
    CardScored,
    CardsReturned,
    CardsSetAside,
    DealEnded,
    Event,
    HandsSwitched,
    PickMade,
    PrizeRevealed,
    PrizesAwarded,
    PrizesCarried,
    PrizesLost,
    PrizesShared,
    SeatEliminated,
    SeatLeftTrick,
    SubRoundStarted,
    Tied,
)
from bot.engine.match import Match
from bot.engine.rules import Rules
from bot.engine.series import count_wins
from bot.engine.state import State

NAMES = tuple(f"P{seat}" for seat in range(1, 9))
"""Seats without names; letters would look like Aces."""

_AGAIN = Counted("{names} bids again:", "{names} bid again:")
_SPLIT = Counted("{prizes} is split: {each} each for {names}.", "{prizes} are split: {each} each for {names}.")
_STAYS = Counted("{prizes} stays for the next round.", "{prizes} stay for the next round.")
_LONGEST = Counted("{prizes} is the oldest prize: nobody gets it.", "{prizes} are the oldest prizes: nobody gets them.")
_LOST = "Nobody gets {prizes}."
_LEFT = Counted("{names} has no other card.", "{names} have no other card.")
_WHY = {
    "clinched": " Nobody can catch up any more.",
    "one-card": " A player has one card left, so the deal is over.",
    "cap": " The last trick is played.",
    "deadlock": " Nobody can win a trick any more.",
}


class Teller:
    """Events in words, for these seats and this game. `you` is the seat that is spoken to as "You"."""

    def __init__(self, rules: Rules, names: Sequence[str] = NAMES, you: Seat | None = None) -> None:
        self.names = names
        self.rules = rules
        self.you = you
        self.has_court_letters = rules.has_court_letters
        self.turned: tuple[Card, ...] = ()

    def cards(self, cards: tuple[Card, ...]) -> str:
        return faces(cards, self.has_court_letters)

    def listed(self, cards: Iterable[Card]) -> str:
        """List cards that one seat gains, or that no seat gains, as a part of a sentence."""
        return _listed([face(card, self.has_court_letters) for card in cards])

    def seats(self, seats: Iterable[Seat]) -> str:
        return _listed([self.names[seat] for seat in seats]) or "nobody"

    def does(self, seat: Seat, verb: str) -> str:
        """Return a seat with a verb, given in the form "take"."""
        return f"{self.names[seat]} {verb}" if seat == self.you else f"{self.names[seat]} {verb}s"

    def number(self, seats: Sequence[Seat]) -> int:
        """Return 1 if a verb after these seats ends in s."""
        return 2 if seats == [self.you] else len(seats)

    def owner(self, seat: Seat) -> str:
        return "Your" if seat == self.you else f"{self.names[seat]}'s"

    def owned(self, cards: tuple[tuple[Seat, Card], ...]) -> str:
        told = ", ".join(f"{self.owner(seat)} {face(card, self.has_court_letters)}" for seat, card in cards)
        return told.replace("Your ", "your ")

    def bids(self, bids: Bids) -> str:
        return ", ".join(
            f"{self.names[seat]} {' + '.join(face(card, self.has_court_letters) for card in bid.cards)}"
            for seat, bid in enumerate(bids)
            if isinstance(bid, Bid)
        )

    def turn(self, prizes: tuple[Card, ...]) -> str:
        """Describe the prizes that were turned: one or several, after blind bids, or in a row."""
        if self.is_row and len(prizes) > 1:
            return f"On view: {self.cards(prizes)}."
        if self.is_row:
            return f"{self.cards(prizes)} joins the row."
        what = f"Prize {self.cards(prizes)}" if len(prizes) == 1 else f"Prizes {self.cards(prizes)}"
        blind = self.rules.sale is not None and self.rules.sale.blind
        return f"The bids are in, and {what[0].lower()}{what[1:]} is turned." if blind else f"{what}."

    @property
    def is_row(self) -> bool:
        return self.rules.sale is not None and self.rules.sale.row

    @property
    def strikes_out(self) -> bool:
        """True if a tie of several seats means that no bid is alone."""
        sale = self.rules.sale
        return sale is not None and sale.cancel and not sale.returned and self.rules.seats > 2

    def tell(self, event: Event) -> str:
        """Describe one event as a sentence; "" for events that others imply."""
        match event:
            case PrizeRevealed(prizes):
                self.turned = prizes
                return self.turn(prizes)
            case BidsRevealed(bids, forced):
                by_referee = f" ({self.seats(forced)} by the referee)" if forced else ""
                why = self.rules.remark(bids, self.turned)
                return f"{self.bids(bids)}{by_referee}.{f' {why}' if why else ''}"
            case BidsCancelled(seats):
                return f"{self.seats(seats)} tie, so their bids don't count."
            case Tied(seats) if self.strikes_out:
                return "No bid counts."
            case Tied(seats):
                return f"{self.seats(seats)} tie." if seats else "A tie."
            case SubRoundStarted(seats, _):
                return _AGAIN.format(n=self.number([*seats]), names=self.seats(seats))
            case PrizesAwarded(seat, prizes, points):
                worth = f" ({_signed(points)})" if points else ""
                return f"{self.does(seat, 'take')} {self.listed(prizes)}{worth}."
            case PrizesShared(seats, prizes, each):
                return _SPLIT.format(
                    n=len(prizes), prizes=self.listed(prizes), each=format_points(each), names=self.seats(seats)
                )
            case PrizesCarried(prizes):
                return _STAYS.format(n=len(prizes), prizes=self.listed(prizes))
            case PrizesLost(prizes) if self.is_row:
                return _LONGEST.format(n=len(prizes), prizes=self.listed(prizes))
            case PrizesLost(prizes):
                return _LOST.format(prizes=self.listed(prizes))
            case PickMade(seat, prize, _, _):
                return f"{self.does(seat, 'pick')} {face(prize, self.has_court_letters)}."
            case CardsSetAside(cards):
                return f"Set aside: {self.owned(cards)}."
            case CardsReturned(cards):
                return f"Back in hand: {self.owned(cards)}."
            case CardsCaptured(seat, cards):
                return f"{self.does(seat, 'capture')} {self.listed(cards)}."
            case CardRemoved(seat, card):
                return f"{self.owner(seat)} {face(card)} is out of play."
            case CardScored(seat, card, points):
                return f"{self.does(seat, 'keep')} {face(card, self.has_court_letters)} ({_signed(points)})."
            case HandsSwitched():
                return "Both players swap their cards: each now holds the other's cards."
            case SeatLeftTrick(seat):
                return _LEFT.format(n=self.number([seat]), names=self.names[seat])
            case SeatEliminated(seat):
                return f"{self.names[seat]} {'are' if seat == self.you else 'is'} out of cards."
            case DealEnded(_, why):
                return _WHY.get(why, "").strip()
            case _:
                return ""

    def story(self, events: Iterable[Event]) -> str:
        """Describe events in order; group seats that leave a trick together."""
        sentences: list[str] = []
        for leaves, group in groupby(events, lambda event: isinstance(event, SeatLeftTrick)):
            if leaves:
                seats = [event.seat for event in group if isinstance(event, SeatLeftTrick)]
                sentences.append(_LEFT.format(n=self.number(seats), names=self.seats(seats)))
            else:
                sentences += filter(None, map(self.tell, group))
        return " ".join(sentences)


def transcript(match: Match, names: Sequence[str] = NAMES) -> str:
    """Describe a whole match."""
    rules = match.rules
    teller = Teller(rules, names)
    lines = [f"{rules.game.name}, {rules.seats} seats, {match.series}"]
    options = {key: value for key, value in rules.options.items() if value not in (None, False)}
    if options:
        lines.append(", ".join(f"{key} {value}" for key, value in options.items()))
    for number, state in enumerate(match.deals):
        lines += ["", f"Deal {number + 1}", *_deal(teller, state)]
    lines += ["", _ending(match, teller)]
    return "\n".join(lines)


def _deal(teller: Teller, state: State) -> list[str]:
    lines = [
        f"{number:>3}. {teller.story(played.events)} [{_scores(played.scores)}]"
        for number, played in enumerate(state.rounds, 1)
    ]
    if not state.over and state.events:
        lines.append(f"{state.number:>3}. {teller.story(state.events)}")
    lines.append(f"     Score: {_scores(state.rules.score(state))}{'' if state.over else ', still open'}")
    margins = state.rules.margins(state)
    if margins is not None:
        lines.append(f"     Difference: {' : '.join(map(_signed, margins))}")
    return lines


def _ending(match: Match, teller: Teller) -> str:
    totals = f"Total: {_scores(match.totals)}"
    if len(match.finished) > 1:
        totals += f", wins {_scores(tuple(count_wins(match.results)))}"
    if not match.over:
        return f"{totals}. Not finished."
    outcome = match.outcome()
    how = outcome.termination.word.replace("-", " ")
    if not outcome.termination.counts:
        return f"{totals}. The match was {how} and does not count."
    if outcome.winner is None:
        return f"{totals}. A draw, {how}."
    return f"{totals}. {teller.names[outcome.winner]} wins, {how}."


def _listed(parts: Sequence[str]) -> str:
    """Return a; A and B; A, B and C."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _scores(scores: Iterable[Points]) -> str:
    return " : ".join(map(format_points, scores))


def _signed(points: Points) -> str:
    return format_points(points) if points < 0 else f"+{format_points(points)}"
