"""The levels of the house, and what a mind is given to think about.

A new level is one entry in `LEVELS`. Its mind is a plain function of a module, so that it can be sent to another
process; one that needs heavy libraries imports them inside, and is `slow`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.engine.choices import Choice
from bot.engine.rules import Rules
from bot.engine.series import Series
from bot.engine.view import Observation
from bot.solver.exact.goal import Goal
from bot.solver.players import reader, simple
from bot.solver.players.basis import find_basis, find_hawk_basis
from bot.solver.players.chance import Chance
from bot.solver.players.habits import ShownBid


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked, and all that it may know."""

    rules: Rules
    series: Series
    seen: Observation
    """the present deal as this seat sees it; `seen.prompt` is what it is asked"""
    past: tuple[Observation, ...]
    """the finished deals of the match, as this seat sees them"""
    chance: Chance
    """chance, this prompt's and this seat's own: the same question always draws the same"""
    shown: tuple[ShownBid, ...] = ()
    """what the one opponent bid in earlier matches, where they allow the house to learn from that"""


Mind = Callable[[Question], Choice]


@dataclass(frozen=True, slots=True)
class Level:
    """A way in which the house plays. Every level plays every game."""

    key: str
    """permanent: the name of a house seat in the store is made of it"""
    name: str
    title: str
    """for pickers, after the name"""
    mind: Mind
    slow: bool = False
    """whether it thinks in a worker process, against the clock"""
    remembers: bool = False
    """whether it learns from past matches of players who allow it"""
    looks_ahead: bool = False
    """whether what may be asked next is worked out while people think"""
    basis: Callable[[Rules, Observation, Goal], str] | None = None
    """what it plays by at this moment, where that is worth saying"""
    blind_title: str = ""
    """its title where bids come before the prize is turned, if that differs"""

    def explain(self, rules: Rules) -> str:
        """Return how it plays by these rules, to stand after its name."""
        blind = rules.sale is not None and rules.sale.blind
        return self.blind_title if blind and self.blind_title else self.title


def _choose_at_random(asked: Question) -> Choice:
    return simple.choose_at_random(asked.rules, asked.seen, asked.chance)


def _choose_as_matcher(asked: Question) -> Choice:
    return simple.choose_matcher_bid(asked.rules, asked.seen, off=simple.draw_offset(asked.seen, asked.chance))


def _choose_as_sly(asked: Question) -> Choice:
    return simple.choose_sly_bid(asked.rules, asked.seen, simple.draw_offset(asked.seen, asked.chance))


def _choose_as_reader(asked: Question) -> Choice:
    return reader.choose_reader_bid(asked.rules, asked.seen, asked.past, asked.chance)


def _choose_as_hawk(asked: Question) -> Choice:
    from bot.solver.players import hawk

    before = [deal.scores for deal in asked.past]
    return hawk.choose_hawk_bid(
        asked.rules, asked.seen, asked.past, asked.chance, asked.series, before, asked.shown
    ) or _choose_as_sage(asked)


def _choose_as_sage(asked: Question) -> Choice:
    from bot.solver.players import rollouts, sage

    before = [deal.scores for deal in asked.past]
    return (
        sage.choose_sage_bid(asked.rules, asked.seen, asked.chance, asked.series, before)
        or rollouts.choose_by_rollouts(asked.rules, asked.seen, asked.past, asked.chance)
        or _choose_as_reader(asked)
    )


SLY = Level("sly", "Sly", "one above the prize", _choose_as_sly, blind_title="bids just above its middle card")
"""also who plays for a mind that runs out of time"""

LEVELS: list[Level] = [
    Level("random", "Random", "any card", _choose_at_random),
    Level("matcher", "Matcher", "bids the prize's rank", _choose_as_matcher, blind_title="bids its middle card"),
    SLY,
    Level("reader", "Reader", "learns your habits in this match", _choose_as_reader),
    Level(
        "hawk",
        "Hawk",
        "uses your habits, safely",
        _choose_as_hawk,
        slow=True,
        remembers=True,
        looks_ahead=True,
        basis=find_hawk_basis,
    ),
    Level("sage", "Sage", "exact equilibrium", _choose_as_sage, slow=True, looks_ahead=True, basis=find_basis),
]


def find_level(key: str) -> Level | None:
    return next((level for level in LEVELS if level.key == key), None)
