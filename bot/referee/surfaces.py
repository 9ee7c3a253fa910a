"""Where matches and lobbies are shown, and what stands there: all of that is written here, but for the first surfaces
of a match, which belong into the transaction that begins it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from bot.referee.ports import Store
from bot.referee.ports.changes import DropSurface, NoteSurface, PutSurface, SurfaceShown, TakeSurface
from bot.referee.ports.model import Surface

Mark: TypeAlias = PutSurface | SurfaceShown | NoteSurface | DropSurface
"""what is marked of a surface"""


class Surfaces:
    """What stands where. A mark about one that has gone, or become a board, is a `Conflict`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def put(self, surface: Surface) -> int:
        """A new surface, or with an id the same one as it is now; its id."""
        (id,) = await self._store.write((PutSurface(surface),))
        return id

    async def drop(self, id: int) -> None:
        """There is no such message any more, or will never be."""
        await self._store.write((DropSurface(id),))

    async def take(self, surface: Surface) -> None:
        """A worker answers a press on this console."""
        await self._store.write((TakeSurface(surface),))

    async def mark(self, marks: Sequence[Mark]) -> None:
        """All of them, or none."""
        await self._store.write(tuple(marks))
