"""Direct messages. A user whose DMs are closed is left alone for a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.referee.clock.quiet_hours import is_quiet
from bot.referee.lobby.lobbies import wants_dm
from bot.referee.model.people import Player
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

    async def wanted(self, view: MatchView, player: Player) -> bool:
        """Return True if a player's console arrives by DM."""
        guild = await self.referee.deciding.load_settings(view.guild)
        return wants_dm(view.setup.clock, player, guild, self.referee.clock.now())

    async def send(
        self, player: Player, message: Message | Render, nonce: str, silent: bool = False
    ) -> tuple[CallResult, int, int]:
        """Send a DM, silently in quiet hours. Return the result, the message and its channel."""
        now, posted = self.referee.clock.now(), 0
        result, channel = await self._channel(player)
        if result is CallResult.DONE:
            silent = silent or is_quiet(player, now)
            result, posted = await self.delivery.post(channel, message, nonce, silent)
            if result is CallResult.FORBIDDEN:
                result = CallResult.DMS_CLOSED
        if result is CallResult.DMS_CLOSED:
            await self.referee.people.set_preferences(player.user, dm_closed_until=now + DMS_CLOSED_FOR)
        elif result is CallResult.DONE and player.dm_closed_until is not None:
            await self.referee.people.set_preferences(player.user, dm_closed_until=None, dm_told=False)
        return result, posted, channel

    async def _channel(self, player: Player) -> tuple[CallResult, int]:
        if player.dm_channel:
            return CallResult.DONE, player.dm_channel
        result, channel = await self.delivery.open_dm(player.user)
        if result is CallResult.DONE:
            await self.referee.people.set_preferences(player.user, dm_channel=channel)
        return result, channel
