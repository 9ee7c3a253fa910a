"""What boards, consoles and notices work with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.messages.display import Displays
from bot.messages.dms import Dms
from bot.messages.notes import Notes
from bot.messages.writer import Writers
from bot.referee.referee import Referee
from bot.rest.delivery import Delivery


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
