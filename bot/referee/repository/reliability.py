"""How reliably somebody plays their matches to the end, and when that is told to whoever they ask."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.match import Termination
from bot.referee.model import Store
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Finished

LOOKED_AT = 100
"""so many of somebody's last matches tell how reliable they are"""

ENOUGH = 5
"""fewer say nothing about anybody"""

EARLY = (Termination.RESIGNED, Termination.TIMED_OUT)


async def share_for_strangers(store: Store, guild: Snowflake, host: UserId, asked: Sequence[UserId]) -> int | None:
    """How many of a hundred matches the host plays to their end, where somebody who is asked has never finished a match
    with them here; None where everybody knows them, or too little is known."""
    for user in asked:
        if not await store.finished_of(guild, host, 1, against=user):
            return finished_percent(await store.finished_of(guild, host, LOOKED_AT), host)
    return None


def finished_percent(finished: Sequence[Finished], user: UserId) -> int | None:
    """Rounded down: only who has finished all of them has finished 100 %."""
    counted = among_people(finished)
    whole = finished_share(counted, user)
    return None if whole is None or len(counted) < ENOUGH else int(100 * whole + 1e-9)


def among_people(finished: Sequence[Finished]) -> list[Finished]:
    """Those that count: against the house everybody may leave as they like."""
    return [one for one in finished if all(seated.user for seated in one.seats) and Termination(one.termination).counts]


def finished_share(counted: Sequence[Finished], user: UserId) -> float | None:
    """Of the matches that were played, how many this person played to their end."""
    if not counted:
        return None
    broken = sum(one.termination in EARLY and _place(one, user) == len(one.seats) for one in counted)
    return 1 - broken / len(counted)


def _place(one: Finished, user: UserId) -> int:
    return one.placings[one.seat_of(user)] if one.placings is not None else 0
