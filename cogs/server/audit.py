"""What moderators did in a server, for those who may manage it."""

from __future__ import annotations

from cogs.asked.asked import Asked
from cogs.asked.presses import press
from cogs.client import GopsClient
from cogs.server import ids
from cogs.server.audit_card import PAGE, audit_card, audit_file
from cogs.ui.message import Message

MOST = 20_000
"""entries in one file: some four megabytes"""


@press(ids.AUDIT)
async def audit_turned(asked: Asked) -> None:
    """The log is opened, turned, or taken along as a file."""
    guild = asked.check_manager()
    page, what = ids.read_audit(asked.parts)
    if what in ("look", "file"):
        asked.answer.will_send()
    if what == "file":
        found = await asked.referee.store.audits(guild, MOST)
        await asked.answer.send(audit_file(list(reversed(found))))
    elif what == "look":
        await asked.answer.send(await _page(asked, guild, 0))
    else:
        await asked.answer.update(await _page(asked, guild, page))


async def _page(asked: Asked, guild: int, page: int) -> Message:
    found = await asked.referee.store.audits(guild, PAGE + 1, page * PAGE)
    people = {user for one in found for user in (one.user, one.about) if user > 0}
    names = {user: await asked.referee.people.name(guild, user, "") for user in people}
    return audit_card(found[:PAGE], names, page, more=len(found) > PAGE)


async def setup(bot: GopsClient) -> None:
    bot.answer(audit_turned)
