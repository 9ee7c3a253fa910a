"""Challenges and open tables. They are plain messages, so that they notify."""

from __future__ import annotations

from collections.abc import Callable

from bot.engine.variants import DEFAULT
from bot.referee.model.model import FORMER
from bot.referee.model.participant import fewest_seats
from bot.referee.model.searches import PAIR
from bot.referee.model.views import LobbyView
from bot.ui.custom_ids import challenge_ids, learning_ids
from bot.ui.message import BLUE, GREEN, Button, Message, Row, Text, join_lines, make_row
from bot.ui.story.lines import group_digits
from bot.ui.text.catalogue.numbers import percent
from bot.ui.text.names import Names, join_words, make_names
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_moment
from bot.ui.text.terms import describe_terms, game_title, has_board_keys


def render_lobby(view: LobbyView, why: str = "") -> Message:
    """Return a challenge or a table; `why` says why it could not start."""
    if view.state == "put_back":  # the message may be a board by now, which takes no plain content
        return Message(body=(Text(say("rolled-back", m=view.id)),))
    if view.kind == PAIR:
        return render_pair(view, why)
    return render_challenge(view, why) if view.kind == "challenge" else render_table(view)


def render_pair(view: LobbyView, why: str = "") -> Message:
    """Return the challenge of two people who searched; after its end one line without buttons."""
    names = make_names(view)
    if view.state != "open":
        silent = _join_names(view, names, "asked" if view.state == "expired" else "declined")
        known = view.state in ("declined", "expired") and silent and all(name != FORMER for _, name, _ in view.people)
        return Message(content=say(f"paired-{view.state}", names=silent) if known else why or say("paired-ended"))
    users = tuple(user for user, _, _ in view.people)
    mentions = " ".join(f"<@{user}>" for user in users)
    terms = describe_terms(view.setup, view.rules, view.series, is_limit_reached=view.enough)
    until = format_moment(view.expires, view.created)
    first = say("paired", mentions=mentions, game=game_title(view.rules), terms=terms, t=until)
    answers = [
        say("paired-ready" if answer == "accepted" else "paired-asked", name=names[seat])
        for seat, (_, _, answer) in enumerate(view.people)
    ]
    keys = make_row(
        Button(say("ready"), challenge_ids.challenge(view.id, "a"), GREEN),
        Button(say("leave"), challenge_ids.challenge(view.id, "d")),
        Button(say("rules"), challenge_ids.challenge(view.id, "r")),
    )
    lines = first, _no_board_keys(view), " · ".join(answers), say("paired-seal", seal=_seal_code(view))
    return Message(content=join_lines(*lines), body=(keys,), mentions=users, essence=first)


def render_challenge(view: LobbyView, why: str = "") -> Message:
    """Return an invitation to named players; after its end one line without buttons."""
    names = make_names(view)
    if view.state != "open":
        return Message(content=_closed_challenge_line(view, names, why))
    host, game = _host_name(view, names), game_title(view.rules)
    asked = [(seat, user, answer) for seat, (user, _, answer) in enumerate(view.people) if user != view.host]
    mentions = " ".join(f"<@{user}>" for _, user, _ in asked)
    terms = describe_terms(
        view.setup, view.rules, view.series, is_limit_reached=view.enough, has_house=bool(view.house)
    )
    first = say("challenge", mentions=mentions, host=host, game=game, terms=terms)
    lines = [first, _no_board_keys(view)]
    if len(asked) > 1:
        lines += [say(f"answer-{answer}", name=names[seat]) for seat, _, answer in asked]
        is_declined = any(answer == "declined" for _, _, answer in asked)
        lines.append(say("starts-by-host", host=host) if is_declined else say("starts-when"))
    if view.house:
        lines.append(f"{say('house-plays', names=_join_house(view, names))} {_unrated_line(view)}")
    if view.finished is not None:
        lines.append(say("challenge-finished", host=host, share=percent(view.finished)))
    lines.append(say("challenge-seal", seal=_seal_code(view), t=format_moment(view.expires, view.created)))
    users = tuple(user for _, user, _ in asked)
    rows = (_challenge_row(view), *_house_rows(view, challenge_ids.challenge))
    return Message(content=join_lines(*lines), body=rows, mentions=users, essence=first)


def _no_board_keys(view: LobbyView) -> str:
    """Return the line that says that these rules allow no keys on the board."""
    return say("no-board-keys") if view.setup.place == "board" and not has_board_keys(view.rules) else ""


