"""The end of a match: its ratings, in the transaction of its last reveal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from bot.engine.match import Termination
from bot.ratings import pool as ratings
from bot.ratings.pool import list_standings
from bot.ratings.skill import Skill, is_counted
from bot.referee.match import play
from bot.referee.model.changes import AddRatingEntry, SeasonMoves, Step
from bot.referee.model.model import RatingChange, StoredMatch
from bot.referee.model.people import Rating, RatingEntry
from bot.referee.model.rating_changes import schedule_role_check
from bot.referee.model.seasons import Season
from bot.referee.repository.live import Live, Played
from bot.referee.repository.standings import count_met, rating_of, save_over, standing_of
from bot.referee.season.seasons import Seasons
from data.store import Store

MOMENT = timedelta(microseconds=1)
"""Resolution of stored times."""


class Finishing:
    """Rates finished matches."""

    def __init__(self, store: Store, seasons: Seasons) -> None:
        self.store = store
        self.seasons = seasons

    async def add_ratings(self, played: Played) -> Played:
        """Add the ratings to a change that ends a match."""
        stored = played.live.stored
        assert stored.ended is not None
        users = [seated.user for seated in stored.seats]
        earlier = await count_met(self.store, stored.guild, stored.setup.game, users, stored.ended)
        why = self._why_unrated(played.live, earlier)
        if why:
            return play.add_steps(played, replace(stored, unrated=why))
        return await self._rate(played, stored, earlier + 1)

    def _why_unrated(self, live: Live, earlier: int) -> str:
        """Return why a finished match does not count; "" if it does."""
        stored = live.stored
        if stored.termination is None or not Termination(stored.termination).counts:
            return "stopped"
        if any(not seated.user for seated in stored.seats):
            return "house"
        if not stored.setup.rated:
            return "asked"
        if play.is_drawn_unplayed(live):
            return "unplayed"
        return stored.unrated if stored.unrated or is_counted(earlier) else "farming"  # known at the start, or now

    async def _rate(self, played: Played, stored: StoredMatch, nth: int) -> Played:
        assert stored.placings is not None
        assert stored.ended is not None
        pool = stored.setup.game
        known = {one.user: await self.store.rating(stored.guild, pool, one.user) for one in stored.seats}
        ended = _later_than(stored.ended, known.values())
        season = await self.seasons.get_current(stored.guild, ended)
        if season is not None:  # a clock that was set back must not play into a table that is frozen
            ended = max(ended, season.began)
        standings = {user: standing_of(rating) for user, rating in known.items() if rating is not None}
        places = tuple((one.user, place) for one, place in zip(stored.seats, stored.placings, strict=True))
        result = ratings.RatedMatch(stored.id, ended, places)
        steps: list[Step] = []
        before_it: dict[int, Skill] = {}
        if season is not None:
            before_it, steps = await self._rate_season(stored, season, result, standings)
        changes: list[RatingChange] = []
        for move in ratings.rate_match(standings, result):
            after = move.after
            then = before_it.get(move.user, NOWHERE)
            entry = RatingEntry(
                match=stored.id,
                guild=stored.guild,
                pool=pool,
                user=move.user,
                seat=move.seat,
                place=move.place,
                mu_before=move.before.mu,
                sigma_before=move.before.sigma,
                mu=after.skill.mu,
                sigma=after.skill.sigma,
                at=ended,
                season=season.number if season is not None else 0,
                season_mu=then.mu,
                season_sigma=then.sigma,
            )
            steps += (save_over(known[move.user], _new_rating(stored, pool, move)), AddRatingEntry(entry))
            changes.append(RatingChange(move.seat, move.before.points, after.skill.points, after.played, nth))
        steps += schedule_role_check(await self.store.guild(stored.guild), ended)
        return play.add_steps(played, replace(stored, ended=ended, changes=tuple(changes)), *steps)

    async def _rate_season(
        self,
        stored: StoredMatch,
        season: Season,
        result: ratings.RatedMatch,
        all_time: Mapping[int, ratings.Standing],
    ) -> tuple[dict[int, Skill], list[Step]]:
        """Rate the match in the season's table. Return the skills before it, and the steps."""
        pool = stored.setup.game
        users = [user for user, _ in result.places]
        known = {user: await self.store.season_rating(stored.guild, pool, user) for user in users}
        there = {user: standing_of(one) for user, one in known.items() if one is not None}
        moves = ratings.rate_match(list_standings(users, there, all_time, season.began), result)
        steps: list[Step] = [SeasonMoves(season.guild, season.number)]
        steps += (save_over(known[move.user], _new_rating(stored, pool, move), season=True) for move in moves)
        return {move.user: move.before for move in moves}, steps


NOWHERE = Skill(0.0, 0.0)
"""Stored skill in the season's table if there is no season."""


def _new_rating(stored: StoredMatch, pool: str, move: ratings.RatingUpdate) -> Rating:
    return rating_of(stored.guild, pool, stored.seats[move.seat].name, move.after)


def _later_than(ended: datetime, known: Iterable[Rating | None]) -> datetime:
    """Return a time after the last rated matches of these people, at least the end of the match.

    Ratings that are rebuilt must come in the same order, even if the clock was set back.
    """
    lasts = [rating.last for rating in known if rating is not None and rating.last is not None]
    return max([ended, *(last + MOMENT for last in lasts)])
