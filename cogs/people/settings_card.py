"""What a server decides for itself; for people who may manage it."""

from __future__ import annotations

from bot.engine.variants import GAMES
from bot.referee.ports.people import GuildSettings
from cogs.people import ids
from cogs.ui.message import Button, Menu, MenuOption, Message, Node, Row, Text, row
from cogs.ui.words.offers import CLOCKS
from cogs.ui.words.sentences import say

BOARDS = (1, 2, 4, 8, 12, 16, 25)
MOST = 25


def settings_card(settings: GuildSettings, banner: str = "") -> Message:
    """`banner` says what a press has just changed."""
    title = say("settings-title")
    clocks = dict(CLOCKS)
    boards = sorted({*BOARDS, settings.boards})
    menus = (
        Menu(
            ids.settings("game"),
            say("setup-game"),
            tuple(
                MenuOption(game.name, game.key, game.title[:100], game.key == settings.game) for game in GAMES[:MOST]
            ),
        ),
        Menu(
            ids.settings("clock"),
            say("setup-clock"),
            tuple(MenuOption(words, str(seconds), "", seconds == settings.clock) for seconds, words in clocks.items()),
        ),
        Menu(
            ids.settings("boards"),
            say("settings-many"),
            tuple(MenuOption(str(number), str(number), "", number == settings.boards) for number in boards),
        ),
        Menu(
            ids.settings("channels"),
            say("settings-everywhere"),
            kind="channel",
            chosen=settings.channels,
            least=0,
            most=MOST,
        ),
        Menu(ids.settings("roles"), say("settings-everybody"), kind="role", chosen=settings.roles, least=0, most=MOST),
    )
    titles = ("settings-game", "settings-clock", "settings-boards", "settings-channels", "settings-roles")
    body: list[Node] = [Text(f"{title}\n{banner}" if banner else title)]
    for id, menu in zip(titles, menus, strict=True):
        body += [Text(say(id)), row(menu)]
    body += [_toggles(settings), Text(say("settings-foot"))]
    return Message(body=tuple(body), essence=title)


def _toggles(settings: GuildSettings) -> Row:
    def state(on: bool) -> str:
        return say("state-on" if on else "state-off")

    return row(
        Button(say("settings-rated", state=state(settings.rated)), ids.settings("rated")),
        Button(say("settings-dms", state=say("allowed" if settings.dms else "not-allowed")), ids.settings("dms")),
        Button(say("settings-results", state=state(settings.result_lines)), ids.settings("results")),
        Button(say("settings-cards", what=say(f"faces-{settings.cards}")), ids.settings("cards")),
    )
