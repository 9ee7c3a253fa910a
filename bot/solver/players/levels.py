"""The levels of the house, and the question that a level answers.

A new level is one entry in `LEVELS`. Its mind is a module-level function, so that it can be pickled for another
process. A mind that needs numpy or numba imports them inside the function, and its level is `slow`.
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
    """The prompt of a seat, with all that the seat may know."""

    rules: Rules
    series: Series
    seen: Observation
    """the current deal as this seat sees it, with its prompt"""
    past: tuple[Observation, ...]
    """the finished deals of the match, as this seat sees them"""
    chance: Chance
    """random numbers of this prompt and this seat; the same question always draws the same numbers"""
    shown: tuple[ShownBid, ...] = ()
    """the opponent's bids in earlier matches, if the opponent lets the house learn from them"""


Mind = Callable[[Question], Choice]


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the house. Every level plays every game."""

    key: str
    """permanent, because the names of house seats in the store contain it"""
    name: str
    title: str
    """how it plays, in a few words"""
    mind: Mind
    strength: str = ""
    """for pickers, after the name"""
    slow: bool = False
    """whether it thinks in a worker process, against the clock"""
    remembers: bool = False
    """whether it learns from earlier matches of players who allow it"""
    looks_ahead: bool = False
    """whether it solves likely next positions while players think"""
    basis: Callable[[Rules, Observation, Goal], str] | None = None
    """finds the basis of its choice; None if there is only one"""
    blind_title: str = ""
    """the title if bids come before the prize is turned; empty if it is the same"""

    def explain(self, rules: Rules) -> str:
        """Return the title of the level under these rules."""
        blind = rules.sale is not None and rules.sale.blind
        return self.blind_title if blind and self.blind_title else self.title


def _choose_at_random(question: Question) -> Choice:
    return simple.choose_at_random(question.rules, question.seen, question.chance)


def _choose_as_matcher(question: Question) -> Choice:
    return simple.choose_matcher_bid(
        question.rules, question.seen, off=simple.draw_offset(question.seen, question.chance)
    )


def _choose_as_sly(question: Question) -> Choice:
    return simple.choose_sly_bid(question.rules, question.seen, simple.draw_offset(question.seen, question.chance))


def _choose_as_reader(question: Question) -> Choice:
    return reader.choose_reader_bid(question.rules, question.seen, question.past, question.chance)


def _choose_as_hawk(question: Question) -> Choice:
    from bot.solver.players import hawk

    before = [deal.scores for deal in question.past]
    return hawk.choose_hawk_bid(
        question.rules, question.seen, question.past, question.chance, question.series, before, question.shown
    ) or _choose_as_sage(question)


def _choose_as_sage(question: Question) -> Choice:
    from bot.solver.players import rollouts, sage

    before = [deal.scores for deal in question.past]
    return (
        sage.choose_sage_bid(question.rules, question.seen, question.chance, question.series, before)
        or rollouts.choose_by_rollouts(question.rules, question.seen, question.past, question.chance)
        or _choose_as_reader(question)
    )


SLY = Level(
    "sly", "Sly", "one above the prize", _choose_as_sly, "medium", blind_title="bids just above its middle card"
)
"""also the substitute for a level that runs out of time"""

LEVELS: list[Level] = [
    Level("random", "Random", "any card", _choose_at_random, "easiest"),
    Level(
        "matcher", "Matcher", "bids the prize's rank", _choose_as_matcher, "easy", blind_title="bids its middle card"
    ),
    SLY,
    Level("reader", "Reader", "learns your habits in this match", _choose_as_reader, "hard"),
    Level(
        "hawk",
        "Hawk",
        "uses your habits, safely",
        _choose_as_hawk,
        "very hard",
        slow=True,
        remembers=True,
        looks_ahead=True,
        basis=find_hawk_basis,
    ),
    Level(
        "sage", "Sage", "exact equilibrium", _choose_as_sage, "strongest", slow=True, looks_ahead=True, basis=find_basis
    ),
]


def find_level(key: str) -> Level | None:
    return next((level for level in LEVELS if level.key == key), None)
