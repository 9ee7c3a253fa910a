"""A pool of players: results carried out one after the other, and who stands where."""

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
        """Their skill now: it grew wider since the last match."""
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
    """What a match did to one person."""

    user: int
    seat: int
    place: int
    before: Skill
    """as it was when the match ended, time away included"""
    after: Standing


@dataclass(frozen=True, slots=True)
class LeaderboardLine:
    """A line of the leaderboard."""

    place: int
    """from 1; who has the same number shown shares one"""
    standing: Standing
    skill: Skill
    """now"""


def rate_match(standings: Mapping[int, Standing], result: RatedMatch) -> tuple[RatingUpdate, ...]:
    """What a result does to the people of its table, in seat order; who has no standing is a newcomer."""
    users = [user for user, _ in result.places]
    if len(set(users)) < len(users) or not all(users):
        raise ValueError(f"match {result.match} cannot be rated: everybody must be a person, and sit once")
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
    """Everybody in order of what is surely there (mu - 3 sigma), time away included.

    Equal ones: more matches go first, then whoever reached it earlier, then the lower user id.
    """
    skills = [(standing, standing.at(now)) for standing in standings if standing.played]
    skills.sort(
        key=lambda one: (-one[1].points, -one[0].played, one[0].last or LONG_AGO, one[0].user),
    )
    lines: list[LeaderboardLine] = []
    for number, (standing, skill) in enumerate(skills, 1):
        same = lines and lines[-1].skill.shown == skill.shown
        lines.append(LeaderboardLine(lines[-1].place if same else number, standing, skill))
    return lines
