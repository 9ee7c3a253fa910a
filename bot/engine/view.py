"""What a seat, or the public, may see. Every display is drawn from an `Observation`."""

from dataclasses import replace

from bot.engine.cards import Card, Points, Seat
from bot.engine.choices import Prompt
from bot.engine.events import Bids, BidsCancelled, BidsRevealed, Event, Tied
from bot.engine.fast_values import value_type
from bot.engine.rules import Rules
from bot.engine.state import Cards, Round, State


@value_type
class Observation:
    """One deal as one seat sees it; `seat` is None for the public. None stands for hidden values."""

    game: str
    seat: Seat | None
    seats: int
    number: int
    """the round being played, from 1"""
    sub_round: int
    """the number of earlier sub-rounds of this round"""
    exposed: Cards
    fresh: Cards
    pot: Cards
    worth: Points | None
    stock_left: int
    to_come: Cards | None
    """prizes still to come: in their order where it is public, else sorted"""
    in_order: bool
    hands: tuple[Cards | None, ...]
    held: tuple[int, ...]
    spent: tuple[Cards | None, ...]
    aside: tuple[Cards, ...]
    table: tuple[Card | None, ...]
    won: tuple[Cards, ...]
    out: Cards
    scores: tuple[Points, ...]
    awaited: tuple[Seat, ...]
    prompt: Prompt | None
    """the prompt of this seat"""
    keys: Cards
    """every card that this seat could bid in this deal"""
    bids: Bids
    again: tuple[Bids, ...]
    turns: tuple[Seat, ...]
    picks: tuple[tuple[Seat, Card], ...]
    rounds: tuple[Round, ...]
    events: tuple[Event, ...]
    over: bool
    tallies: tuple[str, ...] = ()
    """for each seat an explanation of its score, or ""; empty if the scores need none"""
    winner: Seat | None = None
    """who won this deal; None while it is played, and for a shared first place"""
    shared: Cards = ()
    """The keyboard of a message for all seats; empty if hands differ or are hidden."""


def observe(state: State, seat: Seat | None) -> Observation:
    """Return what a seat may see (rules.md 1.3). No other function decides that."""
    rules = state.rules
    everything = state.over  # the end of a deal reveals the stock order, hidden hands and hidden bids
    public_hands = everything or rules.facts.public_hands
    public_bids = everything or not rules.hides_bids
    listed = public_bids and (everything or not rules.shows_bids_once)

    return Observation(
        game=rules.game.key,
        seat=seat,
        seats=rules.seats,
        number=state.number,
        sub_round=len(state.again),
        exposed=state.exposed,
        fresh=state.fresh,
        pot=state.pot,
        worth=rules.worth(state),
        stock_left=len(state.stock),
        to_come=_known_stock(rules, state),
        in_order=rules.has_public_order,
        hands=state.hands if public_hands else _own_cards(state.hands, seat),
        held=tuple(map(len, state.hands)),
        # RULING C6: spent cards are always listed, except under win-only information.
        spent=state.spent if listed else _own_cards(state.spent, seat),
        aside=state.aside,
        table=state.table,
        won=state.won,
        out=state.out,
        scores=rules.score(state),
        awaited=state.awaited,
        prompt=rules.prompt(state, seat) if seat is not None and seat in state.awaited else None,
        keys=() if seat is None else rules.keys(state, seat),
        bids=state.bids if public_bids else _own_bids(state.bids, seat),
        again=state.again if public_bids else tuple(_own_bids(bids, seat) for bids in state.again),
        turns=state.turns,
        picks=state.picks,
        rounds=state.rounds if listed else _redact_rounds(state, seat),
        events=state.events if public_bids else redact(state.events, seat),
        over=state.over,
        tallies=rules.tallies(state),
        winner=rules.winner(state) if state.over else None,
        shared=rules.shared_keys(state),
    )


def _known_stock(rules: Rules, state: State) -> Cards | None:
    """Return the cards left in the stock if they follow from public information, else None."""
    if rules.has_public_order:
        return state.stock
    if not rules.facts.public_hands and not (rules.hides_bids or rules.shows_bids_once):
        return None  # the stock cannot be distinguished from the other hands
    if rules.has_face_values:
        return tuple(sorted(state.stock))  # pyright: ignore[reportArgumentType]
    return tuple(sorted(state.stock, key=lambda card: (rules.value(card), str(card))))


def _own_cards(all: tuple[Cards, ...], seat: Seat | None) -> tuple[Cards | None, ...]:
    return tuple(cards if other == seat else None for other, cards in enumerate(all))


def _own_bids(bids: Bids, seat: Seat | None) -> Bids:
    return tuple(bid if other == seat else None for other, bid in enumerate(bids))


def _redact_rounds(state: State, seat: Seat | None) -> tuple[Round, ...]:
    """Redact all rounds; keep the last one if bids are shown once."""
    hidden = [_redact_round(played, seat) for played in state.rounds]
    last = state.rounds[-1:] if state.rules.shows_bids_once else ()
    return (*hidden[: len(hidden) - len(last)], *last)


def _redact_round(played: Round, seat: Seat | None) -> Round:
    return replace(
        played,
        bids=_own_bids(played.bids, seat),
        again=tuple(_own_bids(bids, seat) for bids in played.again),
        events=redact(played.events, seat),
    )


def redact(events: tuple[Event, ...], seat: Seat | None) -> tuple[Event, ...]:
    """Remove the bids from events: only the winner, or a tie, remains."""
    visible: list[Event] = []
    for event in events:
        match event:
            case BidsRevealed(bids, forced):
                visible.append(BidsRevealed(_own_bids(bids, seat), forced))
            case BidsCancelled():
                continue  # this event would reveal equal bids
            case Tied():
                visible.append(Tied(()))
            case _:
                visible.append(event)
    return tuple(visible)
