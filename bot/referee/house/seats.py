"""House seats: what they know and remember, what they bid, and that they seal when the prompt opens.

A house player sees `observe` of its own seat and its own random draws, so no sealed choice of a person can reach it.
Quick levels answer within the change that opened the prompt, slow ones in `thinking`.
"""

from __future__ import annotations

import logging
from datetime import datetime

from bot.engine.cards import Seat
from bot.engine.choices import Choice
from bot.engine.refusals import RuleError
from bot.engine.view import observe
from bot.errors import RefereeError
from bot.referee.match import play
from bot.referee.people.people import may_learn_from
from bot.referee.proof.promises import house_key
from bot.referee.repository.house_levels import level_of
from bot.referee.repository.live import Live, Played
from bot.referee.repository.match_repository import Commands, LastUsed, MatchRepository
from bot.solver.players.chance import Chance
from bot.solver.players.habits import ShownBid
from bot.solver.players.levels import SLY, Level, Question
from bot.solver.players.reader import can_read, list_shown_bids

log = logging.getLogger(__name__)


def awaited_levels(live: Live) -> dict[Seat, Level]:
    """Return the house seats whose choice is missing, with their levels."""
    if not live.stored.has_house:
        return {}
    levels = {seat: level_of(live.stored.seats[seat]) for seat in live.awaited}
    return {seat: level for seat, level in levels.items() if level is not None}


def make_question(live: Live, seat: Seat) -> Question:
    """Return all that this seat may know, and its random draws at this prompt."""
    stored, match, state = live.stored, live.match, live.match.state
    assert state is not None
    chance = Chance(house_key(stored, live.place, seat))
    past = tuple(observe(finished, seat) for finished in match.finished)
    return Question(match.rules, match.series, observe(state, seat), past, chance)


def choose_bid(live: Live, seat: Seat, level: Level) -> Choice:
    """Return the bid of this level. A level that fails is replaced by Sly, or by the lowest card."""
    state = live.match.state
    assert state is not None
    for tried in (level, SLY):
        try:
            choice = tried.mind(make_question(live, seat))
            live.rules.check_choice(state, seat, choice)
        except RuleError:
            log.error("%s chose a bid that the rules of %s refuse", tried.key, live.rules.game.key)
        except Exception:  # an error in a mind must not stop a match
            log.exception("%s failed in %s", tried.key, live.rules.game.key)
        else:
            return choice
    return live.prompts[seat].lowest()


def seal_bids(played: Played, now: datetime) -> Played:
    """Add the seals of quick house seats to a change; reveal rounds that then wait for no seat."""
    while True:
        live = played.live
        if not live.stored.live or not live.stored.has_house:
            return played
        for seat, level in awaited_levels(live).items():
            if not level.slow:
                choice = choose_bid(played.live, seat, level)
                played = play.combine(played, play.seal(played.live, seat, choice, now))
        if played.live.awaited:
            return played
        played = play.combine(played, play.reveal(played.live, now))


LOOKED_AT, LEARNT = 40, 8
"""Matches that are searched, and matches of the same setup that are used at most."""
KEPT = 64
"""Live matches whose result is cached."""


class Memory(Commands):
    """Bids of a person in finished matches, if they allowed it before the first bid of this match."""

    def __init__(self, repository: MatchRepository) -> None:
        super().__init__(repository)
        self._found = LastUsed[str, tuple[ShownBid, ...]](KEPT)

    async def load_shown(self, live: Live, seat: Seat) -> tuple[ShownBid, ...]:
        """Return the earlier bids of the one opponent of this seat, oldest first."""
        id = live.stored.id
        known = self._found.find(id)
        return known if known is not None else self._found.keep(id, await self._load_shown(live, seat))

    async def _load_shown(self, live: Live, seat: Seat) -> tuple[ShownBid, ...]:
        stored, state = live.stored, live.match.state
        person = stored.seats[1 - seat].user if len(stored.seats) == 2 else 0
        if not person or state is None or not await may_learn_from(self._store, person):
            return ()
        now = observe(state, seat)
        if not can_read(live.rules, now):
            return ()
        found, learnt = list[tuple[ShownBid, ...]](), 0
        for match in await self._store.finished_of(stored.guild, person, LOOKED_AT, game=stored.setup.game):
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
