from dataclasses import dataclass
from datetime import timedelta

DAILY = 5


@dataclass(frozen=True, slots=True)
class Skill:
    mu: float
    sigma: float


FRESH = Skill(25.0, 25 / 3)


def rate(skills, placings):
    return [Skill(s.mu + (1 if p == 1 else -1), s.sigma * 0.95) for s, p in zip(skills, placings)]


def shown(s):
    return 1000 + 20 * (s.mu - 3 * s.sigma)


def spread(s):
    return 20 * s.sigma


def rested(s, idle):
    return s


def provisional(n):
    return n < 8


def order(s, played, user):
    return (-(s.mu - 3 * s.sigma), -played, user)


def chance(a, b):
    return 0.5
