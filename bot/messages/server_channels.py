"""Posts in channels that a server chose: its log, and the champions of a season."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence

from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import Deadline
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.message import Message
from bot.ui.screens.server_posts import champions_message
from bot.ui.text.sentences import say

log = logging.getLogger(__name__)


async def post_log(referee: Referee, delivery: Delivery, guild: int, lines: Sequence[str]) -> bool:
    """Post in the log channel of a server. Return False if there is none or the message was not posted."""
    known = await referee.deciding.load_settings(guild)
    if not known.log or not lines:
        return False
    _, posted = await delivery.post(known.log, Message("\n".join(lines)), secrets.token_hex(12))
    return bool(posted)


async def post_refusal(referee: Referee, delivery: Delivery, channel: int, code: int) -> None:
    """Post that the bot has given up a call in this channel."""
    if guild := await delivery.guild_of(channel):
        await post_log(referee, delivery, guild, [say("log-refused", channel=f"<#{channel}>", code=code)])


async def tell_champions(referee: Referee, delivery: Delivery, deadline: Deadline) -> bool:
    """Post the champions of a season that has ended. Return False if the call has to be made again."""
    guild, number = read_owner(deadline.owner)
    settings = await referee.deciding.load_settings(guild)
    seasons = await referee.seasons.load_all(guild)
    season = next((one for one in seasons if one.number == number), None)
    if season is None or not settings.champions:
        return True
    tables = await referee.seasons.load_champions(guild, number)
    message = champions_message(season, tables, follows=any(not one.over for one in seasons))
    result, _ = await delivery.post(settings.champions, message, f"s{guild}n{number}"[:25])
    if result not in (CallResult.DONE, CallResult.LATER):
        log.warning("the champions of server %d could not be posted: %s", guild, result.text)
    return result is not CallResult.LATER
