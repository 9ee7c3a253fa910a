"""Everything that can go wrong on purpose, in one tree.

Refusal             (bot.engine.refusals) a choice, a deal or a setup was not accepted; nothing changed
├── Unreadable      it cannot be understood
├── BadSetup        game, options or series do not fit together
├── BadDeal         cards that cannot have been dealt
├── Illegal         understood, but not allowed now
└── NotAwaited      stale, or nothing is asked of this seat
RecordError         (bot.engine.record) a record was refused: the place, and the refusal
GopsError           everything outside the rules
└── SettingsError   the settings do not hold; lists every problem
"""

from collections.abc import Sequence
from typing import Any

from bot.engine.record import RecordError
from bot.engine.refusals import BadDeal, BadSetup, Illegal, NotAwaited, Refusal, Unreadable

__all__ = [
    "BadDeal",
    "BadSetup",
    "GopsError",
    "Illegal",
    "NotAwaited",
    "RecordError",
    "Refusal",
    "Refused",
    "SettingsError",
    "Unreadable",
]


class GopsError(Exception):
    """Something outside the rules went wrong."""


class Refused(GopsError):
    """The referee does not do it, and nothing changed. The sentence for `id` is the interface's business."""

    def __init__(self, id: str, **data: Any) -> None:
        super().__init__(id)
        self.id = id
        self.data = data


class SettingsError(GopsError):
    """The settings do not hold."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)
