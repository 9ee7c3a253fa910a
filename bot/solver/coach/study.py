"""The results of `gops solve`: solved positions as JSON data, and a comparison with Kerr's tables."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.solver.exact.induction import Workers
from bot.solver.exact.position import Position
from bot.solver.exact.solve import ValueSource, answer_position, build_matrix, solve_position, start_whole_game
from bot.solver.kernels.matrix_game import Solution
from bot.solver.tables.library import Library


@dataclass(frozen=True)
class Study:
    """A position with its prize up, solved."""

    position: Position
    answer: Solution
    before_reveal: float
    exact: bool

    def data(self) -> dict[str, Any]:
        """Return the JSON object of the position."""
        at, found = self.position, self.answer
        about: dict[str, Any] = {
            "mine": list(at.mine),
            "theirs": list(at.theirs),
            "prizes": list(at.prizes),
            "up": at.up,
            "ties": at.ties,
            "pot": at.pot,
            "objective": at.objective,
            "lead": at.lead,
        }
        if at.ordered:
            about["order"] = list(at.prizes)
        return {
            **about,
            "value": found.value,
            "value_before_reveal": self.before_reveal,
            "matrix": [list(row) for row in found.matrix],
            "mix": list(found.mix),
            "their_mix": list(found.their_mix),
            "gap": found.gap,
            "exact": self.exact,
        }


def study_turns(position: Position, ups: Sequence[int], library: Library, quick: bool) -> list[Study]:
    """Solve a position for several prizes that may be up; they share a solve."""
    hidden = position if position.ordered else replace(position, up=None)
    if len(ups) > 1 or not (position.is_even or position.ordered):
        before = library.before_reveal(replace(hidden, up=None), quick)
        if position.is_even and not any(library.knows(hidden.turned(up)) for up in ups):
            library.learn(replace(hidden, up=None), quick)
    else:
        before = 0.0
    found: list[Study] = []
    for up in ups:
        verdict = library.judge(hidden.turned(up), quick)
        known = verdict.answer.value if position.ordered else before
        found.append(Study(hidden.turned(up), verdict.answer, known, verdict.exact))
    return found


def study_many(positions: Sequence[Position], threads: int) -> Iterator[Study]:
    """Solve positions exactly and yield them in their order. Positions that differ only in `up` share a solve."""
    groups: dict[Position, set[int]] = {}
    for position in positions:
        assert position.up is not None
        groups.setdefault(replace(position, up=None), set()).add(position.up)

    def solve_group(group: Position) -> dict[int, Study]:
        ups = groups[group]
        one = len(ups) == 1 and group.is_even
        source: ValueSource = solve_position(group.turned(min(ups)) if one else group, Workers())
        before = 0.0 if group.is_even else source.value(group)
        assert before is not None
        found: dict[int, Study] = {}
        for up in ups:
            solved = answer_position(source, group.turned(up))
            assert solved is not None
            found[up] = Study(group.turned(up), solved, before, True)
        return found

    with ThreadPoolExecutor(max(1, threads)) as pool:
        # Start the longest solves first, so that all threads finish at about the same time.
        order = sorted(groups, key=lambda group: -len(group.mine))
        tasks = {group: pool.submit(solve_group, group) for group in order}
        try:
            for position in positions:
                assert position.up is not None
                yield tasks[replace(position, up=None)].result()[position.up]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def measure_loss(position: Position, source: ValueSource, mix: Sequence[float]) -> float:
    """Return the exploitability of a mix: the value less its payoff against the best response."""
    game = build_matrix(source.value, position)
    assert game is not None
    solved = answer_position(source, position)
    assert solved is not None
    worst = min(
        sum(share * row[column] for share, row in zip(mix, game, strict=True)) for column in range(len(game[0]))
    )
    return max(0.0, solved.value - worst)


FILE = Path(__file__).parent / "kerr.json"


@dataclass(frozen=True)
class KerrComparison:
    """A first move of Kerr's tables; figures that are not in his paper are empty."""

    cards: int
    prize: int
    his_matrix: list[list[float]]
    matrix: list[list[float]]
    his_mix: list[float]
    mix: list[float]
    exploited: float | None

    @property
    def widest(self) -> float | None:
        """The largest difference between the payoffs."""
        pairs = zip(self.his_matrix, self.matrix, strict=False)
        return max((abs(a - b) for his, ours in pairs for a, b in zip(his, ours, strict=True)), default=None)

    @property
    def mix_difference(self) -> float | None:
        """The largest difference between the probabilities of a bid."""
        return max((abs(a - b) for a, b in zip(self.his_mix, self.mix, strict=False)), default=None)

    def data(self) -> dict[str, Any]:
        return {
            "cards": self.cards,
            "up": self.prize,
            "kerr_matrix": self.his_matrix or None,
            "matrix": self.matrix,
            "matrix_difference": self.widest,
            "kerr_mix": self.his_mix or None,
            "mix": self.mix,
            "mix_difference": self.mix_difference,
            "exploited": self.exploited,
        }


def read_kerr_source() -> str:
    """Return the reference of Kerr's figures."""
    return str(json.loads(FILE.read_text(encoding="utf-8"))["source"])


def compare_with_kerr() -> Iterator[KerrComparison]:
    """Solve each first move of Kerr's tables and compare it."""
    his = json.loads(FILE.read_text(encoding="utf-8"))
    payoffs: dict[str, dict[str, list[list[float]]]] = his["payoffs"]
    mixes: dict[str, dict[str, list[float]]] = his["first_bid_probabilities"]
    for cards in sorted({int(each) for each in (*payoffs, *mixes)}):
        start = start_whole_game(cards)
        solved = solve_position(start)
        for prize in range(1, cards + 1):
            found = answer_position(solved, start.turned(prize))
            assert found is not None
            mix = mixes.get(str(cards), {}).get(str(prize), [])
            yield KerrComparison(
                cards,
                prize,
                payoffs.get(str(cards), {}).get(str(prize), []),
                [list(row) for row in found.matrix],
                mix,
                list(found.mix),
                measure_loss(start.turned(prize), solved, mix) if mix else None,
            )
