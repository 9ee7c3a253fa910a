"""What a server decides about its seasons."""

from __future__ import annotations

from bot.referee.model.people import GuildSettings
from bot.referee.model.seasons import KINDS
from bot.ui.custom_ids import server_ids
from bot.ui.message import Button, Menu, MenuOption, Message, Node, Text, row
from bot.ui.text.sentences import say


def league_card(settings: GuildSettings, banner: str = "") -> Message:
    """The second card of the settings; `banner` says what a press has just changed."""
    title = say("league-title")

    def id(what: str) -> str:
        return server_ids.settings(what, settings.version)

    kinds = [MenuOption(say(f"seasons-{key}"), key, "", key == settings.seasons) for key in KINDS]
    told = (settings.champions,) if settings.champions else ()
    nowhere = say("settings-nowhere")
    body: list[Node] = [
        Text(f"{title}\n{banner}" if banner else title),
        Text(say("league-seasons")),
        row(Menu(id("seasons"), say("league-which"), tuple(kinds))),
        Text(say("league-champions")),
        row(Menu(id("champions"), nowhere, kind="channel", chosen=told, least=0, most=1)),
        row(Button(say("back-to-settings"), id("card")), Button(say("bands"), id("bands"))),
        Text(say("settings-foot")),
    ]
    return Message(body=tuple(body), essence=title)
