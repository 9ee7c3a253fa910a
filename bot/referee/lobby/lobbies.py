"""What challenges and tables share: a message, and a time after which they expire."""

from __future__ import annotations

import logging
from dataclasses import replace

from bot.errors import RefereeError
from bot.referee.lobby.lobby_repository import LobbyRepository
from bot.referee.model.changes import Change, Conflict, DropDeadlines, DropSurface, PutSurface, SaveLobby, SetDeadline
from bot.referee.model.durations import LOBBY_GRACE
from bot.referee.model.model import Deadline, DeadlineKind, Lobby, LobbyState, Surface
from bot.referee.repository.match_repository import MatchRepository

log = logging.getLogger(__name__)


class Lobbies:
    """Challenges and tables until their match begins."""

    def __init__(self, repository: MatchRepository, lobbies: LobbyRepository) -> None:
        self._repository = repository
        self._lobbies = lobbies

    async def get(self, id: str) -> Lobby:
        """Return the challenge or table; raise `challenge-gone` if there is none."""
        return await self._lobbies.get(id)

    async def find(self, id: str) -> Lobby | None:
        """Return the challenge or table, or None if there is none."""
        return await self._repository.store.lobby(id)

    async def is_limit_reached(self, lobby: Lobby) -> bool:
        """Return True if its match would not count for the ratings any more."""
        return lobby.state is LobbyState.OPEN and await self._lobbies.is_limit_reached(lobby)

    async def note_message(self, drawn: Lobby, surface: Surface) -> None:
        """Store the message that shows a challenge. If the match has begun already, it is the board."""
        async with self._repository.lock(drawn.id):
            for _ in range(3):
                lobby = await self.get(drawn.id)
                if lobby.state is not LobbyState.OPEN:
                    return
                changed = replace(lobby, message=surface.message, version=lobby.version + 1)
                shown = changed.version if lobby.version == drawn.version else drawn.version
                put: Change = (PutSurface(replace(surface, shown=shown)),)
                if any(one.message == surface.message for one in await self._repository.store.surfaces(drawn.id)):
                    put = ()  # an earlier press has stored the newer content already
                try:
                    await self._repository.write((SaveLobby(changed, lobby.version), *put))
                except Conflict:
                    continue
                return
        raise RefereeError("busy")

    async def expire(self, id: str) -> Lobby | None:
        """End a lobby that expired, after a grace period for presses on their way."""

        async def work() -> Lobby | None:
            lobby = await self._repository.store.lobby(id)
            if lobby is None or lobby.state is not LobbyState.OPEN:
                return None
            end = lobby.expires + LOBBY_GRACE
            if self._repository.clock.now() < end:
                await self._repository.write((SetDeadline(Deadline(id, DeadlineKind.LOBBY, end)),))
                return lobby
            return await self._lobbies.close(lobby, LobbyState.EXPIRED)

        return await self._lobbies.retry(id, work)

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
            lobby = await self._repository.store.lobby(id)
            if lobby is None or lobby.state is not LobbyState.OPEN:
                return None
            return await self._lobbies.close(lobby, state)

        return await self._lobbies.retry(id, work)

    async def end_older(self, id: str) -> None:
        """End a lobby whose board was shown already, because the database is older; raise `rolled-back` then.

        A second start would deal the same cards to people who saw them.
        """
        async with self._repository.lock(id):
            lobby = await self._repository.store.lobby(id)
            if lobby is None or lobby.state is not LobbyState.OPEN:
                return
            closed = replace(
                lobby, state=LobbyState.FAILED, version=lobby.version + 1, expires=self._repository.clock.now()
            )
            # Its message is a board, as the press showed: nothing is left to draw.
            shown = [DropSurface(surface.id) for surface in await self._repository.store.surfaces(id)]
            await self._repository.write((SaveLobby(closed, lobby.version), DropDeadlines(id), *shown))
        self._repository.notify(id)
        log.error("the store was put back: %s had begun, and is a challenge again; it is ended", id)
        raise RefereeError("rolled-back", m=id)
