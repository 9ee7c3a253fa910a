"""A match: a series of deals of one game, and how it ends. Immutable, as all values of the engine.

A match asks for a deal (`needs_deal`), then for joint choices, until it is over. The caller provides cards and clocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from bot.engine.cards import Points, Seat
from bot.engine.choices import Choice, Choices, Prompt
from bot.engine.events import Event, MatchEnded, SeatLeft
from bot.engine.refusals import BadSetup, NotAwaited
from bot.engine.rules import Game, Rules
from bot.engine.series import Result, Series, count_wins
from bot.engine.state import Deal, State


class Termination(IntEnum):
    """Why a match ended. The numbers are stored: never change one."""

    COMPLETED = 1
    RESIGNED = 2
    TIMED_OUT = 3
    ABANDONED = 4
    ABORTED = 5
    AGREED = 6

    @property
    def word(self) -> str:
        """The word for it in records."""
        return self.name.lower().replace("_", "-")

    @property
    def counts(self) -> bool:
        """True if the match has a result."""
        return self not in (Termination.ABANDONED, Termination.ABORTED)


BY_WORD = {termination.word: termination for termination in Termination}


_NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    termination: Termination
    winner: Seat | None
    placings: tuple[int, ...] | None
    """for each seat, 1 is first, equal places are shared; None if the match does not count"""


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat that left: how, and after how many decisions of which deal."""

    seat: Seat
    kind: Termination
    deal: int
    after: int


