"""Whether a person is reached by DM: their choice, the server's default, and whether their DMs are open."""

from __future__ import annotations

from datetime import datetime

from bot.referee.model.durations import SLOW
from bot.referee.model.guild_settings import GuildSettings
from bot.referee.model.people import Player


def wants_dm(clock: int, player: Player, guild: GuildSettings, now: datetime) -> bool:
    """Return True if messages about a match with this clock (seconds) are sent by DM (ui.md 1.4)."""
    closed = player.dm_closed_until is not None and player.dm_closed_until > now
    return not closed and prefers_dm(clock, player, guild)


def prefers_dm(clock: int, player: Player, guild: GuildSettings) -> bool:
    """Return what `wants_dm` returns, but ignore closed DMs: a new match tries once, as they may be open again."""
    if not guild.dms:
        return False
    place = guild.console if player.console == "server" else player.console
    return place == "dm" or (place == "auto" and clock >= SLOW)
