"""Which process owns which partition, and how many each should own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.referee.model.partitions import PARTITIONS


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which process owns which partition, as it was read last."""

    peers: Mapping[int, str] = field(default_factory=dict[int, str])
    """Address of each process that lives."""
    owners: Mapping[int, int] = field(default_factory=dict[int, int])

    def quota(self, process: int) -> int:
        """Return how many partitions a process should own: as many as any other, or one more."""
        even, rest = divmod(PARTITIONS, len(self.peers))
        return even + (self.rank(process) < rest)

    def rank(self, process: int) -> int:
        return sorted(self.peers).index(process)

    def count(self, process: int) -> int:
        return sum(owner == process for owner in self.owners.values())

    def find_taker(self) -> int:
        """Return a process that should own more partitions; 0 if there is none."""
        return next((each for each in sorted(self.peers) if self.count(each) < self.quota(each)), 0)
