"""Who is reached by DM: the person's choice, the server's default, and whether their DMs are open."""

from __future__ import annotations

from datetime import datetime

from bot.referee.model.clocks import SLOW
from bot.referee.model.people import GuildSettings, Player


def wants_dm(clock: int, player: Player, guild: GuildSettings, now: datetime) -> bool:
    """Whether messages about a match with this clock (seconds) arrive by DM (ui.md 1.4)."""
    closed = player.dm_closed_until is not None and player.dm_closed_until > now
    return not closed and prefers_dm(clock, player, guild)


def prefers_dm(clock: int, player: Player, guild: GuildSettings) -> bool:
    """The same whatever became of the last DM: a new match tries once, for somebody may let us write to them by now."""
    if not guild.dms:
        return False
    place = guild.console if player.console == "server" else player.console
    return place == "dm" or (place == "auto" and clock >= SLOW)
