"""Ports of the referee: a clock, and entropy."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Aware UTC time."""

    def now(self) -> datetime: ...


class Entropy(Protocol):
    """Unpredictable bytes."""

    def bytes(self, count: int) -> bytes: ...
