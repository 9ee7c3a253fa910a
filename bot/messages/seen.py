"""Comparison of messages on Discord with the store, which may be an older copy: then people have seen more."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from bot.errors import RefereeError
from bot.referee.model.model import LobbyState
from bot.referee.model.surfaces import SurfaceKind
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.custom_ids import challenge_ids, match_ids
from bot.ui.custom_ids.shapes import find_match

TOGETHER = 50
"""Matches that are compared at a time; the budget of calls sets the pace."""


@dataclass
class SeenComparison:
    """Read the messages of everything unfinished, and stop what people have seen further than the store knows.

    Without `strict` one message of each match is read, the board where it can be. `strict` is for a store that
    certainly was restored: every message is read, and what no message tells of is stopped, too. No message is changed.
    """

    referee: Referee
    delivery: Delivery
    strict: bool = field(kw_only=True)
    stopped: list[str] = field(default_factory=list[str])
    """matches that were stopped"""
    ended: list[str] = field(default_factory=list[str])
    """challenges and tables that were ended"""
    unread: list[str] = field(default_factory=list[str])
    """rated matches that go on, because no message of theirs can be read"""

    async def run(self) -> SeenComparison:
        """Compare everything, and return what was found."""
        matches, lobbies = await self.referee.finder.unfinished()
        for ids, compare in ((matches, self._compare_match), (lobbies, self._compare_lobby)):
            for start in range(0, len(ids), TOGETHER):
                await asyncio.gather(*map(compare, ids[start : start + TOGETHER]))
        return self

    async def _compare_match(self, id: str) -> None:
        """Stop the match if people have seen more of it."""
        with suppress(RefereeError):  # over since it was listed
            stored = (await self.referee.live(id)).stored
            seen = await self._is_seen_further(id)
            if seen or (seen is None and self.strict):
                await self.referee.matches.abort(id, "rolled-back")
                self.stopped.append(id)
            elif seen is None and stored.setup.rated and not stored.is_practice:
                self.unread.append(id)

    async def _is_seen_further(self, id: str) -> bool | None:
        """Return whether a message shows more of a match than the store knows, or None if none can be read.

        What the store knows is read after the message: players may go on meanwhile.
        """
        found: bool | None = None
        surfaces = await self.referee.surfaces.load(id)
        for surface in sorted(surfaces, key=lambda one: one.kind is not SurfaceKind.BOARD):
            if not surface.message or surface.kind.ephemeral:
                continue
            result, custom_ids = await self.delivery.read_custom_ids(surface.channel, surface.message)
            if result is not CallResult.DONE or all(find_match(one) != id for one in custom_ids):
                continue
            found = match_ids.is_later(custom_ids, id, (await self.referee.live(id)).stored.prompt)
            if found or not self.strict:
                return found
        return found

    async def _compare_lobby(self, id: str) -> None:
        """End the challenge or table if its message does not ask any more, or cannot be read."""
        lobby = await self.referee.lobbies.find(id)
        if lobby is None or lobby.state is not LobbyState.OPEN:
            return
        result, custom_ids = CallResult.MESSAGE_GONE, ()
        if lobby.message is not None:
            result, custom_ids = await self.delivery.read_custom_ids(lobby.channel, lobby.message)
        asks = bool({challenge_ids.challenge(id, "a"), challenge_ids.table(id, "j")} & {*custom_ids})
        is_kept = asks or (result is not CallResult.DONE and not self.strict)
        if not is_kept and await self.referee.lobbies.put_back(id) is not None:
            self.ended.append(id)
