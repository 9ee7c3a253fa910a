"""Challenges: asked, accepted, declined, withdrawn, and the match that begins with the last *Accept*."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.errors import RefereeError
from bot.referee.lobby.limits import SPAN, check_not_banned, is_lost
from bot.referee.lobby.lobbies import Lobbies, check_host, with_message
from bot.referee.lobby.setups import Wish, choose_levels, make_setup
from bot.referee.model.model import FORMER, Invite, Lobby, LobbyState, Reply, Snowflake, UserId
from bot.referee.model.participant import Person, Place, has_former_player, is_playable
from bot.referee.model.searches import PAIR
from bot.referee.repository.house_levels import list_house
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.referee.repository.reliability import share_for_strangers

DECLINE_PAUSE = timedelta(minutes=10)
"""Time after a decline in which the same host may not ask the same people for the same game."""


class Challenges(Commands):
    """From an invitation of named people to the first prompt."""

    def __init__(self, repository: MatchRepository, lobbies: Lobbies) -> None:
        super().__init__(repository)
        self._lobbies = lobbies

    async def open(self, place: Place, host: Person, others: Sequence[Person], wish: Wish) -> Lobby:
        """Create and commit a challenge. The id of its message is stored later, once it is posted."""
        return await self._lobbies.retry_for(host.user, lambda: self._open(place, host, others, wish))

    async def _open(self, place: Place, host: Person, others: Sequence[Person], wish: Wish) -> Lobby:
        await self._check_people(place, host, others)
        guild = await self._store.guild(place.guild)
        setup = make_setup(wish, len(others) + 1 + wish.house, guild)
        await self._check_declined(place, host, others, setup.game)
        if await self._store.boards_in(place.channel) >= guild.boards:
            raise RefereeError("channel-full", n=guild.boards)
        asked = [person.user for person in others]
        finished = await share_for_strangers(self._store, place.guild, host.user, asked)
        house = choose_levels(setup, wish.house, wish.level)
        return await self._lobbies.open(place, host, others, setup, finished=finished, house=house)

    # --- answers -----------------------------------------------------------------------------------------

    # A press is in time by Discord's clock (`at`), no matter how late it is handled.

    async def accept(
        self, id: str, user: UserId, message: Snowflake | None = None, at: datetime | None = None
    ) -> Lobby | Live:
        """Accept for one person. The last answer starts the match, which is returned then.

        If a person declined, the challenger starts with those who are left.
        """

        async def work() -> Lobby | Live:
            lobby = await self._lobbies.get(id)
            self._check_answer(lobby, user, at)
            await check_not_banned(self._store, lobby.guild, user, self._clock.now())
            lobby = with_message(lobby, message)
            people = _set_answer(lobby, user, Reply.ACCEPTED)
            if all(invite.answer in (Reply.HOST, Reply.ACCEPTED) for invite in people):
                return await self._lobbies.begin(lobby, people, self._end_failed, user)
            return await self._lobbies.save(lobby, people)

        return await self._lobbies.retry(id, work)

    async def decline(self, id: str, user: UserId, at: datetime | None = None) -> Lobby:
        """Decline for one person. End the challenge if it cannot continue without them."""

        async def work() -> Lobby:
            lobby = await self._lobbies.get(id)
            self._check_answer(lobby, user, at)
            people = _set_answer(lobby, user, Reply.DECLINED)
            if _can_go_on(lobby, people):
                return await self._lobbies.save(lobby, people)
            return await self._lobbies.close(replace(lobby, people=people), LobbyState.DECLINED)

        return await self._lobbies.retry(id, work)

    async def end_without(self, id: str, user: UserId) -> Lobby:
        """End a challenge without naming this person: they leave for good, as its host or with or without an answer."""

        async def work() -> Lobby:
            lobby = await self._lobbies.get(id)
            self._check_open(lobby, None)
            people = lobby.people if lobby.host == user else _set_answer(lobby, user, Reply.DECLINED)
            people = tuple(replace(one, name=FORMER) if one.user == user else one for one in people)
            state = LobbyState.WITHDRAWN if lobby.host == user else LobbyState.DECLINED
            return await self._lobbies.close(replace(lobby, people=people), state)

        return await self._lobbies.retry(id, work)

    async def withdraw(self, id: str, user: UserId, at: datetime | None = None) -> Lobby:
        """Withdraw the challenge for its challenger."""

        async def work() -> Lobby:
            return await self._lobbies.close(await self._get_hosted(id, user, at), LobbyState.WITHDRAWN)

        return await self._lobbies.retry(id, work)

    async def start_with(
        self, id: str, user: UserId, message: Snowflake | None = None, at: datetime | None = None
    ) -> Live:
        """Start the match with the people who accepted."""

        async def work() -> Live:
            lobby = with_message(await self._get_hosted(id, user, at), message)
            return await self._lobbies.begin(lobby, lobby.accepted, self._end_failed, user)

        return await self._lobbies.retry(id, work)

    async def _get_hosted(self, id: str, user: UserId, at: datetime | None) -> Lobby:
        """Return an open challenge for its challenger; refuse it to others."""
        lobby = await self._lobbies.get(id)
        self._check_open(lobby, at)
        check_host(lobby, user)
        return lobby

    def _check_open(self, lobby: Lobby, at: datetime | None) -> None:
        if lobby.state is not LobbyState.OPEN:
            raise RefereeError("challenge-gone", how=lobby.state.name.lower(), lobby=lobby)
        if self._lobbies.is_late(lobby, at):
            raise RefereeError("challenge-gone", how="expired", lobby=lobby)

    def _check_answer(self, lobby: Lobby, user: UserId, at: datetime | None) -> None:
        mine = next((invite for invite in lobby.people if invite.user == user), None)
        asked = tuple(invite.name for invite in lobby.people if invite.answer is Reply.ASKED)
        self._check_open(lobby, at)
        if mine is None:
            raise RefereeError("not-invited", names=asked or (lobby.people[0].name,))
        if mine.answer is Reply.HOST:
            raise RefereeError("own-challenge", names=asked)
        if mine.answer is not Reply.ASKED:
            raise RefereeError("already-answered")

    async def _end_failed(self, lobby: Lobby, person: Invite) -> None:
        """End the challenge because one person cannot take their seat."""
        people = _set_answer(lobby, person.user, Reply.DECLINED) if lobby.kind == PAIR else lobby.people
        await self._lobbies.close(replace(lobby, people=people), LobbyState.FAILED)

    async def end_pair(self, id: str) -> Lobby:
        """End the challenge of a pair that nobody can see; both leave the queue."""

        async def work() -> Lobby:
            lobby = await self._lobbies.get(id)
            self._check_open(lobby, None)
            people = tuple(replace(invite, answer=Reply.DECLINED) for invite in lobby.people)
            return await self._lobbies.close(replace(lobby, people=people), LobbyState.FAILED)

        return await self._lobbies.retry(id, work)

    # --- again -------------------------------------------------------------------------------------------

    async def rematch(
        self, id: str, user: UserId, here: Sequence[Person], place: Place, at: datetime | None = None
    ) -> Lobby | Live:
        """Create a challenge with the same people and rules, or accept the one that the other side sent.

        `here` are the match's people who are still in the server.
        """
        async with self._repository.lock(id):  # both may ask in the same instant: the second one accepts
            return await self._rematch(id, user, here, place, at)

    async def _rematch(
        self, id: str, user: UserId, here: Sequence[Person], place: Place, at: datetime | None
    ) -> Lobby | Live:
        live = await self._repository.live(id)
        seat = live.stored.seat_of(user)
        if seat is None:
            raise RefereeError("rematch-not-in", m=id)
        if live.stored.live:
            raise RefereeError("rematch-live", m=id)
        if has_former_player(seated.user for seated in live.stored.seats):
            raise RefereeError("rematch-former")
        present = {person.user: person for person in here}
        for seated in live.stored.seats:
            if seated.user and seated.user not in present:
                raise RefereeError("rematch-missing", name=seated.name)
        people = [present[seated.user] for seated in live.stored.seats if seated.user]
        waiting = await self.find_rematch_offer(live, user, people, place)
        if waiting is not None:
            return await self.accept(waiting.id, user, at=at)
        host = present[user]
        others = [person for person in people if person.user != user]

        async def work() -> Lobby:
            await self._check_people(place, host, others)
            await self._check_declined(place, host, others, live.stored.setup.game)
            return await self._lobbies.open(place, host, others, live.stored.setup, house=list_house(live.stored))

        return await self._lobbies.retry_for(user, work)

    async def find_rematch_offer(
        self, live: Live, user: UserId, people: Sequence[Person], place: Place
    ) -> Lobby | None:
        """Return the challenge that this person's rematch would accept."""
        for lobby in await self._store.open_lobbies(place.guild, user):
            same = {invite.user for invite in lobby.people} == {person.user for person in people}
            same = same and lobby.kind == "challenge"
            same = same and lobby.house == list_house(live.stored)
            if same and lobby.host != user and lobby.setup == live.stored.setup:
                return lobby
        return None

    async def find_last(self, guild: Snowflake, host: UserId, other: UserId) -> Lobby | None:
        """Return the newest challenge of this host to this person alone, of those that are open or an hour old."""
        hosted = await self._store.hosted_since(host, self._clock.now() - SPAN)
        asked = [
            lobby
            for lobby in hosted
            if lobby.kind == "challenge"
            and lobby.guild == guild
            and not lobby.house
            and {invite.user for invite in lobby.people} == {host, other}
        ]
        return max(asked, key=lambda lobby: lobby.created, default=None)

    # --- who may be asked --------------------------------------------------------------------------------

    async def check_willing(self, host: Person, others: Sequence[Person]) -> None:
        """Refuse the host, a person who is named twice, and people who take no challenge of this host."""
        asked: set[UserId] = set()
        for person in others:
            if person.user == host.user:
                raise RefereeError("self")
            if person.user in asked:
                raise RefereeError("twice", name=person.name)
            asked.add(person.user)
            if await self._store.blocked(host.user, person.user):
                raise RefereeError("you-blocked", name=person.name)
            takes = (await self._store.player(person.user)).challenges
            if not takes or await self._store.blocked(person.user, host.user):
                raise RefereeError("not-taking", name=person.name)

    async def _check_people(self, place: Place, host: Person, others: Sequence[Person]) -> None:
        """Refuse people who cannot be challenged by this host. The most helpful refusal comes first."""
        await self.check_willing(host, others)
        limit, asked = (await self._store.guild(place.guild)).matches, {person.user for person in others}
        if await self._store.live_count(host.user) >= limit:
            raise RefereeError("too-many-live-you", n=limit)
        for person in others:
            if await self._store.live_count(person.user) >= limit:
                raise RefereeError("too-many-live-them", name=person.name, n=limit)
        now = self._clock.now()
        open_now = await self._store.open_lobbies(place.guild, host.user)
        for lobby in open_now:
            if (
                lobby.kind == "challenge"
                and not is_lost(lobby, now)
                and lobby.host == host.user
                and {invite.user for invite in lobby.people} == asked | {host.user}
            ):
                raise RefereeError("asked-already", name=others[0].name, lobby=lobby)

    async def _check_declined(self, place: Place, host: Person, others: Sequence[Person], game: str) -> None:
        """Refuse the same challenge shortly after it was declined; another game or other people are allowed."""
        names = {person.user: person.name for person in others}
        since = self._clock.now() - DECLINE_PAUSE
        for lobby in reversed(await self._store.declined_since(place.guild, host.user, since)):
            if lobby.setup.game != game or {invite.user for invite in lobby.people} != names.keys() | {host.user}:
                continue
            no = next(invite for invite in lobby.people if invite.answer is Reply.DECLINED)
            raise RefereeError("declined-lately", name=names[no.user], t=lobby.expires + DECLINE_PAUSE)


def _set_answer(lobby: Lobby, user: UserId, answer: Reply) -> tuple[Invite, ...]:
    return tuple(replace(invite, answer=answer) if invite.user == user else invite for invite in lobby.people)


def _can_go_on(lobby: Lobby, people: Sequence[Invite]) -> bool:
    """Return True if the game can be played by the people who are left, and the house."""
    left = sum(invite.answer is not Reply.DECLINED for invite in people)
    return left > 1 and is_playable(lobby.setup, left + len(lobby.house))
