"""Strict replay of a record: who decides, at which place, and whether they had a choice.

No place claimed by the record is trusted: every place is counted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from bot.engine.cards import Seat
from bot.engine.choices import Choice, Kind, Prompt
from bot.engine.counted import ordinal
from bot.engine.match import Match
from bot.engine.record.record import DealRecord, Decision, Ending, Record, choice_data, shorten_value
from bot.engine.refusals import RuleError
from bot.referee.proof.version2 import RoundPlace, is_same
from bot.referee.repository.live import end_match, prompt_place


class Fault(Exception):
    """A record that cannot have been played; the text names the place where the check stops."""


@dataclass(frozen=True, slots=True)
class CountedDecision:
    """One decision, with the findings of the replay."""

    place: RoundPlace
    seat: Seat
    value: object
    """Exactly as written in the record."""
    forced: bool
    """True if the record says that the referee chose."""
    free: bool
    """True if the seat was there, and at least one seat had a choice."""
    open: bool
    """True if the seat could have chosen otherwise."""
    where: str
    """the place for people: Round 4, 2nd bid after a tie"""


@dataclass(frozen=True, slots=True)
class Step:
    """One joint choice."""

    before: Match
    made: tuple[CountedDecision, ...]


class StrictReplay:
    """One pass over a record. `who` returns the name of a seat."""

    def __init__(self, record: Record, who: Callable[[Seat], str]) -> None:
        self.record = record
        self.who = who
        self.match = record.start
        self.left = list(record.left)
        self.endings: list[tuple[Ending, str]] = []
        """who left and how it ended, where its rules did not end it, with the place for people"""
        self.past: list[Step] = []
        """the joint choices so far"""

    def steps(self) -> Iterator[Step]:
        """Yield every joint choice. `match` is the state after it when the next one is requested. Raise `Fault`."""
        for number, deal in enumerate(self.record.deals):
            if self.match.over:
                raise Fault(f"Deal {number + 1}: the match was over before it.")
            if not self.match.needs_deal:
                raise Fault(f"Deal {number + 1}: the deal before was not played to its end.")
            yield from self._deal(number, deal)
        self._apply_ending()

    def _deal(self, number: int, deal: DealRecord) -> Iterator[Step]:
        rules = self.match.rules
        if deal.deal.partial:
            raise Fault(f"Deal {number + 1}: it is marked as a part of a deal, which nobody is dealt.")
        try:
            dealt = rules.check(deal.deal, deal.given, self.match.previous_deal())
        except RuleError as refusal:
            raise Fault(f"Deal {number + 1}: these cards cannot have been dealt.") from refusal
        self.match, _ = self.match.begin(dealt)
        at = 0
        self._apply_leaves(number, at)
        while at < len(deal.decisions):
            if self.match.over or self.match.state is None:
                over = "match" if self.match.over else "deal"
                raise Fault(f"Deal {number + 1}, decision {at + 1}: the {over} was over before it.")
            step = self._step(deal.decisions, at)
            self.past.append(step)
            yield step
            at += len(step.made)
            self._apply_leaves(number, at)

    # --- one joint choice --------------------------------------------------------------------------------

    def _step(self, decisions: tuple[Decision, ...], at: int) -> Step:
        match = self.match
        prompts = {prompt.seat: prompt for prompt in match.prompts()}
        where, place = self.name_place(), prompt_place(match)
        made: list[CountedDecision] = []
        taken: dict[Seat, Choice] = {}
        for offset, seat in enumerate(sorted(prompts)):
            if at + offset >= len(decisions):
                raise Fault(f"{where}, {self.who(seat)}: the bid is missing, though others of the round are there.")
            decision = decisions[at + offset]
            if decision.seat != seat:
                wrong = self.who(decision.seat) if 0 <= decision.seat < match.rules.seats else "a seat that is none"
                raise Fault(f"{where}: the bid of {self.who(seat)} should stand here, and that of {wrong} does.")
            one, choice = self._read_decision(prompts[seat], decision, place, where)
            made.append(one)
            taken[seat] = choice
        forced = frozenset(one.seat for one in made if one.forced or not one.free)
        self.match, _ = match.resolve(taken, forced, checked=True)
        return Step(match, tuple(made))

    def _read_decision(
        self, prompt: Prompt, decision: Decision, place: RoundPlace, where: str
    ) -> tuple[CountedDecision, Choice]:
        match, state, seat = self.match, self.match.state, decision.seat
        assert state is not None
        what = f"{where}, {self.who(seat)}"
        try:
            choice = state.rules.read_choice(state, seat, decision.value)
            state.rules.check_choice(state, seat, choice)
        except RuleError as refusal:
            raise Fault(f"{what}: the rules do not allow {shorten_value(decision.value)} here.") from refusal
        written = choice_data(match.rules.physical(state, seat, choice))
        if not is_same(written, decision.value):
            raise Fault(f"{what}: the choice is not written as the referee writes it.")
        free = match.has_choice and seat not in match.left_seats
        if not free and not decision.forced:
            raise Fault(f"{what}: the referee chose here, and the record does not say so.")
        if (decision.forced or not free) and not is_same(written, _lowest(match, prompt)):
            raise Fault(f"{what}: this is not what the referee bids for a seat.")
        open = free and not prompt.is_forced
        return CountedDecision(place, seat, decision.value, decision.forced, free, open, where), choice

    def name_place(self) -> str:
        """Return the present place for people, counted from 1."""
        match, state = self.match, self.match.state
        if state is None:
            return f"Before deal {match.deal_number + 1}"
        deal = f"Deal {match.deal_number + 1}, round" if match.series.mode != "single" else "Round"
        told = f"{deal} {len(state.rounds) + 1}"
        if any(prompt.kind is Kind.PICK for prompt in match.prompts()):
            return f"{told}, pick {len(state.picks) + 1}"
        return f"{told}, {ordinal(len(state.again) + 1)} bid after a tie" if state.again else told

    # --- leaving and ending ------------------------------------------------------------------------------

    def _apply_leaves(self, deal: int, at: int) -> None:
        """Apply seats that left at this place."""
        while self.left and (self.left[0].deal, self.left[0].after) == (deal, at):
            if self.match.over:
                raise Fault(f"{self.name_leaver(self.left[0])} is said to have left when the match was over.")
            self.match = self._apply(self.left.pop(0))

    def name_leaver(self, ending: Ending) -> str:
        """Return the name of a seat that left."""
        return self.who(ending.seat) if ending.seat is not None else "a player"

    def _apply_ending(self) -> None:
        """Apply the ending, if the rules did not end the match: at this place and no other."""
        if self.left:
            raise Fault(
                f"{self.name_leaver(self.left[0])} is said to have left at a place that the record does not have."
            )
        ending = self.record.ending
        if ending is None:
            return
        deal = self.match.deal_number
        made = len(self.record.deals[deal].decisions) if deal < len(self.record.deals) else 0
        if self.match.over:
            raise Fault("The ending: the match was over by its rules.")
        if (ending.deal, ending.after) != (deal, made):
            raise Fault("The ending: it is said to have come at another place than the last one of the record.")
        self.match = self._apply(ending)

    def _apply(self, ending: Ending) -> Match:
        data: Mapping[str, object] = ending.data()
        self.endings.append((ending, self.name_place()))
        try:
            return end_match(self.match, data)
        except RuleError as refusal:
            raise Fault("The ending: nobody can leave so.") from refusal


def _lowest(match: Match, prompt: Prompt) -> object:
    """Return what the referee bids for a seat."""
    state = match.state
    assert state is not None
    return choice_data(match.rules.physical(state, prompt.seat, prompt.lowest()))
