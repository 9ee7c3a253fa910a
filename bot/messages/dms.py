"""Direct messages. A user whose DMs are closed is left alone for a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.referee.clock.quiet_hours import is_quiet
from bot.referee.lobby.lobbies import wants_dm
from bot.referee.model.model import UserId
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery, Render
from bot.ui.message import Message

DMS_CLOSED_FOR = timedelta(days=30)


@dataclass(eq=False)
class Dms:
    """Sends direct messages to players."""

    referee: Referee
    delivery: Delivery

    async def wanted(self, view: MatchView, user: UserId) -> bool:
        """Return True if a player's console arrives by DM."""
        player = await self.referee.people.load_player(user)
        guild = await self.referee.deciding.load_settings(view.guild)
        return wants_dm(view.setup.clock, player, guild, self.referee.clock.now())

    async def send(
        self, user: UserId, message: Message | Render, nonce: str, silent: bool = False
    ) -> tuple[CallResult, int, int]:
        """Send a DM, silently in quiet hours. Return the result, the message and its channel."""
        people, now = self.referee.people, self.referee.clock.now()
        player = await people.load_player(user)
        result, channel, posted = CallResult.DONE, player.dm_channel, 0
        if not channel:
            result, channel = await self.delivery.open_dm(user)
            if result is CallResult.DONE:
                await people.set_preferences(user, dm_channel=channel)
        if result is CallResult.DONE:
            result, posted = await self.delivery.post(channel, message, nonce, silent or is_quiet(player, now))
            if result is CallResult.FORBIDDEN:
                result = CallResult.DMS_CLOSED
        if result is CallResult.DMS_CLOSED:
            await people.set_preferences(user, dm_closed_until=now + DMS_CLOSED_FOR)
        elif result is CallResult.DONE and player.dm_closed_until is not None:
            await people.set_preferences(user, dm_closed_until=None, dm_told=False)
        return result, posted, channel
