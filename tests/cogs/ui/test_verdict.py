"""The title over the check of a match agrees with the lines below it."""

from __future__ import annotations

from bot.referee.verify.findings import Report
from cogs.records.record_files import verdict_title


def report(*, unchecked: int = 0, wrong: bool = False) -> Report:
    made = Report()
    made.confirm("The deal comes from the secret number.")
    for number in range(unchecked):
        made.leave_open(f"Point {number}.")
    if wrong:
        made.refute("The match seal does not fit the record.")
    return made


def test_only_a_check_without_doubt_is_called_verified() -> None:
    assert verdict_title("K7Q2", report()) == "### #K7Q2 · verified"


def test_points_that_cannot_be_checked_are_counted() -> None:
    assert verdict_title("K7Q2", report(unchecked=1)) == "### #K7Q2 · verified, except for 1 point (?)"
    assert verdict_title("K7Q2", report(unchecked=2)) == "### #K7Q2 · verified, except for 2 points (?)"


def test_one_wrong_point_decides() -> None:
    assert verdict_title("K7Q2", report(unchecked=1, wrong=True)) == "### #K7Q2 · something is wrong (✘)"
