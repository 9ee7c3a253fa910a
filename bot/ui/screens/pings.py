"""Messages for a lock screen: one line of plain text and one row. A later edit may turn them into consoles."""

from __future__ import annotations

from collections.abc import Sequence

from bot.referee.model.views import MatchView
from bot.ui.custom_ids import challenge_ids, match_ids
from bot.ui.message import BLUE, Button, Menu, Message, join_lines, make_row
from bot.ui.screens.console import score_lines
from bot.ui.screens.keys import draw_row
from bot.ui.screens.result import cause_phrase, rematch_buttons
from bot.ui.story import lines
from bot.ui.story.latest import latest_story
from bot.ui.story.lines import make_faces
from bot.ui.story.outcome import describe_outcome, describe_outcome_within
from bot.ui.story.reveal import make_round_teller
from bot.ui.text.names import make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_time
from bot.ui.text.style import PLAIN


def render_first_dm(view: MatchView, link: str) -> Message:
    """Return the first DM of a match: who, which match, where, what, until when."""
    prize = lines.prize_name(view, make_faces(view, PLAIN))
    id = "ping-console" if prize else "ping-console-bare"
    data = {"names": _opponent_names(view), "channel": f"<#{view.channel}>", "t": lines.format_deadline(view)}
    text = say(id if view.deadline else f"{id}-free", m=view.id, prize=prize, **data)
    return _make_note(text, *_entry_buttons(view, link))


def render_start_ping(view: MatchView, users: Sequence[int], link: str) -> Message:
    """Return one mention in the channel for all players without DMs."""
    return _make_note(say("ping-console-channel", m=view.id, link=link), users=users)


def render_nudge(view: MatchView, link: str) -> Message:
    """Return the reminder of an open bid on a slow clock."""
    prize = lines.prize_name(view, make_faces(view, PLAIN))
    id = "ping-pick" if lines.is_picking(view) else "ping-bid" if prize else "ping-bid-bare"
    text = say(id, m=view.id, names=_opponent_names(view), prize=prize, t=lines.format_deadline(view))
    return _make_note(text, *_entry_buttons(view, link))


def render_warning(view: MatchView, link: str) -> Message:
    """Return the warning that a quarter of the clock is left. Before the last miss it says what another miss means."""
    own = view.own
    if own is not None and own.misses_left == 1:
        text = _last_chance(view, link)
    else:
        id = "ping-warning-pick" if lines.is_picking(view) else "ping-warning"
        text = say(id, m=view.id, names=_opponent_names(view), t=lines.format_deadline(view))
    return _make_note(text, *_entry_buttons(view, link))


def render_channel_warning(view: MatchView, users: Sequence[int], link: str = "", *, last: bool = False) -> Message:
    """Return one mention for all awaited players without a console by DM. `last`: those who would forfeit."""
    what = "pick" if lines.is_picking(view) else "bid"
    text = say(f"ping-warning-channel-{what}", m=view.id, t=lines.format_deadline(view))
    bid = Button(say(what), match_ids.board(view.id, "bid"), BLUE)
    return _make_note(_last_chance(view, link) if last else text, bid, users=users)


def draw_offer(view: MatchView, link: str = "", users: Sequence[int] = ()) -> Message:
    """Return the offer of a draw: a DM, or with `users` one mention in the channel."""
    assert view.draw is not None
    text = say("ping-draw", m=view.id, name=make_names(view)[view.draw.by], r=view.round, round=view.rules.round_word)
    (answers,) = draw_row(view)
    return _make_note(text, *answers.items, *_board_link(link), users=users)


def render_rematch_offer(view: MatchView, by: int, link: str, lobby: str, users: Sequence[int] = ()) -> Message:
    """Return the offer of a rematch by a seat: a DM, or a mention. `link` leads to the new challenge."""
    text = say("ping-rematch", m=view.id, name=make_names(view)[by], link=link)
    if users:
        return _make_note(text, users=users)
    rematch = Button(say("rematch"), challenge_ids.offer(view.id, lobby), BLUE)  # accepts the challenge
    return _make_note(text, rematch, *_board_link(link))


def render_closed_rematch(view: MatchView, by: int, link: str, how: str) -> Message:
    """Return the offer by DM after it was answered or ended; `how` says why."""
    asked = say("ping-rematch", m=view.id, name=make_names(view)[by], link=link)
    return _make_note(join_lines(asked, how), *_board_link(link))


def render_result_note(view: MatchView, link: str) -> Message:
    """Return the silent note of a result for a player who was away."""
    text = say("ping-result", m=view.id, result=describe_outcome_within(view, make_names(view), view.seat))
    return _make_note(text, *rematch_buttons(view), *_board_link(link))


def render_reveal(view: MatchView) -> Message:
    """Return the short message at a reveal: who took what, and the score."""
    assert view.seat is not None, "it is for a player"
    names, faces = make_names(view), make_faces(view).without_pictures
    story = latest_story(view, make_round_teller(view, faces, view.seat))
    score = describe_outcome(view, names, view.seat) if view.over else score_lines(view, names, view.seat, False)
    return _make_note(join_lines(story, say("reveal-score", score=score, m=view.id)))


def render_stop_note(view: MatchView) -> Message:
    """Return the note that a match was stopped. No press caused this end, so players would not notice it."""
    return _make_note(say("match-stopped", m=view.id, reason=cause_phrase(view)))


def render_result_line(view: MatchView, link: str) -> Message:
    """Return the silent line in the channel for a result that stands far above."""
    result = describe_outcome_within(view, make_names(view))
    return _make_note(say("ping-result-line", m=view.id, result=result, link=link))


def render_ruling(view: MatchView, told: str) -> Message:
    """Return the note about a moderator's decision, for the players."""
    users = tuple(seat.user for seat in view.seats if seat.user > 0)
    return Message(content=f"{_mention_users(users)} {told}", mentions=users)


def render_pause_note(view: MatchView, link: str) -> Message:
    """Return the note that a player has paused, for the opponents."""
    names = make_names(view)
    told = [say("ping-paused", m=view.id, name=names[seat], t=format_time(until)) for seat, until in view.paused]
    return _make_note(join_lines(*told), *_board_link(link))


def _make_note(text: str, *buttons: Button | Menu, users: Sequence[int] = ()) -> Message:
    """Return a line with its buttons; with `users` it begins with their mentions."""
    content = say("ping", mentions=_mention_users(users), text=text) if users else text
    return Message(content=content, body=(make_row(*buttons),) if buttons else (), mentions=tuple(users))


def _opponent_names(view: MatchView) -> str:
    names = make_names(view)
    return lines.name_players(view, names, 0 if view.seat is None else view.seat)


def _last_chance(view: MatchView, link: str) -> str:
    match = f"[#{view.id}]({link})" if link else f"#{view.id}"
    return say("last-chance", link=match, t=lines.format_deadline(view))


def _mention_users(users: Sequence[int]) -> str:
    return " ".join(f"<@{user}>" for user in users)


def _board_link(link: str) -> list[Button]:
    return [Button(say("go-to-board"), url=link)] if link else []


def _entry_buttons(view: MatchView, link: str) -> list[Button]:
    return [Button(say("open-console"), match_ids.open_console(view.id), BLUE), *_board_link(link)]
