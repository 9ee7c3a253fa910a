"""What every command and button needs, made once by `bot.app` and carried by the client."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import discord

from bot.referee.coach import Coach
from cogs.wire.lanes import Lanes
from cogs.wire.members import Members

if TYPE_CHECKING:
    from bot.referee.referee import Referee
    from cogs.owner import Owner
    from cogs.show.publisher import Publisher


@dataclass(slots=True)
class Services:
    """The referee behind, the publisher in front; and whom to tell of what neither can mend."""

    referee: Referee
    publisher: Publisher
    owner: Owner
    broken: tuple[type[Exception], ...] = (OSError, TimeoutError)
    """what a connection that breaks raises, besides discord's own exceptions"""
    coach: Coach = field(default_factory=Coach)
    """perfect play, for reviews and odds"""
    members: Members = field(default_factory=Members)
    """who of those in rankings is still here, and under what name"""
    stopping: bool = False
    """going down: nothing new is taken in"""
    under_way: set[asyncio.Task[Any]] = field(default_factory=set["asyncio.Task[Any]"])
    """interactions that are being answered; what they have committed is still to be shown and noted"""

    @property
    def lanes(self) -> Lanes:
        """Whose turn it is to draw a message."""
        return self.publisher.reach.lanes

    async def answered(self) -> None:
        """Wait until every interaction that was taken in has been answered."""
        while self.under_way:
            await asyncio.wait(self.under_way)


class GopsClient(discord.Client):
    """A client without member cache, message cache or privileged intents."""

    services: Services
    uncounted: Any = None
    """an aiohttp session for answers and edits by token, which count against no limit of the bot"""
    counted: Any = None
    """one for edits that count, through the same last door as discord.py's own calls"""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=60.0,
            **options,
        )


def services_of(interaction: discord.Interaction[Any]) -> Services:
    return cast("GopsClient", interaction.client).services
