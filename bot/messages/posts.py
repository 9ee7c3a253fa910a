"""Posts that are about no match: the log of a server, champions, the daily deal, who waits for an opponent, a pair."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from bot.messages.render import lobby_message
from bot.messages.roles import RoleGiver
from bot.referee.model.clock_changes import read_owner
from bot.referee.model.daily_posts import is_post_time, next_post
from bot.referee.model.model import Deadline, DeadlineKind, Lobby, LobbyState, Snowflake, UserId
from bot.referee.model.searches import SearchPost
from bot.referee.model.surfaces import Surface, SurfaceKind, lobby_surface
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery
from bot.rest.global_limit import SPARE
from bot.ui.message import Message
from bot.ui.screens.daily import render_post
from bot.ui.screens.searches import render_waiting
from bot.ui.screens.server_posts import champions_message
from bot.ui.text.sentences import say

BUSY = timedelta(seconds=30)
"""Time until the next try of a daily deal while matches need the calls."""
REST = timedelta(seconds=5)
"""Shortest time between two calls that show who waits in a channel."""
OLD = timedelta(hours=1)
"""Age at which the message is posted again, where people see it."""
SAME = timedelta(minutes=2)
"""Time in which a post that may have arrived is repeated, so that Discord returns the same message."""


@dataclass(eq=False)
class Posts:
    """Makes each post when its deadline is due: False where Discord wants another try, or a time where there is more to
    do then."""

    referee: Referee
    delivery: Delivery
    _under_way: set[str] = field(default_factory=set[str])

    def __post_init__(self) -> None:
        self.due = {
            DeadlineKind.CHAMPIONS: self.post_champions,
            DeadlineKind.DAILY: self.post_daily,
            DeadlineKind.OUTDATED: self._remove,
            DeadlineKind.PAIR: self.post_pair,
            DeadlineKind.ROLES: RoleGiver(self.referee, self.delivery).bring,
            DeadlineKind.WAITING: self.show_waiting,
        }
        """what is done at a deadline of each kind"""

    async def _remove(self, deadline: Deadline) -> bool:
        """Delete a message that is not needed any more."""
        return await self.delivery.delete(*read_owner(deadline.owner)) is not CallResult.LATER

    # --- servers -----------------------------------------------------------------------------------------

    async def post_log(self, guild: Snowflake, lines: Sequence[str]) -> bool:
        """Post in the log channel of a server. Return False if there is none or the message was not posted."""
        known = await self.referee.deciding.load_settings(guild)
        if not known.log or not lines:
            return False
        _, posted = await self.delivery.post(known.log, Message("\n".join(lines)), secrets.token_hex(12))
        return bool(posted)

    async def post_refusal(self, channel: Snowflake, code: int) -> None:
        """Post that the bot has given up a call in this channel."""
        if guild := await self.delivery.guild_of(channel):
            await self.post_log(guild, [say("log-refused", channel=f"<#{channel}>", code=code)])

    async def post_champions(self, deadline: Deadline) -> bool:
        """Post the champions of a season that has ended."""
        guild, number = read_owner(deadline.owner)
        settings = await self.referee.deciding.load_settings(guild)
        seasons = await self.referee.seasons.load_all(guild)
        season = next((one for one in seasons if one.number == number), None)
        if season is None or not settings.champions:
            return True
        tables = await self.referee.seasons.load_champions(guild, number)
        message = champions_message(season, tables, follows=any(not one.over for one in seasons))
        result, _ = await self.delivery.post(settings.champions, message, f"s{guild}n{number}"[:25])
        return result is not CallResult.LATER

    async def post_daily(self, deadline: Deadline) -> datetime:
        """Post the deal of today, silently and at the lowest priority, and return the time of the next post. A post
        that fails is not made again: it may have arrived."""
        (guild,), now = read_owner(deadline.owner), self.referee.clock.now()
        following = next_post(guild, now)
        settings = await self.referee.deciding.load_settings(guild)
        if not settings.daily or not is_post_time(guild, now) or not await self.referee.leaving.is_member(guild):
            return following
        if self.delivery.budget.free_share < SPARE:
            return now + BUSY
        post = await self.referee.daily.load_post(guild, now.date())
        if await self.referee.daily.claim_post(deadline, following):
            nonce = f"y{guild}n{now:%m%d}"
            await self.delivery.post(settings.daily, render_post(post), nonce, silent=True)
        return following

    # --- challenges --------------------------------------------------------------------------------------

    async def post_lobby(
        self, lobby: Lobby, nonce: str, mentions: Sequence[UserId] | None = None
    ) -> tuple[CallResult, Snowflake]:
        """Post a challenge in its channel, and save where. Return the result and the message."""
        message = await lobby_message(self.referee, lobby, mentions=mentions)
        result, posted = await self.delivery.post(lobby.channel, message, nonce)
        if result is CallResult.DONE:
            await self.referee.lobbies.note_message(lobby, lobby_surface(lobby, posted))
        return result, posted

    async def post_pair(self, deadline: Deadline) -> bool:
        """Post the challenge of a pair."""
        lobby = await self.referee.lobbies.find(deadline.owner)
        if lobby is None or lobby.state is not LobbyState.OPEN or lobby.message is not None:
            return True
        result, _ = await self.post_lobby(lobby, f"q{lobby.id}")
        if result not in (CallResult.DONE, CallResult.LATER):
            await self.referee.searches.give_up(lobby.id)
        return result is not CallResult.LATER

    # --- who waits for an opponent -----------------------------------------------------------------------

    async def show_waiting(self, deadline: Deadline) -> bool | datetime:
        """Show who waits in a channel by now. Only this makes calls to that message, one at a time."""
        if deadline.owner in self._under_way:
            return self.referee.clock.now() + REST
        self._under_way.add(deadline.owner)
        try:
            return await self._show_waiting(*read_owner(deadline.owner))
        finally:
            self._under_way.remove(deadline.owner)

    async def _show_waiting(self, guild: Snowflake, channel: Snowflake) -> bool | datetime:
        """Edit or delete the message that is there, and post the next one. Each call is noted before it is made."""
        searches, now = self.referee.searches, self.referee.clock.now()
        waiting, post = await searches.load_waiting(guild, channel)
        if post is not None and timedelta() <= now - post.edited < REST:
            return post.edited + REST
        if post is not None and post.message:
            noted, stays = replace(post, edited=now), waiting and now - post.posted < OLD
            if not await searches.save_post(noted, post):
                return False
            if stays:
                surface = Surface("", SurfaceKind.LOBBY, 0, channel, post.message, 0, post.posted)
                result = (await self.delivery.edit(surface, render_waiting(waiting), now)).result
            else:
                result = await self.delivery.delete(channel, post.message)
            if result is CallResult.LATER or (stays and result is not CallResult.MESSAGE_GONE):
                return result is not CallResult.LATER
            if not await searches.save_post(replace(noted, message=0, posted=now - SAME), noted):
                return False
        return await self._post_waiting(guild, channel, now) if waiting else True

    async def _post_waiting(self, guild: Snowflake, channel: Snowflake, now: datetime) -> bool:
        """Post a message, which is noted before. A post that may have arrived is repeated with the same nonce."""
        searches = self.referee.searches
        waiting, known = await searches.load_waiting(guild, channel)
        last = known or SearchPost(channel, guild, 0, now - SAME, now)
        posted = last.posted if now - last.posted < SAME else now
        may_ping = last.pinged == posted or await searches.may_ping(guild)
        role = (await self.referee.deciding.load_settings(guild)).search_role if may_ping else 0
        noted = replace(last, posted=posted, edited=now, pinged=posted if role else last.pinged)
        if not await searches.save_post(noted, known):
            return False
        nonce = f"w{channel:x}{int(posted.timestamp()):x}"[-25:]
        result, message = await self.delivery.post(channel, render_waiting(waiting, role), nonce, not role)
        if result is CallResult.DONE:
            await searches.save_post(replace(noted, message=message), noted)
        return result is not CallResult.LATER
