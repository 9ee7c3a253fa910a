"""Changes of settings and acts of moderators in words, for answers, the audit log and the log channel."""

from __future__ import annotations

import json
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer
from bot.referee.model.guild_settings import SETTINGS, GuildSettings
from bot.referee.model.people import Audit
from bot.referee.model.setting_kinds import (
    BandsSetting,
    ChannelsSetting,
    ChoiceSetting,
    ClockSetting,
    GameSetting,
    NumberSetting,
    RolesSetting,
    RulesSetting,
    SwitchSetting,
)
from bot.referee.server.deciding import kept
from bot.ui.text.names import format_name, join_words, quote
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_span, format_time


def setting_words(what: str, value: str) -> str:
    """Return a setting and its value, like "clock 5 minutes"."""
    return say(f"set-{what}", value=value_words(what, value))


def present_words(settings: GuildSettings, what: str) -> str:
    """Return a setting with its present value."""
    return setting_words(what, kept(getattr(settings, what)))


def change_words(settings: GuildSettings, one: Audit) -> str:
    """Return what a change set; of roles by rating, only the roles that changed."""
    if one.what != "bands":
        return present_words(settings, one.what)
    before, after = ({role: least for least, role in json.loads(value)} for value in (one.before, one.after))
    told = [_band(role, least) for role, least in after.items() if before.get(role) != least]
    told += [say("value-band-off", role=f"<@&{role}>") for role in before if role not in after]
    return say("set-bands", value=join_words(told))


def _band(role: int, least: int) -> str:
    return say("value-band", role=f"<@&{role}>", least=least)


def value_words(what: str, value: str) -> str:
    """Return a value of the audit log in words."""
    read: Any = json.loads(value)
    match SETTINGS[what]:
        case GameSetting():
            return _game(read)
        case ClockSetting():
            return format_span(read)
        case SwitchSetting():
            return say(f"value-{what}-{'on' if read else 'off'}")
        case ChoiceSetting():
            return say(f"value-{what}-{read}")
        case NumberSetting():
            return str(read)
        case RulesSetting():
            told = quote(read) if read else ""
        case ChannelsSetting():
            told = join_words([f"<#{id}>" for id in read])
        case RolesSetting():
            told = join_words([f"<@&{id}>" for id in read])
        case BandsSetting():
            told = join_words([_band(role, least) for least, role in read])
        case _:
            told = f"<#{read}>" if read else ""
    return told or say(f"value-{what}-none")


def _game(key: str) -> str:
    """Return the name of a game; the log may hold a game that this version does not have."""
    try:
        return find_offer(key)[1].name
    except RuleError:
        return quote(key)


def audit_line(one: Audit, name: str, about: str = "") -> str:
    """Return a line of the audit log; `name` is the moderator, `about` the person concerned."""
    data = {"t": format_time(one.at), "name": format_name(name)}
    if not one.version:
        data |= {
            "what": say(f"did-{one.what}"),
            "who": format_name(about),
            "m": one.match,
            "reason": quote(one.after, 200),
        }
        return say("audit-match" if one.match else "audit-bar" if one.after else "audit-unbar", **data)
    return say("audit-set", what=setting_words(one.what, one.after), before=value_words(one.what, one.before), **data)


def log_line(one: Audit, name: str) -> str:
    """Return a line for the log channel, without the time, which Discord shows."""
    what, before = setting_words(one.what, one.after), value_words(one.what, one.before)
    return say("log-set", name=format_name(name), what=what, before=before)