def _challenge_row(view: LobbyView) -> Row:
    accepted = sum(answer in ("host", "accepted") for _, _, answer in view.people) + len(view.house)
    if view.can_start:
        last = Button(say("start-with", n=accepted), challenge_ids.challenge(view.id, "s"), BLUE)
    else:
        last = Button(say("withdraw"), challenge_ids.challenge(view.id, "w"))
    other = "" if view.rules.game is DEFAULT else view.rules.game.key
    guide = (Button(say("home-guide"), learning_ids.guide(other)),) if view.newcomer else ()
    return make_row(
        Button(say("accept"), challenge_ids.challenge(view.id, "a"), GREEN),
        *guide,
        Button(say("decline"), challenge_ids.challenge(view.id, "d")),
        Button(say("rules"), challenge_ids.challenge(view.id, "r")),
        last,
    )


def _closed_challenge_line(view: LobbyView, names: Names, why: str) -> str:
    host, are_many = _host_name(view, names), len(view.people) > 2
    ended_by = {"declined": "declined", "withdrawn": "host"}.get(view.state)
    if any(name == FORMER and answer == ended_by for _, name, answer in view.people):  # they erased their data
        return say(f"challenge-{view.state}-former")
    if view.state == "declined":
        declined = _join_names(view, names, "declined") or host
        if are_many:  # the others need to know that the match does not start
            return say("challenge-declined-many", names=declined, game=game_title(view.rules))
        return say("challenge-declined", name=declined)
    if view.state == "withdrawn":
        return say("challenge-withdrawn", host=host)
    if view.state == "failed":
        return why or say("challenge-failed")
    if view.state == "started":
        others = [names[seat] for seat, (user, _, _) in enumerate(view.people) if user != view.host]
        return say("challenge-started", host=host, names=join_words(others))
    silent = _join_names(view, names, "asked")
    return say("challenge-expired", names=silent, host=host) if silent else say("challenge-not-started", host=host)


def render_table(view: LobbyView) -> Message:
    """Return an open invitation, which pings no player."""
    if view.state != "open":
        id = {"started": "table-started", "withdrawn": "table-closed"}.get(view.state, "table-expired")
        return Message(content=say(id))
    names = make_names(view)
    fewest, most = fewest_seats(view.setup), view.setup.seats
    people = [
        say("table-host", name=names[seat]) if user == view.host else names[seat]
        for seat, (user, _, _) in enumerate(view.people)
    ]
    first = say(
        "table",
        host=_host_name(view, names),
        game=game_title(view.rules, any_seats=fewest < most),
        seats=f"{fewest}" if fewest >= most else f"{fewest} to {most}",
        terms=describe_terms(view.setup, view.rules, view.series, has_house=bool(view.house)),
        t=format_moment(view.expires, view.created),
    )
    people += [names[seat] for seat in range(len(view.people), view.taken)]
    second = say("table-seats", n=len(people), most=most, names=", ".join(people))
    third = _unrated_line(view) if view.house else ""
    buttons = make_row(
        Button(say("join"), challenge_ids.table(view.id, "j"), GREEN),
        Button(say("leave"), challenge_ids.table(view.id, "l")),
        Button(say("start-now"), challenge_ids.table(view.id, "s"), BLUE, view.can_start),
        Button(say("rules"), challenge_ids.table(view.id, "r")),
        Button(say("close"), challenge_ids.table(view.id, "x")),
    )
    seal = say("table-seal", seal=_seal_code(view))
    rows = (buttons, *_house_rows(view, challenge_ids.table))
    return Message(content=join_lines(first, _no_board_keys(view), second, third, seal), body=rows, essence=first)


def _seal_code(view: LobbyView) -> str:
    return say("small-seal", digits=group_digits(view.opening))


def _house_rows(view: LobbyView, write_id: Callable[[str, str], str]) -> tuple[Row, ...]:
    """Return the row with which the host brings the house; none where it cannot come or go."""
    offered = (
        (view.can_add_house, "add-house", "h"),
        (view.can_remove_house, "remove-house", "u"),
        (view.can_fill, "fill-house", "f"),
    )
    buttons = [Button(say(name), write_id(view.id, what)) for can, name, what in offered if can]
    return (make_row(*buttons),) if buttons else ()


def _unrated_line(view: LobbyView) -> str:
    return say("house-joined" if view.house_joined else "house-unrated")


def _join_house(view: LobbyView, names: Names) -> str:
    return names.join_names(range(len(view.people), view.taken))


def _host_name(view: LobbyView, names: Names) -> str:
    return names[next((seat for seat, (user, _, _) in enumerate(view.people) if user == view.host), 0)]


def _join_names(view: LobbyView, names: Names, wanted: str) -> str:
    """Join the names of the people with this answer."""
    return join_words([names[seat] for seat, (_, _, answer) in enumerate(view.people) if answer == wanted])
