"""`/gops settings show`: the settings of a server on cards and forms, changed in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from discord import app_commands

from bot.engine.text.presets import find_offer
from bot.engine.variants import GAMES
from bot.errors import RefereeError
from bot.interactions.channel_checks import check_chosen, missing_for_threads, person_of
from bot.interactions.commands import subcommand
from bot.interactions.component import MessageKind, component
from bot.interactions.context import InteractionContext, stale_button
from bot.interactions.error_handler import describe_refusal
from bot.referee.model.guild_settings import (
    HIGHEST,
    LOWEST,
    MOST_BANDS,
    MOST_CHOSEN,
    SETTINGS,
    ChannelSetting,
    ChannelsSetting,
    ChoiceSetting,
    ClockSetting,
    GameSetting,
    GuildSettings,
    IdSetting,
    NumberSetting,
    RoleSetting,
    RolesSetting,
    Setting,
    SeveralSetting,
    SwitchSetting,
    with_band,
)
from bot.referee.model.people import Audit
from bot.referee.server.deciding import LONGEST_RULES, kept, usual_rules
from bot.rest.server_roles import RoleStatus, ServerRoles
from bot.ui.custom_ids import server_ids
from bot.ui.custom_ids import shapes as common
from bot.ui.message import Button, Field, Menu, MenuOption, Message, Modal, Node, Text, join_lines, make_row, make_rows
from bot.ui.text.offers import CLOCKS, pool_name
from bot.ui.text.sentences import say
from cogs.server.audit import banner_words, log_line, present_words, value_words

MOST = 25
"""Options of a menu."""
LABEL = 45
"""Characters of a title, or of the label of a field."""


def settings_card(settings: GuildSettings, banner: str = "", pressed: str = "") -> Message:
    """Return the first card. `banner` says what a press has changed; it stands below the menu of the setting `pressed`,
    or below the buttons: where the person looks. Every button carries the version of the settings."""
    links = [
        Button(say("settings-more"), server_ids.settings("more", settings.version)),
        Button(say("league"), server_ids.settings("league", settings.version)),
        Button(say("settings-audit"), server_ids.audit(0, "look")),
    ]
    return _render_card("settings", say("settings-title"), settings, links, banner, pressed)


def league_card(settings: GuildSettings, banner: str = "", pressed: str = "") -> Message:
    """Return the second card: seasons."""
    links = [
        Button(say("back-to-settings"), server_ids.settings("card", settings.version)),
        Button(say("bands"), server_ids.settings("bands", settings.version)),
    ]
    return _render_card("league", say("league-title"), settings, links, banner, pressed)


def _render_card(
    card: str, title: str, settings: GuildSettings, links: list[Button], banner: str, pressed: str
) -> Message:
    """Return a card of declared settings: each menu below its text, then the buttons, five in a row."""
    body: list[Node] = [Text(title)]
    buttons: list[Button] = []
    for name, setting in SETTINGS.items():
        if setting.card != card:
            continue
        if setting.about:
            body += [Text(say(f"settings-{name}")), make_row(_menu(name, setting, settings))]
            if name == pressed and banner:
                body.append(Text(banner))
                banner = ""
        else:
            value = value_words(name, kept(getattr(settings, name)))
            label = say(f"settings-{name}", value=value)
            buttons.append(Button(label, server_ids.settings(name, settings.version)))
    body += make_rows([*buttons, *links])
    return Message(body=(*body, Text(join_lines(banner, say("settings-foot")))), essence=title)


def _menu(name: str, setting: Setting, settings: GuildSettings) -> Menu:
    id, value = server_ids.settings(name, settings.version), getattr(settings, name)
    none = say(f"menu-{name}")
    match setting:
        case ChannelSetting() | RoleSetting():
            kind = "channel" if isinstance(setting, ChannelSetting) else "role"
            return Menu(id, none, kind=kind, chosen=(value,) if value else (), least=0, most=1)
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
        note=SETTINGS["matches"].range,
    )
    return Modal(server_ids.rules(settings.version), say("settings-more"), (rules, matches))


SAID = {
    RoleStatus.NO_RIGHT: "bands-no-right",
    RoleStatus.ABOVE: "bands-above",
    RoleStatus.NEVER: "bands-never",
    RoleStatus.GONE: "bands-gone",
}
"""What keeps the bot from giving a role."""


def bands_card(settings: GuildSettings, banner: str, pressed: str = "", *, may: Callable[[int], RoleStatus]) -> Message:
    """Return the third card of the settings; `may` returns whether the bot can give a role."""
    title = say("bands-title")
    pool = pool_name(settings.game)
    about = say("bands-about-season" if settings.seasons != "off" else "bands-about", pool=pool)
    lines = [say("bands-line", role=f"<@&{band.role}>", least=band.least) for band in settings.bands]
    obstacles = [(SAID.get(may(band.role)), band.role) for band in settings.bands]
    missing = dict.fromkeys(say(id, role=f"<@&{role}>") for id, role in obstacles if id is not None)
    buttons = [Button(say("back-to-settings"), server_ids.settings("card", settings.version))]
    if any(may(band.role) is RoleStatus.GONE for band in settings.bands):
        buttons.append(Button(say("bands-clean"), server_ids.settings("clean", settings.version)))
    body: list[Node] = [
        Text(title),
        Text(about),
        Text(join_lines(*(lines or [say("bands-none")]), *missing)),
        make_row(Menu(server_ids.settings("band", settings.version), say("bands-which"), kind="role")),
        make_row(*buttons),
        Text(join_lines(banner, say("settings-foot"))),
    ]
    return Message(body=tuple(body), essence=title)


def band_form(settings: GuildSettings, role: int) -> Modal:
    """Return the form that asks from which rating on a role is given."""
    known = next((str(band.least) for band in settings.bands if band.role == role), "")
    note = say("form-band-note", low=LOWEST, high=HIGHEST)
    field = Field(server_ids.BAND_FIELD, say("form-band-least"), known, most=6, note=note, required=False)
    return Modal(server_ids.band(settings.version, role), say("form-band"), (field,))


Painted = Callable[[GuildSettings, str, str], Message]
"""Make a card of the settings, a banner and the setting that was pressed."""

BUTTONS = {"settings": "card", "league": "league"}
"""Buttons that lead to the cards of declared settings."""

CARDS: dict[str, Painted] = {"card": settings_card, "league": league_card}
"""Those cards by their buttons."""


def _paint_bands(roles: ServerRoles | None) -> Painted:
    """Return how to make the card of roles by rating, by what Discord says of the roles."""
    return partial(bands_card, may=roles.status if roles is not None else lambda _: RoleStatus.UNKNOWN)


SETTINGS_GROUP = app_commands.Group(name="settings", description="Set up GOPS in this server (Manage Server)")


@subcommand(SETTINGS_GROUP, "show", "Defaults, channels and who can play")
async def show(context: InteractionContext) -> None:
    guild = context.check_manager()
    known = await context.referee.deciding.load_settings(guild)
    await context.answer.send(settings_card(known, _threads_missing(context, known)))


def _threads_missing(context: InteractionContext, known: GuildSettings) -> str:
    """Return which permissions for threads the bot lacks, if the server wants boards in threads."""
    missing = missing_for_threads(context.origin.bot_permissions) if known.threads else []
    return say("settings-threads-missing", permissions=" and ".join(missing)) if missing else ""


@component(server_ids.SETTINGS)
async def change_setting(context: InteractionContext) -> None:
    """Save what a menu or a switch sets, or open another card or form."""
    guild = context.check_manager()
    what, seen = server_ids.read_settings(context.id_parts)
    delivery = context.services.delivery
    known = await context.referee.deciding.load_settings(guild)
    if what == "more":
        await context.answer.ask(rules_form(known))
    elif what == "band":
        await context.answer.ask(band_form(known, _snowflake(context.value)))
    elif what in CARDS:
        await context.answer.update(CARDS[what](known, "", ""))
    elif what == "bands":
        await context.referee.roles.schedule_check(guild)  # the manager may just have granted what was missing
        roles = await delivery.read_roles(guild) if known.bands else None
        await context.answer.update(_paint_bands(roles)(known, "", ""))
    elif what == "clean":
        roles = await delivery.read_roles(guild)
        there = known.bands
        if roles is not None:
            there = tuple(band for band in there if roles.status(band.role) is not RoleStatus.GONE)
        await _change(context, seen, {"bands": there}, _paint_bands(roles))
    else:
        value = _read_value(context, what, known)
        await _change(context, seen, {what: value}, CARDS[BUTTONS[SETTINGS[what].card]])


def _read_value(context: InteractionContext, what: str, known: GuildSettings) -> Any:
    """Read the value that a component wants for a setting. Raise `RefereeError` for a control that no card has."""
    setting = SETTINGS.get(what)
    if setting is None or not setting.card:
        raise stale_button()
    value = getattr(known, what)
    match setting:
        case SwitchSetting():
            return not value
        case SeveralSetting():
            return tuple(sorted(set(map(_snowflake, context.values))))
        case IdSetting():
            return _snowflake(context.value) if context.values else 0
        case ChoiceSetting(about=""):
            keys = list(setting.values)
            return keys[(keys.index(value) + 1) % len(keys)] if value in keys else keys[0]
        case _:
            offered = [option.value for option in menu_options(what, setting, known)]
            return type(value)(context.value_among(offered))


def _snowflake(text: str) -> int:
    number = common.read_user(text)
    if number is None:
        raise stale_button()
    return number


@component(server_ids.RULES, on=MessageKind.FORM)
async def save_rules(context: InteractionContext) -> None:
    """Save the form behind *Rules and limits*."""
    guild = context.check_manager()
    seen = server_ids.read_rules(context.id_parts)
    known = await context.referee.deciding.load_settings(guild)
    rules, matches = context.field_text(server_ids.RULES_FIELD), context.field_text(server_ids.MATCHES_FIELD).strip()
    fields, wrong = dict[str, Any](), list[str]()
    try:
        fields["options"] = usual_rules(known.game, rules)
    except RefereeError as refusal:
        wrong.append(describe_refusal(refusal))
    number = int(matches) if matches.isascii() and matches.isdecimal() else None
    if SETTINGS["matches"].accepts(number):
        fields["matches"] = number
    else:
        wrong.append(describe_refusal(RefereeError("bad-value", option="matches", range=SETTINGS["matches"].range)))
    if wrong:
        await context.answer.update(settings_card(known, say("banner", text=join_lines(*wrong))))
        return
    await _change(context, seen, fields)


@component(server_ids.BAND, on=MessageKind.FORM)
async def save_band(context: InteractionContext) -> None:
    """Save from which rating on a role is given; an empty field takes the role off the list."""
    guild = context.check_manager()
    seen, role = server_ids.read_band(context.id_parts)
    known = await context.referee.deciding.load_settings(guild)
    typed, card = (
        context.field_text(server_ids.BAND_FIELD).strip(),
        _paint_bands(await context.services.delivery.read_roles(guild)),
    )
    if typed and not (typed.isascii() and typed.isdecimal() and LOWEST <= int(typed) <= HIGHEST):
        refusal = RefereeError("bad-value", option="rating", range=f"{LOWEST} to {HIGHEST}")
        await context.answer.update(card(known, say("banner", text=describe_refusal(refusal)), ""))
        return
    bands = with_band(known.bands, role, int(typed) if typed else None)
    if len({band.least for band in bands}) < len(bands) or len(bands) > MOST_BANDS:
        said = "bands-many" if len(bands) > MOST_BANDS else "bands-same"
        await context.answer.update(card(known, say("banner", text=say(said)), ""))
        return
    await _change(context, seen, {"bands": bands}, card)


async def _change(
    context: InteractionContext, seen: int, fields: dict[str, Any], card: Painted = settings_card
) -> None:
    """Save some settings, and show the card with the settings as they are then."""
    deciding, guild = context.referee.deciding, context.guild
    audits: Sequence[Audit] = ()
    try:
        await _check_channels(context, fields)
        audits = await deciding.change(guild, person_of(context.author), seen, **fields)
        known = await context.referee.deciding.load_settings(guild)
        told = join_lines(*(say("settings-saved", what=banner_words(audit)) for audit in audits))
        banner = told or join_lines(*(say("settings-same", what=present_words(known, what)) for what in fields))
    except RefereeError as refusal:
        known = await context.referee.deciding.load_settings(guild)
        moved = refusal.id == "settings-moved"
        what = say(refusal.id, what=present_words(known, refusal.data["what"])) if moved else describe_refusal(refusal)
        banner = say("banner", text=what)
    lines, changed = [log_line(audit, context.author.name) for audit in audits], {audit.what for audit in audits}
    publisher = context.services.publisher
    if "log" in changed and known.log and not await publisher.tell_server(guild, lines):
        banner = join_lines(banner, say("banner", text=say("settings-log-silent", channel=f"<#{known.log}>")))
    if "threads" in changed:
        banner = join_lines(banner, _threads_missing(context, known))
    await context.answer.update(card(known, banner, next(iter(fields))))
    if lines and "log" not in changed:
        await publisher.tell_server(guild, lines)


async def _check_channels(context: InteractionContext, fields: dict[str, Any]) -> None:
    """Refuse newly chosen channels in which the bot cannot write."""
    known = await context.referee.deciding.load_settings(context.guild)
    for what, value in fields.items():
        setting = SETTINGS[what]
        if isinstance(setting, ChannelsSetting):
            check_chosen(context, [one for one in value if one not in getattr(known, what)], for_boards=True)
        elif isinstance(setting, ChannelSetting) and value:
            check_chosen(context, [value], for_boards=False)
