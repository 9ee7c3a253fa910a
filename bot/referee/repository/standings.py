"""Ratings as the store keeps them, for the arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bot.engine.variants import GAMES, find
from bot.ratings.pool import Standing
from bot.ratings.skill import WINDOW, Skill, counts
from bot.referee.model import Store
from bot.referee.model.model import Setup, Snowflake, UserId
from bot.referee.model.people import Contender, Rating


def pool_of(game: str) -> str:
    """The classic family shares a pool, every other game has its own (design 7)."""
    found = find(game)
    return found.pool or found.key


async def met(store: Store, guild: Snowflake, game: str, users: Iterable[UserId], at: datetime) -> int:
    """How many matches of one pool these people had that counted, within a day before this."""
    pool = pool_of(game)
    games = [one.key for one in GAMES if pool_of(one.key) == pool]
    return await store.rated_pairs_since(guild, tuple(users), at - WINDOW, games)


async def enough(store: Store, guild: Snowflake, setup: Setup, users: Iterable[UserId], at: datetime) -> bool:
    """Whether a match that is agreed as rated cannot count, because so many of these people counted today."""
    return setup.rated and not counts(await met(store, guild, setup.game, users, at))


def standing_of(rating: Rating) -> Standing:
    """A stored rating, for the arithmetic."""
    skill = Skill(rating.mu, rating.sigma)
    return Standing(rating.user, skill, rating.played, rating.won, rating.drawn, rating.lost, rating.last)


def ranked_standing(one: Contender) -> Standing:
    """What is known of everybody in a ranking: enough to say who stands where."""
    return Standing(one.user, Skill(one.mu, one.sigma), one.played, last=one.last)
