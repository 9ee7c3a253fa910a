"""Every forgery of the corpus is found, and the sentence names the place; every honest record verifies."""

import json
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.proof.forgeries import FOLDER, INDEX, Case, cases, kept

CASES = kept()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_gops_verify_gives_the_expected_verdict_of_every_case(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.json"
    file.write_text(case.text, encoding="utf-8")
    asked = [part for key, value in case.noted.items() if value for part in (f"--{key}", value)]
    code = main(["verify", str(file), *asked])
    told = capsys.readouterr()
    assert code == case.code, told.out
    if case.says:
        assert case.says in told.out
    assert ("✘" in told.out) == (code == 1)
    assert ("\n? " in f"\n{told.out}") or code != 3
    assert bool(told.err) == (code == 2)
    assert "Traceback" not in told.out + told.err


def test_stored_corpus_equals_the_generated_corpus() -> None:
    """`python -m tests.proof.forgeries` writes the corpus."""
    written = cases()
    assert {one.stem for one in FOLDER.glob("*.json")} == {case.name for case in written} | {INDEX.stem}
    for case in written:
        assert (FOLDER / f"{case.name}.json").read_text(encoding="utf-8") == case.text, case.name
    assert json.loads(INDEX.read_text(encoding="utf-8")) == [case.line() for case in written]
