"""People who search for an opponent: they wait, are paired by game and rating, and are challenged to be ready."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from bot.engine.text.presets import find_offer
from bot.errors import RefereeError
from bot.ratings.skill import NEWCOMER, Skill, is_provisional
from bot.referee.lobby.challenges import Challenges
from bot.referee.lobby.limits import check_not_banned, find_ban
from bot.referee.lobby.lobbies import Lobbies
from bot.referee.lobby.setups import Wish, make_setup
from bot.referee.model.changes import Conflict, NameMember, NewLobby, SetDeadline, Step
from bot.referee.model.clock_changes import DropDeadlines, read_owner
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import Deadline, DeadlineKind, Invite, Lobby, LobbyState, Reply, Snowflake, UserId
from bot.referee.model.participant import Person, Place
from bot.referee.model.people_check import CheckPeople
from bot.referee.model.searches import (
    HOUSE_AFTER,
    LAST,
    PAIR,
    READY,
    STEP,
    DropSearch,
    NewSearch,
    SaveSearch,
    SaveSearchPost,
    Search,
    SearchPost,
    end_search,
    schedule_search,
    search_owner,
    show_waiting,
)
from bot.referee.proof.version2 import NONCE_BYTES
from bot.referee.repository.match_repository import Commands, MatchRepository

log = logging.getLogger(__name__)

PING_AGAIN = timedelta(hours=1)
"""Shortest time between two pings of the role of a server."""


class Searches(Commands):
    """The queue of each server. A search is a row with a deadline, so that a crash loses no place."""

    def __init__(self, repository: MatchRepository, lobbies: Lobbies, challenges: Challenges) -> None:
        super().__init__(repository)
        self._lobbies = lobbies
        self._challenges = challenges

    async def find(self, user: UserId) -> Search | None:
        """Return the search of a person, in whichever server it is."""
        return await self._store.search(user)

    async def begin(self, place: Place, person: Person, game: str | None) -> tuple[Search, bool]:
        """Let a person wait, and pair them if an opponent waits already. Return their search, and whether it is new:
        nobody waits twice."""
        async with self._repository.lock(f"searches {place.guild}"):
            known = await self.find(person.user)
            if known is None:
                search = await self._make_search(place, person, game)
                with suppress(Conflict):
                    await self._add(search)
                    await self._pair(search)
                    return await self.find(person.user) or search, True
                known = await self.find(person.user)
        if known is None:
            raise RefereeError("busy")
        return known, False

    async def _make_search(self, place: Place, person: Person, game: str | None) -> Search:
        """Refuse a person who may not play, and a game that is not for two."""
        now, guild = self._clock.now(), await self._store.guild(place.guild)
        await check_not_banned(self._store, place.guild, person.user, now)
        setup = make_setup(Wish(game=game), 2, guild)
        if await self._store.live_count(person.user) >= guild.matches:
            raise RefereeError("too-many-live-you", n=guild.matches)
        pool = setup.game
        rating = await self._store.rating(place.guild, pool, person.user)
        skill = Skill(rating.mu, rating.sigma) if rating is not None else NEWCOMER
        return Search(
            *(person.user, person.name, place.guild, guild.waiting or place.channel),
            game=find_offer(game or guild.game)[1].key,
            pool=pool,
            rating=skill.points,
            provisional=rating is None or is_provisional(rating.played),
            began=now,
        )

    async def _add(self, search: Search) -> None:
        limit = (await self._store.guild(search.guild)).matches
        await self._repository.write(
            (
                CheckPeople(search.guild, (search.user,), limit, search.began),
                NewSearch(search),
                NameMember(search.guild, search.user, search.name),
                schedule_search(search.guild, search.user, search.began + STEP),
                show_waiting(search.guild, search.channel, search.began),
            )
        )
        self._repository.wake_clock(search_owner(search.guild, search.user))

    async def stop(self, user: UserId) -> bool:
        """End the search of a person, who also leaves their pair. Return False if they do not search."""
        search = await self.find(user)
        if search is None:
            return False
        if search.lobby:
            with suppress(RefereeError):  # it has begun, or ended
                await self._challenges.decline(search.lobby, user)
        steps = end_search(search, self._clock.now())
        # Another process shows who waits in its servers, and drops the deadline when it is due.
        await self._repository.write(steps if self._store.owns(search.guild) else (DropSearch(user),))
        self._repository.wake_clock(search_owner(search.guild, user))
        return True

    async def look_further(self, deadline: Deadline) -> bool:
        """Search among more ratings; offer the house after a minute, and end the search after ten. Return False for a
        search that is over, or in a pair."""
        guild, user = read_owner(deadline.owner)
        async with self._repository.lock(f"searches {guild}"):
            now, known = self._clock.now(), await self.find(user)
            if known is None or known.guild != guild or known.lobby:
                return False
            search = replace(known, waited=known.waited + 1)
            if search.waited >= LAST or await find_ban(self._store, guild, user, now):
                await self._repository.write(end_search(known, now))
                return True
            shown = (show_waiting(guild, search.channel, now),) if search.waited == HOUSE_AFTER else ()
            again = schedule_search(guild, user, now + STEP)
            await self._repository.write((SaveSearch(search, known), again, *shown))
            await self._pair(search)
        return True

    # --- pairs -------------------------------------------------------------------------------------------

    async def _pair(self, search: Search) -> None:
        """Challenge the person and the fitting one with the closest rating; of equals, who has waited longer."""
        guild = await self._store.guild(search.guild)
        waiting = [one for one in await self._store.searches_in(search.guild) if not one.lobby and search.fits(one)]
        for other in sorted(waiting, key=lambda one: abs(one.rating - search.rating)):
            first, second = sorted((search, other), key=lambda one: (one.began, one.user))
            if await self._store.boards_in(first.channel) < guild.boards and await self._may_meet(first, second, guild):
                with suppress(Conflict):  # one of them has just left, or was blocked
                    await self._open(first, second, guild)
                    return

    async def _may_meet(self, first: Search, second: Search, guild: GuildSettings) -> bool:
        """Return False for people who blocked each other, are banned, or play too much."""
        for one, other in ((first, second), (second, first)):
            if await self._store.blocked(one.user, other.user):
                return False
            if await self._store.live_count(one.user) >= guild.matches:
                return False
            if await find_ban(self._store, one.guild, one.user, self._clock.now()):
                return False
        return True

    async def _open(self, first: Search, second: Search, guild: GuildSettings) -> None:
        """Commit the challenge, which is posted by its deadline."""
        now = self._clock.now()
        lobby = await self._make_lobby(first, second, guild)
        change: list[Step] = [
            CheckPeople(guild.guild, (first.user, second.user), guild.matches, now, first.user),
            NewLobby(lobby),
            SetDeadline(Deadline(lobby.id, DeadlineKind.LOBBY, lobby.expires)),
            SetDeadline(Deadline(lobby.id, DeadlineKind.PAIR, now)),
        ]
        for one in (first, second):
            change += (
                SaveSearch(replace(one, channel=lobby.channel, lobby=lobby.id), one),
                DropDeadlines(search_owner(one.guild, one.user)),
            )
        channels = {first.channel, second.channel}
        await self._repository.write((*change, *(show_waiting(guild.guild, one, now) for one in sorted(channels))))
        self._repository.notify(lobby.id)

    async def _make_lobby(self, first: Search, second: Search, guild: GuildSettings) -> Lobby:
        now = self._clock.now()
        return Lobby(
            id=await self._repository.new_id(guild.guild),
            kind=PAIR,
            guild=guild.guild,
            channel=first.channel,
            message=None,
            host=0,
            setup=make_setup(Wish(game=first.game), 2, guild),
            nonce=self._repository.entropy.bytes(NONCE_BYTES),
            state=LobbyState.OPEN,
            people=tuple(Invite(one.user, one.name, Reply.ASKED) for one in (first, second)),
            created=now,
            expires=now + READY,
        )

    async def give_up(self, id: str) -> None:
        """End a pair and both searches: their challenge cannot be posted."""
        with suppress(RefereeError):
            await self._challenges.end_pair(id)

    # --- the message that shows who waits ----------------------------------------------------------------

    async def load_waiting(self, guild: Snowflake, channel: Snowflake) -> tuple[Sequence[Search], SearchPost | None]:
        """Return who waits in a channel, and the message that shows it."""
        found = [one for one in await self._store.searches_in(guild) if one.channel == channel and not one.lobby]
        posts = await self._store.search_posts(guild)
        return found, next((post for post in posts if post.channel == channel), None)

    async def may_ping(self, guild: Snowflake) -> bool:
        """Return True if the role of a server was not pinged within the last hour, in any channel."""
        pinged = [post.pinged for post in await self._store.search_posts(guild) if post.pinged is not None]
        return all(self._clock.now() - at >= PING_AGAIN for at in pinged)

    async def save_post(self, post: SearchPost, known: SearchPost | None) -> bool:
        """Save the message of a channel, before a call and after it. Return False if it was changed meanwhile."""
        try:
            await self._repository.write((SaveSearchPost(post, known.edited if known is not None else None),))
        except Conflict:
            return False
        return True
