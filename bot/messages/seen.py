"""Comparison of messages on Discord with the store, which may be an older copy: then people have seen more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
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


@dataclass(frozen=True, slots=True)
class Compared:
    """Ids of matches that were stopped, of challenges and tables that were ended, and of matches that were not read."""

    stopped: Sequence[str]
    ended: Sequence[str]
    unread: Sequence[str]
    """rated matches that go on, because no message of theirs can be read"""


@dataclass
class SeenComparison:
    """Read the messages of everything unfinished, and stop what people have seen further than the store knows.

    Without `strict` one message of each match is read, the board where it can be. `strict` is for a store that
    certainly was restored: every message is read, and what no message tells of is stopped, too. No message is changed.
    """

    referee: Referee
    delivery: Delivery
    strict: bool = field(kw_only=True)
    unread: list[str] = field(default_factory=list[str])

    async def run(self) -> Compared:
        matches, lobbies = await self.referee.finder.unfinished()
        stopped = await _filter(matches, self._stop_match)
        ended = await _filter(lobbies, self._end_lobby)
        return Compared(stopped, ended, sorted(self.unread))

    async def _stop_match(self, id: str) -> bool:
        """Return True if the match was stopped."""
        try:
            stored = (await self.referee.live(id)).stored
            seen = await self._is_seen_further(id)
            if seen is None and not self.strict and stored.setup.rated and not stored.is_practice:
                self.unread.append(id)
            if seen or (seen is None and self.strict):
                await self.referee.matches.abort(id, "rolled-back")
                return True
        except RefereeError:  # over since it was listed
            pass
        return False

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

    async def _end_lobby(self, id: str) -> bool:
        """Return True if the challenge or table was ended: its message does not ask any more, or cannot be read."""
        lobby = await self.referee.lobbies.find(id)
        if lobby is None or lobby.state is not LobbyState.OPEN:
            return False
        result, custom_ids = CallResult.MESSAGE_GONE, ()
        if lobby.message is not None:
            result, custom_ids = await self.delivery.read_custom_ids(lobby.channel, lobby.message)
        asks = bool({challenge_ids.challenge(id, "a"), challenge_ids.table(id, "j")} & {*custom_ids})
        if asks or (result is not CallResult.DONE and not self.strict):
            return False
        return await self.referee.lobbies.put_back(id) is not None


async def _filter(ids: Sequence[str], work: Callable[[str], Awaitable[bool]]) -> list[str]:
    """Return the ids for which this work returns True."""
    done: list[str] = []
    for start in range(0, len(ids), TOGETHER):
        some = ids[start : start + TOGETHER]
        results = await asyncio.gather(*map(work, some))
        done += [id for id, result in zip(some, results, strict=True) if result]
    return done
