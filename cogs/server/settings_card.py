"""What a server decides for itself; for people who may manage it."""

from __future__ import annotations

from bot.engine.text.presets import find_offer
from bot.engine.variants import GAMES
from bot.referee.model.people import GuildSettings
from bot.referee.server.deciding import CONSOLES, LONGEST_RULES, MOST_CHOSEN, MOST_MATCHES
from bot.ui.custom_ids import server_ids
from bot.ui.message import Button, Field, Menu, MenuOption, Message, Modal, Node, Row, Text, row
from bot.ui.text.offers import CLOCKS
from bot.ui.text.sentences import say

BOARDS = (1, 2, 4, 8, 12, 16, 25)
MOST = 25
LABEL = 45
"""characters of a title, or of the label of a field"""


def settings_card(settings: GuildSettings, banner: str = "") -> Message:
    """`banner` says what a press has just changed. Every button carries the version of the settings that is shown."""
    title = say("settings-title")
    body: list[Node] = [Text(f"{title}\n{banner}" if banner else title)]
    for id, menu in _menus(settings).items():
        body += [Text(say(f"settings-{id}")), row(menu)]
    body += [_toggles(settings), _more(settings), Text(say("settings-foot"))]
    return Message(body=tuple(body), essence=title)


def _menus(settings: GuildSettings) -> dict[str, Menu]:
    clocks = dict(CLOCKS)
    boards = sorted({*BOARDS, settings.boards})
    games = [MenuOption(game.name, game.key, game.title[:100], game.key == settings.game) for game in GAMES[:MOST]]
    times = [MenuOption(words, str(seconds), "", seconds == settings.clock) for seconds, words in clocks.items()]
    places = [MenuOption(say(f"console-{key}"), key, "", key == settings.console) for key in CONSOLES]
    numbers = [MenuOption(str(number), str(number), "", number == settings.boards) for number in boards]
    logs = (settings.log,) if settings.log else ()
    every, somebody, no = say("settings-everywhere"), say("settings-everybody"), say("settings-nowhere")

    def id(what: str) -> str:
        return server_ids.settings(what, settings.version)

    return {
        "game": Menu(id("game"), say("setup-game"), tuple(games)),
        "clock": Menu(id("clock"), say("setup-clock"), tuple(times)),
        "console": Menu(id("console"), say("settings-place"), tuple(places)),
        "boards": Menu(id("boards"), say("settings-many"), tuple(numbers)),
        "channels": Menu(id("channels"), every, kind="channel", chosen=settings.channels, least=0, most=MOST_CHOSEN),
        "roles": Menu(id("roles"), somebody, kind="role", chosen=settings.roles, least=0, most=MOST_CHOSEN),
        "log": Menu(id("log"), no, kind="channel", chosen=logs, least=0, most=1),
    }


def _toggles(settings: GuildSettings) -> Row:
    def state(on: bool) -> str:
        return say("state-on" if on else "state-off")

    def id(what: str) -> str:
        return server_ids.settings(what, settings.version)

    return row(
        Button(say("settings-rated", state=state(settings.rated)), id("rated")),
        Button(say("settings-dms", state=say("allowed" if settings.dms else "not-allowed")), id("dms")),
        Button(say("settings-results", state=state(settings.result_lines)), id("results")),
        Button(say("settings-cards", what=say(f"faces-{settings.cards}")), id("cards")),
        Button(say("settings-place-of", what=say(f"value-place-{settings.place}")), id("place")),
    )


def _more(settings: GuildSettings) -> Row:
    threads = server_ids.settings("threads", settings.version)
    return row(
        Button(say("settings-threads", state=say("state-on" if settings.threads else "state-off")), threads),
        Button(say("settings-more"), server_ids.settings("more", settings.version)),
        Button(say("league"), server_ids.settings("league", settings.version)),
        Button(say("settings-audit"), server_ids.audit(0, "look")),
    )


def rules_form(settings: GuildSettings) -> Modal:
    """What is shorter typed than chosen."""
    game, _ = find_offer(settings.game)
    rules = Field(
        server_ids.RULES_FIELD,
        say("form-rules-usual", game=game.name)[:LABEL],
        settings.options,
        most=10 * LONGEST_RULES,
        hint=say("form-rules-hint"),
        note=say("form-rules-note"),
        required=False,
    )
    matches = Field(
        server_ids.MATCHES_FIELD,
        say("form-matches"),
        str(settings.matches),
        most=4,
        note=say("form-matches-note", most=MOST_MATCHES),
    )
    return Modal(server_ids.rules(settings.version), say("form-rules"), (rules, matches))
