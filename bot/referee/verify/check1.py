"""Version 1 checked, as far as it goes: what it binds, at the places that the replay says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.engine.cards import Seat
from bot.engine.match import Match
from bot.engine.record import Record
from bot.engine.refusals import Refusal
from bot.engine.replay import replay
from bot.engine.state import Deal
from bot.referee.match.live import deal_zones
from bot.referee.proof.canonical import Uncanonical
from bot.referee.proof.fairness import SALT_BYTES, nonce_seal, seal_digest, shuffled
from bot.referee.verify import house
from bot.referee.verify.findings import Report
from bot.referee.verify.noted import Noted
from bot.referee.verify.walk import Fault, Made, Walk
from bot.solver.levels import find_level

_HEX = re.compile(r"(?:[0-9a-f]{2})*\Z", re.ASCII)


def check(
    report: Report, record: Record, fairness: Mapping[str, Any], noted: Noted, names: Sequence[str]
) -> Walk | None:
    """Everything; the walk, where one could be made."""
    report.open(
        "This match began under version 1 of the proof. It binds the deal and the seals, but not who played, what was"
        " agreed, how it ended, nor that these are the seals that were shown."
    )
    if noted.record or noted.message:
        report.wrong("Version 1 has no record seal and names no message: this is not the record that you noted.")
    played = replay(record)
    for note in played.notes:
        report.told(f"{note[:1].upper()}{note[1:]}")
    if played.error is not None:
        report.wrong(f"The rules do not hold: {played.error}.")
        return None

    def who(seat: Seat) -> str:
        return names[seat] if seat < len(names) else f"seat {seat + 1}"

    try:
        nonce, id = _bytes(fairness["nonce"]), str(fairness["match"])
        report.check(
            nonce_seal(nonce) == fairness["nonce_seal"],
            "The nonce opens its seal.",
            "The nonce does not open its seal.",
        )
        if noted.opening:
            shown = str(fairness["nonce_seal"])
            report.check(
                shown.startswith(noted.opening),
                "That is the nonce's seal that you gave.",
                "It is another nonce's seal.",
            )
        report.check(
            all(_dealt(record, played.match, number, nonce, id) for number in range(len(record.deals))),
            "The deal comes from the opened nonce.",
            "The deal does not come from the opened nonce.",
        )
        walk = Walk(record, who, old=True)
        if not _Seals(report, fairness, id, who).check(walk):
            _house(report, record, fairness, id, nonce)
        return walk
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, Uncanonical) as error:
        report.wrong(f"The proof inside cannot be read: {type(error).__name__}.")
    except Refusal:
        report.wrong("Nothing was agreed by which it could be dealt.")
    return None


def _bytes(text: object) -> bytes:
    if not isinstance(text, str) or not _HEX.match(text):
        raise ValueError("not hex digits")
    return bytes.fromhex(text)


def _dealt(record: Record, match: Match, number: int, nonce: bytes, id: str) -> bool:
    """Whether a deal is the one that the nonce gives, or the one that the game fixes."""
    rules = match.rules
    previous = record.deals[number - 1].deal if number % 2 else None
    fixed = rules.redeal(previous) if previous is not None else None
    wanted = fixed or rules.deal(shuffled(nonce, id, number, rules.pack()))
    return _sorted(wanted) == _sorted(record.deals[number].deal)


def _sorted(deal: Deal) -> object:
    zones = deal_zones(Deal(deal.stock, deal.hands, deal.out))
    return zones.get("stock", []), [sorted(hand, key=str) for hand in zones["hands"]], sorted(zones["out"], key=str)


class _Seals:
    """Every sealed bid against its seal, which stands at the same number of its deal."""

    def __init__(self, report: Report, fairness: Mapping[str, Any], id: str, who: Callable[[Seat], str]) -> None:
        self.report = report
        self.proofs = fairness["deals"]
        self.id = id
        self.who = who
        self.good = self.sealed = 0
        self.clock: list[str] = []

    def check(self, walk: Walk) -> bool:
        """Whether anything was wrong."""
        before = len(self.report.findings)
        sizes = [len(deal.decisions) for deal in walk.record.deals]
        if [len(proofs) for proofs in self.proofs] != sizes:
            self.report.wrong("The proof inside cannot be read: it has another number of bids than the record.")
            return True
        try:
            for step in walk.steps():
                for made in step.made:
                    self._made(made)
        except Fault as fault:
            text = str(fault)
            self.report.wrong(f"{text[:1].upper()}{text[1:]}")
        bad = any(not one.holds for one in self.report.findings[before:])
        said = f"{self.good} of {self.sealed} bids match their seals."
        (self.report.wrong if bad else self.report.holds)(said)
        self.report.clocked = len(self.clock)
        for where in self.clock:
            self.report.told(
                f"{where}: bid by the clock, no seal; a seal beside that seat on the board then"
                " proves the referee wrong."
            )
        return bad

    def _made(self, made: Made) -> None:
        where = f"{made.where}, {self.who(made.seat)}"
        proof = self.proofs[made.place[0]][made.number]
        if proof is None:
            if made.free and not made.forced:
                self.sealed += 1
                self.report.wrong(f"{where}: there is no seal of this bid.")
            elif made.open:
                self.clock.append(where)
            return
        self.sealed += 1
        round, sub, salt, seal = proof
        if made.forced:
            self.report.wrong(f"{where}: the referee chose, and yet there is a seal.")
        elif [round, sub] != [*made.place[1:]]:
            self.report.wrong(f"{where}: its seal claims to be of another place.")
        elif len(_bytes(salt)) != SALT_BYTES:
            self.report.wrong(f"{where}: its salt is not of {SALT_BYTES} bytes.")
        elif seal_digest(_bytes(salt), self.id, *made.place, made.seat, made.value).hex() != seal:
            self.report.wrong(f"{where}: bid and seal differ. Either the record was altered or the referee cheated.")
        else:
            self.good += 1


def _house(report: Report, record: Record, fairness: Mapping[str, Any], id: str, nonce: bytes) -> None:
    """The choices of house players against their levels and the nonce."""
    told = record.extra.get("players", ())
    levels = {
        int(one["seat"]): level
        for one in told
        if "house" in one and (level := find_level(str(one["house"]))) is not None
    }
    if not levels:
        return
    stood_in = {(one[0], one[1], one[2], one[3]): str(one[4]) for one in fairness.get("lapses", ())}
    stored = house.stored_of(record, id, nonce, set(levels))
    count, wrong = house.checked(stored, levels, stood_in)
    for where in wrong:
        report.wrong(f"{where}: not what this level of the house gives.")
    if count:
        said = f"{count - len(wrong)} of {count} bids of the house are what its level and the nonce give."
        (report.wrong if wrong else report.holds)(said)
