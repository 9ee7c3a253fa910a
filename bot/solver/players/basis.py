"""Find the basis of Sage's and Hawk's choices. It needs neither numpy nor numba, so the bot can show it at once."""

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
"""Hawk: exact play that exploits habits within its budget, for the chance to win or for points."""
ROLLED = "rolled"
"""Tables of three or more seats: the card is chosen by rollouts; nothing is solved."""
WIN, NEAR, POINTS, ROUGH, READER, SLY = "win", "near", "points", "rough", "reader", "sly"
"""Exact or estimated for the chance to win, exact or rough for points, or the choice of another level.

There is also `EVEN`: blind bids, where all bids have the same value."""

AT_ONCE = 10
"""The most cards that are solved for points within the time of a turn, with carried ties or exchanged hands."""
WON_AT_ONCE = {(False, False): 9, (True, False): 8, (False, True): 13, (True, True): 13}
"""The most cards that are solved for the chance to win within the time of a turn.

Keys: whether ties are carried, whether both sides know the order of the prizes."""
MINUTE = 11
"""The most cards that are solved for points in well under a minute; the shipped tables have larger positions."""


def find_basis(rules: Rules, seen: Observation, goal: Goal = TO_WIN) -> str:
    """Return the basis of Sage's choice in this observation."""
    scope = find_scope(rules)
    if scope.method == DUEL:
        return WIN if goal.is_to_win else POINTS
    if scope.is_solvable and scope.method == EVEN:
        return EVEN
    if scope.late and find_endgame(rules, seen, goal) is not None:
        return WIN if goal.is_to_win else POINTS
    position = find_auction_position(rules, seen, goal) if scope.is_solvable else None
    if position is None:
        return ROLLED if can_roll(rules, seen) else READER if can_read(rules, seen) else SLY
    return find_position_basis(position)


def can_roll(rules: Rules, seen: Observation) -> bool:
    """Return True if rollouts can play this table of three or more seats."""
    return (
        rules.game.key == "classic"
        and seen.seats > 2
        and can_read(rules, seen)
        and rules.options["ties"] in ("discard", "split", "carry", "unique-discard", "unique-carry")
        and seen.worth is not None
    )


def find_hawk_basis(rules: Rules, seen: Observation, goal: Goal = TO_WIN) -> str:
    """Return the basis of Hawk's choice: it exploits habits where they can be read and play is exact, else as Sage."""
    basis = find_basis(rules, seen, goal)
    scope = find_scope(rules)
    can_lean = can_read(rules, seen) and scope.method not in (DUEL, EVEN) and not scope.late
    return {WIN: LEAN, POINTS: LEAN_POINTS}.get(basis, basis) if can_lean else basis


def find_position_basis(position: Position) -> str:
    """Return the basis of Sage's choice in a position that the solver has."""
    if position.aim.win:
        best, next_best = len(position.mine) <= WON_AT_ONCE[position.aim.carry, position.ordered], NEAR
    else:
        best, next_best = is_points_known(position), ROUGH
    return (WIN if position.aim.win else POINTS) if best else next_best if is_plain_known(position) else READER


def is_plain_known(position: Position) -> bool:
    """Return True if a solve or a table answers the game for points, ties discarded, within the time of a turn."""
    return position.ordered or len(position.mine) <= MINUTE or _fits_game(position, MOST_CARDS)


def is_points_known(position: Position) -> bool:
    """Return True if a solve or a table answers the exact game for points within the time of a turn."""
    if len(position.mine) <= AT_ONCE or position.ordered:
        return True
    if not (position.aim.carry or position.swap):
        return is_plain_known(position)
    return position.aim.carry and not position.swap and is_reachable(position, MOST_CARDS)


def _fits_game(position: Position, cards: int) -> bool:
    """Return True if a game of this many cards can have these prizes and hands; of the hands only the order matters."""
    return (
        0 < min(position.prizes) <= max(position.prizes) <= cards and len({*position.mine, *position.theirs}) <= cards
    )


def is_reachable(position: Position, cards: int) -> bool:
    """Return True if a game of this many cards with carried ties reaches the position; then its table has all values.

    A tie takes the same card out of both hands, so a pot has at most as many prizes as there are such cards. With equal
    hands any pot is allowed: a tie leaves equal hands, which are worth nothing, and other bids win the pot.
    """
    if not _fits_game(position, cards):
        return False
    ranks = {*position.mine, *position.theirs}
    gone = [prize for prize in range(1, cards + 1) if prize not in position.prizes]
    return len(ranks) == len(position.mine) or any(
        position.pot == sum(tied) for ties in range(cards - len(ranks) + 1) for tied in combinations(gone, ties)
    )


def can_solve(position: Position | Duel | Endgame) -> bool:
    """Return True if a worker process may be able to answer a typed position.

    The worker then looks for it in the tables or estimates the time of a solve.
    """
    if isinstance(position, Duel | Endgame) or position.ordered:
        return True
    if position.aim.carry and not position.swap and len(position.mine) > MINUTE:
        return is_points_known(position)
    return is_plain_known(position) if position.aim.is_plain else len(position.mine) <= MINUTE
