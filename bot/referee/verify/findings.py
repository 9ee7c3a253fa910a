"""What a check of a record comes to: its findings, and the one answer that they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class FindingKind(Enum):
    """What a finding says of the record; the value is its mark."""

    HOLDS = "✔"
    WRONG = "✘"
    OPEN = "?"
    """it can neither be shown nor refuted"""
    TOLD = "·"
    """nothing that a file can show: to be compared with what people saw"""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    kind: FindingKind
    what: str

    @property
    def holds(self) -> bool:
        return self.kind is not FindingKind.WRONG

    @property
    def line(self) -> str:
        return f"{self.kind.value} {self.what}"


@dataclass(slots=True)
class Report:
    """Everything that was found, in the order in which it is read."""

    findings: list[Finding] = field(default_factory=list[Finding])
    clocked: int = 0
    """bids that a clock made for a seat that had a choice"""

    def confirm(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.HOLDS, what))

    def refute(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.WRONG, what))

    def leave_open(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.OPEN, what))

    def mention(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.TOLD, what))

    def check(self, right: bool, yes: str, no: str) -> bool:
        """One thing that is either so or not."""
        if right:
            self.confirm(yes)
        else:
            self.refute(no)
        return right

    @property
    def code(self) -> int:
        """0: all of it holds; 1: something does not; 3: nothing contradicts, but something cannot be shown."""
        kinds = {one.kind for one in self.findings}
        return 1 if FindingKind.WRONG in kinds else 3 if FindingKind.OPEN in kinds else 0
