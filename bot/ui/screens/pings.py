"""Messages for a lock screen: one line of plain text and one row. A later edit may turn them into consoles."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.model.views import MatchView
from bot.ui.custom_ids import challenge_ids, match_ids
from bot.ui.message import BLUE, GREEN, Button, Message, Row, join_lines, make_row
from bot.ui.screens.result import cause_phrase, rematch_buttons
from bot.ui.story import lines
from bot.ui.story.lines import make_faces
from bot.ui.story.outcome import describe_outcome_within
from bot.ui.text.faces import Faces
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time
from bot.ui.text.style import PLAIN


def render_first_dm(view: MatchView, link: str) -> Message:
    """Return the first DM of a match: who, which match, where, what, until when."""
    prize = lines.prize_name(view, make_faces(view, PLAIN))
    data = {"m": view.id, "names": _opponent_names(view), "channel": f"<#{view.channel}>"}
    id = "ping-console" if prize else "ping-console-bare"
    text = lines.say_with_deadline(id, view, edited=False, prize=prize, **data)
    return Message(content=text, body=(_entry_row(view, link),))


def render_start_ping(view: MatchView, users: Sequence[int], link: str) -> Message:
    """Return one mention in the channel for all players without DMs."""
    text = say("ping-console-channel", mentions=_mention_users(users), m=view.id, link=link)
    return Message(content=text, mentions=tuple(users))


def render_nudge(view: MatchView, link: str) -> Message:
    """Return the reminder of an open bid on a slow clock."""
    data = {"m": view.id, "names": _opponent_names(view), "t": lines.format_deadline(view)}
    faces: Faces = make_faces(view, PLAIN)
    prize = lines.prize_name(view, faces)
    if lines.is_picking(view):
        text = say("ping-pick", **data)
    elif prize:
        text = say("ping-bid", prize=prize, **data)
    else:
        text = say("ping-bid-bare", **data)
    return Message(content=text, body=(_entry_row(view, link),))


def render_warning(view: MatchView, link: str) -> Message:
    """Return the warning that a quarter of the clock is left. Before the last miss it says what another miss means."""
    own = view.own
    if own is not None and own.misses_left == 1:
        text = say("last-chance", link=_match_link(view, link), t=lines.format_deadline(view))
    else:
        id = "ping-warning-pick" if lines.is_picking(view) else "ping-warning"
        text = say(id, m=view.id, names=_opponent_names(view), t=lines.format_deadline(view))
    return Message(content=text, body=(_entry_row(view, link),))


def render_channel_warning(view: MatchView, users: Sequence[int], link: str = "", *, last: bool = False) -> Message:
    """Return one mention for all awaited players without a console by DM. `last`: those who would forfeit."""
    if last:
        text = say(
            "ping-last-channel",
            mentions=_mention_users(users),
            link=_match_link(view, link),
            t=lines.format_deadline(view),
        )
    else:
        id = "ping-warning-channel-pick" if lines.is_picking(view) else "ping-warning-channel"
        text = say(id, mentions=_mention_users(users), m=view.id, t=lines.format_deadline(view))
    bid = Button(say("pick" if lines.is_picking(view) else "bid"), match_ids.board(view.id, "bid"), BLUE)
    return Message(content=text, body=(make_row(bid),), mentions=tuple(users))


def draw_offer(view: MatchView, link: str = "", users: Sequence[int] = ()) -> Message:
    """Return the offer of a draw: a DM, or with `users` one mention in the channel."""
    assert view.draw is not None
    data = {"m": view.id, "name": make_names(view)[view.draw.by], "r": view.round}
    buttons = [
        Button(say("accept-draw"), match_ids.draw(view.id, view.prompt, yes=True), GREEN),
        Button(say("decline-draw"), match_ids.draw(view.id, view.prompt, yes=False)),
        *_board_link(link),
    ]
    if users:
        text = say("ping-draw-channel", mentions=_mention_users(users), **data)
    else:
        text = say("ping-draw", **data)
    return Message(content=text, body=(make_row(*buttons),), mentions=tuple(users))


def render_rematch_offer(view: MatchView, by: int, link: str, lobby: str, users: Sequence[int] = ()) -> Message:
    """Return the offer of a rematch by a seat: a DM, or a mention. `link` leads to the new challenge."""
    data = {"m": view.id, "name": make_names(view)[by], "link": link}
    if users:
        return Message(
            content=say("ping-rematch-channel", mentions=_mention_users(users), **data), mentions=tuple(users)
        )
    rematch = Button(say("rematch"), challenge_ids.offer(view.id, lobby), BLUE)  # accepts the challenge
    return Message(content=say("ping-rematch", **data), body=(make_row(rematch, *_board_link(link)),))


def render_closed_rematch(view: MatchView, by: int, link: str, how: str) -> Message:
    """Return the offer by DM after it was answered or ended; `how` says why."""
    asked = say("ping-rematch", m=view.id, name=make_names(view)[by], link=link)
    to_board = _board_link(link)
    return Message(content=f"{asked}\n{how}", body=(make_row(*to_board),) if to_board else ())


def render_result_note(view: MatchView, link: str) -> Message:
    """Return the silent note of a result for a player who was away."""
    text = say("ping-result", m=view.id, result=describe_outcome_within(view, make_names(view), view.seat))
    buttons = (*rematch_buttons(view), *_board_link(link))
    return Message(content=text, body=(make_row(*buttons),) if buttons else ())


def render_stop_note(view: MatchView) -> Message:
    """Return the note that a match was stopped. No press caused this end, so players would not notice it."""
    return Message(content=say("match-stopped", m=view.id, reason=cause_phrase(view)))


def render_result_line(view: MatchView, link: str) -> Message:
    """Return the silent line in the channel for a result that stands far above."""
    return Message(
        content=say("ping-result-line", m=view.id, result=describe_outcome_within(view, make_names(view)), link=link)
    )


def render_ruling(view: MatchView, told: str) -> Message:
    """Return the note about a moderator's decision, for the players."""
    users = tuple(seat.user for seat in view.seats if seat.user > 0)
    mentions = " ".join(f"<@{user}>" for user in users)
    return Message(content=say("ping-ruling", mentions=mentions, story=told), mentions=users)


def render_pause_note(view: MatchView, link: str) -> Message:
    """Return the note that a player has paused, for the opponents."""
    names = make_names(view)
    told = join_lines(
        *(say("ping-paused", m=view.id, name=names[seat], t=format_time(until)) for seat, until in view.paused)
    )
    return Message(content=told, body=(make_row(*_board_link(link)),) if link else ())


def render_pause_end(view: MatchView, link: str) -> Message:
    """Return the pause note after the clocks run again, or after the end."""
    told = say("ping-pause-match-over" if view.over else "ping-pause-over", m=view.id)
    return Message(content=told, body=(make_row(*_board_link(link)),) if link else ())


def _opponent_names(view: MatchView) -> str:
    names = make_names(view)
    return lines.name_players(view, names, 0 if view.seat is None else view.seat)


def _match_link(view: MatchView, link: str) -> str:
    return f"[#{view.id}]({link})" if link else f"#{view.id}"


def _mention_users(users: Sequence[int]) -> str:
    return " ".join(f"<@{user}>" for user in users)


def _board_link(link: str) -> list[Button]:
    return [Button(say("go-to-board"), url=link)] if link else []


def _entry_row(view: MatchView, link: str) -> Row:
    return make_row(Button(say("open-console"), match_ids.open_console(view.id), BLUE), *_board_link(link))
