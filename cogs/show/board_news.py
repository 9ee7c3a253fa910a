"""What consoles say of the board: it is late, or was posted again. None of it is needed after a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

BEHIND = timedelta(seconds=10)
"""a board this late is mentioned on consoles"""

SLOW = timedelta(seconds=3)
"""a call that takes this long is one that Discord keeps waiting"""


@dataclass(slots=True)
class _News:
    late: datetime | None = None
    """since when the board should look otherwise"""
    calling: datetime | None = None
    limited: bool = False
    untold: set[int] = field(default_factory=set[int])
    """people who have not heard yet that it was deleted and posted again"""

    @property
    def none(self) -> bool:
        return self.late is None and not self.untold


class BoardNews:
    """Told by the publisher, read by the consoles."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._news: dict[str, _News] = {}

    def due(self, id: str) -> None:
        """The board should look otherwise than it does."""
        news = self._news.setdefault(id, _News())
        news.late = news.late or self._now()

    def calling(self, id: str) -> None:
        """The call that shows it is being made."""
        self._news.setdefault(id, _News()).calling = self._now()

    def limited(self, id: str) -> None:
        """Discord lets it wait."""
        self._news.setdefault(id, _News()).limited = True

    def shown(self, id: str) -> None:
        """The board is up to date, or there is none any more."""
        known = self._news.get(id)
        if known is not None:
            known.late, known.calling, known.limited = None, None, False
            self._tidy(id, known)

    def posted_again(self, id: str, users: Iterable[int]) -> None:
        """It was deleted, and is there again."""
        self._news.setdefault(id, _News()).untold.update(users)

    def behind(self, id: str) -> bool:
        """Whether the board has been out of date for so long that a console mentions it."""
        known = self._news.get(id)
        return known is not None and known.late is not None and self._now() - known.late >= BEHIND

    def slowed(self, id: str) -> bool:
        """Whether Discord is why the board is late."""
        known = self._news.get(id)
        if known is None or known.late is None:
            return False
        return known.limited or (known.calling is not None and self._now() - known.calling >= SLOW)

    def tell(self, id: str, user: int) -> bool:
        """Whether this person is to be told, now and never again, that the board was posted again."""
        known = self._news.get(id)
        if known is None or user not in known.untold:
            return False
        known.untold.discard(user)
        self._tidy(id, known)
        return True

    def forget(self, id: str) -> None:
        """The match is over."""
        self._news.pop(id, None)

    def _tidy(self, id: str, known: _News) -> None:
        if known.none:
            self._news.pop(id, None)
