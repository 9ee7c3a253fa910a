"""The perft corpus: reading it, and counting histories with the engine (tests/perft/README.md has the format)."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations, product
from pathlib import Path
from typing import Any

from bot.engine.cards import Points
from bot.engine.choices import Bid, Choice, Kind, Pick, Prompt
from bot.engine.match import result_of
from bot.engine.record.record import read_record
from bot.engine.rules import Rules
from bot.engine.state import State

FOLDER = Path(__file__).parent / "perft"
COUNTED = ("histories", "wins", "draws", "scores", "unscored")


@dataclass
class Entry:
    """One block of the corpus."""

    id: str
    slow: bool
    record: dict[str, Any]
    expected: dict[str, Any]


@dataclass
class Count:
    """The sums of a walk over every history."""

    seats: int
    histories: int = 0
    wins: list[int] = field(default_factory=list[int])
    draws: int = 0
    scores: list[Points] = field(default_factory=list[Points])
    unscored: Points = 0

    def __post_init__(self) -> None:
        self.wins = [0] * self.seats
        self.scores = [0] * self.seats

    def add(self, other: Count) -> None:
        self.histories += other.histories
        self.draws += other.draws
        self.wins = [mine + theirs for mine, theirs in zip(self.wins, other.wins, strict=True)]
        self.scores = [mine + theirs for mine, theirs in zip(self.scores, other.scores, strict=True)]
        self.unscored += other.unscored

    def end(self, state: State) -> None:
        result = result_of(state)
        self.histories += 1
        winner = result.winner
        if winner is None:
            self.draws += 1
        else:
            self.wins[winner] += 1
        for seat, points in enumerate(result.scores):
            self.scores[seat] += points
        self.unscored += state.unscored

    def data(self) -> dict[str, Any]:
        return {
            "histories": self.histories,
            "wins": self.wins,
            "draws": self.draws,
            "scores": [_number(points) for points in self.scores],
            "unscored": _number(self.unscored),
        }


def _number(points: Points) -> int | str:
    return points.numerator if points.denominator == 1 else str(points)


def entries() -> Iterator[Entry]:
    for path in sorted(FOLDER.glob("*.perft")):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in block.splitlines() if line and not line.startswith("#")]
            if lines:
                yield _entry({key: value for key, _, value in (line.partition(" ") for line in lines)})


def _entry(values: dict[str, str]) -> Entry:
    zones = {zone: json.loads(values[zone]) for zone in ("stock", "hands", "out") if zone in values}
    deal = {**zones, "partial": "partial" in values, "decisions": []}
    record = {
        "game": values["game"],
        "options": json.loads(values["options"]),
        "seats": int(values["seats"]),
        "series": {"mode": "single"},
        "deals": [deal],
    }
    expected = {key: json.loads(values[key]) for key in COUNTED if key in values}
    return Entry(values["id"], "slow" in values, record, expected)


def count(entry: Entry) -> dict[str, Any]:
    """Walk every history. What C3 forces is no choice, and makes no second history."""
    record = read_record(entry.record)
    written = record.deals[0]
    deal = record.start.rules.check(written.deal, written.given, None)
    with _nothing_collected():
        return _walk(record.start.rules, record.start.rules.start(deal), {}).data()


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Switch off garbage collection: the memory of a walk is large and holds no cycles."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _walk(rules: Rules, state: State, known: dict[object, Count]) -> Count:
    """Every history from here on. Two ways to the same cards and points are walked on from once: that what is still to
    come asks for nothing else is what the counts, which come from another program, would show to be wrong."""
    if state.over:  # to add it up costs no more than to look it up
        found = Count(rules.seats)
        found.end(state)
        return found
    key = _present(state)
    found = known.get(key)
    if found is not None:
        return found
    found = known[key] = Count(rules.seats)
    prompts = rules.prompts(state)
    answers = [_choices(prompt) for prompt in prompts]
    for prompt, choices in zip(prompts, answers, strict=True):
        for choice in choices:
            rules.check_choice(state, prompt.seat, choice)  # each one once, and not with all that the others may do
    for choices in product(*answers):
        joint = {prompt.seat: choice for prompt, choice in zip(prompts, choices, strict=True)}
        found.add(_walk(rules, rules.apply(state, joint, frozenset())[0], known))
    return found


def _present(state: State) -> object:
    """The state without the way that led to it."""
    piles = tuple(tuple(sorted(map(str, pile))) for pile in (*state.spent, *state.won))
    now = (state.stock, state.hands, state.exposed, state.fresh, state.pot, state.table, state.aside, piles)
    sums = (state.points, state.unscored, len(state.rounds), state.voids, state.choosers, state.over)
    asked = (state.again, state.bids, state.winners, state.turns, state.picks, state.awaited)
    return now, sums, asked


def _choices(prompt: Prompt) -> list[Choice]:
    """Every different answer."""
    if prompt.kind is Kind.PICK:
        return [Pick(prize) for prize in dict.fromkeys(prompt.options)]
    return [Bid(cards) for cards in dict.fromkeys(combinations(prompt.options, prompt.size))]
