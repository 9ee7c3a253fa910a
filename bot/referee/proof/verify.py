"""Checking an exported record with nothing but the record: deal, seals, and the result of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from bot.engine.match import Match
from bot.engine.record import Record, RecordError, read_record
from bot.engine.replay import replay
from bot.engine.result import points_data
from bot.engine.state import Deal
from bot.referee.match.live import deal_zones
from bot.referee.proof import verify_house
from bot.referee.proof.fairness import nonce_seal, seal_digest, shuffled


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked."""

    holds: bool
    what: str


def verify(data: Mapping[str, Any]) -> list[Finding]:
    """Everything that can be checked. Raises `RecordError` for what is no record."""
    record = read_record(data)
    played = replay(record)
    if played.error is not None:
        raise played.error
    fairness = record.extra.get("fairness")
    findings: list[Finding] = []
    if isinstance(fairness, dict):
        try:
            findings += _proof(record, played.match, cast("Mapping[str, Any]", fairness))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            findings.append(Finding(False, f"The proof inside cannot be read: {error!r}"))
    else:
        findings.append(Finding(True, "This record carries no seals, so only the rules could be checked: they hold."))
    findings += [Finding(True, note[0].upper() + note[1:]) for note in played.notes]
    totals = "–".join(str(points_data(points)) for points in played.match.totals)
    findings.append(Finding(True, f"Replaying gives {totals}."))
    return findings


def _proof(record: Record, match: Match, fairness: Mapping[str, Any]) -> list[Finding]:
    nonce, id = bytes.fromhex(fairness["nonce"]), str(fairness["match"])
    opened = nonce_seal(nonce) == fairness["nonce_seal"]
    findings = [
        Finding(opened, "The nonce opens its seal." if opened else "The nonce does not open its seal."),
    ]
    dealt = all(_dealt(record, match, number, nonce, id) for number in range(len(record.deals)))
    if dealt:
        findings.append(Finding(True, "The deal comes from the opened nonce."))
    else:
        findings.append(Finding(False, "The deal does not come from the opened nonce."))
    return [*findings, *_seals(record, fairness, id), *_house(record, fairness, id, nonce)]


def _house(record: Record, fairness: Mapping[str, Any], id: str, nonce: bytes) -> list[Finding]:
    """The choices of house players against their levels and the nonce."""
    count, wrong = verify_house.checked(record, fairness, id, nonce)
    if not count:
        return []
    findings = [Finding(False, f"{where}: not what this level of the house gives.") for where in wrong]
    good = count - len(wrong)
    return [
        *findings,
        Finding(not wrong, f"{good} of {count} bids of the house are what its level and the nonce give."),
    ]


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


def _seals(record: Record, fairness: Mapping[str, Any], id: str) -> list[Finding]:
    """Every sealed bid against its seal."""
    good = sealed = 0
    wrong: list[Finding] = []
    for number, (deal, proofs) in enumerate(zip(record.deals, fairness["deals"], strict=True)):
        for decision, proof in zip(deal.decisions, proofs, strict=True):
            if proof is None:
                continue
            sealed += 1
            place, sub, salt, seal = int(proof[0]), int(proof[1]), bytes.fromhex(proof[2]), str(proof[3])
            digest = seal_digest(salt, id, number, place, sub, decision.seat, decision.value)
            if digest.hex() == seal:
                good += 1
            else:
                wrong.append(
                    Finding(
                        False,
                        f"Deal {number + 1}, round {place + 1}, seat {decision.seat + 1}: bid and seal differ."
                        " Either the record was altered or I cheated.",
                    )
                )
    return [*wrong, Finding(good == sealed, f"{good} of {sealed} bids match their seals.")]


__all__ = ["Finding", "RecordError", "verify"]
