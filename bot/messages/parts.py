"""What boards, consoles and notices work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.messages.display import Displays
from bot.messages.dms import Dms
from bot.messages.notes import Notes
from bot.messages.writer import UpdateCall, Writers
from bot.referee.model.model import Surface
from bot.referee.referee import Referee
from bot.rest.delivery import Delivery, has_live_token


@dataclass(eq=False)
class MessageParts:
    """The parts of one publisher."""

    referee: Referee
    delivery: Delivery
    displays: Displays
    writers: Writers
    notes: Notes
    dms: Dms
    wake: Callable[[str], None]
    """plans what has to be shown of this match or lobby"""

    def show(self, surface: Surface, work: UpdateCall, spare: Surface | None = None, *, at_once: bool = False) -> None:
        """Have a message shown: free by its token or that of `spare`, else by a counted call."""
        now = self.referee.clock.now()
        is_free = any(one is not None and has_live_token(one, now) for one in (surface, spare))
        self.writers.of(surface).want(work, None if is_free else partial(self.reserve, surface), at_once=at_once)

    def reserve(self, surface: Surface) -> float:
        """Take the turn of a counted call; return the seconds until then."""
        return self.delivery.reserve_edit(surface, self.referee.clock.now())
