"""Where one person stands in a ranking, by a count of those above them."""

from __future__ import annotations

from datetime import datetime

from bot.ratings.skill import SIGMA, WIDENING, Skill, surely
from bot.referee.model import Store
from bot.referee.model.model import Snowflake
from bot.referee.model.people import Height
from bot.referee.repository.standings import ranked_standing


async def placed(store: Store, guild: Snowflake, pool: str, skill: Skill, now: datetime) -> tuple[int, int]:
    """The place of somebody who is as good as this, and of how many: as `leaderboard` has it, where whoever has the
    same number shown shares a place."""
    height = Height(surely(skill.shown + 0.5), now, WIDENING, SIGMA)
    found = await store.above(guild, pool, height)
    close = sum(ranked_standing(one).at(now).shown > skill.shown for one in found.close)
    return 1 + found.surely + close, found.size
