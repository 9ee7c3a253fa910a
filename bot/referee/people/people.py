"""People: their names, their rankings and results, and what they decide for themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from bot.engine.variants import DEFAULT, GAMES
from bot.errors import RefereeError
from bot.ratings.pool import LeaderboardLine, rank_standings
from bot.ratings.skill import WEEK
from bot.referee.model.changes import Block, NameMember, SaveNote, SavePlayer
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Contender, Finished, Player
from bot.referee.model.seasons import LeaderboardRow, Season
from bot.referee.model.views import (
    HeadToHeadView,
    LeaderboardView,
    PoolView,
    ProfileView,
    RecentView,
)
from bot.referee.people.honours import LOOKED_AT, compute_honours, rating_curve
from bot.referee.repository.match_repository import Commands
from bot.referee.repository.reliability import among_people, finished_share
from bot.referee.repository.standings import find_rank, find_rank_change, ranked_standing, standing_of
from data.store import Store

PAGE = 10
ALL_TIME = 0
"""the number of no season"""
MET = 1000
"""Last matches of two people that are counted."""


class People(Commands):
    """What people ask about each other, and what they decide for themselves."""

    # --- ratings -----------------------------------------------------------------------------------------

    async def leaderboard(
        self, guild: Snowflake, user: UserId, pool: str = "", page: int | None = 0, season: int | None = ALL_TIME
    ) -> LeaderboardView:
        """Return a page of a server's ranking, of all time or of a season.

        `page` None is the asker's page; `season` None is the current season, if there is one.
        """
        store = self._store
        seasons = await store.seasons(guild)
        if season is None:
            season = next((one.number for one in seasons if not one.over), ALL_TIME)
        chosen = next((one for one in seasons if one.number == season), None)
        if season and chosen is None:
            raise RefereeError("unknown-season")
        known = await self._pools(guild, chosen)
        pools = tuple(sorted(known, key=_pool_order))
        pool = pool or ("classic" if "classic" in pools or not pools else pools[0])
        board = LeaderboardView(pool, pools or (pool,), 0, 1, (), 0, None, chosen, tuple(seasons))
        if chosen is not None and chosen.over:
            return await self._frozen_page(board, guild, chosen, user, page)
        ranking = await store.ranking(guild, pool, season=chosen is not None)
        lines = self._rank(ranking)
        at = next((at for at, line in enumerate(lines) if line.standing.user == user), None)
        pages = max(1, -(-len(lines) // PAGE))
        if page is None:
            page = 0 if at is None else at // PAGE
        page = min(max(page, 0), pages - 1)
        wanted = lines[page * PAGE : (page + 1) * PAGE] + ([] if at is None else [lines[at]])
        rows = await self._rows(guild, pool, wanted, season=chosen is not None)
        own = rows.pop() if at is not None and rows and rows[-1].user == user else None
        since = self._clock.now() - WEEK
        moved = None if own is None else await find_rank_change(store, guild, pool, ranking, own, chosen, since)
        return replace(board, page=page, pages=pages, rows=tuple(rows), size=len(lines), own=own, moved=moved)

    async def _pools(self, guild: Snowflake, season: Season | None) -> Sequence[str]:
        store = self._store
        if season is None:
            return await store.pools(guild)
        return await (store.frozen_pools(guild, season.number) if season.over else store.season_pools(guild))

    async def _frozen_page(
        self, board: LeaderboardView, guild: Snowflake, season: Season, user: UserId, page: int | None
    ) -> LeaderboardView:
        """Return a page of a table that was frozen when its season ended."""
        store = self._store
        found = await store.frozen(guild, season.number, board.pool, user, PAGE, (page or 0) * PAGE)
        if found is None:
            return board
        pages = max(1, -(-found.size // PAGE))
        wanted = found.at // PAGE if page is None else min(max(page, 0), pages - 1)
        if wanted != (page or 0):
            found = await store.frozen(guild, season.number, board.pool, user, PAGE, wanted * PAGE) or found
        size, voided = found.size, found.voided
        return replace(board, page=wanted, pages=pages, rows=found.lines, size=size, own=found.own, voided=voided)

    def _rank(self, ranking: Sequence[Contender]) -> list[LeaderboardLine]:
        """Return the people who are still in the server, best first."""
        return rank_standings(map(ranked_standing, ranking), self._clock.now())

    async def _rows(
        self, guild: Snowflake, pool: str, lines: Sequence[LeaderboardLine], *, season: bool
    ) -> list[LeaderboardRow]:
        """Return a few lines in full, without people who left in between."""
        users = tuple({line.standing.user for line in lines})
        known = {rating.user: rating for rating in await self._store.ratings_of(guild, pool, users, season=season)}
        return [
            LeaderboardRow(
                place=line.place,
                user=line.standing.user,
                name=known[line.standing.user].name,
                shown=line.skill.shown,
                played=line.standing.played,
                won=known[line.standing.user].won,
                provisional=line.standing.provisional,
            )
            for line in lines
            if line.standing.user in known
        ]

    async def profile(self, guild: Snowflake, user: UserId, name: str, asker: UserId) -> ProfileView:
        """Return ratings and results of a person, and their record against the asker."""
        now = self._clock.now()
        pools: list[PoolView] = []
        for pool in sorted(await self._store.pools(guild, user), key=_pool_order):
            one = await self._store.rating(guild, pool, user)
            if one is None:  # it went a moment ago
                continue
            standing = standing_of(one)
            skill = standing.at(now)
            place, size = await find_rank(self._store, guild, pool, skill, now)
            pools.append(
                PoolView(
                    pool=pool,
                    shown=skill.shown,
                    spread=skill.spread,
                    place=place if one.here and one.played else None,
                    size=size,
                    played=one.played,
                    won=one.won,
                    drawn=one.drawn,
                    lost=one.lost,
                    provisional=standing.provisional,
                )
            )
        everything = await self._store.finished_of(guild, user, 1000)
        met = await self._store.finished_of(guild, asker, 1000, against=user) if asker != user else ()
        rivals = [match for match in among_people(everything) if not match.has_house]
        newest = [match.id for match in rivals if match.game == DEFAULT.key][:LOOKED_AT]
        stored = [found for id in newest if (found := await self._store.match(id)) is not None]
        tries = await self._store.daily_tries_of(guild, user)
        honoured = await asyncio.to_thread(compute_honours, user, everything, tries, stored, now.date())
        most = max(pools, key=lambda one: one.played, default=None)
        rated = await self._store.rating_history(guild, most.pool, user) if most is not None else ()
        return ProfileView(
            user=user,
            name=name,
            pools=tuple(pools),
            against=_count_against(met, asker) if met else None,
            finished_share=finished_share(among_people(everything), user),
            honours=honoured,
            curve=rating_curve(most.pool, rated) if most is not None else None,
        )

    async def history(
        self,
        guild: Snowflake,
        user: UserId,
        page: int,
        game: str = "",
        against: UserId = 0,
        result: str = "",
        season: int = ALL_TIME,
    ) -> list[RecentView]:
        """Return a page of a person's finished matches, plus one if there is another page."""
        store, span = self._store, ()
        if season:
            found = next((one for one in await store.seasons(guild) if one.number == season), None)
            if found is None:
                raise RefereeError("unknown-season")
            span = (found.began, found.ends)
        played = await store.finished_of(guild, user, PAGE + 1, page * PAGE, against, game, result, span)
        return [_recent_view(match, user) for match in played]

    async def head_to_head(
        self, guild: Snowflake, user: UserId, against: UserId, game: str = ""
    ) -> HeadToHeadView | None:
        """Return the results of two people against each other in their last matches; None if they never met alone."""
        found = await self._store.finished_of(guild, user, MET, 0, against, game)
        met = [one for one in reversed(found) if one.placings is not None and len(one.seats) == 2]
        if not met:
            return None
        signs = [_sign_of_result(match, user) for match in met]
        won, lost = signs.count(1), signs.count(-1)
        leads = accumulate(signs, initial=0)
        return HeadToHeadView(len(met), won, lost, len(met) - won - lost, tuple(leads))

    # --- preferences -------------------------------------------------------------------------------------

    async def load_player(self, user: UserId) -> Player:
        """Return a person's preferences, or the defaults for an unknown person."""
        return await self._store.player(user)

    async def load_blocks(self, by: UserId) -> Sequence[tuple[UserId, str]]:
        """Return the people whom a person blocks, with the name that each had then."""
        return await self._store.blocks(by)

    async def set_preferences(self, user: UserId, **fields: Any) -> Player:
        """Change some of a person's preferences."""
        player = replace(await self._store.player(user), **fields)
        await self._repository.write((SavePlayer(player),))
        return player

    async def block(self, by: UserId, user: UserId, on: bool, name: str = "") -> None:
        """Block or unblock challenges from a person."""
        if by == user:
            raise RefereeError("block-self")
        if on and await self._store.blocked(by, user):
            raise RefereeError("block-again", name=name)
        await self._repository.write((Block(by, user, on, name),))

    async def toggle_mute(self, id: str, user: UserId) -> bool:
        """Stop or resume nudges about this match. Return True if it is muted now."""
        muted = not await self.is_muted(id, user)
        await self._repository.write((SaveNote(_mute_key(id, user), "1" if muted else ""),))
        return muted

    async def let_learn(self, user: UserId, on: bool) -> None:
        """Allow or forbid that the house learns a person's habits."""
        await self._repository.write((SaveNote(_habits_key(user), "1" if on else ""),))

    async def lets_learn(self, user: UserId) -> bool:
        return await may_learn_from(self._store, user)

    async def is_muted(self, id: str, user: UserId) -> bool:
        return bool(await self._store.note(_mute_key(id, user)))

    # --- names -------------------------------------------------------------------------------------------

    async def find_name(self, guild: Snowflake, user: UserId, fallback: str) -> str:
        """Return the last known name of a person in a server."""
        return await self._store.name_of(guild, user) or fallback

    async def name_member(self, guild: Snowflake, user: UserId, name: str, here: bool = True) -> None:
        """Store a person's name in a server, and whether they are in it."""
        await self._repository.write((NameMember(guild, user, name, here),))


