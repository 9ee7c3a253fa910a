"""Every golden case, through the same path as `gops referee`."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from tests import golden_cases

CASES = [(name, case) for name in golden_cases.names() for case in golden_cases.load(name)]


def run_referee(tmp_path: Path, record: object) -> int:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return main(["referee", str(file)])


@pytest.mark.parametrize(("name", "case"), CASES, ids=[f"{name}: {case['case']}" for name, case in CASES])
def test_golden_case_gives_the_expected_result(
    name: str, case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run_referee(tmp_path, case["record"])
    printed = capsys.readouterr()
    if "error" in case:
        assert code == 2
        assert printed.out == ""
        assert printed.err.count("\n") == 1
        assert case["error"].lower() in printed.err.lower()
    else:
        assert (code, printed.err) == (0, "")
        assert golden_cases.mismatch(case["expect"], json.loads(printed.out)) == ""


def test_wrong_result_is_found() -> None:
    got = {"scores": [4, 2], "winner": 0, "more": 1}
    assert golden_cases.mismatch({"scores": [4, 2]}, got) == ""
    assert golden_cases.mismatch({"scores": [4, 3]}, got) == "result.scores[1]: expected 3, got 2"
    assert golden_cases.mismatch({"winner": False}, got) == "result.winner: expected False, got 0"
    assert golden_cases.mismatch({"loser": 1}, got) == "result.loser is missing"
    assert golden_cases.mismatch({"scores": [4]}, got) == "result.scores: expected [4], got [4, 2]"