@dataclass(frozen=True, slots=True)
class Match:
    """Finished deals, the deal in play, and the ending once there is one."""

    rules: Rules
    series: Series
    finished: tuple[State, ...] = ()
    state: State | None = None
    left: tuple[Leave, ...] = ()
    termination: Termination | None = None
    results: tuple[Result, ...] = ()

    @property
    def over(self) -> bool:
        return self.termination is not None

    @property
    def needs_deal(self) -> bool:
        return self.state is None and self.termination is None

    @property
    def deal_number(self) -> int:
        """The index of the deal in play, from 0; between deals, of the next one."""
        return len(self.finished)

    @property
    def left_seats(self) -> frozenset[Seat]:
        return frozenset(leave.seat for leave in self.left) if self.left else _NOBODY

    @property
    def deals(self) -> tuple[State, ...]:
        """Every deal, the deal in play last."""
        return self.finished if self.state is None else (*self.finished, self.state)

    @property
    def all_results(self) -> tuple[Result, ...]:
        """The result of every deal; the deal in play counts with its current scores."""
        return self.results if self.state is None else (*self.results, result_of(self.state))

    @property
    def totals(self) -> tuple[Points, ...]:
        """Points summed over the deals, the deal in play included."""
        scores = [result.scores for result in self.results]
        if self.state is not None:
            scores.append(self.rules.score(self.state))
        return tuple(map(sum, zip(*scores, strict=True))) if scores else (0,) * self.rules.seats

    @property
    def decisive_scores(self) -> tuple[Points, ...]:
        """The scores that decide the match: deals won so far, or points."""
        if not self.series.counts_deals(self.rules.by_wins):
            return self.totals
        return tuple(count_wins(self.results)) or (0,) * self.rules.seats

    # --- playing -----------------------------------------------------------------------------------------

    def previous_deal(self) -> Deal | None:
        """Return the deal that fixes the next one, for games that replay every second deal; else None."""
        odd = len(self.finished) % 2 == 1
        last = self.finished[-1].deal if odd else None
        return last if last is not None and self.rules.redeal(last) is not None else None

    def begin(self, deal: Deal) -> tuple[Match, tuple[Event, ...]]:
        """Begin this deal, which must have been checked."""
        if not self.needs_deal:
            raise NotAwaited("match-ended" if self.over else "deal-open")
        state = self.rules.start(deal)
        first = state.rounds[-1].events if state.rounds else state.events
        return replace(self, state=state)._file_deal(list(first))

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Seats that must choose, including seats that left."""
        return () if self.state is None or self.over else self.state.awaited

    def prompts(self) -> tuple[Prompt, ...]:
        """Return the prompts of the awaited seats, including seats that left."""
        return () if self.state is None or self.over else self.rules.prompts(self.state)

    def forced_choices(self) -> dict[Seat, Choice]:
        """Return the choices of the referee: for seats that left (RULING C5), and for seats with one option."""
        gone = self.left_seats
        return {p.seat: p.lowest() for p in self.prompts() if p.is_forced or p.seat in gone}

    @property
    def has_choice(self) -> bool:
        """True if at least one seat has a real choice; else the referee bids for all seats (RULING C3)."""
        prompts, gone = self.prompts(), self.left_seats
        return not prompts or any(not prompt.is_forced and prompt.seat not in gone for prompt in prompts)

    def resolve(
        self, choices: Choices, forced: frozenset[Seat] = frozenset(), checked: bool = False
    ) -> tuple[Match, tuple[Event, ...]]:
        """Resolve one joint choice of all awaited seats. Seats that left may be missing."""
        if self.state is None:
            raise NotAwaited("match-ended" if self.over else "deal-over")
        if self.left:
            missing = {
                p.seat: p.lowest() for p in self.prompts() if p.seat in self.left_seats and p.seat not in choices
            }
            choices, forced = {**choices, **missing}, forced | missing.keys()
        step = self.rules.apply if checked else self.rules.resolve
        state, events = step(self.state, choices, forced)
        if not state.over:  # the common case, without the cost of a general copy
            return Match(self.rules, self.series, self.finished, state, self.left, None, self.results), events
        return replace(self, state=state)._file_deal(list(events))

    def force(self) -> tuple[Match, tuple[Event, ...]]:
        """Resolve forced choices for all seats (RULING C3)."""
        choices = self.forced_choices()
        return self.resolve(choices, frozenset(choices))

    def _file_deal(self, events: list[Event]) -> tuple[Match, tuple[Event, ...]]:
        """Store a finished deal, and end the match if its series is over."""
        match = self
        if match.state is not None and match.state.over:
            match = replace(
                match,
                finished=(*match.finished, match.state),
                results=(*match.results, result_of(match.state)),
                state=None,
            )
            rules = match.rules
            # RULING C5: the referee bids for a seat that left until the deal ends; then the match ends.
            if match.left:
                match = replace(match, termination=match.left[-1].kind)
            elif match.series.is_over(match.results, rules.by_wins, rules.least_wins):
                match = replace(match, termination=Termination.COMPLETED)
            if match.over:
                events.append(MatchEnded(match.outcome().winner))
        return match, tuple(events)

    # --- ending early ------------------------------------------------------------------------------------

    def leave(self, seat: Seat, kind: Termination, after: int = 0) -> tuple[Match, tuple[Event, ...]]:
        """Remove a seat: of two seats the other one wins; of more, the referee bids for it (RULING C5)."""
        if self.over:
            raise NotAwaited("match-ended")
        if not 0 <= seat < self.rules.seats:
            raise NotAwaited("no-such-seat", seat=seat)
        if seat in self.left_seats:
            raise NotAwaited("seat-gone", seat=seat)
        left = (*self.left, Leave(seat, kind, self.deal_number, after))
        match = replace(self, left=left)
        events: list[Event] = [SeatLeft(seat, kind.word)]
        if self.rules.seats - len(left) < 2 or match.state is None:
            match = replace(match, termination=kind)
            events.append(MatchEnded(match.outcome().winner))
        return match, tuple(events)

    def stop(self, kind: Termination) -> tuple[Match, tuple[Event, ...]]:
        """End the match for all seats: abandoned, aborted, or a draw between the seats that stayed."""
        if self.over:
            raise NotAwaited("match-ended")
        match = replace(self, termination=kind)
        return match, (MatchEnded(match.outcome().winner),)

    # --- result ------------------------------------------------------------------------------------------

    def outcome(self) -> Outcome:
        """Return the result of a match that is over."""
        assert self.termination is not None
        if not self.termination.counts:
            return Outcome(self.termination, None, None)
        seats = range(self.rules.seats)
        results = self.all_results
        ranking: tuple[Any, ...] = (0,) * len(seats)
        if results and self.termination is not Termination.AGREED:
            ranking = self.series.ranking(results, self.rules.by_wins, self.rules.least_wins)
        # Seats that left rank below all that stayed; the first to leave is last. The scores decide the rest.
        stayed = {leave.seat: self._rank_leave(leave) for leave in self.left}
        keys = [(stayed.get(seat, 0), ranking[seat]) for seat in seats]
        placings = tuple(1 + sum(other > key for other in keys) for key in keys)
        winner = placings.index(1) if placings.count(1) == 1 else None
        return Outcome(self.termination, winner, placings)

    def _rank_leave(self, leave: Leave) -> int:
        """Return the rank of a seat that left, below 0; the same for all seats that one clock removed."""
        together = [one for one in self.left if one == replace(leave, seat=one.seat)]
        first = together[0] if leave.kind is Termination.TIMED_OUT else leave
        return self.left.index(first) - len(self.left)


def result_of(state: State) -> Result:
    """Return the result of a deal for its series."""
    return Result(state.rules.score(state), state.rules.standing(state))


def new_match(game: Game, seats: int, options: Mapping[str, Any] | None = None, series: Series | None = None) -> Match:
    """Return a match before its first deal, with game, options and series validated together."""
    rules = game.rules(seats, options)
    series = series or game.series
    if rules.ends_early and series.counts_points:
        raise BadSetup("clinch-series")  # RULING C8: not if the match counts points
    return Match(rules, series)
