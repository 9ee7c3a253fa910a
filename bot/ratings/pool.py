"""A pool of players: the effect of each result, the leaderboard, and seasons.

All-time ratings continue beside the ratings of a season. A player begins a season with the all-time rating of that
moment, pulled half of the way to a newcomer's. So each season can be computed without the one before.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from bot.ratings.skill import MU, NEWCOMER, SIGMA, Skill, is_provisional, rate_table, widen_skill

LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Standing:
    """One person in a pool."""

    user: int
    skill: Skill = NEWCOMER
    """after the last match"""
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    last: datetime | None = None

    def at(self, now: datetime) -> Skill:
        """Return the skill at a time: uncertainty grows after the last match."""
        return self.skill if self.last is None else widen_skill(self.skill, now - self.last)

    @property
    def provisional(self) -> bool:
        return is_provisional(self.played)


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that counts."""

    match: str
    at: datetime
    places: tuple[tuple[int, int], ...]
    """user and place, in seat order; 1 is the best, equal places are ties"""


@dataclass(frozen=True, slots=True)
class RatingUpdate:
    """The change that a match made for one person."""

    user: int
    seat: int
    place: int
    before: Skill
    """the skill when the match ended, time away included"""
    after: Standing


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """A line of the leaderboard."""

    place: int
    """from 1; people with the same shown number share a place"""
    standing: Standing
    skill: Skill
    """now"""


def rate_match(standings: Mapping[int, Standing], result: RatedMatch) -> tuple[RatingUpdate, ...]:
    """Return the change for each player of a match, in seat order; a player without a standing is a newcomer."""
    users = [user for user, _ in result.places]
    if len(set(users)) < len(users) or not all(users):
        raise ValueError(f"match {result.match} cannot be rated: each seat needs a different person")
    sitting = [standings.get(user, Standing(user)) for user in users]
    before = [standing.at(result.at) for standing in sitting]
    places = [place for _, place in result.places]
    after = rate_table(list(zip(before, places, strict=True)))
    return tuple(
        RatingUpdate(
            users[seat], seat, place, before[seat], _count_result(sitting[seat], after[seat], place, places, result.at)
        )
        for seat, place in enumerate(places)
    )


def _count_result(standing: Standing, skill: Skill, place: int, places: list[int], at: datetime) -> Standing:
    first = place == min(places)
    alone = places.count(place) == 1
    return replace(
        standing,
        skill=skill,
        played=standing.played + 1,
        won=standing.won + (first and alone),
        drawn=standing.drawn + (first and not alone),
        lost=standing.lost + (not first),
        last=at,
    )


def rank_standings(standings: Iterable[Standing], now: datetime) -> list[LeaderboardLine]:
    """Rank all players by mu - 3 sigma, time away included.

    Among equals, more matches go first, then the earlier last match, then the lower user id.
    """
    skills = [(standing, standing.at(now)) for standing in standings if standing.played]
    skills.sort(key=lambda pair: (-pair[1].points, -pair[0].played, pair[0].last or LONG_AGO, pair[0].user))
    lines: list[LeaderboardLine] = []
    for number, (standing, skill) in enumerate(skills, 1):
        same = lines and lines[-1].skill.shown == skill.shown
        lines.append(LeaderboardLine(lines[-1].place if same else number, standing, skill))
    return lines


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
