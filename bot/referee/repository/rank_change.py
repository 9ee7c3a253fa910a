"""By how many places somebody has moved in a ranking since a week ago."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from bot.ratings.pool import Standing, leaderboard
from bot.ratings.skill import SIGMA, WIDENING, Skill, surely
from bot.referee.model import Store
from bot.referee.model.model import Snowflake
from bot.referee.model.people import Before, Contender, Height
from bot.referee.model.seasons import Season
from bot.referee.model.views import LeaderboardRow
from bot.referee.repository.standings import ranked_standing


async def moved_since(
    store: Store,
    guild: Snowflake,
    pool: str,
    ranking: Sequence[Contender],
    own: LeaderboardRow,
    season: Season | None,
    since: datetime,
) -> int | None:
    """So many places up, or below zero down; None where they were not in this table then."""
    if season is not None and season.began > since:
        return None
    before = _before(ranking, await store.rated_since(guild, pool, since), season)
    lines = leaderboard(before, since)
    then = next((line.place for line in lines if line.standing.user == own.user), None)
    return None if then is None else then - own.place


def _before(ranking: Sequence[Contender], lately: Sequence[Before], season: Season | None) -> list[Standing]:
    """How everybody who is here stood before what they have played since."""
    first = {one.user: one for one in lately}
    found: list[Standing] = []
    for one in ranking:
        before = first.get(one.user)
        if before is None:
            found.append(ranked_standing(one))
        else:  # as it was when that match began to count, time away included
            all_time, then = Skill(before.mu, before.sigma), Skill(before.season_mu, before.season_sigma)
            found.append(Standing(one.user, all_time if season is None else then, one.played - before.played))
    return found


async def placed(store: Store, guild: Snowflake, pool: str, skill: Skill, now: datetime) -> tuple[int, int]:
    """The place of somebody who is as good as this, and of how many: as `leaderboard` has it, where whoever has the
    same number shown shares a place."""
    height = Height(surely(skill.shown + 0.5), now, WIDENING, SIGMA)
    found = await store.above(guild, pool, height)
    close = sum(ranked_standing(one).at(now).shown > skill.shown for one in found.close)
    return 1 + found.surely + close, found.size
