"""The agreement of a daily deal: one for everybody of a server, who all play the same cards against the same house."""

from __future__ import annotations

import re
from datetime import date

from bot.referee.model.model import Setup, Snowflake
from bot.referee.proof import version2 as v2

ANYBODY = "anybody"
"""stands in an agreement where a day's player sits: it names nobody"""

_NAME = re.compile(r"D([0-9]{4})([0-9]{2})([0-9]{2})-[1-9][0-9]{0,19}\Z", re.ASCII)


def name(day: date, guild: Snowflake) -> str:
    """What stands in the agreement for the match; its dash is in the code of no other."""
    return f"D{day:%Y%m%d}-{guild}"


def day_of(match: str) -> date | None:
    """The day whose deal an agreement of this name is about; None for any other match."""
    found = _NAME.match(match)
    if found is None:
        return None
    try:
        return date(*map(int, found.groups()))
    except ValueError:
        return None


def agreement(day: date, guild: Snowflake, nonce: bytes, setup: Setup, level: str) -> bytes:
    """What everybody of a server agrees to by playing on this day."""
    id = name(day, guild)
    players = [ANYBODY, f"house:{level}"]
    opened = v2.opening(id, nonce)
    return v2.agreement(id, setup.game, setup.options, setup.series, 0, False, players, opened, v2.NO_MESSAGE)
