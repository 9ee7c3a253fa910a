"""Whole matches at random, and the records they leave."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

from hypothesis import strategies as st

from bot.engine.choices import Choice
from bot.engine.events import Event
from bot.engine.match import Match, Termination, new_match
from bot.engine.record.record import DealRecord, Decision, Ending, Record, choice_data
from bot.engine.refusals import BadSetup
from bot.engine.rules import Rules
from bot.engine.series import SINGLE, Series
from bot.engine.state import Deal
from tests.engine.strategies import ANY_SERIES, SEEDS, Policy, any_policy, any_rules, most_deals, shuffled_deal

FORCED = ("omitted", "marked", "plain")
"""How a record writes what the referee forced."""


@dataclass(frozen=True)
class Leaving:
    """After so many steps of the match this seat goes; without a seat everybody stops."""

    step: int
    kind: Termination
    seat: int | None


class Played:
    """A match, and what was written down while it was played."""

    def __init__(self, start: Match) -> None:
        self.start = start
        self.match = start
        self.events: list[Event] = []
        self.deals: list[tuple[Deal, list[Decision]]] = []
        self.left: list[Ending] = []
        self.ending: Ending | None = None
        self.unwritten: dict[int, Choice] = {}
        """what was forced since the last decision was written down"""
        self.ambiguous = False
        """whether what was left out was then chosen again, so that a reader takes the one for the other"""

    def __repr__(self) -> str:
        return json.dumps(self.record.data())

    @property
    def record(self) -> Record:
        deals = tuple(DealRecord(deal, frozenset(), tuple(decisions)) for deal, decisions in self.deals)
        return Record(self.start, deals, self.ending, tuple(self.left))

    def follow(self, step: tuple[Match, tuple[Event, ...]]) -> None:
        self.match, events = step
        self.events += events

    def write(self, choices: dict[int, Choice], forced: bool, marked: bool, dice: random.Random) -> None:
        """Write a joint choice down in any order."""
        state = self.match.state
        assert state is not None
        same = [seat for seat, choice in self.unwritten.items() if choices.get(seat) == choice]
        self.ambiguous = self.ambiguous or bool(same)
        self.unwritten = {}
        seats = list(choices)
        dice.shuffle(seats)
        for seat in seats:
            choice = choices[seat]
            if not forced or dice.random() < 0.5:
                choice = state.rules.physical(state, seat, choice)
            self.deals[-1][1].append(Decision(seat, choice_data(choice), forced and marked))


def play_match(
    start: Match, seed: int, policy: Policy, forced: str = "omitted", leaving: Leaving | None = None
) -> Played:
    """A match to its end."""
    played, dice, pen, choose = Played(start), random.Random(seed), random.Random(seed), policy.player()
    steps = 0
    while not played.match.over:
        match = played.match
        if match.needs_deal:
            assert len(played.deals) < most_deals(start.series), f"{start.series} does not end"
            deal = shuffled_deal(start.rules, dice.randrange(1 << 32), match.previous_deal())
            played.deals.append((deal, []))
            played.unwritten = {}
            played.follow(match.begin(deal))
        elif leaving is not None and steps >= leaving.step and match.has_choice:
            leave(played, leaving)
            leaving = None
        elif match.has_choice:
            assert match.state is not None
            choices = choose(match.rules, match.state)
            mine = {seat: choice for seat, choice in choices.items() if seat not in match.left_seats}
            played.write(mine, False, False, pen)
            if forced != "omitted":
                played.write(
                    {s: c for s, c in match.forced_choices().items() if s in match.left_seats},
                    True,
                    forced == "marked",
                    pen,
                )
            played.follow(match.resolve(mine))
            steps += 1
        else:
            choices = match.forced_choices()
            if forced != "omitted":
                played.write(choices, True, forced == "marked", pen)
            else:
                played.unwritten = {**choices, **played.unwritten}
            played.follow(match.force())
    return played


def leave(played: Played, leaving: Leaving) -> None:
    """Let a seat leave, and note it as a record does."""
    number, after = played.match.deal_number, len(played.deals[-1][1])
    ending = Ending(leaving.kind, leaving.seat, number, after)
    if leaving.seat is None:
        played.follow(played.match.stop(leaving.kind))
    else:
        played.follow(played.match.leave(leaving.seat, leaving.kind, after))
    if played.match.over:
        played.ending = ending
    else:
        played.left.append(ending)


@st.composite
def any_start(draw: st.DrawFn) -> Match:
    """A match of any game in any series before its first deal."""
    rules: Rules = draw(any_rules())
    series: Series | None = draw(st.none() | ANY_SERIES)
    options = {key: value for key, value in rules.options.items() if value is not None}
    try:
        return new_match(rules.game, rules.seats, options, series)
    except BadSetup:
        return new_match(rules.game, rules.seats, options, SINGLE)


@st.composite
def any_leaving(draw: st.DrawFn, seats: int) -> Leaving:
    step = draw(st.integers(0, 12))
    if draw(st.booleans()):
        kind = draw(st.sampled_from([Termination.RESIGNED, Termination.TIMED_OUT]))
        return Leaving(step, kind, draw(st.integers(0, seats - 1)))
    return Leaving(step, draw(st.sampled_from([Termination.ABANDONED, Termination.ABORTED, Termination.AGREED])), None)


@st.composite
def any_played(draw: st.DrawFn, forced: str | None = None, leaves: bool = False) -> Played:
    """A match that was played to its end, or that a seat left."""
    start = draw(any_start())
    way = forced or draw(st.sampled_from(FORCED))
    leaving = draw(any_leaving(start.rules.seats)) if leaves else None
    return play_match(start, draw(SEEDS), draw(any_policy()), way, leaving)


def advance(match: Match) -> Match:
    """Force choices for as long as no seat has one."""
    while not match.has_choice:
        match, _ = match.force()
    return match
