"""Who is reached by DM: the person's choice, the server's default, and whether their DMs are open."""

from __future__ import annotations

from datetime import datetime

from bot.referee.clock.clocks import SLOW
from bot.referee.ports.people import GuildSettings, Player


def dm_wanted(clock: int, player: Player, guild: GuildSettings, now: datetime) -> bool:
    """Whether a console of a match with this clock (seconds) arrives by DM (ui.md 1.4)."""
    if not guild.dms or (player.dm_closed_until is not None and player.dm_closed_until > now):
        return False
    place = guild.console if player.console == "server" else player.console
    return place == "dm" or (place == "auto" and clock >= SLOW)
