"""The cards of a server's settings, for people who may manage it."""

from __future__ import annotations

from bot.engine.text.presets import find_offer
from bot.engine.variants import GAMES
from bot.referee.model.guild_settings import SETTINGS, GuildSettings
from bot.referee.model.setting_kinds import (
    MOST_CHOSEN,
    ChannelSetting,
    ChannelsSetting,
    ChoiceSetting,
    ClockSetting,
    GameSetting,
    NumberSetting,
    RolesSetting,
    Setting,
)
from bot.referee.server.deciding import LONGEST_RULES, kept
from bot.ui.custom_ids import server_ids
from bot.ui.message import Button, Field, Menu, MenuOption, Message, Modal, Node, Text, make_row
from bot.ui.text.offers import CLOCKS
from bot.ui.text.sentences import say
from cogs.server.audit import value_words

MOST = 25
"""Options of a menu."""
WIDTH = 5
"""Buttons of a row."""
LABEL = 45
"""Characters of a title, or of the label of a field."""


def settings_card(settings: GuildSettings, banner: str = "") -> Message:
    """Return the first card. `banner` says what a press has changed. Every button carries the version of the
    settings."""
    links = [
        Button(say("settings-more"), server_ids.settings("more", settings.version)),
        Button(say("league"), server_ids.settings("league", settings.version)),
        Button(say("settings-audit"), server_ids.audit(0, "look")),
    ]
    return _card("settings", say("settings-title"), settings, banner, links)


def league_card(settings: GuildSettings, banner: str = "") -> Message:
    """Return the second card: seasons."""
    links = [
        Button(say("back-to-settings"), server_ids.settings("card", settings.version)),
        Button(say("bands"), server_ids.settings("bands", settings.version)),
    ]
    return _card("league", say("league-title"), settings, banner, links)


def _card(card: str, title: str, settings: GuildSettings, banner: str, links: list[Button]) -> Message:
    """Return a card of declared settings: each menu below its text, then the buttons, five in a row."""
    body: list[Node] = [Text(f"{title}\n{banner}" if banner else title)]
    buttons: list[Button] = []
    for name, setting in SETTINGS.items():
        if setting.card != card:
            continue
        if setting.about:
            body += [Text(say(f"settings-{name}")), make_row(_menu(name, setting, settings))]
        else:
            value = value_words(name, kept(getattr(settings, name)))
            label = say(f"settings-{name}", value=value)
            buttons.append(Button(label, server_ids.settings(name, settings.version)))
    buttons += links
    body += [make_row(*buttons[at : at + WIDTH]) for at in range(0, len(buttons), WIDTH)]
    return Message(body=(*body, Text(say("settings-foot"))), essence=title)


def _menu(name: str, setting: Setting, settings: GuildSettings) -> Menu:
    id, value = server_ids.settings(name, settings.version), getattr(settings, name)
    none = say(f"menu-{name}")
    match setting:
        case ChannelSetting():
            return Menu(id, none, kind="channel", chosen=(value,) if value else (), least=0, most=1)
        case ChannelsSetting():
            return Menu(id, none, kind="channel", chosen=value, least=0, most=MOST_CHOSEN)
        case RolesSetting():
            return Menu(id, none, kind="role", chosen=value, least=0, most=MOST_CHOSEN)
        case _:
            return Menu(id, none, menu_options(name, setting, settings))


def menu_options(name: str, setting: Setting, settings: GuildSettings) -> tuple[MenuOption, ...]:
    """Return the options of a menu, with the present value marked."""
    value = getattr(settings, name)
    match setting:
        case GameSetting():
            found = [(game.key, game.name, game.title[:100]) for game in GAMES[:MOST]]
        case ClockSetting():
            found = [(str(seconds), words, "") for seconds, words in CLOCKS.items()]
        case NumberSetting():
            found = [(str(number), str(number), "") for number in sorted({*setting.offered, value})]
        case ChoiceSetting():
            found = [(key, say(f"choice-{name}-{key}"), "") for key in setting.values]
        case _:
            found = []
    return tuple(MenuOption(words, key, about, key == str(value)) for key, words, about in found)


def rules_form(settings: GuildSettings) -> Modal:
    """Return the form for what is shorter typed than chosen."""
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
        note=say("form-matches-note", range=SETTINGS["matches"].range),
    )
    return Modal(server_ids.rules(settings.version), say("form-rules"), (rules, matches))
