"""`make audit` reports what it knows, and never calls packages safe that it could not check."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import audit
from tests.audit import FILES, KNOWN, NONE_KNOWN, UNKNOWN
from tests.conftest import ROOT

CLEAN: dict[str, Any] = {"name": "yarl", "version": "1.25.1", "vulns": []}
BUG = {"id": "PYSEC-2026-1", "fix_versions": ["2.0"], "aliases": [], "description": "-"}
WRONG: dict[str, Any] = {"name": "attrs", "version": "26.1.0", "vulns": [BUG]}
SKIPPED: dict[str, Any] = {"name": "idna", "skip_reason": "Dependency not found on PyPI"}


def program(folder: Path, says: str, complains: str = "", code: int = 0) -> Path:
    """Something in pip-audit's place, which answers for every file alike."""
    file = folder / "pip-audit"
    lines = ["import sys", f"sys.stderr.write({complains!r})", f"print({says!r})", f"sys.exit({code})"]
    file.with_suffix(".py").write_text("\n".join(lines), encoding="utf-8")
    file.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(file))}.py\n", encoding="utf-8")
    file.chmod(0o700)
    return file


def answer(*found: dict[str, Any]) -> str:
    return json.dumps({"dependencies": found, "fixes": []})


@pytest.mark.parametrize(
    ("says", "complains", "code", "line"),
    [
        (answer(CLEAN), "", NONE_KNOWN, "no vulnerability is known of its 1 packages."),
        (answer(CLEAN, WRONG), "Found 1", KNOWN, "attrs 26.1.0 has PYSEC-2026-1, mended in 2.0"),
        (answer(SKIPPED, WRONG), "", KNOWN, "PyPI has no answer for idna; these were not looked at."),
        (answer(SKIPPED, CLEAN), "", UNKNOWN, "PyPI has no answer for idna; these were not looked at."),
        (answer(SKIPPED), "", UNKNOWN, "no list of known vulnerabilities can be had here: PyPI"),
        (answer(), "", UNKNOWN, "no list of known vulnerabilities can be had here: PyPI"),
        ("", "Traceback\nConnectionError: no\nway", UNKNOWN, "no list of known vulnerabilities could be had: way"),
        ("", "", UNKNOWN, "pip-audit ended with 1 and said nothing"),
    ],
)
def test_audit_gives_one_sentence_a_file_and_its_exit_code(
    tmp_path: Path, says: str, complains: str, code: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main(program(tmp_path, says, complains, code=1), tmp_path) == code
    told = capsys.readouterr().out.splitlines()
    assert len([one for one in told if line in one]) == len(FILES), told
    assert all(one.startswith(FILES) for one in told)


def test_audit_checks_every_pin_by_its_hash(tmp_path: Path) -> None:
    """The audit installs and resolves nothing, and covers the packages of the tests."""
    assert {"--require-hashes", "--disable-pip"} <= set(audit.OPTIONS)
    assert audit.main(Path(sys.executable), tmp_path) == UNKNOWN  # an interpreter takes none of these options
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "audit: .venv/audit " in makefile
    assert "-m tests.audit" in makefile
