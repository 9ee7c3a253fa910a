"""Stored ratings for the arithmetic, counted meetings, and places in a ranking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.ratings.pool import Standing, rank_standings
from bot.ratings.skill import SIGMA, WIDENING, WINDOW, Skill, find_certain_skill, is_counted
from bot.referee.model.changes import SaveRating
from bot.referee.model.model import Setup, Snowflake, UserId
from bot.referee.model.people import Before, Contender, Height, Rating
from bot.referee.model.seasons import LeaderboardRow, Season
from data.store import Store


async def count_met(store: Store, guild: Snowflake, game: str, users: Iterable[UserId], at: datetime) -> int:
    """Return how many counted matches these people had in a game, within a day before `at`."""
    return await store.rated_pairs_since(guild, tuple(users), at - WINDOW, (game,))


async def is_limit_reached(store: Store, guild: Snowflake, setup: Setup, users: Iterable[UserId], at: datetime) -> bool:
    """Return True if a rated match cannot count, because these people had too many counted ones today."""
    return setup.rated and not is_counted(await count_met(store, guild, setup.game, users, at))


def standing_of(rating: Rating) -> Standing:
    """Return a stored rating, for the arithmetic."""
    skill = Skill(rating.mu, rating.sigma)
    return Standing(rating.user, skill, rating.played, rating.won, rating.drawn, rating.lost, rating.last)


def rating_of(guild: Snowflake, pool: str, name: str, standing: Standing, here: bool = True) -> Rating:
    """Return a standing in the form in which the store keeps it."""
    skill = standing.skill
    return Rating(
        guild=guild,
        pool=pool,
        user=standing.user,
        name=name,
        mu=skill.mu,
        sigma=skill.sigma,
        played=standing.played,
        won=standing.won,
        drawn=standing.drawn,
        lost=standing.lost,
        last=standing.last,
        here=here,
    )


def save_over(before: Rating | None, rating: Rating, season: bool = False) -> SaveRating:
    """Return the step that saves a rating in place of the one before it, which is expected."""
    expect, mu = (0, None) if before is None else (before.played, before.mu)
    return SaveRating(rating, expect, mu, season)


def ranked_standing(one: Contender) -> Standing:
    """Return the standing of a person in a ranking."""
    return Standing(one.user, Skill(one.mu, one.sigma), one.played, last=one.last)


async def find_rank_change(
    store: Store,
    guild: Snowflake,
    pool: str,
    ranking: Sequence[Contender],
    own: LeaderboardRow,
    season: Season | None,
    since: datetime,
) -> int | None:
    """Return the places gained since then, negative if lost; None if they were not ranked then."""
    if season is not None and season.began > since:
        return None
    before = _list_earlier(ranking, await store.rated_since(guild, pool, since), season)
    lines = rank_standings(before, since)
    then = next((line.place for line in lines if line.standing.user == own.user), None)
    return None if then is None else then - own.place


def _list_earlier(ranking: Sequence[Contender], lately: Sequence[Before], season: Season | None) -> list[Standing]:
    """Return the standings of the people in a ranking before their recent matches."""
    first = {change.user: change for change in lately}
    found: list[Standing] = []
    for contender in ranking:
        before = first.get(contender.user)
        if before is None:
            found.append(ranked_standing(contender))
        else:  # as it was when that match began to count, time away included
            all_time, then = Skill(before.mu, before.sigma), Skill(before.season_mu, before.season_sigma)
            found.append(
                Standing(contender.user, all_time if season is None else then, contender.played - before.played)
            )
    return found


async def find_rank(store: Store, guild: Snowflake, pool: str, skill: Skill, now: datetime) -> tuple[int, int]:
    """Return the place of this skill and the size of the ranking, with the ties of `leaderboard`."""
    height = Height(find_certain_skill(skill.shown + 0.5), now, WIDENING, SIGMA)
    found = await store.above(guild, pool, height)
    close = sum(ranked_standing(contender).at(now).shown > skill.shown for contender in found.close)
    return 1 + found.surely + close, found.size
