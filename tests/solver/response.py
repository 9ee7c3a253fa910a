"""The best answer to a given strategy, and what the strategy loses to it."""

from collections.abc import Callable, Sequence

from bot.solver.exact.position import Position
from bot.solver.exact.solve import ValueSource, answer_position

Strategy = Callable[[Position], Sequence[float]]
"""A chance for every card of `mine`, ascending; the prize is up."""
Known = Callable[[Position], float | None]
"""What the strategy guarantees from a position before the turn, where that is known beforehand."""


def guaranteed(start: Position, strategy: Strategy, known: Known | None = None) -> float:
    """What a strategy brings at least, against the best answer to it, before a prize is turned.

    Every position that may arise is looked at, so whole games of up to seven cards take seconds.
    """
    seen: dict[Position, float] = {}

    def from_here(position: Position) -> float:
        if not position.mine:
            return float((position.lead > 0) - (position.lead < 0)) if position.aim.win else 0.0
        if position not in seen:
            found = known(position) if known else None
            seen[position] = _turns(position) if found is None else found
        return seen[position]

    def _turns(position: Position) -> float:
        ups = position.prizes[:1] if position.ordered else position.prizes
        return sum(against(position.turned(up)) for up in ups) / len(ups)

    def against(position: Position) -> float:
        assert position.up is not None
        mix = strategy(position)
        stake = 0 if position.aim.win else position.up + position.pot
        worst = float("inf")
        for theirs in position.theirs:
            total = 0.0
            for chance, mine in zip(mix, position.mine, strict=True):
                if chance:
                    won = (mine > theirs) - (mine < theirs)
                    total += chance * (from_here(position.after(mine, theirs)) + stake * won)
            worst = min(worst, total)
        return worst

    return from_here(start)


def exploitability(start: Position, strategy: Strategy, value: float, known: Known | None = None) -> float:
    """How much less than the value of the game a strategy guarantees."""
    return value - guaranteed(start, strategy, known)


def of_source(source: ValueSource) -> Strategy:
    """Play what a solve or a table says."""

    def play(position: Position) -> Sequence[float]:
        found = answer_position(source, position)
        assert found is not None
        return found.mix

    return play
