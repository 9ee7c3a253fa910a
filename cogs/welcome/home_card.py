"""The home card: what this is, and presses that begin it."""

from __future__ import annotations

from bot.referee.model.views import MatchView
from bot.ui.custom_ids import match_ids, welcome_ids
from bot.ui.message import BLUE, GREEN, Button, Menu, Message, Node, Text, joined, row
from bot.ui.text.names import names_of
from bot.ui.text.sentences import say


def home_card(*, here: bool, version: str, support: str = "") -> Message:
    """`here`: in a server, where there are people to challenge; `support`: where problems are told."""
    title = say("home-title")
    foot = say("home-support", version=version, link=support) if support else say("home-foot", version=version)
    body: list[Node] = [
        Text(joined(title, say("home-text"))),
        row(
            Button(say("home-house"), welcome_ids.home("house"), BLUE),
            Button(say("home-guide"), welcome_ids.home("guide"), GREEN),
            *((Button(say("home-daily"), welcome_ids.home("daily")),) if here else ()),
            Button(say("rules"), welcome_ids.home("rules")),
        ),
    ]
    if here:
        body.append(row(Menu(welcome_ids.home("who"), say("home-challenge"), kind="user")))
    body.append(Text(joined(say("home-more" if here else "home-more-dm"), foot)))
    return Message(body=tuple(body), essence=title)


def continue_card(view: MatchView) -> Message:
    """Ask whether to go on with the practice match that waits, or to begin another one."""
    played = len(view.seen.rounds)
    question = say(
        "home-waiting", m=view.id, names=names_of(view).all(seat.seat for seat in view.seats if not seat.user), n=played
    )
    buttons = (
        Button(say("continue"), match_ids.board(view.id, "bid"), GREEN),
        Button(say("new-match"), welcome_ids.home("new")),
    )
    return Message(question, (row(*buttons),))
