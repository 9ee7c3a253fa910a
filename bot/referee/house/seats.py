"""House seats: what they know, what they bid, and that they seal when the prompt opens.

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
from bot.referee.match import play
from bot.referee.proof.promises import house_key
from bot.referee.repository.house_levels import SLY, Level, level_of
from bot.referee.repository.live import Live, Played
from bot.solver.players.chance import Chance
from bot.solver.players.levels import Question

log = logging.getLogger(__name__)


def awaited_levels(live: Live) -> dict[Seat, Level]:
    """Return the house seats whose choice is missing, with their levels."""
    if not live.stored.practice:
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
            log.error("%s chose what the rules of %s refuse", tried.key, live.rules.game.key)
        except Exception:  # an error in a mind must not stop a match
            log.exception("%s failed in %s", tried.key, live.rules.game.key)
        else:
            return choice
    return live.prompts[seat].lowest()


def seal_bids(played: Played, now: datetime) -> Played:
    """Add the seals of quick house seats to a change; reveal rounds that then wait for no seat."""
    while True:
        live = played.live
        if not live.stored.live or not live.stored.practice:
            return played
        for seat, level in awaited_levels(live).items():
            if not level.slow:
                choice = choose_bid(played.live, seat, level)
                played = play.combine(played, play.seal(played.live, seat, choice, now))
        if played.live.awaited:
            return played
        played = play.combine(played, play.reveal(played.live, now))
