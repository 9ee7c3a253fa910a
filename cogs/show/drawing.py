"""Whose turn it is to draw: while a press draws a surface, the publisher lets it be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.referee.match.live import Live


class Drawing:
    """The presses that are being answered at this moment. Two of them may overlap, on one surface or in one match."""

    def __init__(self) -> None:
        self._surfaces: Counter[int] = Counter()
        """by surface, how many presses draw it"""
        self._pressed: dict[str, tuple[int, int]] = {}
        """by match, how many presses draw one of its consoles, and the prompt when the first of them began"""

    def taken(self, surface: int) -> bool:
        """Whether a press draws this surface now."""
        return surface in self._surfaces

    def only_sealed(self, live: Live) -> bool:
        """Whether presses are under way in this match that so far did no more than seal."""
        pressed = self._pressed.get(live.stored.id)
        return pressed is not None and live.stored.live and live.stored.prompt == pressed[1]

    @contextmanager
    def press(self, id: str, surface: int, prompt: int) -> Generator[None]:
        """A press in this match or lobby draws this surface."""
        presses, prompt = self._pressed.get(id, (0, prompt))
        self._pressed[id] = presses + 1, prompt
        self._surfaces[surface] += 1
        try:
            yield
        finally:
            self._surfaces[surface] -= 1
            if not self._surfaces[surface]:
                del self._surfaces[surface]
            presses, prompt = self._pressed.pop(id)
            if presses > 1:
                self._pressed[id] = presses - 1, prompt
