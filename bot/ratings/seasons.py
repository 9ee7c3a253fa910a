"""Seasons: when one ends, how ratings begin in it, and the replay of a pool with its seasons.

All-time ratings continue beside the ratings of a season. A player begins a season with the all-time rating of that
moment, pulled half of the way to a newcomer's. So each season can be computed without the one before.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.ratings.pool import RatedMatch, RatingUpdate, Standing, rate_match
from bot.ratings.skill import MU, SIGMA, Skill

KEPT = 0.5
"""The share of the distance to a newcomer that is kept."""


def find_next_end(months: int, now: datetime) -> datetime:
    """Return the first midnight (UTC) after this time at which a period of months, counted from January, ends."""
    first = (now.month - 1) // months * months
    year, month = divmod(now.year * 12 + first + months, 12)
    return datetime(year, month + 1, 1, tzinfo=UTC)


def pull_to_middle(skill: Skill) -> Skill:
    """Pull a skill half of the way to a newcomer's."""
    return Skill(MU + KEPT * (skill.mu - MU), min(SIGMA, math.sqrt(KEPT * skill.sigma**2 + (1 - KEPT) * SIGMA**2)))


def begin_standing(all_time: Standing, began: datetime) -> Standing:
    """Return the standing at the beginning of a season, from the all-time standing."""
    return Standing(all_time.user, pull_to_middle(all_time.at(began)), last=began)


def list_standings(
    users: Iterable[int], known: Mapping[int, Standing], all_time: Mapping[int, Standing], began: datetime
) -> dict[int, Standing]:
    """Return the standings of these players in a season; players without one begin it."""
    return {user: known.get(user) or begin_standing(all_time.get(user, Standing(user)), began) for user in users}


@dataclass(frozen=True, slots=True)
class SeasonSpan:
    """The beginning and the end of a season; the end is None while the season lasts."""

    began: datetime
    ended: datetime | None = None

    def has(self, at: datetime) -> bool:
        return self.began <= at and (self.ended is None or at < self.ended)


@dataclass(slots=True)
class ReplayedPool:
    """A pool computed from its results."""

    standings: dict[int, Standing] = field(default_factory=dict[int, Standing])
    """all-time"""
    moves: dict[str, tuple[RatingUpdate, ...]] = field(default_factory=dict[str, "tuple[RatingUpdate, ...]"])
    seasons: list[dict[int, Standing]] = field(default_factory=list[dict[int, Standing]])
    """of each season, at its end"""
    season_moves: dict[str, tuple[RatingUpdate, ...]] = field(default_factory=dict[str, "tuple[RatingUpdate, ...]"])
    """the changes of each match in the table of its season"""


def replay_results(results: Iterable[RatedMatch], spans: Sequence[SeasonSpan] = ()) -> ReplayedPool:
    """Compute all-time ratings and those of each season from all results, with the same steps as match by match."""
    found = ReplayedPool(seasons=[{} for _ in spans])
    for result in sorted(results, key=lambda result: (result.at, result.match)):
        users = [user for user, _ in result.places]
        for span, standings in zip(spans, found.seasons, strict=True):
            if span.has(result.at):
                moves = rate_match(list_standings(users, standings, found.standings, span.began), result)
                standings.update((move.user, move.after) for move in moves)
                found.season_moves[result.match] = moves
        found.moves[result.match] = rate_match(found.standings, result)
        found.standings.update((move.user, move.after) for move in found.moves[result.match])
    return found
