"""What a match's rules mean for the value of a position; apart from the kernels, so that whoever asks needs none."""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Objective:
    """What a match's rules mean for the value of a position."""

    carry: bool = False
    swap: bool = False  # a tie also exchanges the hands
    win: bool = False  # the chance to win less that to lose, in place of points

    @property
    def plain(self) -> bool:
        """Nothing but hands and prizes matters."""
        return not (self.carry or self.swap or self.win)


@cache
def objective(carry: bool, swap: bool, win: bool) -> Objective:
    """The one of these three: it is asked for with every step of a search."""
    return Objective(carry, swap, win)
