"""The daily deal in the channel that a server chose for it: once a day, at the lowest priority."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.referee.model.clock_changes import read_owner
from bot.referee.model.daily_posts import is_post_time, next_post
from bot.referee.model.model import Deadline
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.screens.daily import render_post

log = logging.getLogger(__name__)

SPARE = 0.5
"""Share of the budget of counted calls that has to be free: matches come first."""
BUSY = timedelta(seconds=30)
"""Time until the next look while they are not."""


async def post_daily(referee: Referee, delivery: Delivery, deadline: Deadline) -> datetime:
    """Post the deal of today, silently, and return the time of the next post. A post that fails is not made again: it
    may have arrived."""
    (guild,), now = read_owner(deadline.owner), referee.clock.now()
    following = next_post(guild, now)
    settings = await referee.deciding.load_settings(guild)
    if not settings.daily or not is_post_time(guild, now) or not await referee.leaving.is_member(guild):
        return following
    if delivery.budget.free_share < SPARE:
        return now + BUSY
    post = await referee.daily.load_post(guild, now.date())
    if await referee.daily.claim_post(deadline, following):
        nonce = f"y{guild}n{now:%m%d}"
        result, _ = await delivery.post(settings.daily, render_post(post), nonce, silent=True)
        if result is not CallResult.DONE:
            log.warning("the daily deal of server %d could not be posted: %s", guild, result.text)
    return following
