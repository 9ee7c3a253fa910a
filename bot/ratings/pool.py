"""A pool of players: the effect of each result, and the leaderboard."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.ratings.skill import NEWCOMER, Skill, is_provisional, rate_table, widen_skill

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
