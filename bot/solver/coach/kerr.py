"""Kerr's tables beside the exact ones."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.solver.coach.study import exploited
from bot.solver.exact.solve import answer, solve, whole_game

FILE = Path(__file__).parent / "kerr.json"


@dataclass(frozen=True)
class Comparison:
    """One of his first moves; what he did not print is empty."""

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
        """The largest difference between the chances of a bid."""
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


def source() -> str:
    """Where his figures are from."""
    return str(json.loads(FILE.read_text(encoding="utf-8"))["source"])


def compare() -> Iterator[Comparison]:
    """Every first move that he tabulated."""
    his = json.loads(FILE.read_text(encoding="utf-8"))
    payoffs: dict[str, dict[str, list[list[float]]]] = his["payoffs"]
    mixes: dict[str, dict[str, list[float]]] = his["first_bid_probabilities"]
    for cards in sorted({int(each) for each in (*payoffs, *mixes)}):
        start = whole_game(cards)
        solved = solve(start)
        for prize in range(1, cards + 1):
            found = answer(solved, start.turned(prize))
            assert found is not None
            mix = mixes.get(str(cards), {}).get(str(prize), [])
            yield Comparison(
                cards,
                prize,
                payoffs.get(str(cards), {}).get(str(prize), []),
                [list(row) for row in found.matrix],
                mix,
                list(found.mix),
                exploited(start.turned(prize), solved, mix) if mix else None,
            )
