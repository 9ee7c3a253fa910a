"""Notes of what was shown: they count at once, and are stored together a moment later."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

import discord

from bot.engine.fast_values import replace_fields
from bot.referee.model.changes import Conflict, DropSurface, PartitionMoved, PutSurface, SurfaceShown
from bot.referee.model.model import Snowflake
from bot.referee.model.surfaces import Surface, SurfaceKind, console_among, token_expiry
from bot.referee.referee import Referee
from bot.referee.repository.surfaces import Mark

log = logging.getLogger(__name__)

GATHERED = 0.2
"""seconds in which notes are gathered before they are stored"""
AT_ONCE = 32
"""notes in one change; one change follows the other, for presses need connections, too"""


class Notes:
    """What the store does not know yet. If a note is lost, the same is shown once more."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._kept: dict[int, Mark] = {}
        """by surface"""
        self._flush: asyncio.Task[None] | None = None
        self._adding = asyncio.Lock()
        self._storing = asyncio.Lock()

    def add(self, step: Mark) -> None:
        """Note a change of a surface; it is stored soon, with others."""
        id = step.surface.id if isinstance(step, PutSurface) else step.id
        known = self._kept.get(id)
        if isinstance(step, SurfaceShown) and known is not None:
            step = _joined(known, step)
        self._kept[id] = step
        if self._flush is None:
            self._flush = asyncio.get_running_loop().create_task(self.flush(GATHERED), name="store-notes")

    def add_change(self, surface: Surface, **how: Any) -> None:
        """Note that a console is otherwise by now."""
        self.add(PutSurface(replace_fields(surface, **how)))

    async def put(self, surface: Surface, instead_of: tuple[Snowflake, Snowflake] | None = None) -> int:
        """Store a surface at once and return its id. It replaces the note, which was about the message before.

        The surface counts as stored from now on: a press that notes the old message meanwhile would put it back. A
        challenge does not: it may have become a board, and the store refuses it then.
        """
        step = PutSurface(surface)
        if surface.id and surface.kind is not SurfaceKind.LOBBY:
            self._kept[surface.id] = step
        try:
            return await self.referee.surfaces.put(surface, instead_of)
        finally:
            if self._kept.get(surface.id) is step:
                del self._kept[surface.id]

    async def keep(self, surface: Surface) -> Surface | None:
        """A press showed this console. Presses may overlap: what a later one showed is not forgotten for it, and a
        console that was pressed before it was known is known once.
        Gives the console that has taken the place of this one meanwhile, if one has: a message that is to go, or has
        gone, does not come back. Nor does one of a player who has erased their data meanwhile."""
        async with self._adding if not surface.id else nullcontext():
            there = await self.surfaces(surface.match)
            same = next((one for one in there if one.id == surface.id or one.message == surface.message != 0), None)
            known = same or console_among(there, surface.user, surface.kind)
            if known is None:
                with suppress(Conflict):
                    await self.put(surface)  # at once, for a new one has no note
            elif known.message > surface.message and _is_replaced(surface, known):
                return known
            elif not known.is_pressed_after(surface):
                self.add(PutSurface(surface if surface.id == known.id else replace(surface, id=known.id)))
        return None

    async def renew(self, board: Surface, *, arrived: bool) -> bool:
        """A press showed this version on this board, or tried: its token is the board's from now on, unless a later
        press's is. Return False if the board has moved meanwhile."""
        known = await self.find(board)
        if known is None or known.message != board.message:
            return False
        newest = known if known.is_pressed_after(board) else board
        self.add(PutSurface(replace(newest, shown=max(known.shown, board.shown) if arrived else 0)))
        return True

    def is_shown(self, surface: Surface, version: int) -> bool:
        """Return True if a press noted this version of this message, and the note is not stored yet."""
        note = self._kept.get(surface.id)
        noted = note.surface if isinstance(note, PutSurface) else None
        return noted is not None and noted.message == surface.message and noted.shown >= version

    async def find(self, surface: Surface) -> Surface | None:
        """Return this surface as it is known by now."""
        return next((one for one in await self.surfaces(surface.match) if one.id == surface.id), None)

    async def surfaces(self, id: str) -> Sequence[Surface]:
        """The surfaces of a match or lobby, with what was noted and is not stored yet."""
        stored = await self.referee.surfaces.load(id)
        if not self._kept:
            return stored
        surfaces = list[Surface]()
        for surface in stored:
            match self._kept.get(surface.id, PutSurface(surface)):
                case PutSurface(noted):
                    surfaces.append(noted)
                case SurfaceShown(_, message, shown):
                    holds = shown > surface.shown and message == surface.message
                    surfaces.append(replace_fields(surface, shown=shown) if holds else surface)
                case DropSurface():
                    pass
        return tuple(surfaces)

    async def flush(self, after: float = 0.0) -> None:
        """Store the notes. When this ends nothing of them is on its way to the store any more, and none twice."""
        if after:
            await asyncio.sleep(after)
        timer, self._flush = self._flush, None
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()  # it only waits
        async with self._storing:
            notes = dict(self._kept)
            for some in _split(notes):
                await self._store_together(some)
            for id, note in notes.items():  # a note holds until the store knows of it
                if self._kept.get(id) is note:
                    del self._kept[id]

    async def _store_together(self, notes: Sequence[Mark]) -> None:
        try:
            await self.referee.surfaces.mark(tuple(notes))
        except (Conflict, PartitionMoved):  # a surface went meanwhile: its note costs the others nothing
            for note in notes if len(notes) > 1 else ():
                await self._store_together((note,))
        except Exception:  # only notes of what was shown; without them it is shown again
            log.exception("could not note what was shown")


def _split(notes: Mapping[int, Mark]) -> list[list[Mark]]:
    """Split notes by surface into changes. Each has notes of one kind, so that most changes have the same statements,
    in the order of their surfaces, so that none waits for another one that waits for it."""
    kinds = defaultdict[type[Mark], list[Mark]](list)
    for id in sorted(notes):
        kinds[type(notes[id])].append(notes[id])
    return [some[first : first + AT_ONCE] for some in kinds.values() for first in range(0, len(some), AT_ONCE)]


def _is_replaced(pressed: Surface, newer: Surface) -> bool:
    """Return True if a pressed console is to go. An ephemeral that was pressed after the newer one came may stay."""
    if not pressed.kind.ephemeral:
        return True
    return (
        pressed.token_until is not None
        and token_expiry(discord.utils.snowflake_time(newer.message)) > pressed.token_until
    )


def _joined(known: Mark, shown: SurfaceShown) -> Mark:
    """Two notes of a surface as one."""
    match known:
        case PutSurface(surface) if surface.message == shown.message:
            return PutSurface(replace_fields(surface, shown=max(surface.shown, shown.shown)))
        case SurfaceShown(_, message, before) if message == shown.message:
            return replace(shown, shown=max(before, shown.shown))
        case _:
            return known
