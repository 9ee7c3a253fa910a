"""`make audit`: known vulnerabilities of the pinned packages. Exit 0: none known; 1: some; 2: not checked.

pip-audit asks PyPI for them. A package without an answer from PyPI was not checked, although pip-audit hardly says so.
An index that replaces PyPI and has no such list answers for no package.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FILES = ("requirements.txt", "requirements-postgres.txt", "requirements-http.txt", "requirements-dev.txt")
PROGRAM = ROOT / ".venv" / "audit" / "bin" / "pip-audit"
OPTIONS = ("--require-hashes", "--disable-pip", "--progress-spinner=off", "--format=json")

NONE_KNOWN, KNOWN, UNKNOWN = 0, 1, 2


def audit(program: Path, file: Path) -> tuple[int, list[str]]:
    """Return the exit code for the pins of one file, and the lines that explain it."""
    command = [str(program), *OPTIONS, "--requirement", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError, TypeError):
        last = (done.stderr.strip().splitlines() or [f"pip-audit ended with {done.returncode} and said nothing"])[-1]
        return UNKNOWN, [f"{file.name}: no list of known vulnerabilities could be had: {' '.join(last.split())}"]
    return judged(file.name, found)


def judged(name: str, found: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Describe the findings of pip-audit for each package."""
    skipped = [one["name"] for one in found if "skip_reason" in one]
    known: list[str] = []
    for one in found:
        for bug in one.get("vulns", []):
            mended = ", ".join(bug["fix_versions"]) or "no version"
            known.append(f"{name}: {one['name']} {one['version']} has {bug['id']}, mended in {mended}")
    if len(skipped) == len(found):
        nothing = (
            f"{name}: no list of known vulnerabilities can be had here: PyPI, as this machine reaches it, answers "
            f"for none of its {len(found)} packages. Nothing was looked at; try it where pypi.org can be reached."
        )
        return UNKNOWN, [nothing]
    if skipped:
        known.append(f"{name}: PyPI has no answer for {', '.join(sorted(skipped))}; these were not looked at.")
        return KNOWN if len(known) > 1 else UNKNOWN, known
    return (
        (KNOWN, known) if known else (NONE_KNOWN, [f"{name}: no vulnerability is known of its {len(found)} packages."])
    )


def main(program: Path = PROGRAM, folder: Path = ROOT) -> int:
    codes: set[int] = set()
    for name in FILES:
        code, lines = audit(program, folder / name)
        codes.add(code)
        print("\n".join(lines), flush=True)
    return next(code for code in (KNOWN, UNKNOWN, NONE_KNOWN) if code in codes)


if __name__ == "__main__":
    sys.exit(main())
