"""Seasons: how long one lasts, how ratings begin anew in it, and a pool replayed with the seasons that it went through.

All-time ratings go on beside a season's. In a season everybody begins where all-time ratings have them at that moment,
pulled half of the way to somebody unknown: so no season hangs on the one before, and each can be worked out anew.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.ratings.pool import RatedMatch, RatingUpdate, Standing, rate_match
from bot.ratings.skill import MU, SIGMA, Skill

KEPT = 0.5
"""of what somebody was above or below the unknown, so much is kept"""


def find_next_end(months: int, now: datetime) -> datetime:
    """The first midnight (UTC) after this at which so many months end, counted from January."""
    first = (now.month - 1) // months * months
    year, month = divmod(now.year * 12 + first + months, 12)
    return datetime(year, month + 1, 1, tzinfo=UTC)


def pull_to_middle(skill: Skill) -> Skill:
    """The same, half of the way to somebody unknown."""
    return Skill(MU + KEPT * (skill.mu - MU), min(SIGMA, math.sqrt(KEPT * skill.sigma**2 + (1 - KEPT) * SIGMA**2)))


def begin_standing(all_time: Standing, began: datetime) -> Standing:
    """How somebody begins a season, who stood so in all-time ratings."""
    return Standing(all_time.user, pull_to_middle(all_time.at(began)), last=began)


def list_standings(
    users: Iterable[int], known: Mapping[int, Standing], all_time: Mapping[int, Standing], began: datetime
) -> dict[int, Standing]:
    """How these people stand in a season, for a match of it: as they do, or as they begin."""
    return {user: known.get(user) or begin_standing(all_time.get(user, Standing(user)), began) for user in users}


@dataclass(frozen=True, slots=True)
class SeasonSpan:
    """When a season began and when it ended; None while it goes on."""

    began: datetime
    ended: datetime | None = None

    def has(self, at: datetime) -> bool:
        return self.began <= at and (self.ended is None or at < self.ended)


@dataclass(slots=True)
class ReplayedPool:
    """A pool from its results."""

    standings: dict[int, Standing] = field(default_factory=dict[int, Standing])
    """all-time"""
    moves: dict[str, tuple[RatingUpdate, ...]] = field(default_factory=dict[str, "tuple[RatingUpdate, ...]"])
    seasons: list[dict[int, Standing]] = field(default_factory=list[dict[int, Standing]])
    """of each season, at its end"""
    season_moves: dict[str, tuple[RatingUpdate, ...]] = field(default_factory=dict[str, "tuple[RatingUpdate, ...]"])
    """what each match did in its season's table"""


def replay_results(results: Iterable[RatedMatch], spans: Sequence[SeasonSpan] = ()) -> ReplayedPool:
    """All-time ratings and those of each season, from all results: the same steps as one by one, the same numbers."""
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
