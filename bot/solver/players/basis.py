"""What Sage plays by: worked out without the solver's libraries, so that the bot can say it before Sage has thought."""

from itertools import combinations

from bot.engine.rules import Rules
from bot.engine.view import Observation
from bot.solver.exact.endgame import Endgame, find_endgame
from bot.solver.exact.goal import TO_WIN, Goal
from bot.solver.exact.pico import Duel
from bot.solver.exact.position import MOST_CARDS, Position
from bot.solver.exact.scope import DUEL, EVEN, find_auction_position, find_scope
from bot.solver.players.reader import can_read

LEAN, LEAN_POINTS = "lean", "lean-points"
"""Of Hawk: exact, and leaning on habits by as much as it may."""
ROLLED = "rolled"
"""At tables of three and more: by games played out, which is strong, and solves nothing."""
WIN, NEAR, POINTS, ROUGH, READER, SLY = "win", "near", "points", "rough", "reader", "sly"
"""Besides `EVEN`: blind bids, where every bid is as good as any other."""

AT_ONCE = 10
"""With carried ties or exchanged hands so many cards are solved for points within a turn's time."""
WON_AT_ONCE = {(False, False): 9, (True, False): 8, (False, True): 13, (True, True): 13}
"""So many cards are solved for the chance to win within a turn's time: with carried ties? in an order both know?"""
MINUTE = 11
"""Of points so many cards are solved in well under a minute; beyond that the shipped tables have the game of 13."""


def find_basis(rules: Rules, seen: Observation, goal: Goal = TO_WIN) -> str:
    """How Sage decides here: for the chance to win, exactly or nearly; for points, exactly or roughly; evenly; or as
    another level."""
    found = find_scope(rules)
    if found.method == DUEL:
        return WIN if goal.win else POINTS
    if found.solvable and found.method == EVEN:
        return EVEN
    if found.late and find_endgame(rules, seen, goal) is not None:
        return WIN if goal.win else POINTS
    here = find_auction_position(rules, seen, goal) if found.solvable else None
    if here is None:
        return ROLLED if can_roll(rules, seen) else READER if can_read(rules, seen) else SLY
    return find_position_basis(here)


def can_roll(rules: Rules, seen: Observation) -> bool:
    """Whether a table of three and more is one for rollouts."""
    return (
        rules.game.key == "classic"
        and seen.seats > 2
        and can_read(rules, seen)
        and rules.options["ties"] in ("discard", "split", "carry", "unique-discard", "unique-carry")
        and seen.worth is not None
    )


def find_hawk_basis(rules: Rules, seen: Observation, goal: Goal = TO_WIN) -> str:
    """How Hawk decides here: where habits mean something and all is exact it leans on them, else it plays as Sage."""
    how = find_basis(rules, seen, goal)
    found = find_scope(rules)
    leans = can_read(rules, seen) and found.method not in (DUEL, EVEN) and not found.late
    return {WIN: LEAN, POINTS: LEAN_POINTS}.get(how, how) if leans else how


def find_position_basis(here: Position) -> str:
    """The same for a position that can be solved."""
    if here.aim.win:
        best, next_best = len(here.mine) <= WON_AT_ONCE[here.aim.carry, here.ordered], NEAR
    else:
        best, next_best = is_points_known(here), ROUGH
    return (WIN if here.aim.win else POINTS) if best else next_best if is_plain_known(here) else READER


def is_plain_known(here: Position) -> bool:
    """Whether the game for points with discarded ties is found within a turn's time: solved, or in a table."""
    return here.ordered or len(here.mine) <= MINUTE or _is_left_of(here, MOST_CARDS)


def is_points_known(here: Position) -> bool:
    """Whether exact play for points is found within a turn's time: solved, or in a table of the game of 13 cards."""
    if len(here.mine) <= AT_ONCE or here.ordered:
        return True
    if not (here.aim.carry or here.swap):
        return is_plain_known(here)
    return here.aim.carry and not here.swap and is_reachable(here, MOST_CARDS)


def _is_left_of(here: Position, cards: int) -> bool:
    """Whether hands and prizes are such as a game of so many cards leaves; of the hands only the order matters."""
    return 0 < min(here.prizes) <= max(here.prizes) <= cards and len({*here.mine, *here.theirs}) <= cards


def is_reachable(here: Position, cards: int) -> bool:
    """Whether a game of so many cards with carried ties leads here, so that its table has all that may follow.

    A tie takes the same card out of both hands, so a pot has no more prizes than there are such cards. With equal hands
    any pot will do: a tie leaves equal hands, which are worth nothing, and after any other bids it is gone.
    """
    if not _is_left_of(here, cards):
        return False
    ranks = {*here.mine, *here.theirs}
    gone = [prize for prize in range(1, cards + 1) if prize not in here.prizes]
    return len(ranks) == len(here.mine) or any(
        here.pot == sum(tied) for ties in range(cards - len(ranks) + 1) for tied in combinations(gone, ties)
    )


def can_solve(here: Position | Duel | Endgame) -> bool:
    """Whether it is worth while to look closer at a position that somebody typed in: what knows it, or how long a solve
    takes, is worked out where the libraries are."""
    if isinstance(here, Duel | Endgame) or here.ordered:
        return True
    if here.aim.carry and not here.swap and len(here.mine) > MINUTE:
        return is_points_known(here)
    return is_plain_known(here) if here.aim.plain else len(here.mine) <= MINUTE
