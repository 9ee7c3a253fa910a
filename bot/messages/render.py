"""Messages rendered from views and their surfaces, and pictures painted for one message."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from bot.pictures.render import render_png
from bot.referee.house.thinking import Worker
from bot.referee.model.model import Lobby, UserId
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.referee.repository.match_repository import LastUsed
from bot.ui.message import Message
from bot.ui.screens import challenge
from bot.ui.screens.board import render_moved_board
from bot.ui.text.stamps import link_to

log = logging.getLogger(__name__)


async def lobby_message(
    referee: Referee, lobby: Lobby, why: str = "", *, mentions: Sequence[UserId] | None = None
) -> Message:
    """Render a challenge or table. It mentions its people, or those of `mentions`."""
    message = challenge.render_lobby(await referee.lobbies.view(lobby), why)
    return message if mentions is None else replace(message, mentions=tuple(mentions))


def moved_message(view: MatchView, channel: int, message: int) -> Message:
    return render_moved_board(view.id, link_to(view.guild, channel, message) if view.guild else "")


PATIENCE = 6.0
"""Seconds for one picture, the start of the process included."""
REST = 20.0
"""Seconds after which an idle process is ended."""
KEPT = 24
"""Number of pictures that are kept, those used last; each has about 80 kB."""


class Painter:
    """Paints SVG as PNG in a worker process. Each message says the same in words, if its picture fails."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on
        """whether results get a picture"""
        self.worker = Worker(rest=REST)
        self._kept = LastUsed[str, bytes](KEPT)

    async def paint(self, svg: str) -> bytes:
        """Return the picture, or nothing if it could not be painted in time."""
        try:
            return self._kept.find(svg) or self._kept.keep(svg, await self.worker.think(render_png, svg, PATIENCE))
        except Exception as error:  # a picture is no reason to hold a message back
            log.warning("a picture could not be painted in time", exc_info=not isinstance(error, TimeoutError))
            return b""
