"""What is believed of one person's skill, and how a result moves it: openskill's Plackett-Luce behind plain values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from openskill.models import PlackettLuce

MU = 25.0
SIGMA = 25.0 / 3.0
BETA = 25.0 / 6.0
"""How much one match says: with a difference of beta the better one wins about 7 of 10, were both known exactly."""

PROVISIONAL = 8
"""Rated matches until somebody counts as known."""

SETTLED = 3.0
FORGOTTEN = 104
WIDENING = (SIGMA**2 - SETTLED**2) / FORGOTTEN
"""c squared: the variance that a week away adds. Somebody settled is as good as unknown after two years."""

WEEK = timedelta(weeks=1)

COUNTED = 5
WINDOW = timedelta(hours=24)
"""Farming guard: of the rated matches of the same people, the first five within 24 hours count."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A bell curve: its middle and its width."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> float:
        """What is surely there, on the scale that people see."""
        return 1000 + 20 * (self.mu - 3 * self.sigma)

    @property
    def shown(self) -> int:
        return round(self.points)

    @property
    def spread(self) -> int:
        """The number after ±."""
        return round(20 * self.sigma)


NEWCOMER = Skill()


def find_certain_skill(points: float) -> float:
    """mu - 3 sigma of whoever has so many points."""
    return (points - 1000) / 20


def rate_table(table: Sequence[tuple[Skill, int]]) -> tuple[Skill, ...]:
    """The skills after a match, in the same order; each comes with its place, 1 is the best, equal places are ties."""
    if len(table) < 2:
        raise ValueError("a match to be rated has two seats or more")
    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)
    teams = [[model.rating(skill.mu, skill.sigma)] for skill, _ in table]
    rated = model.rate(teams, ranks=[float(place) for _, place in table])
    return tuple(Skill(team[0].mu, min(SIGMA, team[0].sigma)) for team in rated)


def widen_skill(skill: Skill, away: timedelta) -> Skill:
    """A skill after a time without a match: every full week makes it wider, up to a newcomer's."""
    weeks = max(0, away // WEEK)
    return Skill(skill.mu, min(SIGMA, math.sqrt(skill.sigma**2 + WIDENING * weeks)))


def is_provisional(played: int) -> bool:
    return played < PROVISIONAL


def is_counted(earlier: int) -> bool:
    """Whether a match counts after so many others of the same people that counted within the window."""
    return earlier < COUNTED


def find_win_chances(skills: Sequence[Skill]) -> tuple[float, ...]:
    """What each seat was given beforehand; a draw is shared.

    Two seats: a logistic curve over the difference, in units of everything that is uncertain about it
    (openskill's own forecast is far too timid). More seats: the same in Plackett-Luce's form, with the uncertainty of
    an average pair.
    """
    scale = math.sqrt(2 / len(skills) * sum(skill.sigma**2 + BETA**2 for skill in skills))
    best = max(skill.mu for skill in skills)
    weights = [math.exp((skill.mu - best) / scale) for skill in skills]
    return tuple(weight / sum(weights) for weight in weights)


def find_win_chance(one: Skill, other: Skill) -> float:
    """What the first one was given against the second."""
    return find_win_chances((one, other))[0]
