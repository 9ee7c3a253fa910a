"""A match for one command: the stored values, and the engine's state that follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.cards import Seat
from bot.engine.choices import Choice, Prompt
from bot.engine.match import BY_WORD, Match, new_match
from bot.engine.rules import Rules
from bot.engine.series import read_series
from bot.engine.state import Deal
from bot.engine.variants import find_game
from bot.referee.model.changes import Change
from bot.referee.model.model import Setup, StoredMatch

_NOBODY: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Turn:
    """A resolved joint choice: its place, and its decisions. Button numbers count turns."""

    deal: int
    round: int
    """from 0 within the deal"""
    sub: int
    decisions: Mapping[Seat, tuple[Choice, bool]]
    """the choice of each asked seat, and whether it was forced"""
    late: frozenset[Seat] = frozenset()
    """Seats with a choice whose clock ran out."""


@dataclass(frozen=True, slots=True)
class Live:
    """One version of a match, immutable."""

    stored: StoredMatch
    match: Match
    turns: tuple[Turn, ...]

    def __repr__(self) -> str:
        return f"Live({self.stored.id}, version {self.stored.version})"

    @property
    def rules(self) -> Rules:
        return self.match.rules

    @property
    def prompts(self) -> dict[Seat, Prompt]:
        return {prompt.seat: prompt for prompt in self.match.prompts()}

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Seats whose choice is missing."""
        if not self.stored.live:
            return ()
        sealed = {seal.seat for seal in self.stored.sealed}
        gone = self.match.left_seats
        return tuple([seat for seat in self.match.awaited if seat not in sealed and seat not in gone])

    @property
    def place(self) -> tuple[int, int, int]:
        """Deal, round and sub-round of the present prompt, from 0."""
        return prompt_place(self.match)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a command: the match after it, and the steps that store it."""

    live: Live
    steps: Change
    revealed: bool = False


def prompt_place(match: Match) -> tuple[int, int, int]:
    """Return deal, round and step of the prompt; picks count on after the bids."""
    state = match.state
    if state is None:
        return match.deal_number, 0, 0
    return match.deal_number, len(state.rounds), len(state.again) + (len(state.picks) + 1 if state.turns else 0)


def resolve_turn(match: Match, taken: Mapping[Seat, tuple[Choice, bool]]) -> tuple[Match, Turn]:
    """Resolve one joint choice of this prompt. Return the match after it, and the turn."""
    forced = frozenset(seat for seat, (_, by_referee) in taken.items() if by_referee)
    late = _NOBODY
    if forced and match.has_choice:
        gone = match.left_seats
        late = forced.intersection(p.seat for p in match.prompts() if not p.is_forced and p.seat not in gone) or _NOBODY
    after, _ = match.resolve({seat: choice for seat, (choice, _) in taken.items()}, forced, checked=True)
    return after, Turn(*prompt_place(match), taken, late)


def new_engine_match(setup: Setup) -> Match:
    """Return the engine's match of a setup, before its first deal."""
    return new_match(find_game(setup.game), setup.seats, setup.options, read_series(setup.series))


def read_zones(rules: Rules, zones: Mapping[str, Any], previous: Deal | None) -> Deal:
    """Read a stored deal for the engine."""

    def cards(values: Any) -> tuple[Any, ...]:
        return tuple(rules.read_card(value) for value in values)

    hands = tuple(cards(hand) for hand in zones.get("hands", ()))
    partial = bool(zones.get("partial"))
    deal = Deal(cards(zones.get("stock", ())), hands, cards(zones.get("out", ())), partial)
    return rules.check(deal, frozenset(zone for zone in zones if zones[zone] and zone != "partial"), previous)


def deal_zones(deal: Deal) -> dict[str, Any]:
    """Return a deal in the form of the store and the record."""
    zones: dict[str, Any] = {"hands": [list(hand) for hand in deal.hands], "out": list(deal.out)}
    if deal.stock:
        zones["stock"] = list(deal.stock)
    if deal.partial:  # only in imported records
        zones["partial"] = True
    return zones


Watch = Callable[[Match, Mapping[Seat, tuple[Choice, bool]]], None]
"""Called with each joint choice and the match before it."""


def replay_match(stored: StoredMatch, watch: Watch | None = None) -> Live:
    """Replay a stored match. Every decision was checked when it was made, so this raises no refusal."""
    match, turns, left = new_engine_match(stored.setup), list[Turn](), list(stored.left)
    for deal in stored.deals:
        match, _ = match.begin(read_zones(match.rules, deal.zones, match.previous_deal()))
        at = 0
        match = _apply_leaves(match, left, deal.number, at)
        while at < len(deal.decisions):
            state = match.state
            assert state is not None
            taken: dict[Seat, tuple[Choice, bool]] = {}
            for decision in deal.decisions[at : at + len(match.prompts())]:
                choice = state.rules.read_choice(state, decision.seat, decision.choice)
                taken[decision.seat] = (choice, decision.forced)
            at += len(taken)
            if watch is not None:
                watch(match, taken)
            match, turn = resolve_turn(match, taken)
            turns.append(turn)
            match = _apply_leaves(match, left, deal.number, at)
    if stored.ending is not None and not match.over:
        match = end_match(match, stored.ending)
    return Live(stored, match, (*turns,))


def _apply_leaves(match: Match, left: list[Mapping[str, Any]], deal: int, at: int) -> Match:
    while left and not match.over and (left[0]["deal"], left[0]["after"]) <= (deal, at):
        match = end_match(match, left.pop(0))
    return match


def end_match(match: Match, ending: Mapping[str, Any]) -> Match:
    """Return the match after an ending in the form of the record."""
    kind = BY_WORD[ending["kind"]]
    seat = ending.get("seat")
    if seat is not None and ending["kind"] in ("resigned", "timed-out"):
        match, _ = match.leave(seat, kind, ending["after"])
    else:
        match, _ = match.stop(kind)
    return match
