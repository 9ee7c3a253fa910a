"""Every seal of a match that is being played, in full, for whoever noted some of its digits."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.model.views import MatchView, SealView
from bot.ui.custom_ids import records_ids
from bot.ui.message import Button, Message, Row, Text, joined
from bot.ui.text.names import Names, names_of
from bot.ui.text.sentences import say

LINES = 20
"""seals on a page"""


def seals_card(view: MatchView, seals: Sequence[SealView], page: int = 0) -> Message:
    """Newest first. It tells what everybody may know: that there is a seal, and its digits."""
    names = names_of(view)
    newest = list(reversed(seals))
    pages = max(1, -(-len(newest) // LINES))
    page = min(page, pages - 1)
    shown = newest[page * LINES : (page + 1) * LINES]
    title = say("seals-title", m=view.id)
    lines = [_line(view, one, names) for one in shown] or [say("seals-none")]
    text = joined(title, say("seals-opening", digits=view.opening), *lines, say("seals-foot"))
    row = Row(
        (
            Button(say("later"), records_ids.seals(view.id, max(page - 1, 0), "l"), enabled=page > 0),
            Button(say("earlier"), records_ids.seals(view.id, min(page + 1, pages - 1), "e"), enabled=page < pages - 1),
        )
    )
    return Message(body=(Text(text), row), essence=title)


def _line(view: MatchView, one: SealView, names: Names) -> str:
    number = f"{one.round + 1}{chr(ord('a') + one.sub - 1)}" if one.sub else f"{one.round + 1}"
    where = say("seals-where", r=number)
    if view.series.mode != "single":
        where = say("seals-where-deal", d=one.deal + 1, r=where)
    id = "seals-line-earlier" if one.state == "earlier" else "seals-line"
    return say(id, where=where, name=names[one.seat], digits=one.digest)
