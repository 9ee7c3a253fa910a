"""What those who find a board a new place, or do without one, need of the publisher that calls them."""

from __future__ import annotations

from typing import Protocol

from bot.referee.query.views import MatchView
from bot.referee.referee import Referee
from cogs.show.board_news import BoardNews
from cogs.show.consoles import Consoles
from cogs.show.marks import Marks
from cogs.wire.lanes import Lanes
from cogs.wire.reach import Reach


class Shows(Protocol):
    """The publisher, seen from below."""

    referee: Referee
    reach: Reach
    lanes: Lanes
    marks: Marks
    news: BoardNews
    consoles: Consoles

    def wake(self, id: str) -> None:
        """Something of this match or lobby is to be shown."""
        ...

    def look_again(self, id: str) -> None:
        """Whatever is believed of a board is no reason to let it be."""
        ...

    def stuck(self, id: str) -> None:
        """An edit of this board was forbidden just now."""
        ...

    def drew_board(self, view: MatchView, free: bool | None = None) -> None:
        """The board is known to show this; `free`, if it is told, whether its next edit is."""
        ...
