"""The whole suite, as `make test` runs it: every test, and lint and types beside them.

Arguments go to pytest; then only what they choose is run."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from tests.page import browser

PRECOMPILE = (sys.executable, "-m", "tests.precompile")
TESTS = (sys.executable, "-m", "pytest", "--numprocesses", "auto", "--dist", "loadscope")
CHECKS = (os.environ.get("MAKE", "make"), "--no-print-directory", "check")

STAND_BACK = 10
"""how far lint and types stand back: the tests wait for one another's answers, they for nobody's"""


def say(words: str) -> None:
    print(words, flush=True)


def main(arguments: list[str]) -> int:
    chromium = browser.get(say)
    if chromium is None:
        say(browser.MISSING)
    else:
        os.environ["CHROMIUM"] = chromium
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # hundreds of processes start, and would compile the bot each
    with tempfile.TemporaryFile() as told:
        checks = subprocess.Popen(
            ("nice", "-n", str(STAND_BACK), *CHECKS), stdin=subprocess.DEVNULL, stdout=told, stderr=subprocess.STDOUT
        )
        try:
            subprocess.run(PRECOMPILE, check=False)
            tests = subprocess.run((*TESTS, *arguments), check=False).returncode
            wrong = checks.wait()
        finally:
            checks.terminate()
            checks.wait()
        told.seek(0)
        say(f"Lint and types: {told.read().decode().strip() or 'nothing to say'}")
    if wrong:
        say("Lint or types have found something: see above.")
    return tests or wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
