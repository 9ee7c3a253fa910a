"""What else one can do about a match: private, behind *More*."""

from __future__ import annotations

from bot.referee.query.views import MatchView
from cogs.match import ids
from cogs.ui.message import RED, Button, Message, Node, row
from cogs.ui.words.sentences import say


def more(view: MatchView, *, moderator: bool = False) -> Message:
    """For a seat everything; for a bystander the board only; *Stop match* for who may manage the server."""
    seated = view.seat is not None and not view.over
    playing = seated and view.own is not None and not view.own.left
    buttons = [
        Button(say("offer-draw"), ids.more(view.id, "draw"), enabled=playing),
        Button(say("resign"), ids.more(view.id, "resign"), RED, enabled=playing),
        Button(say("console-by-dm"), ids.more(view.id, "dm"), enabled=seated),
        Button(say("move-board"), ids.more(view.id, "move"), enabled=not view.over),
        Button(say("mute"), ids.more(view.id, "mute"), enabled=seated),
    ]
    if view.practice:  # the house agrees to nothing and is never late
        buttons = [buttons[1], *([] if view.private else [buttons[3]])]
    if view.seat is None:
        buttons = [button for button in buttons if button.enabled]
    rows: list[Node] = [row(*buttons)] if buttons else []
    if moderator and not view.over:
        rows.append(row(Button(say("stop-match"), ids.more(view.id, "stop"), RED)))
    return Message(content=say("more-title", m=view.id), body=tuple(rows))
