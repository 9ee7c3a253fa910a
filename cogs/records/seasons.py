"""Which season somebody means: chosen from the picker, or typed by its name."""

from __future__ import annotations

from discord import app_commands

from bot.errors import RefereeError
from bot.interactions.commands import Rows, autocomplete
from bot.interactions.context import InteractionContext
from bot.referee.people.people import ALL_TIME
from bot.ui.text.sentences import say
from bot.ui.text.stamps import season_name
from cogs.records.leaderboard_card import season_option


@autocomplete
async def complete_season(context: InteractionContext, current: str) -> Rows:
    """All time, and the seasons of this server, newest first."""
    rows = [(say("all-time"), ALL_TIME)]
    rows += [(season_option(one), one.number) for one in await context.referee.seasons.load_all(context.guild)]
    wanted = current.strip().lower()
    return [app_commands.Choice(name=name, value=str(number)) for name, number in rows if wanted in name.lower()][:25]


async def season_of(context: InteractionContext, typed: str | None) -> int | None:
    """The number of a season; None where none was named."""
    if typed is None:
        return None
    named = typed.strip().lower()
    for one in await context.referee.seasons.load_all(context.guild):
        if named in (str(one.number), season_name(one).lower(), season_option(one).lower()):
            return one.number
    if named in (str(ALL_TIME), say("all-time").lower()):
        return ALL_TIME
    raise RefereeError("unknown-season")
