"""The audit log of a server, for people who may manage it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from bot.interactions.client import GopsClient
from bot.interactions.component import component
from bot.interactions.context import InteractionContext
from bot.referee.model.people import Audit
from bot.ui.custom_ids import server_ids
from bot.ui.message import Attached, Attachment, Button, Message, Text, make_row
from bot.ui.text.names import FORMER
from bot.ui.text.sentences import say
from cogs.server.audit_words import audit_line

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
    if one.what == "bar":
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


async def setup(bot: GopsClient) -> None:
    bot.add_components(turn_audit)
