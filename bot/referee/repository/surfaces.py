"""Messages that show matches and lobbies, and all writes about them, except the first surfaces of a match."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from bot.referee.model.changes import (
    DropDeadlines,
    DropSurface,
    EndMarking,
    MarkBehind,
    PutSurface,
    SaveNote,
    SetDeadline,
    SurfaceShown,
)
from bot.referee.model.clock_changes import NEXT_DM, ReserveDm, message_owner
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake
from bot.referee.model.surfaces import RevealNote, Surface, board_among
from data.store import Store

Mark: TypeAlias = PutSurface | SurfaceShown | DropSurface
"""A mark of a surface."""


COMMAND_HASH = "commands"
"""first word of the key under which the hash of an application's slash commands is noted"""

MARKED_AT_ONCE = 50
"""Matches and lobbies whose surfaces are marked in one transaction."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

SOON = timedelta(minutes=1)
"""Delay after which a replaced message is removed, if its replacement did not do that."""


class Surfaces:
    """The stored surfaces. A mark of a surface that is gone, or became a board, raises `Conflict`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def owns(self, match: str) -> bool:
        """Return True if this process shows this match or lobby."""
        return self._store.owns(match)

    async def load(self, match: str) -> Sequence[Surface]:
        """Return every surface of a match or lobby that is not gone."""
        return await self._store.surfaces(match)

    async def find_board(self, match: str) -> Surface | None:
        """Return the board, if the match has one."""
        return board_among(await self.load(match))

    async def load_behind(self, limit: int) -> Sequence[Surface]:
        """Return live surfaces that show an older version than their match or lobby has."""
        return await self._store.behind(limit)

    async def put(self, surface: Surface, instead_of: tuple[Snowflake, Snowflake] | None = None) -> int:
        """Add or save a surface, and return its id.

        The message in `instead_of` is scheduled for removal, which survives a crash.
        """
        removal = () if instead_of is None else (_remove_after(*instead_of, surface.posted),)
        (id,) = await self._store.write((PutSurface(surface), *removal))
        return id

    async def schedule_removal(self, channel: Snowflake, message: Snowflake, at: datetime) -> None:
        """Schedule the removal of a message a minute after `at`."""
        await self._store.write((_remove_after(channel, message, at),))

    async def drop_removal(self, channel: Snowflake, message: Snowflake) -> None:
        """Cancel the removal of a message that is gone."""
        await self._store.write((DropDeadlines(message_owner(channel, message)),))

    async def drop(self, id: int) -> None:
        """Delete a surface whose message does not exist."""
        await self._store.write((DropSurface(id),))

    async def reserve_dm(self, now: datetime, pace: timedelta, patience: timedelta, longest: timedelta) -> datetime:
        """Reserve the time of a call that opens a DM channel, at least `pace` after the one before, and return it.

        Raise `Conflict` if that is after `patience`. No stored time is further away than `longest`.
        """
        (next_at,) = await self._store.write((ReserveDm(now, pace, now + patience, now + longest),))
        return EPOCH + timedelta(microseconds=next_at) - pace

    async def rest_dms(self, until: datetime) -> None:
        """Open no DM channel before this time."""
        await self._store.write((SaveNote(NEXT_DM, str((until - EPOCH) // timedelta(microseconds=1))),))

    async def mark(self, marks: Sequence[Mark]) -> None:
        """Apply all marks, or none."""
        await self._store.write(tuple(marks))

    async def mark_behind(self) -> AbstractSet[str]:
        """Mark surfaces with old times after downtime was credited; return the matches and lobbies that show all there
        is but a deadline that is too early. An interrupted call is continued by the next."""
        early: AbstractSet[str] = frozenset()
        while (left := await self._store.unmarked()) is not None:
            early = (early - {*left.owners}) | left.early
            for first in range(0, len(left.owners), MARKED_AT_ONCE):
                await self._store.write(tuple(map(MarkBehind, left.owners[first : first + MARKED_AT_ONCE])))
            await self._store.write((EndMarking(left.times),))
        return early

    async def is_result_told(self, match: str) -> bool:
        """Return True if the channel or the players were told how this match ended."""
        return await self._store.note(_told_key(match)) is not None

    async def note_result_told(self, match: str) -> None:
        await self._store.write((SaveNote(_told_key(match), "1"),))

    async def load_reveals(self, match: str) -> Mapping[int, RevealNote]:
        """Return what each seat was told of the newest reveal by a new message."""
        kept = await self._store.note(_reveals_key(match))
        return {} if kept is None else {int(seat): RevealNote(*note) for seat, note in json.loads(kept).items()}

    async def save_reveals(self, match: str, notes: Mapping[int, RevealNote]) -> None:
        await self._store.write((SaveNote(_reveals_key(match), json.dumps(notes)),))

    async def load_command_hash(self, application: Snowflake) -> str | None:
        """Return the hash of the slash commands that Discord was given last."""
        return await self._store.note(f"{COMMAND_HASH} {application}")

    async def save_command_hash(self, application: Snowflake, digest: str) -> None:
        await self._store.write((SaveNote(f"{COMMAND_HASH} {application}", digest),))


def _remove_after(channel: Snowflake, message: Snowflake, at: datetime) -> SetDeadline:
    return SetDeadline(Deadline(message_owner(channel, message), DeadlineKind.OUTDATED, at + SOON))


def _told_key(match: str) -> str:
    return f"told {match}"


def _reveals_key(match: str) -> str:
    return f"reveals {match}"
