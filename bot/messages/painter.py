"""Pictures that are made for one message: painted in a process of its own, never on the loop."""

from __future__ import annotations

import logging
from collections import OrderedDict

from bot.pictures.render import render_png
from bot.referee.house.thinking import Worker

log = logging.getLogger(__name__)

PATIENCE = 6.0
"""seconds for one picture, the start of the process included; without it the same is told in words"""
REST = 20.0
"""seconds after which a process that nobody asks is ended"""
KEPT = 24
"""pictures that were painted last; each is some 20 kB"""
LARGEST = 100_000
"""bytes of a picture; nothing that we paint comes near"""


class Painter:
    """Paints SVG as PNG; what fails is told by words alone, which say the same."""

    def __init__(self, *, on: bool = True) -> None:
        self.on = on
        """whether results get a picture"""
        self.worker = Worker(rest=REST)
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    async def paint(self, svg: str) -> bytes:
        """The picture; nothing where it could not be painted in time."""
        known = self._kept.get(svg)
        if known is not None:
            self._kept.move_to_end(svg)
            return known
        try:
            png = await self.worker.think(render_png, svg, PATIENCE)
        except TimeoutError:
            log.warning("a picture was not painted in time")
            return b""
        except Exception:  # whatever ails it, a picture is no reason to hold a message back
            log.exception("a picture could not be painted")
            return b""
        if len(png) > LARGEST:
            log.warning("a picture of %d bytes is not sent", len(png))
            return b""
        self._kept[svg] = png
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return png

    async def close(self) -> None:
        """End whatever is being painted."""
        self.worker.stop()
