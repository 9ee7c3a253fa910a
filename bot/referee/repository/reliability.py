"""How reliably a person plays matches to the end, and when that is shown to people they invite."""

from __future__ import annotations

from collections.abc import Sequence

from bot.engine.match import Termination
from bot.referee.model.model import Snowflake, UserId
from bot.referee.model.people import Finished
from data.store import Store

LOOKED_AT = 100
"""Last matches from which reliability is computed."""

ENOUGH = 5
"""Matches needed for a percentage."""

EARLY = (Termination.RESIGNED, Termination.TIMED_OUT)


async def share_for_strangers(store: Store, guild: Snowflake, host: UserId, asked: Sequence[UserId]) -> int | None:
    """Return the percentage of matches that the host plays to their end.

    Return None if all invited people have finished a match with the host here, or if too little is known.
    """
    for user in asked:
        if not await store.finished_of(guild, host, 1, against=user):
            return finished_percent(await store.finished_of(guild, host, LOOKED_AT), host)
    return None


def finished_percent(finished: Sequence[Finished], user: UserId) -> int | None:
    """Return the percentage, rounded down, so that 100 means all; None for too few matches."""
    counted = among_people(finished)
    whole = finished_share(counted, user)
    return None if whole is None or len(counted) < ENOUGH else int(100 * whole + 1e-9)


def among_people(finished: Sequence[Finished]) -> list[Finished]:
    """Return the matches that count: practice may be left freely."""
    return [match for match in finished if not match.is_practice and Termination(match.termination).counts]


def finished_share(counted: Sequence[Finished], user: UserId) -> float | None:
    """Return the share of played matches that this person played to their end."""
    if not counted:
        return None
    broken = sum(match.termination in EARLY and _place(match, user) == len(match.seats) for match in counted)
    return 1 - broken / len(counted)


def _place(one: Finished, user: UserId) -> int:
    return one.placings[one.seat_of(user)] if one.placings is not None else 0
