"""What moderators did in a server, for those who may manage it."""

from __future__ import annotations

from bot.interactions.client import GopsClient
from bot.interactions.component import press
from bot.interactions.context import Asked
from bot.ui.custom_ids import server_ids
from bot.ui.message import Message
from cogs.server.audit_card import PAGE, audit_card, audit_file

MOST = 20_000
"""entries in one file: some four megabytes"""


@press(server_ids.AUDIT)
async def audit_turned(asked: Asked) -> None:
    """The log is opened, turned, or taken along as a file."""
    guild = asked.check_manager()
    page, what = server_ids.read_audit(asked.parts)
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
