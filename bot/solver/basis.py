"""What Sage plays by: worked out without the solver's libraries, so that the bot can say it before Sage has thought."""

from bot.engine.rules import Rules
from bot.engine.view import Observation
from bot.solver.position import MOST_CARDS, Position
from bot.solver.reader import can_read
from bot.solver.scope import EVEN, position, scope
from bot.solver.shelf import BUILT, SHIPPED, name_of

EXACT, POINTS, READER, SLY = "exact", "points", "reader", "sly"
"""Besides `EVEN`: blind bids, where every bid is as good as any other."""

AT_ONCE = 9
"""With carried ties or exchanged hands so many cards are solved within a turn's time."""
MINUTE = 11
"""Of points so many cards are solved in well under a minute; beyond that the shipped table has the game of 13."""
CARRIED = ((11, SHIPPED / name_of(11, "carry")), (13, BUILT / name_of(13, "carry")))
"""Tables with every later position of a game with carried ties: up to so many cards, and the file."""


def basis(rules: Rules, seen: Observation) -> str:
    """How Sage decides here: exactly, by the points mix of discarded ties, evenly, or as another level."""
    found = scope(rules)
    if found.solvable and found.method == EVEN:
        return EVEN
    here = position(rules, seen) if found.solvable else None
    if here is None:
        return READER if can_read(rules, seen) else SLY
    cards = len(here.mine)
    if here.aim.plain or cards <= AT_ONCE:
        return EXACT
    if here.aim.carry and not here.swap and not here.ordered and _tabled(rules):
        return EXACT
    return POINTS


def _tabled(rules: Rules) -> bool:
    """Whether a table has every later position of this game with carried ties."""
    most = max(map(rules.value, rules.pack()), default=0)
    return any(most <= cards and file.exists() for cards, file in CARRIED)


def can_solve(here: Position) -> bool:
    """Whether a position that somebody typed in can be solved while they wait."""
    cards = len(here.mine)
    if not here.aim.plain:
        tabled = max(here.prizes) <= CARRIED[0][0] and CARRIED[0][1].exists()
        return cards <= AT_ONCE or (tabled and not here.swap and cards <= CARRIED[0][0])
    return cards <= MINUTE or max(here.prizes) <= MOST_CARDS
