"""Notes of what was shown: gathered for a moment and stored together, and heeded from the first moment on."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any

import discord

from bot.engine.fast_values import replace_fields
from bot.messages.surfaces import console_among
from bot.referee.model.changes import Conflict, DropSurface, PutSurface, SurfaceShown
from bot.referee.model.model import Snowflake, Surface, SurfaceKind
from bot.referee.referee import Referee
from bot.referee.repository.surfaces import Mark
from bot.rest.delivery import token_expiry

log = logging.getLogger(__name__)

GATHERED = 0.2
"""seconds in which marks are gathered before they are stored"""


class Marks:
    """What the store is not told yet. If a mark is lost, the same is shown once more."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self._kept: dict[int, Mark] = {}
        """by surface"""
        self._flush: asyncio.Task[None] | None = None
        self._adding = asyncio.Lock()
        self._storing = asyncio.Lock()

    def mark(self, step: Mark) -> None:
        """A surface was shown: noted soon, with others."""
        id = step.surface.id if isinstance(step, PutSurface) else step.id
        known = self._kept.get(id)
        if isinstance(step, SurfaceShown) and known is not None:
            step = _joined(known, step)
        self._kept[id] = step
        if self._flush is None:
            self._flush = asyncio.get_running_loop().create_task(self._flush_soon(), name="publish-marks")

    def shown(self, surface: Surface, version: int) -> None:
        """Note that a console shows this version."""
        self.mark(SurfaceShown(surface.id, surface.message, version))

    def changed(self, surface: Surface, **how: Any) -> None:
        """A console is otherwise by now."""
        self.mark(PutSurface(replace_fields(surface, **how)))

    async def put(self, surface: Surface, instead_of: tuple[Snowflake, Snowflake] | None = None) -> int:
        """Store a surface at once and return its id. It replaces what was marked, which was about the message before.

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
                    await self.put(surface)  # at once, for a new one has no mark
            elif known.message > surface.message and _is_replaced(surface, known):
                return known
            elif not _later(known, surface):
                self.mark(PutSurface(surface if surface.id == known.id else replace(surface, id=known.id)))
        return None

    async def renew(self, board: Surface, *, arrived: bool) -> Surface | None:
        """A press showed this version on this board, or tried: its token is the board's from now on, unless a later
        press's is. Gives the board as it was known before."""
        known = next((one for one in await self.surfaces(board.match) if one.id == board.id), None)
        if known is None or known.message != board.message:
            return None  # it was moved meanwhile
        newest = known if _later(known, board) else board
        self.mark(PutSurface(replace(newest, shown=max(known.shown, board.shown) if arrived else 0)))
        return known

    async def surfaces(self, id: str) -> Sequence[Surface]:
        """The surfaces of a match or lobby, with what was marked and is not stored yet."""
        stored = await self.referee.surfaces.load(id)
        marks = self._kept
        if not marks:
            return stored
        marked = [_marked(one, marks[one.id]) if one.id in marks else one for one in stored]
        return [one for one in marked if one is not None]

    async def flush(self) -> None:
        """Store them now. When this ends nothing of them is on its way to the store any more, and none twice."""
        timer, self._flush = self._flush, None
        if timer is not None and timer is not asyncio.current_task():
            timer.cancel()  # it only waits
        async with self._storing:
            marks = dict(self._kept)
            try:
                if marks:
                    await self._note(tuple(marks.values()))
            except Exception:  # only notes of what was shown; without them it is shown again
                log.exception("could not note what was shown")
            for id, step in marks.items():  # a mark holds until the store knows of it
                if self._kept.get(id) is step:
                    del self._kept[id]

    async def _flush_soon(self) -> None:
        await asyncio.sleep(GATHERED)
        await self.flush()

    async def _note(self, marks: Sequence[Mark]) -> None:
        """All at once; where a surface went meanwhile, one by one, so that its note costs the others nothing."""
        try:
            await self.referee.surfaces.mark(marks)
        except Conflict:
            for mark in marks:
                with suppress(Conflict):
                    await self.referee.surfaces.mark((mark,))


def _is_replaced(pressed: Surface, newer: Surface) -> bool:
    """Return True if a pressed console is to go. An ephemeral that was pressed after the newer one came may stay."""
    if not pressed.kind.ephemeral:
        return True
    return (
        pressed.token_until is not None
        and token_expiry(discord.utils.snowflake_time(newer.message)) > pressed.token_until
    )


def _later(one: Surface, other: Surface) -> bool:
    """Whether the first was pressed after the second."""
    return one.token_until is not None and other.token_until is not None and one.token_until > other.token_until


def _joined(known: Mark, shown: SurfaceShown) -> Mark:
    """Two marks of a surface as one."""
    match known:
        case PutSurface(surface):
            return (
                PutSurface(replace_fields(surface, shown=max(surface.shown, shown.shown)))
                if surface.message == shown.message
                else known
            )
        case SurfaceShown(_, message, before) if message == shown.message:
            return replace(shown, shown=max(before, shown.shown))
        case _:
            return known


def _marked(surface: Surface, mark: Mark) -> Surface | None:
    """A surface as it is once its mark is stored; None if it is gone by then."""
    match mark:
        case PutSurface(noted):
            return noted
        case SurfaceShown(_, message, shown):
            holds = shown > surface.shown and message == surface.message
            return replace_fields(surface, shown=shown) if holds else surface
        case DropSurface():
            return None
