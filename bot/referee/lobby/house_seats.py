"""The house at a challenge or a table: its host adds and removes house seats, and fills a table that stays empty."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.errors import RefereeError
from bot.referee.lobby.lobbies import Lobbies, check_host, with_message
from bot.referee.lobby.setups import choose_levels
from bot.referee.lobby.tables import Tables
from bot.referee.model.changes import DropDeadlines
from bot.referee.model.model import DeadlineKind, Lobby, LobbyState, Snowflake, UserId
from bot.referee.model.participant import can_add_house, can_fill_table, can_remove_house, count_seats, resize_setup
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands, MatchRepository


class HouseSeats(Commands):
    """Changes the house seats of open challenges and tables."""

    def __init__(self, repository: MatchRepository, lobbies: Lobbies, tables: Tables) -> None:
        super().__init__(repository)
        self._lobbies, self._tables = lobbies, tables

    async def add(self, id: str, user: UserId, at: datetime | None = None) -> Lobby:
        """Add a house seat: one more to a challenge, a free one of a table."""

        async def work() -> Lobby:
            lobby = await self._get_hosted(id, user, at)
            if not can_add_house(lobby):
                raise RefereeError("house-no-seat")
            more = lobby if lobby.kind == "table" else _resize(lobby, 1)
            return await self._lobbies.write(lobby, _seat_house(more, len(lobby.house) + 1))

        return await self._lobbies.retry(id, work)

    async def remove(self, id: str, user: UserId, at: datetime | None = None) -> Lobby:
        """Remove the house seat that was added last."""

        async def work() -> Lobby:
            lobby = await self._get_hosted(id, user, at)
            if not can_remove_house(lobby):
                raise RefereeError("house-stays")
            fewer = lobby if lobby.kind == "table" else _resize(lobby, -1)
            return await self._lobbies.write(lobby, replace(fewer, house=lobby.house[:-1]))

        return await self._lobbies.retry(id, work)

    async def fill(self, id: str, user: UserId, message: Snowflake | None = None, at: datetime | None = None) -> Live:
        """Give all free seats of a table to the house, and start the match."""

        async def work() -> Live:
            table = with_message(await self._get_hosted(id, user, at), message)
            if not can_fill_table(table, self._clock.now()):
                raise RefereeError("house-no-seat")
            full = _seat_house(table, table.setup.seats - len(table.people))
            return await self._lobbies.begin(full, full.people, self._tables.free_seat, user)

        return await self._lobbies.retry(id, work)

    async def offer_fill(self, id: str) -> Lobby | None:
        """Show *Fill with the house* at a table that has waited for people; None if it is full or has ended."""

        async def work() -> Lobby | None:
            table = await self._lobbies.find(id)
            if table is None or not can_fill_table(table, self._clock.now()):
                return None
            return await self._lobbies.write(table, table, DropDeadlines(id, DeadlineKind.FILL))

        return await self._lobbies.retry(id, work)

    async def _get_hosted(self, id: str, user: UserId, at: datetime | None) -> Lobby:
        """Return an open challenge or table for its host; refuse it to others."""
        lobby = await self._lobbies.get(id)
        if lobby.state is not LobbyState.OPEN or self._lobbies.is_late(lobby, at):
            if lobby.kind == "table":
                raise RefereeError("table-gone", lobby=lobby)
            how = "expired" if lobby.state is LobbyState.OPEN else lobby.state.name.lower()
            raise RefereeError("challenge-gone", how=how, lobby=lobby)
        check_host(lobby, user)
        return lobby


def _resize(lobby: Lobby, by: int) -> Lobby:
    """Return a challenge with more or fewer seats."""
    return replace(lobby, setup=resize_setup(lobby.setup, count_seats(lobby) + by))


def _seat_house(lobby: Lobby, seats: int) -> Lobby:
    """Return the lobby with so many house seats; those that are there already stay."""
    first = lobby.house[0] if lobby.house else ""
    levels = choose_levels(lobby.setup, seats, first)
    return replace(lobby, house=(*lobby.house, *levels[len(lobby.house) :]))
