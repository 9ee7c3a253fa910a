"""The end of a match: its ratings, in the same transaction as its last reveal."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from bot import ratings
from bot.engine.match import Termination
from bot.engine.variants import find
from bot.ratings import Skill
from bot.referee.changes import AddRatingEntry, SaveMatch, SaveRating, Step
from bot.referee.live import Live
from bot.referee.lobbies import Lobbies
from bot.referee.model import Rating, RatingChange, RatingEntry, StoredMatch
from bot.referee.play import Played

DAY = timedelta(hours=24)


def pool_of(game: str) -> str:
    """The classic family shares a pool, every other game has its own (design 7)."""
    found = find(game)
    return found.pool or found.key


class Finishing(Lobbies):
    """What a result does to the people who played."""

    async def finishing(self, before: Live, played: Played) -> Played:
        stored = played.live.stored
        if stored.live or not before.stored.live:
            return played
        why = await self._unrated(stored)
        if why:
            return _with(played, replace(stored, unrated=why), [])
        return await self._rate(played, stored)

    async def _unrated(self, stored: StoredMatch) -> str:
        """Why a finished match does not count; nothing if it does."""
        if stored.termination is None or not Termination(stored.termination).counts:
            return "stopped"
        if any(not one.user for one in stored.seats):
            return "house"
        if not stored.setup.rated:
            return "asked"
        assert stored.ended is not None
        users = [one.user for one in stored.seats]
        met = await self.store.rated_pairs_since(stored.guild, users, stored.ended - DAY)
        return "farming" if met >= ratings.DAILY else ""

    async def _rate(self, played: Played, stored: StoredMatch) -> Played:
        assert stored.placings is not None
        assert stored.ended is not None
        pool = pool_of(stored.setup.game)
        known = [await self._rating(stored, pool, one.user, one.name) for one in stored.seats]
        skills = [
            ratings.rested(Skill(one.mu, one.sigma), stored.ended - one.last if one.last else timedelta())
            for one in known
        ]
        after = ratings.rate(skills, stored.placings)
        steps: list[Step] = []
        changes: list[RatingChange] = []
        for seat, (old, skill, new) in enumerate(zip(known, skills, after, strict=True)):
            place = stored.placings[seat]
            won = place == 1 and stored.placings.count(1) == 1
            drawn = place == 1 and not won
            saved = replace(
                old,
                name=stored.seats[seat].name,
                mu=new.mu,
                sigma=new.sigma,
                played=old.played + 1,
                won=old.won + won,
                drawn=old.drawn + drawn,
                lost=old.lost + (place > 1),
                last=stored.ended,
            )
            steps.append(SaveRating(saved, old.played))
            entry = RatingEntry(
                stored.id,
                stored.guild,
                pool,
                old.user,
                seat,
                place,
                skill.mu,
                skill.sigma,
                new.mu,
                new.sigma,
                stored.ended,
            )
            steps.append(AddRatingEntry(entry))
            changes.append(RatingChange(seat, ratings.shown(skill), ratings.shown(new), saved.played))
        return _with(played, replace(stored, changes=tuple(changes)), steps)

    async def _rating(self, stored: StoredMatch, pool: str, user: int, name: str) -> Rating:
        known = await self.store.rating(stored.guild, pool, user)
        if known is not None:
            return known
        fresh = ratings.FRESH
        return Rating(stored.guild, pool, user, name, fresh.mu, fresh.sigma, 0, 0, 0, 0, None)


def _with(played: Played, stored: StoredMatch, steps: list[Step]) -> Played:
    """The same change, with the finished match as it is now and more to store."""
    saved = [replace(step, match=stored) if isinstance(step, SaveMatch) else step for step in played.steps]
    return Played(Live(stored, played.live.match, played.live.turns), (*saved, *steps), played.revealed)
