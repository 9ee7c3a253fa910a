"""What challenges and tables share: a message, a time after which they expire, and the start of their match."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar

from bot.errors import RefereeError
from bot.referee.lobby import limits
from bot.referee.lobby.limits import check_not_banned, find_ban
from bot.referee.match import play
from bot.referee.match.pauses import apply_pauses, is_slow, paused_until
from bot.referee.model.changes import (
    Change,
    Conflict,
    DropDeadlines,
    DropSurface,
    NameMember,
    NewLobby,
    NewMatch,
    PutSurface,
    SaveLobby,
    SetDeadline,
    Step,
)
from bot.referee.model.counts import CountDaily, DailyCount, count_accepted
from bot.referee.model.durations import LOBBY_GRACE, SLOW, lobby_life
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import (
    Deadline,
    DeadlineKind,
    Invite,
    Lobby,
    LobbyState,
    Reply,
    Seated,
    Setup,
    Snowflake,
    StoredMatch,
    UserId,
)
from bot.referee.model.participant import FILL_AFTER, Person, Place, can_fill_table
from bot.referee.model.people import Player
from bot.referee.model.people_check import CheckPeople
from bot.referee.model.searches import PAIR, end_pair, leave_queue
from bot.referee.model.surfaces import Surface, SurfaceKind
from bot.referee.model.views import LobbyView
from bot.referee.proof import promises
from bot.referee.proof.version2 import NONCE_BYTES
from bot.referee.repository.house_levels import find_levels
from bot.referee.repository.house_levels import seated as seat_level
from bot.referee.repository.live import Live, Played, new_engine_match
from bot.referee.repository.match_repository import TRIES, Commands, MatchRepository
from bot.referee.repository.standings import is_limit_reached
from bot.referee.repository.view_builder import lobby_view

log = logging.getLogger(__name__)


def wants_dm(clock: int, player: Player, guild: GuildSettings, now: datetime) -> bool:
    """Return True if messages about a match with this clock (seconds) are sent by DM (ui.md 1.4)."""
    closed = player.dm_closed_until is not None and player.dm_closed_until > now
    return not closed and prefers_dm(clock, player, guild)


def prefers_dm(clock: int, player: Player, guild: GuildSettings) -> bool:
    """Return what `wants_dm` returns, but ignore closed DMs: a new match tries once, as they may be open again."""
    if player.console == "server":
        return guild.place != "channel"
    return player.console == "dm" or (player.console == "auto" and clock >= SLOW)


T = TypeVar("T")

Without = Callable[[Lobby, Invite], Awaitable[object]]
"""Ends or changes a lobby whose match cannot begin with a person."""


SealBids = Callable[[Played, datetime], Played]
"""Adds the bids of quick house seats to a change."""


class Lobbies(Commands):
    """Challenges and tables until their match begins. Every change of one is a transaction."""

    def __init__(self, repository: MatchRepository, seal_bids: SealBids) -> None:
        super().__init__(repository)
        self._seal_bids = seal_bids

    async def find(self, id: str) -> Lobby | None:
        """Return the challenge or table, or None if there is none."""
        return await self._store.lobby(id)

    async def get(self, id: str) -> Lobby:
        """Return the challenge or table; raise `challenge-gone` if there is none."""
        lobby = await self._store.lobby(id)
        if lobby is None:
            raise RefereeError("challenge-gone", how="unknown")
        return lobby

    def is_late(self, lobby: Lobby, at: datetime | None) -> bool:
        """Return True if the lobby had expired at the time of the press, or has now if no time is given."""
        return (at or self._clock.now()) >= lobby.expires

    async def retry_for(self, host: UserId, work: Callable[[], Awaitable[T]]) -> T:
        """Run one command at a time that opens a lobby for a person: what comes in the same instant is counted, too."""
        return await self.retry(f"host {host}", work)

    async def retry(self, id: str, work: Callable[[], Awaitable[T]]) -> T:
        """Run one command at a time for a lobby; repeat it if another process changed the lobby, or what its people may
        do."""
        async with self._repository.lock(id):
            for _ in range(TRIES):
                try:
                    return await work()
                except Conflict:
                    continue
        raise RefereeError("busy")

    async def open(
        self,
        place: Place,
        host: Person,
        others: Sequence[Person],
        setup: Setup,
        kind: str = "challenge",
        finished: int | None = None,
        house: Sequence[str] = (),
    ) -> Lobby:
        """Create and commit a lobby. Refuse a host who asks too much of others. Call it in `retry_for`."""
        now = self._clock.now()
        hosted = await self._store.hosted_since(host.user, now - limits.SPAN)
        await check_not_banned(self._store, place.guild, host.user, now)
        for person in others:
            if await find_ban(self._store, place.guild, person.user, now):
                raise RefereeError("banned-them", name=person.name)
        limits.check_limits(hosted, now, kind, place.channel, others)
        people = (Invite(host.user, host.name, Reply.HOST), *(Invite(p.user, p.name, Reply.ASKED) for p in others))
        lobby = Lobby(
            id=await self._repository.new_id(place.guild),
            kind=kind,
            guild=place.guild,
            channel=place.channel,
            message=None,
            host=host.user,
            setup=setup,
            nonce=self._repository.entropy.bytes(NONCE_BYTES),
            state=LobbyState.OPEN,
            people=people,
            created=now,
            expires=now + lobby_life(setup.clock),
            finished=finished,
            house=tuple(house),
        )
        names = tuple(NameMember(place.guild, person.user, person.name) for person in (host, *others))
        expiry = SetDeadline(Deadline(lobby.id, DeadlineKind.LOBBY, lobby.expires))
        beside: Step = CountDaily(lobby.guild, now.date(), DailyCount.CHALLENGE_SENT)
        if kind == "table":
            beside = SetDeadline(Deadline(lobby.id, DeadlineKind.FILL, now + FILL_AFTER))
        limit = (await self._store.guild(place.guild)).matches
        users = (host.user, *(person.user for person in others))
        check = CheckPeople(place.guild, users, limit, now, host.user, len(hosted), now - limits.SPAN)
        await self._repository.write((check, NewLobby(lobby), expiry, *names, beside))
        self._repository.notify(lobby.id)
        return lobby

    async def save(self, lobby: Lobby, people: tuple[Invite, ...], host: UserId = 0, *steps: Step) -> Lobby:
        """Save other people, or another host."""
        return await self.write(lobby, replace(lobby, people=people, host=host or lobby.host), *steps)

    async def write(self, lobby: Lobby, changed: Lobby, *steps: Step) -> Lobby:
        """Save a changed lobby that stays open."""
        saved = replace(changed, version=lobby.version + 1)
        await self._repository.write((*steps, SaveLobby(saved, lobby.version)))
        self._repository.notify(lobby.id)
        return saved

    async def close(self, lobby: Lobby, state: LobbyState, *steps: Step) -> Lobby:
        """End a lobby without a match. People of a pair wait on, or leave."""
        now = self._clock.now()
        closed = replace(lobby, state=state, version=lobby.version + 1, expires=now)
        steps += end_pair(closed, now) if lobby.kind == PAIR else ()
        await self._repository.write((SaveLobby(closed, lobby.version), DropDeadlines(lobby.id), *steps))
        self._repository.notify(lobby.id)
        return closed

    async def note_message(self, drawn: Lobby, surface: Surface) -> None:
        """Store the message that shows a challenge. If the match has begun already, it is the board."""

        async def work() -> None:
            lobby = await self.get(drawn.id)
            if lobby.state is not LobbyState.OPEN:
                return
            changed = replace(lobby, message=surface.message, version=lobby.version + 1)
            shown = changed.version if lobby.version == drawn.version else drawn.version
            put: Change = (PutSurface(replace(surface, shown=shown)),)
            if any(one.message == surface.message for one in await self._store.surfaces(drawn.id)):
                put = ()  # an earlier press has stored the newer content already
            await self._repository.write((SaveLobby(changed, lobby.version), *put))

        await self.retry(drawn.id, work)

    # --- the end without a match -------------------------------------------------------------------------

    async def expire(self, id: str) -> Lobby | None:
        """End a lobby that expired, after a grace period for presses on their way."""

        async def work() -> Lobby | None:
            lobby = await self._find_open(id)
            if lobby is None:
                return None
            end = lobby.expires + LOBBY_GRACE
            if self._clock.now() < end:
                await self._repository.write((SetDeadline(Deadline(id, DeadlineKind.LOBBY, end)),))
                return lobby
            return await self.close(lobby, LobbyState.EXPIRED)

        return await self.retry(id, work)

    async def end_deleted(self, id: str) -> Lobby | None:
        """End a lobby whose message was deleted, since people no longer see what they would accept."""
        return await self._end(id, LobbyState.DELETED)

    async def put_back(self, id: str) -> Lobby | None:
        """End a lobby of a restored database.

        It may have been played since the backup, and would deal the same cards to people who saw them.
        """
        return await self._end(id, LobbyState.PUT_BACK)

    async def _end(self, id: str, state: LobbyState) -> Lobby | None:
        """Close a lobby that is still open."""

        async def work() -> Lobby | None:
            lobby = await self._find_open(id)
            return None if lobby is None else await self.close(lobby, state)

        return await self.retry(id, work)

    async def end_older(self, id: str) -> None:
        """End a lobby whose board was shown already, because the database is older; raise `rolled-back` then.

        A second start would deal the same cards to people who saw them.
        """
        async with self._repository.lock(id):
            lobby = await self._find_open(id)
            if lobby is None:
                return
            # Its message is a board, as the press showed: nothing is left to draw.
            shown = [DropSurface(surface.id) for surface in await self._store.surfaces(id)]
            await self.close(lobby, LobbyState.FAILED, *shown)
        log.error("the database was restored: %s had begun, but is a challenge again; it is ended", id)
        raise RefereeError("rolled-back", m=id)

    async def _find_open(self, id: str) -> Lobby | None:
        lobby = await self.find(id)
        return lobby if lobby is not None and lobby.state is LobbyState.OPEN else None

    # --- the match begins --------------------------------------------------------------------------------

    async def begin(
        self, lobby: Lobby, people: Sequence[Invite], without: Without, accepted: UserId = 0, *steps: Step
    ) -> Live:
        """Start the match: match, first deal, deadlines and board in one transaction.

        `without` is called with a person who cannot take their seat. The caller holds the lock of this id.
        """
        message = lobby.message or 0
        if not message:
            raise RefereeError("not-shown-yet", lobby=lobby)  # what they agree to names the message that shows it
        time = await self._repository.wait_for_clock()
        now = self._clock.now()
        check = await self._check_people(lobby, people, without, now)
        setup = replace(lobby.agreed, seats=len(people) + len(lobby.house))
        seats = _seat_players(lobby, people, accepted, now)
        users = [invite.user for invite in people]
        agreement = promises.agreement(lobby.id, lobby.nonce, setup, seats, lobby.house, message)
        stored = StoredMatch(
            *(lobby.id, lobby.guild, lobby.channel, setup, lobby.nonce, seats),
            opened=now,
            started=now,
            # The version of the message continues: its noted version must not hide news of the match.
            version=lobby.version + 1,
            agreement=agreement,
            paused=await paused_until(self._store, setup, users, now),
            unrated="farming" if await is_limit_reached(self._store, lobby.guild, setup, users, now) else "",
        )
        begun = play.begin(Live(stored, new_engine_match(setup), ()), now)
        started = replace(lobby, state=LobbyState.STARTED, people=tuple(people), version=lobby.version + 1)
        surfaces = await self._first_surfaces(lobby, people)
        before = replace(begun.live.stored, deals=())
        begun = self._seal_bids(begun, now)
        counted = (count_accepted(lobby.guild, lobby.created, now),) if lobby.kind == "challenge" else ()
        self._repository.check_clock(time)
        await self._repository.write(
            (
                check,
                *steps,
                *leave_queue(lobby),
                SaveLobby(started, lobby.version),
                DropDeadlines(lobby.id, DeadlineKind.LOBBY),
                DropDeadlines(lobby.id, DeadlineKind.FILL),
                NewMatch(before),
                *begun.steps,
                *surfaces,
                *counted,
            )
        )
        # A player may have paused, or ended a pause, in this instant. The caller holds the lock of this id.
        again = await apply_pauses(self._store, begun.live, now) if is_slow(setup) else None
        if again is not None:
            await self._repository.write(again.steps)
        live = self._repository.cache(begun.live if again is None else again.live)
        self._repository.notify(lobby.id)
        return live

    async def _check_people(
        self, lobby: Lobby, people: Sequence[Invite], without: Without, now: datetime
    ) -> CheckPeople:
        """Refuse to start with a person who plays too much, or is banned by now. Return the step that proves it."""
        limit = (await self._store.guild(lobby.guild)).matches
        for invite in people:
            if await self._store.live_count(invite.user) >= limit:
                await without(lobby, invite)
                raise RefereeError("too-many-live-them", name=invite.name, n=limit)
            if await find_ban(self._store, lobby.guild, invite.user, now):
                await without(lobby, invite)
                raise RefereeError("banned-them", name=invite.name)
        return CheckPeople(lobby.guild, tuple(invite.user for invite in people), limit, now)

    async def view(self, lobby: Lobby) -> LobbyView:
        """Return a challenge or table as everyone sees it."""
        is_full, is_new = await self._is_limit_reached(lobby), await self._has_newcomer(lobby)
        return lobby_view(lobby, is_full, can_fill_table(lobby, self._clock.now()), is_new)

    async def _has_newcomer(self, lobby: Lobby) -> bool:
        """Return True while an open challenge waits for a person who has finished no match in its server."""
        waits = lobby.kind == "challenge" and lobby.state is LobbyState.OPEN
        asked = [one.user for one in lobby.people if waits and one.answer is Reply.ASKED]
        return not all([await self._store.has_finished(lobby.guild, user) for user in asked])

    async def _is_limit_reached(self, lobby: Lobby) -> bool:
        """Return True if the match of an open challenge would not count any more today.

        A table returns False: its players are not known yet.
        """
        if lobby.kind == "table" or lobby.state is not LobbyState.OPEN:
            return False
        users = [invite.user for invite in lobby.people if invite.answer is not Reply.DECLINED]
        return await is_limit_reached(self._store, lobby.guild, lobby.agreed, users, self._clock.now())

    async def _first_surfaces(self, lobby: Lobby, people: Sequence[Invite]) -> Change:
        """Turn the challenge's message into the board, and owe consoles by DM, which survive a crash."""
        now = self._clock.now()
        guild = await self._store.guild(lobby.guild)
        shown = await self._store.surfaces(lobby.id)
        posted = [surface for surface in shown if surface.kind is SurfaceKind.LOBBY]
        board = next((surface for surface in posted if surface.message == lobby.message), posted[0] if posted else None)
        # A repeated call may have left it there twice: nothing brings up the other one from now on.
        owed: list[PutSurface | DropSurface] = [DropSurface(surface.id) for surface in posted if surface is not board]
        if board is not None:
            owed.append(PutSurface(replace(board, kind=SurfaceKind.BOARD, shown=0)))
        elif lobby.message is not None:
            fresh_board = Surface(lobby.id, SurfaceKind.BOARD, 0, lobby.channel, lobby.message, 0, lobby.created)
            owed.append(PutSurface(fresh_board))
        for one in people if lobby.setup.place == "own" else ():  # at a table the board is the keyboard
            player = await self._store.player(one.user)
            if prefers_dm(lobby.setup.clock, player, guild):
                console = Surface(lobby.id, SurfaceKind.CONSOLE_DM, one.user, player.dm_channel, 0, 0, now)
                owed.append(PutSurface(console))
        return tuple(owed)


def _seat_players(lobby: Lobby, people: Sequence[Invite], accepted: UserId, now: datetime) -> tuple[Seated, ...]:
    """Return the seats. At a table, or beside the house, the order of joining must not choose them."""
    by_id = lobby.kind == "table" or lobby.house
    seated = sorted(people, key=lambda one: one.user) if by_id else people
    found = (Seated(one.user, one.name, seen=now if one.user == accepted else None) for one in seated)
    return (*found, *map(seat_level, find_levels(lobby.house)))


def with_message(lobby: Lobby, message: Snowflake | None) -> Lobby:
    """Return the lobby with the message that was pressed, if a crash lost its id."""
    return lobby if message is None or lobby.message is not None else replace(lobby, message=message)


def check_host(lobby: Lobby, user: UserId) -> None:
    """Refuse a button that only the host may press. A pair has no host, and no such button."""
    if lobby.kind == PAIR:
        raise RefereeError("stale-button", link="")
    if user != lobby.host:
        host = next(invite for invite in lobby.people if invite.user == lobby.host)
        raise RefereeError("host-only", host=host.name)
