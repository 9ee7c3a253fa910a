"""Hints in practice: the position of the person who asks, and the number of rounds they asked about."""

from __future__ import annotations

import json

from bot.errors import RefereeError
from bot.referee.model.changes import SaveNote
from bot.referee.model.model import UserId
from bot.referee.proof import promises
from bot.referee.repository.live import Live
from bot.referee.repository.match_repository import Commands, MatchRepository
from bot.referee.repository.view_service import Views, hints_key
from bot.solver.coach.hint import HintSpot, can_teach, find_spot_after_round, find_spot_before_bid


class Hints(Commands):
    """Only in practice, only of one's own seat, and counted."""

    def __init__(self, repository: MatchRepository, views: Views) -> None:
        super().__init__(repository)
        self._views = views

    async def before_bid(self, id: str, user: UserId, prompt: int) -> HintSpot:
        """Return the position in which this person has to bid now."""
        live, seat = await self._load_seat(id, user)
        state = live.match.state
        if state is None or live.stored.prompt != prompt or seat not in live.prompts:
            raise RefereeError("hint-late")
        scores = [result.scores for result in live.match.results]
        spot = find_spot_before_bid(live.rules, state, seat, live.match.series, scores)
        if spot is None:
            raise RefereeError("hint-early" if can_teach(live.rules) else "no-hint")
        return spot

    async def solved(self, id: str, user: UserId, prompt: int) -> HintSpot | None:
        """Return the position of this person's bid in practice if it is solved exactly, else None."""
        try:
            spot = await self.before_bid(id, user, prompt)
        except RefereeError:
            return None
        return spot if spot.is_exact else None

    async def after_bid(self, id: str, user: UserId) -> HintSpot:
        """Return the position of this person's last bid."""
        live, seat = await self._load_seat(id, user)
        match = live.match
        scores = [result.scores for result in match.results]
        deals = match.deals
        for number in reversed(range(len(deals))):
            spot = find_spot_after_round(live.rules, deals[number], seat, match.series, scores[:number])
            if spot is not None:
                return spot
        if not any(state.rounds for state in deals):
            raise RefereeError("hint-nothing-yet")
        raise RefereeError("explain-early" if can_teach(live.rules) else "no-hint")

    async def count_hint(self, id: str, spot: HintSpot) -> None:
        """Count a hint before it is shown. A second hint for the same round does not count. After the end nothing is
        counted: the result was shown."""
        async with self._repository.lock(id):
            if (await self._repository.live(id)).match.over:
                raise RefereeError("hint-late")
            known = await self._views.list_hints(id)
            if [spot.deal, spot.round] not in known:
                known.append([spot.deal, spot.round])
                await self._repository.write((SaveNote(hints_key(id), json.dumps(known)),))

    async def _load_seat(self, id: str, user: UserId) -> tuple[Live, int]:
        live = await self._repository.live(id)
        seat = live.stored.seat_of(user)
        if seat is None:
            raise RefereeError("not-in-match", m=id)
        if not live.stored.is_practice or live.stored.setup.rated:
            raise RefereeError("hint-practice")
        if promises.day_of(live.stored) is not None:
            raise RefereeError("analysis-daily", m=id)
        return live, seat