def _mute_key(id: str, user: UserId) -> str:
    return f"mute {id} {user}"


def _pool_order(pool: str) -> int:
    """Return the position of a pool in the registry."""
    keys = [game.key for game in GAMES]
    return keys.index(pool) if pool in keys else len(keys)


def _recent_view(one: Finished, user: UserId) -> RecentView:
    seat = one.seat_of(user)
    change = next((change for change in one.changes if change.seat == seat), None)
    return RecentView(
        id=one.id,
        game=one.game,
        people=tuple((seated.user, seated.name) for seated in one.seats),
        seat=seat,
        placings=one.placings,
        totals=one.totals,
        termination=one.termination,
        change=change,
        ended=one.ended,
        rated=one.rated,
        decided=one.decided,
    )


def _count_against(met: Sequence[Finished], asker: UserId) -> tuple[int, int, int] | None:
    """Return the matches of two that were finished: played, won by the asker, drawn."""
    signs = [_sign_of_result(match, asker) for match in met if match.placings is not None and len(match.seats) == 2]
    return (len(signs), signs.count(1), signs.count(0)) if signs else None


def _sign_of_result(one: Finished, user: UserId) -> int:
    """Return 1 if this person won a match of two, -1 if they lost it, 0 for a draw."""
    places, seat = one.placings or (1, 1), one.seat_of(user)
    return (places[seat] < places[1 - seat]) - (places[seat] > places[1 - seat])


async def may_learn_from(store: Store, user: UserId) -> bool:
    """Return True if the house may learn this person's habits from their past matches: not unless they have said so."""
    return bool(await store.note(_habits_key(user)))


def _habits_key(user: UserId) -> str:
    return f"habits {user}"
