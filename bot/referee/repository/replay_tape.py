"""A finished match as moments: the public view before each round, and after the last round of a deal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from itertools import pairwise
from typing import Any

from bot.engine.cards import Seat
from bot.engine.match import Match
from bot.engine.series import count_wins
from bot.engine.state import Cards, State
from bot.engine.view import observe
from bot.referee.model.model import StoredDecision
from bot.referee.model.views import MatchView
from bot.referee.repository.live import Live, prompt_place, replay_match
from bot.referee.repository.view_builder import match_view, shown_match


@dataclass(frozen=True, slots=True)
class Sealing:
    """How long a person took for a bid, and how often they changed it."""

    seat: Seat
    took: timedelta
    changed: int


@dataclass(frozen=True, slots=True)
class TapeMoment:
    """A moment of a match in public view, with what was revealed later."""

    at: int
    """Index over the whole match, from 0."""
    of: int
    """Number of moments."""
    deal: int
    round: int
    """rounds played in this deal so far, which is the number of the next one from 0"""
    view: MatchView
    hands: tuple[Cards, ...]
    """Hands of all seats; `view.seen.hands` has None for a hand that was hidden then."""
    sealings: tuple[Sealing, ...]
    """Sealings of the last revealed round, in order; empty if they were not stored."""
    hidden: bool
    """True if the bids of the last revealed round were hidden then."""
    last: bool
    turning: bool
    """True at the turning point."""
    leads: Seat | None = None
    """At the turning point: the seat that led from here to the end."""
    deals: tuple[int, ...] = ()
    """at which moment each deal begins"""


class Tape:
    """All moments of one finished match."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._moments = list[tuple[int, int, Match]]()
        self._sealed = _sealings(live)

        def watch(match: Match, _: Any) -> None:
            deal, round, sub = prompt_place(match)
            if sub:
                return
            if deal and not round:  # the deal before has ended; its last moment is the one between the two
                self._add(replace(match, state=None))
            self._add(match)

        replay_match(live.stored, watch)
        self._add(shown_match(live.match))

    def __len__(self) -> int:
        return len(self._moments)

    def _add(self, match: Match) -> None:
        state = _state(match)
        deal = len(match.finished) - (match.state is None)
        self._moments.append((deal, len(state.rounds), match))

    @cached_property
    def turning_point(self) -> int:
        """The moment from which the winner led to the end; without a winner, the one after the largest swing, or the
        first one if nobody gained on another seat."""
        outcome = self._live.match.outcome() if self._live.match.over else None
        winner = outcome.winner if outcome is not None else None
        matches = [match for *_, match in self._moments]
        if winner is not None:
            behind = [at for at, match in enumerate(matches) if leader(match) != winner]
            return min(len(matches) - 1, behind[-1] + 1 if behind else 0)
        swings = [_swing(before, after) for before, after in pairwise(matches)]
        best = max(swings, default=())
        return swings.index(best) + 1 if any(best) else 0

    def first_of(self, deal: int) -> int:
        """Return the moment at which a deal begins, from 0; the last moment if there is no such deal."""
        return next((at for at, (number, *_) in enumerate(self._moments) if number == deal), len(self) - 1)

    def moment_at(self, at: int, cards: str = "") -> TapeMoment:
        """Return one moment, counted from 0; `cards` is the card style of the viewer."""
        at = min(max(at, 0), len(self) - 1)
        deal, round, match = self._moments[at]
        last = at == len(self) - 1
        live, state = self._live, _state(match)
        view = match_view(live if last else _rewind(live, match), None, cards=cards)
        then = observe(state, None)
        hidden = then.rounds != state.rounds
        seen = replace(then, rounds=state.rounds)
        turning = at == self.turning_point
        ahead = leader(match)
        return TapeMoment(
            at=at,
            of=len(self),
            deal=deal,
            round=round,
            view=replace(view, seen=seen),
            hands=state.hands,
            sealings=self._sealed.get((deal, round - 1), ()),
            hidden=hidden,
            last=last,
            turning=turning,
            leads=ahead if turning and live.match.over and ahead == live.match.outcome().winner else None,
            deals=tuple(map(self.first_of, range(len(shown_match(live.match).deals)))),
        )


def _state(match: Match) -> State:
    """Return the deal in play, or the one that ended last."""
    return match.state if match.state is not None else match.finished[-1]


def _rewind(live: Live, match: Match) -> Live:
    """Return the match at that moment, without later data."""
    seats = tuple(replace(seat, misses=0) for seat in live.stored.seats)
    stored = replace(live.stored, live=True, seats=seats, sealed=(), draw=None, away=0, deadline=None, ending=None)
    return Live(replace(stored, ended=None, changes=(), unrated=""), match, ())


def _sealings(live: Live) -> dict[tuple[int, int], tuple[Sealing, ...]]:
    """Return the sealings by deal and round, both from 0.

    Decisions with one common time were sealed under an older bot, or by nobody.
    """
    found: dict[tuple[int, int], tuple[Sealing, ...]] = {}
    opened = live.stored.started
    for deal in live.stored.deals:
        turns: dict[tuple[int, int], list[StoredDecision]] = {}
        for decision in deal.decisions:
            turns.setdefault((decision.round, decision.sub), []).append(decision)
        for (round, _), decisions in turns.items():
            times = {decision.at for decision in decisions}
            told = [decision for decision in decisions if decision.salt and not decision.forced]
            if len(times) > 1 or len(decisions) == 1:
                ordered = sorted(told, key=lambda one: (one.at, one.seat))
                found[deal.number, round] = tuple(
                    Sealing(one.seat, max(one.at - opened, timedelta()), one.n) for one in ordered
                )
            else:
                found.pop((deal.number, round), None)  # of several bids in a round only the last are shown
            opened = max(times)
    return found


def leader(match: Match) -> Seat | None:
    """Return the seat that leads alone; seats that left cannot."""
    scores = {seat: score for seat, score in enumerate(_standing(match)) if seat not in match.left_seats}
    best = max(scores.values(), default=None)
    first = [seat for seat, score in scores.items() if score == best]
    return first[0] if len(first) == 1 else None


def _standing(match: Match) -> list[tuple[Any, ...]]:
    """Return the comparison key per seat: won deals and the points of this deal, or the points of the match."""
    rules, state = match.rules, match.state
    sign = -1 if rules.least_wins else 1
    scores = rules.score(state) if state is not None else (0,) * rules.seats
    if match.series.counts_deals(rules.by_wins):
        wins = count_wins(match.results) or [0] * rules.seats
        return [(won, sign * score) for won, score in zip(wins, scores, strict=True)]
    return [(sign * total,) for total in match.totals]


def _swing(before: Match, after: Match) -> tuple[Any, ...]:
    """Return the largest gain of a seat on another one: where fewest points win, by the points of the other one."""
    pairs = zip(_standing(before), _standing(after), strict=True)
    gains = [tuple(new - old for old, new in zip(one, other, strict=True)) for one, other in pairs]
    return tuple(max(gained) - min(gained) for gained in zip(*gains, strict=True))
