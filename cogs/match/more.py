"""The private message behind *More*."""

from __future__ import annotations

from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids
from bot.ui.message import RED, Button, Message, Node, make_row
from bot.ui.text.sentences import say


def more(view: MatchView, *, moderator: bool = False, in_dm: bool = False, spoils: bool = False) -> Message:
    """Return the buttons that the viewer may use: a seat has all, a spectator those that show something, a moderator
    *Stop match* too. After the end there are checks, rules, and *Show everyone* for private practice.

    `in_dm`: the pressed console came by DM already. `spoils`: others may still play this deal.
    """
    if view.over:
        looks = [Button(say(what), match_ids.board(view.id, what)) for what in ("sheet", "verify", "export", "rules")]
        if view.private and view.guild and view.seat is not None and not spoils:
            looks.append(Button(say("show-everyone"), match_ids.board(view.id, "share")))
        return Message(content=say("more-title", m=view.id), body=(make_row(*looks),))
    seated = view.seat is not None
    playing = seated and view.own is not None and not view.own.left
    buttons = [
        Button(say("rules"), match_ids.board(view.id, "rules")),
        Button(say("offer-draw"), match_ids.more(view.id, "draw"), enabled=playing),
        Button(say("resign"), match_ids.more(view.id, "resign"), RED, enabled=playing),
        Button(say("console-by-dm"), match_ids.more(view.id, "dm"), enabled=seated),
        Button(say("move-board"), match_ids.more(view.id, "move"), enabled=seated),
        Button(say("mute"), match_ids.more(view.id, "mute"), enabled=seated),
    ]
    if in_dm or view.outside:  # without a common server the bot may not send a DM
        buttons = [button for button in buttons if button.id != match_ids.more(view.id, "dm")]
    if view.at_table:  # an offered draw takes the places of these buttons on the board
        buttons += [Button(say(what), match_ids.board(view.id, what)) for what in ("cards", "sheet")]
    if view.practice:  # the house agrees to nothing and is never late
        buttons = [*buttons[:1], buttons[2], *([] if view.private else [buttons[4]])]
    if view.seat is None:
        buttons = [button for button in buttons if button.enabled]
    rows: list[Node] = [make_row(*buttons[start : start + 3]) for start in range(0, len(buttons), 3)]
    if moderator and not view.private:
        rows.append(make_row(Button(say("stop-match"), match_ids.more(view.id, "stop"), RED)))
    return Message(content=say("more-title", m=view.id), body=tuple(rows))
