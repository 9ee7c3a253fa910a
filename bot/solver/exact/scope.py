"""Find out how the solver handles a match's rules, and convert what a seat observes to a solver position."""

from dataclasses import dataclass

from bot.engine.auction.auction import Auction
from bot.engine.rules import Rules
from bot.engine.variants.bid import ACE, AceHigh
from bot.engine.variants.pico import Pico
from bot.engine.view import Observation
from bot.solver.exact.endgame import Endgame, find_endgame, has_endgame
from bot.solver.exact.goal import FOR_POINTS, Goal
from bot.solver.exact.pico import Duel, find_duel
from bot.solver.exact.position import HIGHEST, MOST_CARDS, Position

GAMES = ("classic", "sops", "vultures")
HIGH = 14
"""The strength of the Ace of Bid."""
DUEL = "duel"
"""Pico: two hands and no prizes."""
EVEN = "even"
"""Blind bids without a pot: every bid has the same value, so the equilibrium plays all equally often."""


@dataclass(frozen=True)
class Scope:
    """How the solver handles a match; `why` names the obstacle, or is empty."""

    why: str = ""
    method: str = "induction"  # or DUEL, or EVEN
    ties: str = "discard"
    swap: bool = False
    ordered: bool = False
    least: bool = False
    clinch: bool = False
    """whether the deal ends as soon as it is won; then its final score is not known, only its winner"""
    late: bool = False
    """whether only the end of a deal is solved"""
    ace_high: bool = False

    @property
    def is_solvable(self) -> bool:
        return not self.why


def find_scope(rules: Rules) -> Scope:
    """Return how a match under these rules is solved."""
    if isinstance(rules, Pico):
        return Scope(method=DUEL)
    why = _find_obstacle(rules)
    if why:
        ends_early = isinstance(rules, Auction) and rules.ends_early
        return Scope(why, late=has_endgame(rules), ace_high=isinstance(rules, AceHigh), clinch=ends_early)
    assert isinstance(rules, Auction)
    if rules.blind and (rules.ties == "carry" or rules.swap):
        return Scope("blind bids with carried ties or exchanged hands are not solved")
    return Scope(
        method=EVEN if rules.blind else "induction",
        ties=rules.ties,
        swap=rules.swap,
        ordered=rules.has_public_order,
        least=rules.least_wins,
        clinch=rules.ends_early,
    )


def _find_obstacle(rules: Rules) -> str:
    if not isinstance(rules, Auction) or rules.game.key not in GAMES:
        return "only classic GOPS, SOPS, Vultures and Pico are solved"
    if rules.seats != 2:
        return "only two seats are solved"
    if rules.per_bid != 1 or rules.expose:
        return "only one card a bid and one prize at a time are solved"
    if rules.hides_bids or rules.shows_bids_once:
        return "hidden bids are not solved"
    if rules.ties not in ("discard", "split", "carry"):
        return "these ties are not solved"
    return ""


def find_position(rules: Rules, seen: Observation, goal: Goal = FOR_POINTS) -> Position | Duel | Endgame | None:
    """Return the position of the observing seat, for any game; None if it cannot be solved, or not yet."""
    scope = find_scope(rules)
    if scope.late:
        return find_endgame(rules, seen, goal)
    return find_duel(rules, seen, goal) if scope.method == DUEL else find_auction_position(rules, seen, goal)


def find_auction_position(rules: Rules, seen: Observation, goal: Goal = FOR_POINTS) -> Position | None:
    """Return the position of the observing seat, with its prize up; None if it cannot be solved, or not yet.

    If the fewest points win, the order of the cards is reversed (`convert_card`).
    """
    scope = find_scope(rules)
    if not scope.is_solvable or scope.method != "induction" or seen.seat is None or not seen.exposed:
        return None
    mine, theirs = seen.hands[seen.seat], seen.hands[1 - seen.seat]
    if mine is None or theirs is None or seen.to_come is None or seen.worth is None or len(mine) > MOST_CARDS:
        return None
    up = rules.value(seen.exposed[-1])
    later = [rules.value(card) for card in seen.to_come]
    return Position(
        _convert_hand(mine, scope),
        _convert_hand(theirs, scope),
        (up, *later) if scope.ordered else tuple(sorted((up, *later))),
        up,
        ties=scope.ties,
        pot=int(seen.worth) - up if scope.ties == "carry" else 0,
        ordered=scope.ordered,
        swap=scope.swap,
        objective=goal.objective,
        lead=-goal.find_lead(seen) if scope.least else goal.find_lead(seen),
    )


def _convert_hand(hand: tuple[object, ...], scope: Scope) -> tuple[int, ...]:
    return tuple(sorted(convert_card(int(str(card)), scope) for card in hand))


def convert_card(card: int, scope: Scope) -> int:
    """Convert a card of the match to the solver's card, or back: the conversion is its own inverse."""
    if scope.ace_high:
        return {ACE: HIGH, HIGH: ACE}.get(card, card)
    return HIGHEST + 1 - card if scope.least else card
