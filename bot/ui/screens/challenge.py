"""Challenges and open tables. They are plain messages, so that they notify."""

from __future__ import annotations

from bot.referee.model.model import FORMER
from bot.referee.model.participant import fewest_seats
from bot.referee.model.views import LobbyView
from bot.ui.custom_ids import challenge_ids
from bot.ui.message import BLUE, GREEN, Button, Message, Row, Text, join_lines, make_row
from bot.ui.story.lines import OPENING_DIGITS, group_digits
from bot.ui.text.catalogue.numbers import percent
from bot.ui.text.names import Names, join_words, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_moment
from bot.ui.text.terms import describe_terms, has_board_keys


def render_lobby(view: LobbyView, why: str = "") -> Message:
    """Return a challenge or a table; `why` says why it could not start."""
    if view.state == "put_back":  # the message may be a board by now, which takes no plain content
        return Message(body=(Text(say("rolled-back", m=view.id)),))
    return render_challenge(view, why) if view.kind == "challenge" else render_table(view)


def render_challenge(view: LobbyView, why: str = "") -> Message:
    """Return an invitation to named players; after its end one line without buttons."""
    names = make_names(view)
    if view.state != "open":
        return Message(content=_closed_challenge_line(view, names, why))
    asked = [(seat, user) for seat, (user, _, _) in enumerate(view.people) if user != view.host]
    game = view.rules.game
    first = say(
        "challenge",
        mentions=" ".join(f"<@{user}>" for _, user in asked),
        host=names[_host_seat(view)],
        game=game.name,
        terms=describe_terms(view.setup, view.rules, view.series, is_limit_reached=view.enough),
    )
    answers = [say(f"answer-{view.people[seat][2]}", name=names[seat]) for seat, _ in asked] if len(asked) > 1 else []
    lines = (
        first,
        _no_board_keys(view),
        *answers,
        _start_line(view, names) if answers else "",
        _reliability_line(view, names),
        _opening_line(view),
    )
    mentions = tuple(user for _, user in asked)
    return Message(content=join_lines(*lines), body=(_challenge_row(view),), mentions=mentions, essence=first)


def _opening_line(view: LobbyView) -> str:
    """Return the digits that commit the bot to the deal before the first acceptance."""
    digits = group_digits(view.opening[:OPENING_DIGITS])
    return say("challenge-seal", digits=digits, t=format_moment(view.expires, view.created))


def _reliability_line(view: LobbyView, names: Names) -> str:
    """Return the share of matches that the challenger plays to the end."""
    if view.finished is None:
        return ""
    return say("challenge-finished", host=names[_host_seat(view)], share=percent(view.finished))


def _no_board_keys(view: LobbyView) -> str:
    """Return the line that says that these rules allow no keys on the board."""
    return say("no-board-keys") if view.setup.place == "table" and not has_board_keys(view.rules) else ""


def _start_line(view: LobbyView, names: Names) -> str:
    """Return when the match starts: with the last *Accept*, or by the challenger after a player declined."""
    if any(answer == "declined" for _, _, answer in view.people):
        return say("starts-by-host", host=names[_host_seat(view)])
    return say("starts-when")


def _challenge_row(view: LobbyView) -> Row:
    accepted = sum(answer in ("host", "accepted") for _, _, answer in view.people)
    if view.can_start:
        last = Button(say("start-with", n=accepted), challenge_ids.challenge(view.id, "s"), BLUE)
    else:
        last = Button(say("withdraw"), challenge_ids.challenge(view.id, "w"))
    return make_row(
        Button(say("accept"), challenge_ids.challenge(view.id, "a"), GREEN),
        Button(say("decline"), challenge_ids.challenge(view.id, "d")),
        Button(say("rules"), challenge_ids.challenge(view.id, "r")),
        last,
    )


def _closed_challenge_line(view: LobbyView, names: Names, why: str) -> str:
    host = names[_host_seat(view)]
    declined = [names[seat] for seat, (_, _, answer) in enumerate(view.people) if answer == "declined"]
    ended_by = {"declined": "declined", "withdrawn": "host"}.get(view.state)
    if any(name == FORMER and answer == ended_by for _, name, answer in view.people):  # they erased their data
        return say(f"challenge-{view.state}-former")
    if view.state == "declined":
        if len(view.people) > 2:  # the others need to know that the match does not start
            return say("challenge-declined-many", names=join_words(declined) or host, game=view.rules.game.name)
        return say("challenge-declined", name=join_words(declined) or host)
    if view.state == "withdrawn":
        return say("challenge-withdrawn", host=host)
    if view.state == "failed":
        return why or say("challenge-failed")
    if view.state == "started":
        others = [names[seat] for seat, (user, _, _) in enumerate(view.people) if user != view.host]
        return say("challenge-started", host=host, names=join_words(others))
    if len(view.people) > 2:
        silent = [names[seat] for seat, (_, _, answer) in enumerate(view.people) if answer == "asked"]
        return (
            say("challenge-expired-many", names=join_words(silent))
            if silent
            else say("challenge-not-started", host=host)
        )
    return say("challenge-expired")


def render_table(view: LobbyView) -> Message:
    """Return an open invitation, which pings no player."""
    names = make_names(view)
    if view.state != "open":
        return Message(content=_closed_table_line(view))
    fewest, most = fewest_seats(view.setup), view.setup.seats
    people = [
        say("table-host", name=names[seat]) if user == view.host else names[seat]
        for seat, (user, _, _) in enumerate(view.people)
    ]
    first = say(
        "table",
        host=names[_host_seat(view)],
        game=view.rules.game.name,
        seats=f"{fewest}" if fewest >= most else f"{fewest} to {most}",
        terms=describe_terms(view.setup, view.rules, view.series),
        t=format_moment(view.expires, view.created),
    )
    second = say("table-seats", n=len(people), most=most, names=", ".join(people))
    buttons = make_row(
        Button(say("join"), challenge_ids.table(view.id, "j"), GREEN),
        Button(say("leave"), challenge_ids.table(view.id, "l")),
        Button(say("start-now"), challenge_ids.table(view.id, "s"), BLUE, view.can_start),
        Button(say("rules"), challenge_ids.table(view.id, "r")),
        Button(say("close"), challenge_ids.table(view.id, "x")),
    )
    content = join_lines(first, _no_board_keys(view), second, _table_seal_line(view))
    return Message(content=content, body=(buttons,), essence=first)


def _table_seal_line(view: LobbyView) -> str:
    return say("table-seal", digits=group_digits(view.opening[:OPENING_DIGITS]))


def _closed_table_line(view: LobbyView) -> str:
    return say({"started": "table-started", "withdrawn": "table-closed"}.get(view.state, "table-expired"))


def _host_seat(view: LobbyView) -> int:
    return next((seat for seat, (user, _, _) in enumerate(view.people) if user == view.host), 0)
