"""Messages that must reach a lock screen: plain text, one line, one row; they may become consoles by a later edit."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.model.views import MatchView
from bot.ui.custom_ids import challenge_ids, match_ids
from bot.ui.message import BLUE, GREEN, Button, Message, Row, joined, row
from bot.ui.screens.result import cause, rematch_buttons
from bot.ui.story import lines
from bot.ui.story.lines import faces_of
from bot.ui.story.outcome import phrase_within
from bot.ui.text.faces import Faces
from bot.ui.text.names import names_of
from bot.ui.text.sentences import say
from bot.ui.text.stamps import stamp
from bot.ui.text.style import PLAIN


def console_opens(view: MatchView, link: str) -> Message:
    """The first DM of a match: who, which match, where, what, until when."""
    prize = lines.prize_name(view, faces_of(view, PLAIN))
    data = {"m": view.id, "names": _opponents(view), "channel": lines.channel(view)}
    id = "ping-console" if prize else "ping-console-bare"
    text = lines.timed(id, view, edited=False, prize=prize, **data)
    return Message(content=text, body=(_doors(view, link),))


def match_starts(view: MatchView, users: Sequence[int], link: str) -> Message:
    """For those whose DMs are closed or off: one mention for all of them, in the channel."""
    text = say("ping-console-channel", mentions=_mentions(users), m=view.id, link=link)
    return Message(content=text, mentions=tuple(users))


def nudge(view: MatchView, link: str) -> Message:
    """A bid has been open for a while, on a slow clock."""
    data = {"m": view.id, "names": _opponents(view), "t": lines.deadline(view)}
    faces: Faces = faces_of(view, PLAIN)
    prize = lines.prize_name(view, faces)
    if lines.picking(view):
        text = say("ping-pick", **data)
    elif prize:
        text = say("ping-bid", prize=prize, **data)
    else:
        text = say("ping-bid-bare", **data)
    return Message(content=text, body=(_doors(view, link),))


def warning(view: MatchView, link: str) -> Message:
    """A quarter of the clock is left; after the last miss but one it says what another means."""
    own = view.own
    if own is not None and own.misses_left == 1:
        text = say("last-chance", link=_named(view, link), t=lines.deadline(view))
    else:
        id = "ping-warning-pick" if lines.picking(view) else "ping-warning"
        text = say(id, m=view.id, names=_opponents(view), t=lines.deadline(view))
    return Message(content=text, body=(_doors(view, link),))


def warning_in_channel(view: MatchView, users: Sequence[int], link: str = "", *, last: bool = False) -> Message:
    """One mention for everybody who is awaited and has no console by DM; `last` for those who would forfeit."""
    if last:
        text = say("ping-last-channel", mentions=_mentions(users), link=_named(view, link), t=lines.deadline(view))
    else:
        id = "ping-warning-channel-pick" if lines.picking(view) else "ping-warning-channel"
        text = say(id, mentions=_mentions(users), m=view.id, t=lines.deadline(view))
    bid = Button(say("pick" if lines.picking(view) else "bid"), match_ids.board(view.id, "bid"), BLUE)
    return Message(content=text, body=(row(bid),), mentions=tuple(users))


def draw_offer(view: MatchView, link: str = "", users: Sequence[int] = ()) -> Message:
    """To the others by DM, or with `users` as one mention in the channel."""
    assert view.draw is not None
    data = {"m": view.id, "name": names_of(view)[view.draw.by], "r": view.round}
    buttons = [
        Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN),
        Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False)),
        *_to_board(link),
    ]
    if users:
        text = say("ping-draw-channel", mentions=_mentions(users), **data)
    else:
        text = say("ping-draw", **data)
    return Message(content=text, body=(row(*buttons),), mentions=tuple(users))


def rematch_offer(view: MatchView, by: int, link: str, lobby: str, users: Sequence[int] = ()) -> Message:
    """Somebody (a seat) asks to play the same again; `link` is the fresh challenge. To one by DM, or as a mention."""
    data = {"m": view.id, "name": names_of(view)[by], "link": link}
    if users:
        return Message(content=say("ping-rematch-channel", mentions=_mentions(users), **data), mentions=tuple(users))
    rematch = Button(say("rematch"), challenge_ids.offer(view.id, lobby), BLUE)  # accepts what was asked
    return Message(content=say("ping-rematch", **data), body=(row(rematch, *_to_board(link)),))


def rematch_answered(view: MatchView, by: int, link: str, how: str) -> Message:
    """What an offer by DM becomes when there is nothing left to answer; `how` says why."""
    asked = say("ping-rematch", m=view.id, name=names_of(view)[by], link=link)
    to_board = _to_board(link)
    return Message(content=f"{asked}\n{how}", body=(row(*to_board),) if to_board else ())


def result_note(view: MatchView, link: str) -> Message:
    """To a seat that has not been seen for a while, silently."""
    text = say("ping-result", m=view.id, result=phrase_within(view, names_of(view), view.seat))
    buttons = (*rematch_buttons(view), *_to_board(link))
    return Message(content=text, body=(row(*buttons),) if buttons else ())


def stopped(view: MatchView) -> Message:
    """To everybody who can be reached: nobody pressed for this end, so it would go unnoticed."""
    return Message(content=say("match-stopped", m=view.id, reason=cause(view)))


def result_line(view: MatchView, link: str) -> Message:
    """One silent line in the channel, where the result stands far above."""
    return Message(content=say("ping-result-line", m=view.id, result=phrase_within(view, names_of(view)), link=link))


def ruling(view: MatchView, told: str) -> Message:
    """What a moderator did about a match, for those who played it."""
    users = tuple(seat.user for seat in view.seats if seat.user > 0)
    mentions = " ".join(f"<@{user}>" for user in users)
    return Message(content=say("ping-ruling", mentions=mentions, story=told), mentions=users)


def paused(view: MatchView, link: str) -> Message:
    """Somebody has paused: their opponents need not hurry."""
    names = names_of(view)
    told = joined(*(say("ping-paused", m=view.id, name=names[seat], t=stamp(until)) for seat, until in view.paused))
    return Message(content=told, body=(row(*_to_board(link)),) if link else ())


def _opponents(view: MatchView) -> str:
    names = names_of(view)
    return lines.opponents(view, names, 0 if view.seat is None else view.seat)


def _named(view: MatchView, link: str) -> str:
    return f"[#{view.id}]({link})" if link else f"#{view.id}"


def _mentions(users: Sequence[int]) -> str:
    return " ".join(f"<@{user}>" for user in users)


def _to_board(link: str) -> list[Button]:
    return [Button(say("go-to-board"), url=link)] if link else []


def _doors(view: MatchView, link: str) -> Row:
    return row(Button(say("open-console"), match_ids.open_console(view.id), BLUE), *_to_board(link))
