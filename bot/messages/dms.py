"""DMs: a channel is opened once for all who wait for it, and closed DMs stop nothing."""

from __future__ import annotations

from datetime import timedelta

from bot.referee.clock.quiet_hours import is_quiet
from bot.referee.lobby.lobby_repository import wants_dm
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.model import UserId
from bot.referee.model.people import Player
from bot.referee.model.views import MatchView
from bot.referee.referee import Referee
from bot.rest.call_result import CallResult
from bot.rest.delivery import Delivery, Render
from bot.rest.dm_opener import SingleFlight
from bot.ui.message import Message

DMS_CLOSED_FOR = timedelta(days=30)


class Dms:
    """Messages to one person."""

    def __init__(self, referee: Referee, delivery: Delivery) -> None:
        self.referee = referee
        self.delivery = delivery
        self._opening: SingleFlight[UserId, tuple[CallResult, int]] = SingleFlight("open-dm")

    async def wanted(self, view: MatchView, player: Player) -> bool:
        """Whether this person's console arrives by DM."""
        guild = await self.referee.deciding.load_settings(view.guild)
        return wants_dm(view.setup.clock, player, guild, self.referee.clock.now())

    def open(self, player: Player, guild: GuildSettings) -> bool:
        """Whether this person may be written to, and lets us as far as is known, whatever they prefer."""
        closed = player.dm_closed_until is not None and player.dm_closed_until > self.referee.clock.now()
        return guild.dms and not closed

    async def send(
        self, player: Player, message: Message | Render, nonce: str, silent: bool = False
    ) -> tuple[CallResult, int, int]:
        """If their DMs are open: what became of it, the message and its channel. In their quiet hours silently."""
        silent = silent or is_quiet(player, self.referee.clock.now())
        fate, channel = await self._channel(player)
        if fate is not CallResult.DONE:
            return (await self._closed(player) if fate is CallResult.DMS_CLOSED else fate), 0, 0
        fate, posted = await self.delivery.post(channel, message, nonce, silent)
        if fate in (CallResult.DMS_CLOSED, CallResult.FORBIDDEN):
            return await self._closed(player), 0, channel
        if fate is CallResult.DONE and player.dm_closed_until is not None:
            await self.referee.people.set_preferences(player.user, dm_closed_until=None, dm_told=False)
        return fate, posted, channel

    async def close(self) -> None:
        """Nothing goes on behind this."""
        await self._opening.close()

    async def _channel(self, player: Player) -> tuple[CallResult, int]:
        if player.dm_channel:
            return CallResult.DONE, player.dm_channel
        return await self._opening.run(player.user, lambda: self._open(player.user))

    async def _open(self, user: UserId) -> tuple[CallResult, int]:
        known = (await self.referee.people.load_player(user)).dm_channel
        if known:  # opened while this call was on its way
            return CallResult.DONE, known
        fate, channel = await self.delivery.open_dm(user)
        if fate is CallResult.DONE:
            await self.referee.people.set_preferences(user, dm_channel=channel)
        return fate, channel

    async def _closed(self, player: Player) -> CallResult:
        until = self.referee.clock.now() + DMS_CLOSED_FOR
        await self.referee.people.set_preferences(player.user, dm_closed_until=until)
        return CallResult.DMS_CLOSED
