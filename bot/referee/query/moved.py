"""By how many places somebody has moved in a ranking since a week ago."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from bot.ratings.pool import Standing, leaderboard
from bot.ratings.skill import Skill
from bot.referee.match.standings import standing_of
from bot.referee.ports import Store
from bot.referee.ports.people import Rating, RatingEntry
from bot.referee.ports.seasons import Season
from bot.referee.query.views import LeaderboardRow


async def moved_since(
    store: Store, ratings: Sequence[Rating], own: LeaderboardRow, season: Season | None, since: datetime
) -> int | None:
    """So many places up, or below zero down; None where they were not in this table then."""
    if season is not None and season.began > since:
        return None
    mine = next(one for one in ratings if one.user == own.user)
    entries = await store.rated_since(mine.guild, mine.pool, since)
    before = _before(ratings, entries, season)
    lines = leaderboard(before, since)
    then = next((line.place for line in lines if line.standing.user == own.user), None)
    return None if then is None else then - own.place


def _before(ratings: Sequence[Rating], entries: Sequence[RatingEntry], season: Season | None) -> list[Standing]:
    """How everybody who is here stood before what they have played since."""
    first: dict[int, RatingEntry] = {}
    for one in entries:
        first.setdefault(one.user, one)
    played = Counter(one.user for one in entries)
    found: list[Standing] = []
    for one in ratings:
        if not one.here or one.user <= 0:
            continue
        entry = first.get(one.user)
        if entry is None:
            found.append(standing_of(one))
        else:  # as it was when that match began to count, time away included
            all_time, then = Skill(entry.mu_before, entry.sigma_before), Skill(entry.season_mu, entry.season_sigma)
            found.append(Standing(one.user, all_time if season is None else then, one.played - played[one.user]))
    return found
