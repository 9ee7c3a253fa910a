"""The rules of a game on one screen, in five short parts."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.rules import Game
from bot.engine.variants import GAMES
from cogs.ui import ids
from cogs.ui.message import Button, Menu, Message, Option, Text, joined, row
from cogs.ui.sentences import say

MOST = 1800


def rules_card(game: Game, games: Sequence[Game] = GAMES, *, public: bool = False) -> Message:
    title = say("rules-title", game=game.name)
    parts = [say("rules-part", title=part, text=text) for part, text in game.guide.parts]
    text = joined(title, *parts, say("rules-seals"))
    if public:
        return Message(body=(Text(text),), essence=title)
    options = tuple(Option(one.name, one.key, one.title[:100], one is game) for one in games[:25])
    menu = row(Menu(ids.menu("game"), say("which-game"), options))
    buttons = row(
        Button(say("show-everyone"), ids.rules(game.key, "all")),
    )
    return Message(body=(Text(text), menu, buttons), essence=title)
