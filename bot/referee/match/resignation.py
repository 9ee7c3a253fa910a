"""Giving up before the first reveal: no round was played, but a hand may have been seen."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum

from bot.engine.cards import Card, rank
from bot.referee.match import play
from bot.referee.model.changes import SaveNote
from bot.referee.model.model import UserId
from bot.referee.repository.live import Live
from data.store import Store

FREE = 3
"""Matches that one person may stop free within `SPAN`."""

SPAN = timedelta(days=1)


class Quitting(Enum):
    """The effect of giving up now."""

    RESIGNED = "resigned"
    """The other wins, or the seat is played on."""
    FREE = "free"
    """The match is stopped, and does not count."""
    OFTEN = "often"
    """A loss: it would be free, but the person did it too often."""
    HAND = "hand"
    """A loss: hands differ or are hidden, so a new match could bring a better one."""


async def assess_quit(store: Store, live: Live, user: UserId, now: datetime, more: int = 0) -> Quitting:
    """Return the effect of giving up, if `more` matches are stopped free before it.

    Practice is always free.
    """
    if play.rounds_played(live.match):
        return Quitting.RESIGNED
    if live.stored.is_practice:
        return Quitting.FREE
    if _is_hand_known(live):
        return Quitting.HAND
    return Quitting.OFTEN if len(await _recent_stops(store, user, now)) + more >= FREE else Quitting.FREE


async def count_stop(store: Store, user: UserId, now: datetime) -> SaveNote:
    """Return a note that counts one more free stop of this person."""
    stops = [*await _recent_stops(store, user, now), now]
    return SaveNote(_key(user), json.dumps([one.isoformat() for one in stops]))


async def _recent_stops(store: Store, user: UserId, now: datetime) -> list[datetime]:
    note = await store.note(_key(user))
    times = [datetime.fromisoformat(one) for one in json.loads(note)] if note else []
    return [one for one in times if one > now - SPAN][-FREE:]


def _key(user: UserId) -> str:
    return f"stopped {user}"


def _is_hand_known(live: Live) -> bool:
    """Return True if the deal favours a seat, or shows one seat what others do not know."""
    state = live.match.state
    if state is None:
        return False
    facts = live.rules.facts
    hidden = not facts.public_hands and not (
        live.rules.hides_bids or live.rules.shows_bids_once
    )  # else only the bids are
    return hidden or len({_ranks(hand) for hand in state.deal.hands}) > 1


def _ranks(hand: Sequence[Card]) -> tuple[int, ...]:
    """Return the ranks of a hand: suits differ by seat where they have no effect."""
    return tuple(sorted(map(rank, hand)))
