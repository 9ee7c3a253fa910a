"""Which process owns which partition, how many each should own, and who learns of that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bot.referee.model.partitions import PARTITIONS


@dataclass(frozen=True, slots=True)
class Assignment:
    """Which process owns which partition, as it was read last."""

    peers: Mapping[int, str] = field(default_factory=dict[int, str])
    """Address of each process that lives; empty where it takes no partitions from others."""
    owners: Mapping[int, int] = field(default_factory=dict[int, int])

    @property
    def sharers(self) -> Sequence[int]:
        """Processes that take partitions from others: those with an address."""
        return sorted(process for process, address in self.peers.items() if address)

    def quota(self, process: int) -> int:
        """Return how many partitions a process should own: as many as any other, or one more."""
        even, rest = divmod(PARTITIONS, len(self.sharers))
        return even + (self.sharers.index(process) < rest)

    def suits(self, partition: int, process: int) -> bool:
        """Shards belong to the first partitions: each process gets every second one, or every third and so on."""
        sharers = self.sharers
        return process in sharers and partition % len(sharers) == sharers.index(process)

    def count(self, process: int) -> int:
        return sum(owner == process for owner in self.owners.values())

    def find_taker(self) -> int:
        """Return a process that should own more partitions; 0 if there is none."""
        return next((each for each in self.sharers if self.count(each) < self.quota(each)), 0)

    def list_free(self, process: int) -> Sequence[tuple[int, int]]:
        """List partitions of dead processes with their owners, as this process takes them: each begins with others."""
        free = [(partition, owner) for partition, owner in self.owners.items() if owner not in self.peers]
        return sorted(free, key=lambda each: not self.suits(each[0], process))


class PartitionListener(Protocol):
    """Learns when processes and partitions come and go."""

    def meet(self, peers: Mapping[int, str]) -> None:
        """Note the address of each process that lives."""
        ...

    async def give_time_back(self, owners: Mapping[int, int]) -> None:
        """Give back the time without an owner to partitions of dead processes, the values, and go by the clock of this
        process in those that a living one handed over. It comes before any work there, and again if it fails."""
        ...

    async def gain(self, partitions: Collection[int]) -> None:
        """Begin with these partitions. It is called again if it fails."""
        ...

    async def drain(self, partition: int) -> None:
        """Finish what is under way in a partition, and begin nothing more: another process gets it."""
        ...
