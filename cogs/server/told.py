"""What moderators did, in words: for the answer to a press, the audit log, and the log channel."""

from __future__ import annotations

import json
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer
from bot.referee.model.people import Audit, GuildSettings
from bot.referee.server.deciding import kept
from bot.ui.text.names import listed, quoted, shown
from bot.ui.text.sentences import say
from bot.ui.text.stamps import span, stamp

SWITCHES = ("rated", "result_lines", "threads")


def set_to(what: str, value: str) -> str:
    """A setting and its value: clock 5 minutes."""
    return say(f"set-{what}", value=value_told(what, value))


def now_set(settings: GuildSettings, what: str) -> str:
    """The same, as it is."""
    return set_to(what, kept(getattr(settings, what)))


def just_set(settings: GuildSettings, one: Audit) -> str:
    """What a change set; of a list that stands on the same card, only what is new."""
    if one.what != "bands":
        return now_set(settings, one.what)
    before, after = ({role: least for least, role in json.loads(value)} for value in (one.before, one.after))
    told = [_band(role, least) for role, least in after.items() if before.get(role) != least]
    told += [say("value-band-off", role=f"<@&{role}>") for role in before if role not in after]
    return say("set-bands", value=listed(told))


def _band(role: int, least: int) -> str:
    return say("value-band", role=f"<@&{role}>", least=least)


def value_told(what: str, value: str) -> str:
    """A value as the audit log holds it, in words."""
    read: Any = json.loads(value)
    if what == "game":
        return _game(read)
    if what == "clock":
        return span(read)
    if what in SWITCHES:
        return say("state-on" if read else "state-off")
    if what == "dms":
        return say("allowed" if read else "not-allowed")
    if what in ("console", "seasons"):
        return say(f"value-{read}")
    if what == "place":
        return say(f"value-place-{read}")
    if what == "cards":
        return say(f"faces-{read}")
    if what == "options":
        return quoted(read) if read else say("value-usual")
    if what == "channels":
        return listed([f"<#{one}>" for one in read]) or say("value-everywhere")
    if what == "roles":
        return listed([f"<@&{one}>" for one in read]) or say("value-everybody")
    if what == "bands":
        return listed([_band(role, least) for least, role in read]) or say("value-no-bands")
    if what in ("log", "champions"):
        return f"<#{read}>" if read else say("value-none")
    return str(read)


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
    return say("audit-set", what=set_to(one.what, one.after), before=value_told(one.what, one.before), **data)


def log_line(one: Audit, name: str) -> str:
    """The same for the log channel, where Discord itself says when."""
    what, before = set_to(one.what, one.after), value_told(one.what, one.before)
    return say("log-set", name=shown(name), what=what, before=before)
