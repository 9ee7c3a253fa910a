"""The skill of one person and how a result changes it: the Plackett-Luce model of openskill behind plain values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from openskill.models import PlackettLuce

MU = 25.0
SIGMA = 25.0 / 3.0
BETA = 25.0 / 6.0
"""The noise of one match: with exactly known skills, a lead of beta wins about 7 of 10 matches."""

PROVISIONAL = 8
"""The number of rated matches before a rating is no longer provisional."""

SETTLED = 3.0
FORGOTTEN = 104
WIDENING = (SIGMA**2 - SETTLED**2) / FORGOTTEN
"""The variance that a week away adds. After two years a settled player counts as unknown."""

WEEK = timedelta(weeks=1)

COUNTED = 5
WINDOW = timedelta(hours=24)
"""Limit against farming: of the rated matches of the same people, the first five within 24 hours count."""


@dataclass(frozen=True, slots=True)
class Skill:
    """A normal distribution: its mean and its standard deviation."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> float:
        """mu - 3 sigma, on the scale that people see."""
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
    """Return the mu - 3 sigma that gives this many points."""
    return (points - 1000) / 20


def rate_table(table: Sequence[tuple[Skill, int]]) -> tuple[Skill, ...]:
    """Return the skills after a match, in the same order. Place 1 is the best, equal places are ties."""
    if len(table) < 2:
        raise ValueError("a match to be rated has two seats or more")
    model = PlackettLuce(mu=MU, sigma=SIGMA, beta=BETA)
    teams = [[model.rating(skill.mu, skill.sigma)] for skill, _ in table]
    rated = model.rate(teams, ranks=[float(place) for _, place in table])
    return tuple(Skill(team[0].mu, min(SIGMA, team[0].sigma)) for team in rated)


def widen_skill(skill: Skill, away: timedelta) -> Skill:
    """Widen a skill for each full week without a match, up to a newcomer's."""
    weeks = max(0, away // WEEK)
    return Skill(skill.mu, min(SIGMA, math.sqrt(skill.sigma**2 + WIDENING * weeks)))


def is_provisional(played: int) -> bool:
    return played < PROVISIONAL


def is_counted(earlier: int) -> bool:
    """Return True if a match counts after this many counted matches of the same people within the window."""
    return earlier < COUNTED


def find_win_chances(skills: Sequence[Skill]) -> tuple[float, ...]:
    """Return the chance of each seat to win, with a draw shared.

    For two seats it is a logistic curve over the difference, scaled by its uncertainty (the forecast of openskill is
    too close to even). For more seats it is the same in Plackett-Luce form, with the uncertainty of an average pair.
    """
    scale = math.sqrt(2 / len(skills) * sum(skill.sigma**2 + BETA**2 for skill in skills))
    best = max(skill.mu for skill in skills)
    weights = [math.exp((skill.mu - best) / scale) for skill in skills]
    return tuple(weight / sum(weights) for weight in weights)


def find_win_chance(one: Skill, other: Skill) -> float:
    """Return the chance of the first player against the second."""
    return find_win_chances((one, other))[0]
