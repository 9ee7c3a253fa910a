"""The channel in which a server reads what its moderators do, and what Discord does not take."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Coroutine, Sequence

from bot.referee.referee import Referee
from bot.rest.delivery import Delivery
from bot.ui.message import Message
from bot.ui.text.sentences import say


class ServerLog:
    """Writes in the log channel of a server; without one nothing is written."""

    def __init__(
        self, referee: Referee, delivery: Delivery, run: Callable[[Coroutine[None, None, None], str], object]
    ) -> None:
        """`run` lets something go on beside whatever is being done."""
        self._referee = referee
        self._delivery = delivery
        self._run = run
        delivery.refusals.report = self._report

    async def tell(self, guild: int, lines: Sequence[str]) -> bool:
        """Return False if there is no log channel or the message was not posted."""
        known = await self._referee.deciding.load_settings(guild)
        if not known.log or not lines:
            return False
        _, posted = await self._delivery.post(known.log, Message("\n".join(lines)), secrets.token_hex(12))
        return bool(posted)

    def _report(self, channel: int, code: int) -> None:
        """Tell that the bot has given something up in this channel."""
        guild = self._delivery.guild_of(channel)
        if guild:
            self._run(self._tell_refusal(guild, channel, code), "server-log")

    async def _tell_refusal(self, guild: int, channel: int, code: int) -> None:
        await self.tell(guild, [say("log-refused", channel=f"<#{channel}>", code=code)])
