"""A pool of ratings worked out anew from its results: after one of them was taken out, or to see that it is right."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.ratings.pool import RatedMatch, Rerated, Standing, recompute
from bot.referee.ports import Store
from bot.referee.ports.changes import AddRatingEntry, DropRating, SaveRating, Step
from bot.referee.ports.model import Snowflake
from bot.referee.ports.people import Rating, RatingEntry


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What came of it; the steps expect the ratings as they were read."""

    matches: int
    people: int
    moved: int
    """people whose rating was another one"""
    steps: tuple[Step, ...]


async def rebuild(store: Store, guild: Snowflake, pool: str, without: str = "") -> Rebuilt:
    """Work it out; `without` is a match that does not count any more. Nothing is written here."""
    entries = [one for one in await store.rating_history(guild, pool, 0) if one.match != without]
    known = {one.user: one for one in await store.ratings(guild, pool)}
    results = _results(entries)
    standings, moves = await asyncio.to_thread(recompute, results)  # a large pool takes seconds
    changed: list[Step] = []
    for user, one in known.items():
        if user not in standings:
            changed.append(DropRating(guild, pool, user, one.played, one.mu))
    for user, standing in standings.items():
        now = _rating(guild, pool, standing, known.get(user))
        if user > 0 and now != known.get(user):  # whoever had their data erased has no rating
            before = known.get(user)
            changed.append(SaveRating(now, before.played, before.mu) if before is not None else SaveRating(now, 0))
    anew = [AddRatingEntry(new) for one in entries if (new := _entry(one, moves[one.match])) != one]
    return Rebuilt(len(results), len(standings), len(changed), (*changed, *anew))


def _results(entries: Sequence[RatingEntry]) -> list[RatedMatch]:
    tables: dict[str, list[RatingEntry]] = {}
    for one in entries:
        tables.setdefault(one.match, []).append(one)
    return [
        RatedMatch(id, table[0].at, tuple((one.user, one.place) for one in sorted(table, key=lambda one: one.seat)))
        for id, table in tables.items()
    ]


def _rating(guild: Snowflake, pool: str, standing: Standing, known: Rating | None) -> Rating:
    name, here = (known.name, known.here) if known is not None else ("", True)
    return Rating(
        guild=guild,
        pool=pool,
        user=standing.user,
        name=name,
        mu=standing.skill.mu,
        sigma=standing.skill.sigma,
        played=standing.played,
        won=standing.won,
        drawn=standing.drawn,
        lost=standing.lost,
        last=standing.last,
        here=here,
    )


def _entry(one: RatingEntry, moves: Sequence[Rerated]) -> RatingEntry:
    """What this match did to this person, as it is now."""
    move = next(move for move in moves if move.user == one.user)
    return RatingEntry(
        match=one.match,
        guild=one.guild,
        pool=one.pool,
        user=one.user,
        seat=one.seat,
        place=one.place,
        mu_before=move.before.mu,
        sigma_before=move.before.sigma,
        mu=move.after.skill.mu,
        sigma=move.after.skill.sigma,
        at=one.at,
    )
