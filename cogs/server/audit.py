"""Changes of settings and acts of moderators in words, and the audit log of a server for people who may manage it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.engine.refusals import RuleError
from bot.engine.text.presets import find_offer
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.referee.model.guild_settings import (
    SETTINGS,
    BandsSetting,
    ChannelsSetting,
    ChoiceSetting,
    ClockSetting,
    GameSetting,
    GuildSettings,
    NumberSetting,
    RoleSetting,
    RolesSetting,
    RulesSetting,
    SwitchSetting,
)
from bot.referee.model.people import Audit
from bot.referee.server.deciding import kept
from bot.ui.custom_ids import server_ids
from bot.ui.message import Attached, Attachment, Button, Message, Text, make_row
from bot.ui.text.names import FORMER, format_name, join_words, quote
from bot.ui.text.sentences import say
from bot.ui.text.stamps import format_span, format_time


def present_words(settings: GuildSettings, what: str) -> str:
    """Return a setting with its present value, like "Clock: 5 minutes"."""
    return say(f"set-{what}", value=value_words(what, kept(getattr(settings, what))))


def change_words(one: Audit) -> str:
    """Return a setting with its value before and after a change."""
    return say(f"changed-{one.what}", before=value_words(one.what, one.before), value=value_words(one.what, one.after))


def banner_words(one: Audit) -> str:
    """Return a change in words; of roles by rating, only the roles that changed."""
    if one.what != "bands":
        return change_words(one)
    before, after = ({role: least for least, role in json.loads(value)} for value in (one.before, one.after))
    told = [_band(role, least) for role, least in after.items() if before.get(role) != least]
    told += [say("value-band-off", role=f"<@&{role}>") for role in before if role not in after]
    return say("set-bands", value=join_words(told))


def _band(role: int, least: int) -> str:
    return say("bands-line", role=f"<@&{role}>", least=least)


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
        case RoleSetting():
            told = f"<@&{read}>" if read else ""
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
        return say("audit-match" if one.match else "audit-ban" if one.after else "audit-unban", **data)
    return say("audit-set", what=change_words(one), **data)


def log_line(one: Audit, name: str) -> str:
    """Return a line for the log channel, without the time, which Discord shows."""
    return say("log-set", name=format_name(name), what=change_words(one))


PAGE = 10
FILE = "audit.jsonl"


def audit_card(audits: Sequence[Audit], names: Mapping[int, str], page: int = 0, more: bool = False) -> Message:
    """Return a page, newest first; `more`: there is another one."""
    title = say("audit-title")

    def name(user: int) -> str:
        return names.get(user) or FORMER

    lines = "\n".join(audit_line(entry, name(entry.user), name(entry.about)) for entry in audits) or say("audit-none")
    controls = make_row(
        Button(say("back"), server_ids.audit(max(0, page - 1), "back"), enabled=page > 0),
        Button(say("next"), server_ids.audit(page + 1, "next"), enabled=more),
        Button(say("audit-export"), server_ids.audit(page, "file"), enabled=bool(audits)),
    )
    return Message(body=(Text(title), Text(lines), controls), essence=title)


def audit_file(audits: Sequence[Audit]) -> Message:
    """Return all entries, oldest first, one JSON object a line."""
    lines = "".join(f"{json.dumps(_plain(entry), ensure_ascii=False)}\n" for entry in audits)
    told = say("audit-file", n=len(audits))
    return Message(body=(Text(told), Attached(FILE)), attachments=(Attachment(FILE, lines.encode()),), essence=told)


def _plain(one: Audit) -> dict[str, object]:
    """Return an entry for other programs. Ids are strings, because some programs cannot read numbers of that size."""
    data: dict[str, object] = {"at": one.at.isoformat(), "by": str(one.user), "what": one.what}
    if one.version:
        data |= {"before": json.loads(one.before), "after": json.loads(one.after), "version": one.version}
    elif one.after:
        data |= {"reason": one.after}
    if one.what == "ban":
        data |= {"until": one.before}
    if one.match:
        data["match"] = one.match
    if one.about:
        data["about"] = str(one.about)
    return data


MOST = 20_000
"""The most entries in one file, about 4 MB."""


@component(server_ids.AUDIT)
async def turn_audit(context: InteractionContext) -> None:
    """Show a page of the log, or send it as a file."""
    guild = context.check_manager()
    page, what = server_ids.read_audit(context.id_parts)
    if what in ("look", "file"):
        context.answer.will_send()
    if what == "file":
        found = await context.referee.moderating.load_audits(guild, MOST)
        await context.answer.send(audit_file(list(reversed(found))))
    elif what == "look":
        await context.answer.send(await _page(context, guild, 0))
    else:
        await context.answer.update(await _page(context, guild, page))


async def _page(context: InteractionContext, guild: int, page: int) -> Message:
    found = await context.referee.moderating.load_audits(guild, PAGE + 1, page * PAGE)
    people = {user for entry in found for user in (entry.user, entry.about) if user > 0}
    names = {user: await context.referee.people.find_name(guild, user, "") for user in people}
    return audit_card(found[:PAGE], names, page, more=len(found) > PAGE)
