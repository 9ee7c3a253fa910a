"""Ratings as the store keeps them, for the arithmetic."""

from __future__ import annotations

from bot.engine.variants import find
from bot.ratings.pool import Standing
from bot.ratings.skill import Skill
from bot.referee.ports.people import Rating


def pool_of(game: str) -> str:
    """The classic family shares a pool, every other game has its own (design 7)."""
    found = find(game)
    return found.pool or found.key


def standing_of(rating: Rating) -> Standing:
    """A stored rating, for the arithmetic."""
    skill = Skill(rating.mu, rating.sigma)
    return Standing(rating.user, skill, rating.played, rating.won, rating.drawn, rating.lost, rating.last)
