"""Challenges: asked, accepted, declined, withdrawn, expired, and the match that begins with the last *Accept*."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeVar

from bot.errors import Refused
from bot.referee.clock.clocks import lobby_life
from bot.referee.keeper import TRIES
from bot.referee.lobby.reaching import dm_wanted
from bot.referee.lobby.setups import Wish, make_setup, playable
from bot.referee.match import play
from bot.referee.match.live import Live, fresh
from bot.referee.match.matches import Matches
from bot.referee.ports.changes import (
    Change,
    Conflict,
    DropDeadlines,
    NameMember,
    NewLobby,
    NewMatch,
    PutSurface,
    SaveLobby,
    SetDeadline,
)
from bot.referee.ports.model import (
    Answer,
    Deadline,
    DeadlineKind,
    Invite,
    Lobby,
    LobbyState,
    Seated,
    Setup,
    Snowflake,
    StoredMatch,
    Surface,
    SurfaceKind,
    UserId,
)
from bot.referee.proof.fairness import NONCE_BYTES

T = TypeVar("T")

DECLINE_PAUSE = timedelta(minutes=10)
"""so long somebody who declined is not asked again by the same person for the same game with the same people"""

UNSEEN = timedelta(seconds=5)
"""a challenge whose message is not known after this long was never shown"""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a server."""

    user: UserId
    name: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played."""

    guild: Snowflake
    channel: Snowflake


class Lobbies(Matches):
    """From an invitation to the first prompt."""

    async def lobby(self, id: str) -> Lobby:
        lobby = await self.store.lobby(id)
        if lobby is None:
            raise Refused("challenge-gone", how="unknown")
        return lobby

    async def challenge(self, place: Place, host: Person, others: Sequence[Person], wish: Wish) -> Lobby:
        """A new challenge, committed before anybody sees it. The message that shows it is told later."""
        await self.check_people(place, host, others)
        guild = await self.store.guild(place.guild)
        setup = make_setup(wish, len(others) + 1, guild)
        await self._check_declined(place, host, others, setup.game)
        if await self.store.boards_in(place.channel) >= guild.boards:
            raise Refused("channel-full", n=guild.boards)
        return await self.open_lobby(place, host, others, setup)

    async def open_lobby(
        self, place: Place, host: Person, others: Sequence[Person], setup: Setup, kind: str = "challenge"
    ) -> Lobby:
        now = self.clock.now()
        people = (Invite(host.user, host.name, Answer.HOST), *(Invite(p.user, p.name, Answer.ASKED) for p in others))
        lobby = Lobby(
            id=await self.new_id(),
            kind=kind,
            guild=place.guild,
            channel=place.channel,
            message=None,
            host=host.user,
            setup=setup,
            nonce=self.entropy.bytes(NONCE_BYTES),
            state=LobbyState.OPEN,
            people=people,
            created=now,
            expires=now + lobby_life(setup.clock),
        )
        names = tuple(NameMember(place.guild, person.user, person.name) for person in (host, *others))
        expiry = SetDeadline(Deadline(lobby.id, DeadlineKind.LOBBY, lobby.expires))
        await self.write((NewLobby(lobby), expiry, *names))
        self.tell(lobby.id)
        return lobby

    async def check_people(self, place: Place, host: Person, others: Sequence[Person]) -> None:
        """Refuse people who cannot be challenged by this host, in the order in which one should hear of it."""
        limit = (await self.store.guild(place.guild)).matches
        asked: set[UserId] = set()
        for person in others:
            if person.user == host.user:
                raise Refused("self")
            if person.user in asked:
                raise Refused("twice", name=person.name)
            asked.add(person.user)
            if await self.store.blocked(host.user, person.user):
                raise Refused("you-blocked", name=person.name)
            takes = (await self.store.player(person.user)).challenges
            if not takes or await self.store.blocked(person.user, host.user):
                raise Refused("not-taking", name=person.name)
        if await self.store.live_count(host.user) >= limit:
            raise Refused("too-many-live-you", n=limit)
        for person in others:
            if await self.store.live_count(person.user) >= limit:
                raise Refused("too-many-live-them", name=person.name, n=limit)
        now = self.clock.now()
        open_now = await self.store.open_lobbies(place.guild, host.user)
        for lobby in open_now:
            # One whose message never came, since the process ended before it was sent, must not stand in the way.
            lost = lobby.message is None and now - lobby.created > UNSEEN
            if (
                lobby.kind == "challenge"
                and not lost
                and lobby.host == host.user
                and {one.user for one in lobby.people} == asked | {host.user}
            ):
                raise Refused("asked-already", name=others[0].name, lobby=lobby)

    async def _check_declined(self, place: Place, host: Person, others: Sequence[Person], game: str) -> None:
        """Who has just declined is not asked the same again; another game, or other company, is another question."""
        names = {person.user: person.name for person in others}
        since = self.clock.now() - DECLINE_PAUSE
        for lobby in reversed(await self.store.declined_since(place.guild, host.user, since)):
            if lobby.setup.game != game or {one.user for one in lobby.people} != names.keys() | {host.user}:
                continue
            no = next(one for one in lobby.people if one.answer is Answer.DECLINED)
            raise Refused("declined-lately", name=names[no.user], t=lobby.expires + DECLINE_PAUSE)

    async def lobby_posted(self, drawn: Lobby, surface: Surface) -> None:
        """The message that shows a challenge is known now. Somebody may have been quicker and begun the match: then
        that message is its board already."""
        async with self.lock(drawn.id):
            for _ in range(3):
                lobby = await self.lobby(drawn.id)
                if lobby.state is not LobbyState.OPEN:
                    return
                changed = replace(lobby, message=surface.message, version=lobby.version + 1)
                shown = changed.version if lobby.version == drawn.version else drawn.version
                try:
                    await self.write((SaveLobby(changed, lobby.version), PutSurface(replace(surface, shown=shown))))
                except Conflict:
                    continue
                return
        raise Refused("busy")

    # --- answers -----------------------------------------------------------------------------------------

    async def accept(self, id: str, user: UserId, message: Snowflake | None = None) -> Lobby | Live:
        """One more person accepts; the last one starts the match, which is the answer then.

        Where somebody declined, it is for the challenger to start with those who are left.
        """

        async def work() -> Lobby | Live:
            lobby = await self.lobby(id)
            self._check_answer(lobby, user)
            if message is not None:
                lobby = replace(lobby, message=message)
            people = tuple(replace(one, answer=Answer.ACCEPTED) if one.user == user else one for one in lobby.people)
            if all(one.answer in (Answer.HOST, Answer.ACCEPTED) for one in people):
                return await self._start(lobby, people, user)
            return await self._save(lobby, people)

        return await self._tried(id, work)

    async def decline(self, id: str, user: UserId) -> Lobby:
        """Somebody declines; a challenge that cannot go on without them ends."""

        async def work() -> Lobby:
            lobby = await self.lobby(id)
            self._check_answer(lobby, user)
            people = tuple(replace(one, answer=Answer.DECLINED) if one.user == user else one for one in lobby.people)
            if self.can_go_on(lobby, people):
                return await self._save(lobby, people)
            return await self._close(replace(lobby, people=people), LobbyState.DECLINED)

        return await self._tried(id, work)

    async def _tried(self, id: str, work: Callable[[], Awaitable[T]]) -> T:
        """One command at a time for a lobby; when the store has moved on, look again and work again."""
        async with self.lock(id):
            for _ in range(TRIES):
                try:
                    return await work()
                except Conflict:
                    continue
        raise Refused("busy")

    def can_go_on(self, lobby: Lobby, people: Sequence[Invite]) -> bool:
        """Whether the game takes the people who are left."""
        left = sum(one.answer is not Answer.DECLINED for one in people)
        return left > 1 and playable(lobby.setup, left)

    async def withdraw(self, id: str, user: UserId) -> Lobby:
        """The challenger takes it back."""

        async def work() -> Lobby:
            return await self._close(await self._hosted(id, user), LobbyState.WITHDRAWN)

        return await self._tried(id, work)

    async def start_with(self, id: str, user: UserId) -> Live:
        """The challenger starts with those who accepted."""

        async def work() -> Live:
            lobby = await self._hosted(id, user)
            return await self._start(lobby, lobby.accepted, user)

        return await self._tried(id, work)

    async def _hosted(self, id: str, user: UserId) -> Lobby:
        """An open challenge, for its challenger only."""
        lobby = await self.lobby(id)
        self._check_open(lobby)
        check_host(lobby, user)
        return lobby

    async def expire_lobby(self, id: str) -> Lobby | None:
        """Nobody answered in time."""
        async with self.lock(id):
            lobby = await self.store.lobby(id)
            if lobby is None or lobby.state is not LobbyState.OPEN or self.clock.now() < lobby.expires:
                return None
            return await self._close(lobby, LobbyState.EXPIRED)

    def _check_open(self, lobby: Lobby) -> None:
        if lobby.state is not LobbyState.OPEN:
            raise Refused("challenge-gone", how=lobby.state.name.lower(), lobby=lobby)
        if self.clock.now() >= lobby.expires:
            raise Refused("challenge-gone", how="expired", lobby=lobby)

    def _check_answer(self, lobby: Lobby, user: UserId) -> None:
        mine = next((one for one in lobby.people if one.user == user), None)
        asked = tuple(one.name for one in lobby.people if one.answer is Answer.ASKED)
        self._check_open(lobby)
        if mine is None:
            raise Refused("not-invited", names=asked or (lobby.people[0].name,))
        if mine.answer is Answer.HOST:
            raise Refused("own-challenge", names=asked)
        if mine.answer is not Answer.ASKED:
            raise Refused("already-answered")

    # --- the match begins --------------------------------------------------------------------------------

    async def _start(self, lobby: Lobby, people: Sequence[Invite], accepted: UserId = 0) -> Live:
        """The match of the lobby's id, its first deal, its deadlines and its board: one transaction."""
        limit = (await self.store.guild(lobby.guild)).matches
        for one in people:
            if await self.store.live_count(one.user) >= limit:
                await self._without(lobby, one)
                raise Refused("too-many-live-them", name=one.name, n=limit)
        now = self.clock.now()
        setup = replace(lobby.setup, seats=len(people))
        stored = StoredMatch(
            id=lobby.id,
            guild=lobby.guild,
            channel=lobby.channel,
            setup=setup,
            nonce=lobby.nonce,
            version=lobby.version
            + 1,  # their message goes on: what was noted of the one must not hide the other's news
            seats=tuple(Seated(one.user, one.name, seen=now if one.user == accepted else None) for one in people),
            deals=(),
            sealed=(),
            prompt=0,
            opened=now,
            deadline=None,
            started=now,
        )
        begun = play.begin(Live(stored, fresh(setup), ()), now)
        started = replace(lobby, state=LobbyState.STARTED, people=tuple(people), version=lobby.version + 1)
        surfaces = await self._first_surfaces(lobby, people)
        before = replace(begun.live.stored, deals=())
        await self.write(
            (
                SaveLobby(started, lobby.version),
                DropDeadlines(lobby.id, DeadlineKind.LOBBY),
                NewMatch(before),
                *begun.steps,
                *surfaces,
            )
        )
        live = self._remember(begun.live)
        self.tell(lobby.id)
        return live

    async def _without(self, lobby: Lobby, person: Invite) -> None:
        """Somebody cannot take their seat: then it was not what everybody agreed to."""
        await self._close(lobby, LobbyState.FAILED)

    async def _first_surfaces(self, lobby: Lobby, people: Sequence[Invite]) -> Change:
        """The challenge's message becomes the board; consoles by DM are owed, and survive a crash until they arrive."""
        now = self.clock.now()
        guild = await self.store.guild(lobby.guild)
        shown = await self.store.surfaces(lobby.id)
        board = next((one for one in shown if one.kind is SurfaceKind.LOBBY), None)
        owed: list[PutSurface] = []
        if board is not None:
            owed.append(PutSurface(replace(board, kind=SurfaceKind.BOARD, shown=0)))
        elif lobby.message is not None:
            fresh_board = Surface(lobby.id, SurfaceKind.BOARD, 0, lobby.channel, lobby.message, 0, lobby.created)
            owed.append(PutSurface(fresh_board))
        for one in people:
            player = await self.store.player(one.user)
            if dm_wanted(lobby.setup.clock, player, guild, now):
                console = Surface(lobby.id, SurfaceKind.CONSOLE_DM, one.user, player.dm_channel, 0, 0, now)
                owed.append(PutSurface(console))
        return tuple(owed)

    async def _close(self, lobby: Lobby, state: LobbyState) -> Lobby:
        closed = replace(lobby, state=state, version=lobby.version + 1, expires=self.clock.now())
        await self.write((SaveLobby(closed, lobby.version), DropDeadlines(lobby.id, DeadlineKind.LOBBY)))
        self.tell(lobby.id)
        return closed

    async def _save(self, lobby: Lobby, people: tuple[Invite, ...], host: UserId = 0) -> Lobby:
        saved = replace(lobby, people=people, host=host or lobby.host, version=lobby.version + 1)
        await self.write((SaveLobby(saved, lobby.version),))
        self.tell(lobby.id)
        return saved

    # --- again -------------------------------------------------------------------------------------------

    async def rematch(self, id: str, user: UserId, here: Sequence[Person], place: Place) -> Lobby | Live:
        """Same people, same rules: a fresh challenge, or the acceptance of the one that the other side sent.

        `here` are the match's people who are still in the server.
        """
        async with self.lock(id):  # both may ask in the same instant: the second one accepts
            return await self._rematch(id, user, here, place)

    async def _rematch(self, id: str, user: UserId, here: Sequence[Person], place: Place) -> Lobby | Live:
        live = await self.live(id)
        seat = live.stored.seat_of(user)
        if seat is None:
            raise Refused("rematch-not-in", m=id)
        if live.stored.live:
            raise Refused("rematch-live", m=id)
        present = {person.user: person for person in here}
        for one in live.stored.seats:
            if one.user and one.user not in present:
                raise Refused("rematch-missing", name=one.name)
        people = [present[one.user] for one in live.stored.seats if one.user]
        for lobby in await self.store.open_lobbies(place.guild, user):
            same = {one.user for one in lobby.people} == {person.user for person in people}
            same = same and lobby.kind == "challenge"
            if same and lobby.host != user and lobby.setup == live.stored.setup:
                return await self.accept(lobby.id, user)
        host = present[user]
        others = [person for person in people if person.user != user]
        await self.check_people(place, host, others)
        await self._check_declined(place, host, others, live.stored.setup.game)
        return await self.open_lobby(place, host, others, live.stored.setup)


def check_host(lobby: Lobby, user: UserId) -> None:
    """Some buttons are for who invited only."""
    if user != lobby.host:
        raise Refused("host-only", host=next(one.name for one in lobby.people if one.user == lobby.host))
