"""The findings of a check, the result that they give, and what people noted from their screen to compare."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum


class FindingKind(Enum):
    """What a finding says about the record; the value is its mark."""

    HOLDS = "✔"
    WRONG = "✘"
    OPEN = "?"
    """It can neither be shown nor refuted."""
    TOLD = "·"
    """A file cannot show it: people compare it with what they saw."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One checked item."""

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
    """All findings, in reading order."""

    findings: list[Finding] = field(default_factory=list[Finding])
    clocked: int = 0
    """Bids that a clock made for a seat with a choice."""

    def confirm(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.HOLDS, what))

    def refute(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.WRONG, what))

    def leave_open(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.OPEN, what))

    def mention(self, what: str) -> None:
        self.findings.append(Finding(FindingKind.TOLD, what))

    def check(self, right: bool, yes: str, no: str) -> bool:
        """Report a finding that is either right or wrong; return `right`."""
        if right:
            self.confirm(yes)
        else:
            self.refute(no)
        return right

    @property
    def code(self) -> int:
        """0: all findings hold; 1: one is wrong; 3: none is wrong, but one is open."""
        kinds = {finding.kind for finding in self.findings}
        return 1 if FindingKind.WRONG in kinds else 3 if FindingKind.OPEN in kinds else 0


_LINK = re.compile(r"(?:.*/)?([0-9]{1,20})/?\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Claims:
    """First digits of the record's seal and of the opening, and the id of the message that showed it."""

    record: str = ""
    opening: str = ""
    message: str = ""


NOTHING = Claims()


def read_digits(text: str) -> str:
    """Read copied hex digits, in any case, with blanks. Raise ValueError."""
    found = "".join(text.split()).lower()
    if not re.fullmatch("[0-9a-f]{16,64}", found, re.ASCII):
        raise ValueError("at least 16 hex digits are needed, and 64 at the most")
    return found


def read_message(text: str) -> str:
    """Read a message's id, or a link to it. Raise ValueError."""
    found = _LINK.match(text.strip())
    if found is None:
        raise ValueError("a message is named by its id or by a link to it")
    return found[1].lstrip("0") or "0"
