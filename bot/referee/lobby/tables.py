"""Open tables: anyone may join, a full table starts by itself, and leaving frees a seat."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.engine.variants import find_game
from bot.errors import RefereeError
from bot.referee.lobby.limits import check_not_banned
from bot.referee.lobby.lobbies import Lobbies, check_host, with_message
from bot.referee.lobby.setups import Wish, choose_levels, make_setup, usual_seats
from bot.referee.model.changes import NameMember
from bot.referee.model.model import Invite, Lobby, LobbyState, Reply, Snowflake, UserId
from bot.referee.model.participant import Person, Place, count_seats, fewest_seats, is_playable
from bot.referee.model.people_check import CheckPeople
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands, MatchRepository


class Tables(Commands):
    """From an open table to the first prompt. A full table becomes a match as a challenge does."""

    def __init__(self, repository: MatchRepository, lobbies: Lobbies) -> None:
        super().__init__(repository)
        self._lobbies = lobbies

    async def open(self, place: Place, host: Person, seats: int | None, wish: Wish) -> Lobby:
        """Create and commit a table with its host."""
        return await self._lobbies.retry_for(host.user, lambda: self._open(place, host, seats, wish))

    async def _open(self, place: Place, host: Person, seats: int | None, wish: Wish) -> Lobby:
        guild = await self._store.guild(place.guild)
        setup = make_setup(wish, usual_seats(wish, guild, people=2) if seats is None else seats, guild)
        house = choose_levels(setup, min(wish.house, setup.seats - 1), wish.level)
        if await self._store.live_count(host.user) >= guild.matches:
            raise RefereeError("too-many-live-you", n=guild.matches)
        if await self._store.boards_in(place.channel) >= guild.boards:
            raise RefereeError("channel-full", n=guild.boards)
        return await self._lobbies.open(place, host, (), setup, kind="table", house=house)

    async def get(self, id: str) -> Lobby:
        """Return the table; raise `table-gone` if there is none."""
        table = await self._store.lobby(id)
        if table is None or table.kind != "table":
            raise RefereeError("table-gone")
        return table

    # A press is in time by Discord's clock (`at`), no matter how late it is handled.

    async def join(
        self, id: str, person: Person, message: Snowflake | None = None, at: datetime | None = None
    ) -> Lobby | Live:
        """Take a free seat, else that of a house player. The last one starts the match, which is returned then.

        A match that becomes rated as the last house player leaves starts by its host: all can read so first.
        """

        async def work() -> Lobby | Live:
            table = await self._get_table(id, at, person.user)
            check = await self._check_guest(table, person)
            table = with_message(table, message)
            people = (*table.people, Invite(person.user, person.name, Reply.ACCEPTED))
            await self._repository.write((NameMember(table.guild, person.user, person.name),))
            before, table = table, replace(table, house=table.house[: table.setup.seats - len(people)])
            is_full = len(people) + len(table.house) >= table.setup.seats
            if is_full and table.agreed.rated == before.agreed.rated:
                return await self._lobbies.begin(table, people, self.free_seat, person.user, check)
            return await self._lobbies.save(table, people, 0, check)

        return await self._lobbies.retry(id, work)

    async def leave(self, id: str, user: UserId, at: datetime | None = None) -> Lobby:
        """Free a seat. The host's place goes to the next seat; an empty table closes."""

        async def work() -> Lobby:
            table = await self._get_table(id, at)
            if user not in _users(table):
                raise RefereeError("not-seated")
            return await self._stand_up(table, user)

        return await self._lobbies.retry(id, work)

    async def start(self, id: str, user: UserId, message: Snowflake | None = None, at: datetime | None = None) -> Live:
        """Start the match with the people and the house players at the table."""

        async def work() -> Live:
            table = with_message(await self._get_table(id, at), message)
            check_host(table, user)
            seated = count_seats(table)
            if not is_playable(table.setup, seated):
                need = fewest_seats(table.setup, seated)
                raise RefereeError("too-few-seats", game=find_game(table.setup.game).name, n=need, m=need - seated)
            return await self._lobbies.begin(table, table.people, self.free_seat, user)

        return await self._lobbies.retry(id, work)

    async def close(self, id: str, user: UserId, at: datetime | None = None) -> Lobby:
        """Close the table without a match."""

        async def work() -> Lobby:
            table = await self._get_table(id, at)
            check_host(table, user)
            return await self._lobbies.close(table, LobbyState.WITHDRAWN)

        return await self._lobbies.retry(id, work)

    # --- what is checked ---------------------------------------------------------------------------------

    async def _get_table(self, id: str, at: datetime | None, guest: UserId = 0) -> Lobby:
        """Return the open table. Tell a guest who came after the last seat that it is full."""
        table = await self.get(id)
        if guest and table.state is LobbyState.STARTED:
            raise RefereeError("joined" if guest in _users(table) else "table-full")
        if table.state is not LobbyState.OPEN or self._lobbies.is_late(table, at):
            raise RefereeError("table-gone", lobby=table)
        return table

    async def _check_guest(self, table: Lobby, person: Person) -> CheckPeople:
        """Refuse a guest who may not sit down. The most helpful refusal comes first. Return the step that proves it.

        A block holds between a guest and the host. A blocked guest is not told so, as with a challenge.
        """
        host = next(invite for invite in table.people if invite.user == table.host)
        if person.user in _users(table):
            raise RefereeError("joined")
        if len(table.people) >= table.setup.seats:
            raise RefereeError("table-full")
        now = self._clock.now()
        await check_not_banned(self._store, table.guild, person.user, now)
        if await self._store.blocked(person.user, host.user):
            raise RefereeError("you-blocked", name=host.name)
        if await self._store.blocked(host.user, person.user):
            raise RefereeError("table-not-yours")
        limit = (await self._store.guild(table.guild)).matches
        if await self._store.live_count(person.user) >= limit:
            raise RefereeError("too-many-live-you", n=limit)
        return CheckPeople(table.guild, (person.user,), limit, now, host.user)

    # --- seats become free -------------------------------------------------------------------------------

    async def _stand_up(self, table: Lobby, user: UserId) -> Lobby:
        rest = tuple(invite for invite in table.people if invite.user != user)
        if not rest:
            return await self._lobbies.close(table, LobbyState.WITHDRAWN)
        first = replace(rest[0], answer=Reply.HOST)
        return await self._lobbies.save(table, (first, *rest[1:]), host=first.user)

    async def free_seat(self, lobby: Lobby, person: Invite) -> None:
        """Free the seat of a person who plays too much elsewhere; the others stay."""
        await self._stand_up(lobby, person.user)


def _users(table: Lobby) -> frozenset[UserId]:
    return frozenset(invite.user for invite in table.people)
