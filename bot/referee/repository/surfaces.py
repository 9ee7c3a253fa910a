"""Where matches and lobbies are shown, and what stands there: all of that is written here, but for the first surfaces
of a match, which belong into the transaction that begins it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from bot.referee.model import Store
from bot.referee.model.changes import (
    DropDeadlines,
    DropSurface,
    EndMarking,
    MarkBehind,
    PutSurface,
    SaveNote,
    SetDeadline,
    Step,
    SurfaceShown,
)
from bot.referee.model.model import Deadline, DeadlineKind, Snowflake, Surface, message_owner

Mark: TypeAlias = PutSurface | SurfaceShown | DropSurface
"""what is marked of a surface"""


COMMAND_HASH = "commands"
"""first word of the key under which the hash of an application's slash commands is noted"""

MARKED_AT_ONCE = 50
"""matches and lobbies whose surfaces are marked in one transaction"""

SOON = timedelta(minutes=1)
"""after which whoever puts a message into the place of another has removed that one, or has been killed"""


class Surfaces:
    """What stands where. A mark about one that has gone, or become a board, is a `Conflict`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def load(self, match: str) -> Sequence[Surface]:
        """Return every surface of a match or lobby that is not gone."""
        return await self._store.surfaces(match)

    async def load_behind(self, limit: int) -> Sequence[Surface]:
        """Return live surfaces that show an older version than their match or lobby has."""
        return await self._store.behind(limit)

    async def put(self, surface: Surface, instead_of: tuple[Snowflake, Snowflake] | None = None) -> int:
        """A new surface, or with an id the same one as it is now; its id. The message whose place it takes is to go,
        and after a kill still is."""
        steps: list[Step] = [PutSurface(surface)]
        if instead_of is not None:
            owner = message_owner(*instead_of)
            steps.append(SetDeadline(Deadline(owner, DeadlineKind.OUTDATED, surface.posted + SOON)))
        (id,) = await self._store.write(tuple(steps))
        return id

    async def schedule_removal(self, channel: Snowflake, message: Snowflake, at: datetime) -> None:
        """Have a message removed a minute after this time, unless it is removed before."""
        owner = message_owner(channel, message)
        await self._store.write((SetDeadline(Deadline(owner, DeadlineKind.OUTDATED, at + SOON)),))

    async def drop_removal(self, channel: Snowflake, message: Snowflake) -> None:
        """It has gone."""
        await self._store.write((DropDeadlines(message_owner(channel, message)),))

    async def drop(self, id: int) -> None:
        """There is no such message any more, or will never be."""
        await self._store.write((DropSurface(id),))

    async def mark(self, marks: Sequence[Mark]) -> None:
        """All of them, or none."""
        await self._store.write(tuple(marks))

    async def mark_behind(self) -> None:
        """After time was given back: mark what shows old times as behind. A later call goes on where one was ended."""
        while (left := await self._store.unmarked()) is not None:
            for first in range(0, len(left.owners), MARKED_AT_ONCE):
                await self._store.write(tuple(map(MarkBehind, left.owners[first : first + MARKED_AT_ONCE])))
            await self._store.write((EndMarking(left.times),))

    async def is_result_told(self, match: str) -> bool:
        """Return True if the channel or the players were told how this match ended."""
        return await self._store.note(_told_key(match)) is not None

    async def note_result_told(self, match: str) -> None:
        await self._store.write((SaveNote(_told_key(match), "1"),))

    async def load_command_hash(self, application: Snowflake) -> str | None:
        """Return the hash of the slash commands that Discord was given last."""
        return await self._store.note(f"{COMMAND_HASH} {application}")

    async def save_command_hash(self, application: Snowflake, digest: str) -> None:
        await self._store.write((SaveNote(f"{COMMAND_HASH} {application}", digest),))


def _told_key(match: str) -> str:
    return f"told {match}"
