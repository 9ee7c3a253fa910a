"""Messages of the search for an opponent: who waits in a channel, and the challenge of a pair."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot.messages.render import lobby_message
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.model import Deadline, Lobby, LobbyState, Snowflake, UserId
from bot.referee.model.searches import Search, SearchPost
from bot.referee.model.surfaces import Surface, SurfaceKind, lobby_surface
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.ui.screens.searches import render_waiting

log = logging.getLogger(__name__)

REST = timedelta(seconds=5)
"""Shortest time between two calls that show who waits in a channel."""
OLD = timedelta(hours=1)
"""Age at which the message is posted again, where people see it."""
SAME = timedelta(minutes=2)
"""Time in which a post that may have arrived is repeated, so that Discord returns the same message."""


async def post_lobby(
    referee: Referee, delivery: Delivery, lobby: Lobby, nonce: str, mentions: Sequence[UserId] | None = None
) -> tuple[CallResult, Snowflake]:
    """Post a challenge in its channel, and save where. Return the result and the message."""
    message = await lobby_message(referee, lobby, mentions=mentions)
    result, posted = await delivery.post(lobby.channel, message, nonce)
    if result is CallResult.DONE:
        await referee.lobbies.note_message(lobby, lobby_surface(lobby, posted))
    return result, posted


async def post_pair(referee: Referee, delivery: Delivery, deadline: Deadline) -> bool:
    """Post the challenge of a pair. Return False if the call has to be made again."""
    lobby = await referee.lobbies.find(deadline.owner)
    if lobby is None or lobby.state is not LobbyState.OPEN or lobby.message is not None:
        return True
    result, _ = await post_lobby(referee, delivery, lobby, f"q{lobby.id}")
    if result not in (CallResult.DONE, CallResult.LATER):
        log.warning("the pair %s could not be posted: %s", lobby.id, result.text)
        await referee.searches.give_up(lobby.id)
    return result is not CallResult.LATER


class WaitingPosts:
    """The message of each channel that shows who waits. Only this makes calls to it, one at a time."""

    def __init__(self, referee: Referee, delivery: Delivery) -> None:
        self._referee = referee
        self._delivery = delivery
        self._under_way: set[str] = set()

    async def show(self, deadline: Deadline) -> bool | datetime:
        """Show who waits by now. Return False if a call has to be made again, or the time of the next call."""
        if deadline.owner in self._under_way:
            return self._referee.clock.now() + REST
        self._under_way.add(deadline.owner)
        try:
            return await self._show(*read_owner(deadline.owner))
        finally:
            self._under_way.remove(deadline.owner)

    async def _show(self, guild: int, channel: int) -> bool | datetime:
        now = self._referee.clock.now()
        waiting, post = await self._referee.searches.load_waiting(guild, channel)
        if post is not None and timedelta() <= now - post.edited < REST:
            return post.edited + REST
        if not waiting:
            return post is None or await self._remove(post, now)
        if post is not None and post.message and now - post.posted < OLD:
            return await self._edit(post, waiting, now)
        if post is not None and post.message and not await self._remove(post, now):
            return False
        return await self._post(guild, channel, now)

    async def _remove(self, post: SearchPost, now: datetime) -> bool:
        """Delete the message; one that is gone counts as deleted."""
        if not post.message:
            return True
        if await self._delivery.delete(post.channel, post.message) is CallResult.LATER:
            return False
        return await self._referee.searches.save_post(replace(post, message=0, posted=now - SAME), post)

    async def _edit(self, post: SearchPost, waiting: Sequence[Search], now: datetime) -> bool | datetime:
        """Show who waits in the same message; note the call before it is made."""
        noted = replace(post, edited=now)
        if not await self._referee.searches.save_post(noted, post):
            return False
        surface = Surface("", SurfaceKind.LOBBY, 0, post.channel, post.message, 0, post.posted)
        attempt = await self._delivery.edit(surface, render_waiting(waiting), now)
        if attempt.result is CallResult.MESSAGE_GONE:
            await self._referee.searches.save_post(replace(noted, message=0, posted=now - SAME), noted)
            return now + REST
        return attempt.result is not CallResult.LATER

    async def _post(self, guild: int, channel: int, now: datetime) -> bool | datetime:
        """Post a message, which is noted before. A post that may have arrived is repeated with the same nonce."""
        searches = self._referee.searches
        waiting, known = await searches.load_waiting(guild, channel)
        role = (await self._referee.deciding.load_settings(guild)).search_role
        begun = known is not None and now - known.posted < SAME
        is_pinged = known is not None and begun and known.pinged == known.posted
        role = role if is_pinged or await searches.may_ping(guild) else 0
        posted = known.posted if known is not None and begun else now
        pinged = posted if role else known.pinged if known is not None else None
        noted = SearchPost(channel, guild, 0, posted, now, pinged)
        if not await searches.save_post(noted, known):
            return False
        nonce = f"w{channel:x}{int(posted.timestamp()):x}"[-25:]
        result, message = await self._delivery.post(channel, render_waiting(waiting, role), nonce, not role)
        if result is CallResult.DONE:
            await searches.save_post(replace(noted, message=message), noted)
        elif result is not CallResult.LATER:
            log.warning("channel %d cannot show who waits: %s", channel, result.text)
        return result is not CallResult.LATER
