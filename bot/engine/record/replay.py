"""Replay a record up to its first error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.engine.cards import Seat
from bot.engine.choices import Bid, Choice, Pick, Prompt
from bot.engine.events import Event
from bot.engine.match import Match, Termination
from bot.engine.record.record import DealRecord, Decision, Ending, Record, RecordError, choice_data
from bot.engine.refusals import Illegal, NotAwaited, RuleError
from bot.engine.rules import Rules
from bot.engine.state import State


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint choice, and the match before it."""

    before: Match
    choices: Mapping[Seat, Choice]
    forced: frozenset[Seat]


@dataclass(frozen=True, slots=True)
class Replay:
    """The match that a record leads to, and the error that stopped the replay."""

    match: Match
    error: RecordError | None
    events: tuple[Event, ...]
    joints: tuple[Joint, ...] = ()
    """every joint choice in order, including what the referee chose"""


def replay(record: Record) -> Replay:
    """Replay the record; an error leaves the match as it was before the wrong entry."""
    player = _Player(record)
    try:
        player.run()
    except RecordError as error:
        return player.replay(error)
    return player.replay()


class _Player:
    """One pass over a record."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.match = record.start
        self.events: list[Event] = []
        self.endings = [*record.left, *([record.ending] if record.ending else [])]
        self.given: dict[Seat, Choice] = {}
        """choices of the current round so far"""
        self.forced: set[Seat] = set()
        self.asked: dict[Seat, Prompt] = {}
        self.choice_left = True
        self.joints: list[Joint] = []

    def replay(self, error: RecordError | None = None) -> Replay:
        return Replay(self.match, error, tuple(self.events), tuple(self.joints))

    def run(self) -> None:
        for number, deal in enumerate(self.record.deals):
            if self.match.over:
                raise RecordError(f"deal {number}", NotAwaited("match-ended"))
            if not self.match.needs_deal:
                raise RecordError(f"deal {number}", NotAwaited("deal-open"))
            self.play_deal(number, deal)
        self.end_early(len(self.record.deals), 0)
        if self.record.ending is not None and not self.match.over:
            # A seat left before, and then the other seats ended the match too.
            self.follow(self.match.stop(self.record.ending.kind))

    def play_deal(self, number: int, record: DealRecord) -> None:
        rules = self.match.rules
        try:
            deal = rules.check(record.deal, record.given, self.match.previous_deal())
        except RuleError as refusal:
            raise RecordError(f"deal {number}", refusal) from refusal
        self.follow(self.match.begin(deal))
        at = 0
        self.end_early(number, at)
        while at < len(record.decisions) or not self.choice_left:
            if self.match.over or self.match.state is None:
                self.refuse(number, at, NotAwaited("match-ended" if self.match.over else "deal-over"))
            if self.choice_left or self.writes_forced(record, at):
                self.take(number, at, record.decisions[at])
                at += 1
            else:
                self.resolve(self.complete(), self.all_forced(), checked=False)
            self.end_early(number, at)
        self.given, self.forced = {}, set()  # an incomplete round was not revealed, so it changes nothing

    # --- choices -----------------------------------------------------------------------------------------

    def writes_forced(self, record: DealRecord, at: int) -> bool:
        """Return True if the record writes out the forced decisions of this round. It may omit them."""
        only = self.match.forced_choices()
        seen = set(self.given)
        for decision in record.decisions[at : at + len(only) - len(seen)]:
            choice = only.get(decision.seat)
            if decision.seat in seen or choice is None or not self.matches_choice(decision, choice):
                break
            seen.add(decision.seat)
        if len(seen) == len(self.given):
            return False
        # If a seat then decides a second time, these decisions belong to the next round.
        rest = record.decisions[at + len(seen) - len(self.given) :]
        return len(seen) == len(only) or not rest or rest[0].seat not in seen

    def matches_choice(self, decision: Decision, choice: Choice) -> bool:
        """Return True if a decision equals this choice, apart from suits of equal ranks."""
        state = self.state
        try:
            read = state.rules.read_choice(state, decision.seat, decision.value)
            state.rules.check_choice(state, decision.seat, read)
        except RuleError:
            return False
        return _weight(state.rules, read) == _weight(state.rules, choice)

    def take(self, number: int, at: int, decision: Decision) -> None:
        """Add one decision to the round; resolve the round with its last decision."""
        state, seat = self.state, decision.seat
        try:
            if seat in self.given:
                raise NotAwaited("already-chosen", seat=seat)
            choice = state.rules.read_choice(state, seat, decision.value)
            state.rules.check_choice(state, seat, choice)
            if decision.forced or seat in self.match.left_seats:
                self.check_forced(seat, choice)
                self.forced.add(seat)
        except RuleError as refusal:
            self.refuse(number, at, refusal)
            raise
        self.given[seat] = choice
        missing = self.asked.keys() - self.given.keys()
        if missing <= self.match.left_seats and self.is_next_elsewhere(number, at + 1, missing):
            self.resolve(self.given, frozenset(self.forced), checked=True)

    def is_next_elsewhere(self, number: int, at: int, missing: set[Seat]) -> bool:
        """Return True if the next decision cannot be the forced bid of a seat that left, in this round."""
        decisions = self.record.deals[number].decisions
        if not missing or at >= len(decisions) or decisions[at].seat not in missing:
            return True
        # A bid that is not the forced one belongs to a later round; the record omits the forced one.
        return not self.matches_choice(decisions[at], self.asked[decisions[at].seat].lowest())

    def check_forced(self, seat: Seat, choice: Choice) -> None:
        """Refuse a forced decision that is not what the referee would bid (RULING C4)."""
        rules, want = self.state.rules, self.asked[seat].lowest()
        if _weight(rules, choice) != _weight(rules, want):
            raise Illegal("not-forced", want=_spell(want), card=_spell(choice))

    def complete(self) -> dict[Seat, Choice]:
        """Return the choices so far, with the forced ones that the record omits."""
        return {**self.match.forced_choices(), **self.given}

    def all_forced(self) -> frozenset[Seat]:
        return frozenset(self.forced | (self.match.forced_choices().keys() - self.given.keys()))

    # --- endings -----------------------------------------------------------------------------------------

    def end_early(self, deal: int, at: int) -> None:
        """Apply the endings that are due at this place. After a normal end of the match they change nothing."""
        decisions = self.record.deals[deal].decisions if deal < len(self.record.deals) else ()
        while self.endings and not self.match.over and self.choice_left:
            ending = self.endings[0]
            if ending.deal > deal and deal < len(self.record.deals):
                return
            # "after" counts decisions. If the match ended, a record may also give the index of its last decision. If
            # a seat left and the others continued, one more decision came later.
            last = ending is self.record.ending and len(decisions) == ending.after + 1
            after = len(decisions) if last else min(ending.after, len(decisions))
            if ending.deal == deal and at < after:
                return
            self.endings.pop(0)
            self.follow(_end(self.match, ending))

    # --- plumbing ----------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        assert self.match.state is not None
        return self.match.state

    def resolve(self, choices: dict[Seat, Choice], forced: frozenset[Seat], checked: bool) -> None:
        step = self.match.resolve(choices, forced, checked)
        left = {seat: prompt.lowest() for seat, prompt in self.asked.items() if seat not in choices}
        self.joints.append(Joint(self.match, {**choices, **left}, forced | left.keys()))
        self.follow(step)

    def follow(self, step: tuple[Match, tuple[Event, ...]]) -> None:
        self.match, events = step
        self.events += events
        self.given, self.forced = {}, set()
        self.asked = {prompt.seat: prompt for prompt in self.match.prompts()}
        gone = self.match.left_seats
        self.choice_left = not self.asked or any(not p.is_forced and p.seat not in gone for p in self.asked.values())

    def refuse(self, deal: int, decision: int, refusal: RuleError) -> None:
        raise RecordError(f"deal {deal}, decision {decision}", refusal) from refusal


def _end(match: Match, ending: Ending) -> tuple[Match, tuple[Event, ...]]:
    if ending.kind in (Termination.RESIGNED, Termination.TIMED_OUT) and ending.seat is not None:
        try:
            return match.leave(ending.seat, ending.kind, ending.after)
        except RuleError as refusal:
            raise RecordError("ending", refusal) from refusal
    return match.stop(ending.kind)


def _weight(rules: Rules, choice: Choice) -> object:
    """Return the value of a choice without the suits of equal ranks."""
    if isinstance(choice, Pick):
        return rules.value(choice.prize)
    return sorted(map(rules.bid_rank, choice.cards))


def _spell(choice: Choice) -> str:
    return str(choice_data(choice) if isinstance(choice, Bid) else choice.prize)
