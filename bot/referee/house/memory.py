"""What a person has shown in past matches, where they allow the house to learn from that."""

from __future__ import annotations

from collections import OrderedDict

from bot.engine.cards import Seat
from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.people.people import may_learn_from
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import MatchRepository
from bot.solver.players.habits import ShownBid
from bot.solver.players.reader import can_read, list_shown_bids

LOOKED_AT, LEARNT = 40, 8
"""Matches that are searched, and matches of the same setup that are used at most."""
KEPT = 64
"""Live matches whose result is cached."""


class Memory:
    """Bids of a person in finished matches, if they allowed it before the first bid of this match."""

    def __init__(self, repository: MatchRepository) -> None:
        self._repository = repository
        self._found: OrderedDict[str, tuple[ShownBid, ...]] = OrderedDict()

    async def load_shown(self, live: Live, seat: Seat) -> tuple[ShownBid, ...]:
        """Return the earlier bids of the one opponent of this seat, oldest first."""
        id = live.stored.id
        if id not in self._found:
            self._found[id] = await self._load_shown(live, seat)
            if len(self._found) > KEPT:
                self._found.popitem(last=False)
        return self._found[id]

    async def _load_shown(self, live: Live, seat: Seat) -> tuple[ShownBid, ...]:
        stored, state = live.stored, live.match.state
        person = stored.seats[1 - seat].user if len(stored.seats) == 2 else 0
        if not person or state is None or not await may_learn_from(self._repository.store, person):
            return ()
        now = observe(state, seat)
        if not can_read(live.rules, now):
            return ()
        found, learnt = list[tuple[ShownBid, ...]](), 0
        for match in await self._repository.store.finished_of(stored.guild, person, LOOKED_AT, game=stored.setup.game):
            try:
                past = await self._repository.live(match.id)
            except RefereeError:
                continue
            there = past.stored.seat_of(person)
            if there is None or past.stored.setup.options != stored.setup.options or len(past.stored.seats) != 2:
                continue
            deals = [observe(finished, 1 - there) for finished in past.match.finished]
            if any(deal.keys != now.keys for deal in deals):
                continue
            found.append(tuple(list_shown_bids(past.rules, deals, there)))
            learnt += 1
            if learnt == LEARNT:
                break
        return tuple(one for bids in reversed(found) for one in bids)
