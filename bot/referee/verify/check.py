"""Checking an exported record with nothing but the record, and what somebody noted from their screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from bot.engine.match import Match, Termination
from bot.engine.record.record import RecordError, read_record
from bot.engine.record.replay import replay
from bot.engine.record.result import points_data
from bot.referee.proof.canonical import Uncanonical, parse, same
from bot.referee.proof.version2 import record_seal, refuse_version_1
from bot.referee.verify import check2
from bot.referee.verify.claims import NOTHING, Noted
from bot.referee.verify.findings import Finding, Report
from bot.referee.verify.strict_replay import Walk

__all__ = ["Finding", "RecordError", "Report", "verify", "verify_text"]

ENDED = {
    Termination.RESIGNED: "{who} resigned",
    Termination.TIMED_OUT: "{who} missed three bids in a row",
    Termination.ABANDONED: "nobody bid any more, and it was abandoned",
    Termination.ABORTED: "it was stopped, and does not count",
    Termination.AGREED: "a draw was agreed",
}


def verify_text(text: str, noted: Noted = NOTHING, names: Sequence[str] = ()) -> Report:
    """The same for a file. Raises `RecordError` for what is no record, ValueError for what is no JSON."""
    document = parse(text)
    if not isinstance(document, dict):
        raise ValueError("a record is an object in braces")
    return verify(cast("dict[str, Any]", document), noted, names)


def verify(data: Mapping[str, Any], noted: Noted = NOTHING, names: Sequence[str] = ()) -> Report:
    """Everything that can be checked. `names` are what the seats are called; without them, by user id. Raises
    `RecordError` for what is no record."""
    refuse_version_1(data)
    report = Report()
    fairness: object = data.get("fairness")
    if isinstance(fairness, dict) and same(cast("Mapping[str, Any]", fairness).get("version"), 2):
        try:
            record_seal(data)
        except (Uncanonical, RecursionError) as error:
            report.wrong(f"The record holds {error}, which no seal covers.")
            return report
    record = read_record(data)
    if not isinstance(fairness, dict):
        _by_rules(report, data, noted)
        return report
    proof = cast("Mapping[str, Any]", fairness)
    if not same(proof.get("version"), 2):
        report.open("This record is of a version of the proof that I do not know. Only its rules were checked.")
        _by_rules(report, data, noted)
        return report
    walk = check2.check(report, data, record, noted, names)
    if walk is not None:
        _how_it_ended(report, walk)
    check2.seal_of_the_record(report, data, noted)
    return report


def _by_rules(report: Report, data: Mapping[str, Any], noted: Noted) -> None:
    """A record without a proof that can be read."""
    if "fairness" not in data:
        report.open("This record carries no seals, so only the rules could be checked.")
    elif not isinstance(data["fairness"], dict):
        report.wrong("The proof inside cannot be read: it is no object.")
    played = replay(read_record(data))
    if played.error is not None:
        report.wrong(f"The rules do not hold: {played.error}.")
        return
    report.holds("The rules hold.")
    _result(report, played.match)
    if noted.record or noted.opening or noted.message:
        report.wrong("There is nothing in it to hold what you noted against.")


def _how_it_ended(report: Report, walk: Walk) -> None:
    """What the replay comes to, and what is to be compared with memory."""
    _result(report, walk.match)
    for ending, where in walk.endings:
        what = ENDED[ending.kind].format(who=walk.gone(ending))
        report.told(f"{where}: {what}. Compare that with what you remember.")
    if walk.match.over and not walk.endings:
        report.told("It was played to its end.")


def _result(report: Report, match: Match) -> None:
    totals = "–".join(str(points_data(points)) for points in match.totals)
    report.holds(f"Replaying gives {totals}.")
    if not match.over:
        report.open("The match is not finished in this record, so more may have been played.")
