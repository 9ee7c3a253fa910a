"""What moderators did, in words: for the answer to a press, the audit log, and the log channel."""

from __future__ import annotations

import json
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer
from bot.referee.model.people import SETTINGS, Audit, GuildSettings
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
from bot.ui.text.names import listed, quoted, shown
from bot.ui.text.sentences import say
from bot.ui.text.stamps import span, stamp


def setting_words(what: str, value: str) -> str:
    """A setting and its value: clock 5 minutes."""
    return say(f"set-{what}", value=value_words(what, value))


def present_words(settings: GuildSettings, what: str) -> str:
    """The same, as it is."""
    return setting_words(what, kept(getattr(settings, what)))


def change_words(settings: GuildSettings, one: Audit) -> str:
    """What a change set; of a list that stands on the same card, only what is new."""
    if one.what != "bands":
        return present_words(settings, one.what)
    before, after = ({role: least for least, role in json.loads(value)} for value in (one.before, one.after))
    told = [_band(role, least) for role, least in after.items() if before.get(role) != least]
    told += [say("value-band-off", role=f"<@&{role}>") for role in before if role not in after]
    return say("set-bands", value=listed(told))


def _band(role: int, least: int) -> str:
    return say("value-band", role=f"<@&{role}>", least=least)


def value_words(what: str, value: str) -> str:
    """A value as the audit log holds it, in words."""
    read: Any = json.loads(value)
    match SETTINGS[what]:
        case GameSetting():
            return _game(read)
        case ClockSetting():
            return span(read)
        case SwitchSetting():
            return say(f"value-{what}-{'on' if read else 'off'}")
        case ChoiceSetting():
            return say(f"value-{what}-{read}")
        case NumberSetting():
            return str(read)
        case RulesSetting():
            told = quoted(read) if read else ""
        case ChannelsSetting():
            told = listed([f"<#{one}>" for one in read])
        case RolesSetting():
            told = listed([f"<@&{one}>" for one in read])
        case BandsSetting():
            told = listed([_band(role, least) for least, role in read])
        case _:
            told = f"<#{read}>" if read else ""
    return told or say(f"value-{what}-none")


def _game(key: str) -> str:
    """Games come and go with the bot's versions, and the log stays."""
    try:
        return find_offer(key)[1].name
    except RuleError:
        return quoted(key)


def audit_line(one: Audit, name: str, about: str = "") -> str:
    """A line of the audit log; `name` is who did it, `about` whom it was about."""
    data = {"t": stamp(one.at), "name": shown(name)}
    if not one.version:
        data |= {"what": say(f"did-{one.what}"), "who": shown(about), "m": one.match, "reason": quoted(one.after, 200)}
        return say("audit-match" if one.match else "audit-bar" if one.after else "audit-unbar", **data)
    return say("audit-set", what=setting_words(one.what, one.after), before=value_words(one.what, one.before), **data)


def log_line(one: Audit, name: str) -> str:
    """The same for the log channel, where Discord itself says when."""
    what, before = setting_words(one.what, one.after), value_words(one.what, one.before)
    return say("log-set", name=shown(name), what=what, before=before)
